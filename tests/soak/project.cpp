#include "tests/soak/project.h"

#include <fstream>
#include <stdexcept>

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

std::string step(const std::string& id) {
  return "  - id: " + id + "\n    instructions: Work.\n    evidence:\n      note: string\n";
}

}  // namespace

Project::Project(const fs::path& folder, People people) : folder_(fs::canonical(folder)) {
  const fs::path flows = root() / ".phasegate" / "workflows";
  std::string plain = "workflow: plain\nsteps:\n";
  for (const char* phase : kPlainPhases) plain += step(phase);
  write(flows / "plain.yaml", plain);
  std::string checked = "workflow: checked\nsteps:\n";
  for (const char* phase : kCheckedPhases) {
    checked += step(phase);
    if (std::string(phase) != "two") continue;
    checked += "    checks:\n      - {name: ran, command: {argv: [sh, tool.sh, \"{{run.id}}\"]}}\n";
  }
  write(flows / "checked.yaml", checked);
  write(root() / "tool.sh", "echo \"$1\" >> ran\n");
  std::string asked = "workflow: asked\nsteps:\n";
  for (const char* phase : kAskedPhases) {
    asked += step(phase);
    if (std::string(phase) == "one") asked += "    decision: \"Is it good enough?\"\n";
  }
  write(flows / "asked.yaml", asked);
  if (people == People::nobody) return;
  at_terminal({"trust", "checked"}, {{"[y/N] ", "y\n"}});
  const std::string secret = std::string(kSecret) + "\n";
  at_terminal({"approvers", "add", "ada"},
              {{"New secret of ", secret}, {"The same again: ", secret}});
}

void Project::at_terminal(const std::vector<std::string>& words, const Script& script) const {
  Child person(command(words), Child::Streams::terminal);
  for (const auto& [question, answer] : script) {
    if (person.wait_for(question, kForever)) person.write(answer);
  }
  const std::string said = person.read_all();
  if (person.wait() != 0) throw std::runtime_error(words.front() + " does not work: " + said);
}

Project::Project(const Project& original, const fs::path& folder) : folder_(fs::canonical(folder)) {
  fs::copy(original.folder_, folder_, fs::copy_options::recursive);
  // Files keep their mode, a folder that is made on the way does not.
  if (fs::exists(state())) fs::permissions(state(), fs::perms::owner_all);
}

Command Project::command(const std::vector<std::string>& words, const Variables& variables) const {
  Command command;
  command.words = {phasegate_binary().string()};
  command.words.insert(command.words.end(), words.begin(), words.end());
  command.folder = root();
  command.variables = variables;
  command.variables["PHASEGATE_STATE"] = state().string();
  command.variables["HOME"] = folder_.string();
  return command;
}

Server::Server(const Project& project, const Variables& variables)
    : child_(project.command({"mcp"}, variables), Child::Streams::pipes, project.errors()) {}

std::optional<Json> Server::ask(const std::string& method, const Json& parameters,
                                std::chrono::microseconds patience) {
  if (asked_ == 0 && method != "initialize") {
    const Json hello = {{"protocolVersion", "2025-06-18"},
                        {"capabilities", Json::object()},
                        {"clientInfo", {{"name", "soak"}, {"version", "1"}}}};
    if (!ask("initialize", hello, kForever)) return std::nullopt;
  }
  const Json request = {
      {"jsonrpc", "2.0"}, {"id", asked_++}, {"method", method}, {"params", parameters}};
  if (!child_.write(base::dump(request) + "\n")) return std::nullopt;
  for (bool killed = false;;) {
    const auto line = child_.read_line(killed ? kForever : patience);
    if (!line && (killed || child_.has_ended())) return std::nullopt;
    if (!line) {
      child_.kill();
      killed = true;
      continue;
    }
    Json message = parsed(*line);
    if (message.is_object() && message.contains("id") && message.contains("result")) {
      return std::move(message["result"]);
    }
    if (message.is_object() && message.contains("error")) {
      return Json{{"structuredContent", {{"error", "protocol"}, {"message", *line}}}};
    }
  }
}

std::optional<Json> Server::call(const std::string& tool, const Json& arguments,
                                 std::chrono::microseconds patience) {
  auto result = ask("tools/call", {{"name", tool}, {"arguments", arguments}}, patience);
  if (!result) return std::nullopt;
  return std::move((*result)["structuredContent"]);
}

std::vector<std::string> Server::tools() {
  std::vector<std::string> names;
  const auto result = ask("tools/list", Json::object(), kForever);
  if (!result || !result->contains("tools")) return names;
  for (const Json& tool : (*result)["tools"]) {
    names.push_back(base::string_member(tool, "name").value_or(""));
  }
  return names;
}

int Server::end() {
  child_.close_input();
  static_cast<void>(child_.read_all());
  return child_.wait();
}

Json parsed(const std::string& text) {
  auto json = base::parse_json(text, {1U << 26U, 64});
  return json.ok() ? std::move(json).value() : Json();
}

Json evidence_for(const std::string& target, const std::string& phase, std::size_t bytes) {
  std::string note = target + " " + phase + " ";
  if (note.size() < bytes) note.resize(bytes, 'x');
  return {{"note", note}};
}

}  // namespace phasegate::soak
