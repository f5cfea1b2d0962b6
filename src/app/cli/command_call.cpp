#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/assistant_tools.h"
#include "app/cli/commands.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "app/standard_input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/protocol/local_call.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

using base::Error;
using base::Json;
using base::Result;

Result<Json> arguments_from(const std::string& given) {
  Result<std::string> text = given == "-" ? read_standard_input(base::limits::kMessageBytesMax)
                                          : Result<std::string>(given);
  if (!text) return text.error();
  if (base::trimmed(*text).empty()) return Json(Json::object());
  constexpr base::JsonLimits kMessage{base::limits::kMessageBytesMax,
                                      base::limits::kMessageDepthMax};
  auto json = base::parse_json(*text, kMessage);
  if (!json) {
    return Error{"usage", "The arguments are no JSON: " + json.error().message + ".",
                 R"(Write an object in single quotes, such as '{"session_id": "…"}'.)", ""};
  }
  if (!json->is_object()) {
    return Error{"usage", "The arguments must be a JSON object.",
                 R"(Write for example '{"session_id": "…"}'.)", ""};
  }
  return std::move(*json);
}

/// A person may name a session as in other commands: by its beginning, or not at all for the open
/// one that has changed last.
Result<void> name_session(Json& arguments, const mcp::protocol::ToolDefinition& tool,
                          Program& program) {
  if (tool.input_schema.find("\"session_id\"") == std::string::npos) return {};
  const Json* given = base::find_member(arguments, "session_id");
  if (given != nullptr && !given->is_string()) return {};
  const std::string typed = given == nullptr ? "" : given->get<std::string>();
  auto id = find_session_or_newest(program.engine(), typed, program.settings().options_here);
  if (!id) return id.error();
  arguments["session_id"] = *std::move(id);
  return {};
}

/// The answer's text as it may be printed: lines and tabs stay, other control characters are shown.
std::string printable(std::string_view text) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) {
    std::string shown_line;
    for (const std::string_view part : base::split(line, '\t')) {
      if (!shown_line.empty() || part.data() != line.data()) shown_line += '\t';
      shown_line += shown(part);
    }
    out += shown_line + '\n';
  }
  return out;
}

}  // namespace

Outcome call_tool(const Invocation& invocation, Program& program) {
  const auto tools = assistant_tools(program);
  std::vector<std::string> names;
  const auto listed = tools->tools();
  for (const auto& tool : *listed) names.push_back(tool.name);
  const std::string& name = invocation.argument;
  const auto& all = *listed;
  const auto tool =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (tool == all.end()) {
    const auto nearest = base::nearest_name(name, names);
    return failed(ExitCode::usage, {"usage", "There is no tool " + base::in_quotes(name) + ".",
                                    nearest ? "Did you mean `" + *nearest + "`?"
                                            : "The tools are " + base::joined(names, ", ") + ".",
                                    ""});
  }
  auto arguments = arguments_from(invocation.second_argument);
  if (!arguments) return failed(ExitCode::usage, arguments.error());
  if (const auto named = name_session(*arguments, *tool, program); !named) {
    return failed(ExitCode::not_ok, named.error());
  }
  mcp::protocol::LocalCall call(world::principal(), "phasegate call");
  const auto outcome = tools->call_tool(name, *arguments, call.context());
  const auto* answered = std::get_if<mcp::protocol::ToolResult>(&outcome);
  if (answered == nullptr) {
    return failed(ExitCode::not_ok, {"not_here", "`" + name + "` has to ask its client first.",
                                     "It can be called by an assistant only.", ""});
  }
  const mcp::protocol::ToolResult& result = *answered;
  std::string out = invocation.json && result.structured
                        ? base::dump_pretty(*result.structured) + "\n"
                        : printable(result.text);
  return {result.is_error ? ExitCode::not_ok : ExitCode::ok, std::move(out), ""};
}

}  // namespace phasegate::app::cli
