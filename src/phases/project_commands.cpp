#include "phases/project_commands.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/check_json.h"

namespace phasegate::phases {
namespace {

using base::Json;

bool takes_from_project(const Check& check) {
  if (check.kind == CheckKind::http) return true;
  const auto parameters = parameters_of(check);
  if (!parameters) return false;
  return check.kind == CheckKind::guard ? base::bool_member(*parameters, "project") == true
                                        : base::find_member(*parameters, "project") != nullptr;
}

bool knows(CheckKind kind, std::string_view name) {
  const auto& members = check_members(kind);
  return std::any_of(members.begin(), members.end(),
                     [&](const CheckMember& member) { return member.name == name; });
}

/// Adds texts to a list among the parameters, each once.
bool append(Json& parameters, const char* name, const std::vector<std::string>& more) {
  Json list = parameters.contains(name) ? parameters.at(name) : Json::array();
  bool added = false;
  for (const std::string& text : more) {
    if (std::find(list.begin(), list.end(), Json(text)) != list.end()) continue;
    list.push_back(text);
    added = true;
  }
  if (added || name == std::string_view("paths")) parameters[name] = std::move(list);
  return added;
}

/// Puts what the project says into checks.
class ProjectFiller {
 public:
  explicit ProjectFiller(const ProjectConfig& config) : config_(config) {}

  void fill(std::vector<Check>& checks) {
    for (Check& check : checks) fill(check);
  }
  [[nodiscard]] bool used() const { return used_; }

 private:
  void fill(Check& check) {
    if (!takes_from_project(check)) return;
    auto parameters = parameters_of(check);
    if (!parameters) return;
    if (check.kind == CheckKind::http) {
      if (!append(*parameters, "hosts", config_.hosts)) return;
      used_ = true;
    } else if (check.kind == CheckKind::guard) {
      used_ = append(*parameters, "paths", config_.protected_paths) || used_;
    } else if (!take_command(check.kind, *parameters)) {
      return;
    }
    check.parameters = base::dump_canonical(*parameters);
  }

  bool take_command(CheckKind kind, Json& parameters) {
    const auto name = base::string_member(parameters, "project");
    const auto command = name ? config_.commands.find(*name) : config_.commands.end();
    if (command == config_.commands.end()) return false;
    const auto members = base::parse_json(
        command->second, {base::limits::kProjectFileBytesMax, base::limits::kDocumentDepthMax});
    if (!members || lacks_test_files(parameters, *members)) return false;
    for (const auto& [member, value] : members->items()) {
      if (knows(kind, member) && !parameters.contains(member)) parameters[member] = value;
    }
    used_ = true;
    return true;
  }

  /// To see tests fail at the start, it must be known which files they are. A command that does not
  /// say so is not the one that such a check means; its author said what happens then.
  static bool lacks_test_files(const Json& parameters, const Json& command) {
    return parameters.contains("fails_at") && !parameters.contains("files") &&
           !command.contains("files") &&
           base::string_member(parameters, "if_missing") == std::string("skip");
  }

  const ProjectConfig& config_;
  bool used_ = false;
};

/// A word as a shell would need it to be typed; what steers a terminal is escaped.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=:,./@%{}").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  quoted += "'";
  const bool harmless = std::none_of(
      word.begin(), word.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F || c >= 0x80; });
  return harmless ? quoted : base::in_quotes(word);
}

std::vector<std::string> texts_of(const Json& parameters, const char* name) {
  std::vector<std::string> texts;
  const Json* list = base::find_member(parameters, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& item : *list) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::string line_of(const Check& check, const Json& parameters) {
  if (check.kind == CheckKind::http) {
    return base::string_member(parameters, "method").value_or("GET") + " " +
           shell_word(base::string_member(parameters, "url").value_or(""));
  }
  if (const auto run = base::string_member(parameters, "run")) return "sh -c " + shell_word(*run);
  std::vector<std::string> words;
  for (const std::string& word : texts_of(parameters, "argv")) words.push_back(shell_word(word));
  if (!words.empty()) return base::joined(words, " ");
  if (const auto name = base::string_member(parameters, "project")) {
    return "the project's command " + base::in_quotes(*name);
  }
  return subject_of(check);
}

RunsCode described(const Check& check, const std::string& phase) {
  RunsCode runs;
  runs.phase = phase;
  runs.check = check.name;
  runs.kind = check.kind;
  const auto parameters = parameters_of(check);
  if (!parameters) {
    runs.line = "damaged";
    return runs;
  }
  runs.line = line_of(check, *parameters);
  runs.cwd = base::string_member(*parameters, "cwd").value_or("");
  runs.input = base::string_member(*parameters, "stdin").value_or("");
  if (const Json* env = base::find_member(*parameters, "env"); env != nullptr && env->is_object()) {
    for (const auto& [name, value] : env->items()) {
      runs.env.push_back(name + "=" + (value.is_string() ? value.get<std::string>() : ""));
    }
  }
  const bool program = check.kind == CheckKind::command || check.kind == CheckKind::tests;
  runs.timeout_ms = base::integer_member(*parameters, "timeout").value_or(base::limits::kCheckMs);
  runs.hosts = texts_of(*parameters, "hosts");
  runs.missing = program && !parameters->contains("argv") && !parameters->contains("run");
  for (const CheckMember& member : check_members(check.kind)) {
    if (member.type != MemberType::path) continue;
    const auto path = base::string_member(*parameters, member.name);
    if (path && path->starts_with('/')) runs.absolute.push_back(*path);
  }
  return runs;
}

/// Every check of a workflow with the id of its phase, until `use` gives true.
template <typename Use>
bool any_check(const Workflow& workflow, const Use& use) {
  for (const Phase& phase : workflow.phases) {
    for (const Check& check : phase.gate.checks) {
      if (use(check, phase.id)) return true;
    }
  }
  return std::any_of(workflow.checks.begin(), workflow.checks.end(),
                     [&](const Check& check) { return use(check, std::string()); });
}

}  // namespace

bool uses_project(const Workflow& workflow) {
  return any_check(workflow, [](const Check& check, const std::string& /*phase*/) {
    return takes_from_project(check);
  });
}

LoadedWorkflow with_project(const LoadedWorkflow& loaded,
                            const std::optional<ProjectConfig>& config) {
  LoadedWorkflow filled = loaded;
  if (!uses_project(loaded.workflow)) return filled;
  const ProjectConfig known = config.value_or(ProjectConfig());
  ProjectFiller filler(known);
  for (Phase& phase : filled.workflow.phases) filler.fill(phase.gate.checks);
  filler.fill(filled.workflow.checks);
  if (filler.used()) {
    filled.content_hash = base::sha256_hex(loaded.content_hash + "\n" + known.sha256);
  }
  if (!known.sound_for_checks) {
    filled.findings.insert(filled.findings.begin(), known.findings.begin(), known.findings.end());
  }
  return filled;
}

std::vector<RunsCode> what_runs(const Workflow& workflow) {
  std::vector<RunsCode> all;
  any_check(workflow, [&](const Check& check, const std::string& phase) {
    RunsCode one = described(check, phase);
    if (phases::needs_trust(check) || one.missing) all.push_back(std::move(one));
    return false;
  });
  return all;
}

bool needs_trust(const Workflow& workflow) {
  return any_check(workflow, [](const Check& check, const std::string& phase) {
    return phases::needs_trust(check) && !described(check, phase).missing;
  });
}

}  // namespace phasegate::phases
