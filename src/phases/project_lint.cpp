#include "phases/project_lint.h"

#include <algorithm>
#include <functional>

#include "base/json.h"
#include "base/text.h"
#include "phases/check_json.h"
#include "phases/project_commands.h"

namespace phasegate::phases {
namespace {

using base::Json;

std::string shown(std::string_view text) {
  return base::in_quotes(base::shortened(text, 60));
}

bool has(const Json& parameters, std::string_view name) {
  return base::find_member(parameters, name) != nullptr;
}

bool ratchets(const Json& parameters, std::string_view what) {
  const Json* words = base::find_member(parameters, "ratchet");
  return words != nullptr && words->is_array() &&
         std::find(words->begin(), words->end(), Json(what)) != words->end();
}

std::vector<std::string> names_of(const std::optional<ProjectConfig>& config) {
  std::vector<std::string> names;
  if (config) {
    for (const auto& [name, command] : config->commands) names.push_back(name);
  }
  return names;
}

/// The command that a check takes and cannot do without, if the project lacks it.
std::optional<LackingCommand> lacking(const Check& check, const Json& parameters,
                                      const std::optional<ProjectConfig>& config) {
  if (check.kind != CheckKind::command && check.kind != CheckKind::tests) return std::nullopt;
  const auto name = base::string_member(parameters, "project");
  if (!name || base::string_member(parameters, "if_missing") == "skip") return std::nullopt;
  if (config && config->commands.contains(*name)) return std::nullopt;
  const auto names = names_of(config);
  return LackingCommand{*name, base::nearest_name(*name, names).value_or("")};
}

using Use = std::function<void(const Check&, const Json&, const std::string& phase)>;

void each_check(const Workflow& workflow, const Use& use) {
  const auto each = [&](const std::vector<Check>& checks, const std::string& phase) {
    for (const Check& check : checks) {
      if (const auto parameters = parameters_of(check)) use(check, *parameters, phase);
    }
  };
  for (const Phase& phase : workflow.phases) each(phase.gate.checks, phase.id);
  each(workflow.checks, "");
}

/// The host of an address as it is listed, and with its port, in lower case.
struct Host {
  std::string name;
  std::string with_port;
};

Host host_of(std::string_view url) {
  const auto scheme = url.find("://");
  const bool secure = url.starts_with("https");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const std::string authority = base::lowered(url.substr(0, url.find_first_of("/?#")));
  const auto bracket = authority.rfind(']');
  const auto colon = authority.find(':', bracket == std::string::npos ? 0 : bracket);
  const std::string name = authority.substr(0, colon);
  return {name, colon == std::string::npos ? name + (secure ? ":443" : ":80") : authority};
}

/// As far as it can be told from the text; odd ways to write it are world's to know.
bool is_this_machine(const std::string& host) {
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

bool is_listed(const Host& host, const Json& parameters) {
  const Json* hosts = base::find_member(parameters, "hosts");
  if (hosts == nullptr || !hosts->is_array()) return false;
  return std::any_of(hosts->begin(), hosts->end(), [&](const Json& item) {
    if (!item.is_string()) return false;
    const std::string listed = base::lowered(item.get_ref<const std::string&>());
    return listed == host.name || listed == host.with_port || "[" + listed + "]" == host.name;
  });
}

class ProjectLint {
 public:
  explicit ProjectLint(const std::optional<ProjectConfig>& config) : config_(config) {}

  /// A check with what the project gave it.
  void look(const Check& check, const Json& parameters, const std::string& phase) {
    if (check.kind == CheckKind::http) return look_at_host(check, parameters, phase);
    if (config_ && !config_->sound_for_checks) return;
    if (const auto lack = lacking(check, parameters, config_)) {
      return report_lack(check, *lack, phase);
    }
    const bool runs = has(parameters, "argv") || has(parameters, "run");
    if (check.kind == CheckKind::tests && has(parameters, "project") && runs) {
      look_at_reports(check, parameters, phase);
    }
  }
  [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

 private:
  void add(Severity severity, const char* code, const Check& check, const std::string& message,
           std::string hint, const std::string& phase) {
    findings_.push_back({severity, code, "the check " + shown(check.name) + " " + message,
                         std::move(hint), check.source, phase});
  }

  void report_lack(const Check& check, const LackingCommand& lack, const std::string& phase) {
    const std::string file(kProjectConfigFile);
    const std::string wants = "runs the project's command " + shown(lack.name);
    const std::string otherwise = "or beside project: if_missing: skip";
    if (!config_) {
      return add(Severity::warning, "unknown_command", check,
                 wants + ", and this project has no " + file + ": here it does not start",
                 "write commands: {" + base::shortened(lack.name, 60) + ": [make, test]} into " +
                     file + ", " + otherwise,
                 phase);
    }
    const auto names = names_of(config_);
    std::string hint = "add it below commands of " + file + ", " + otherwise;
    if (!lack.nearest.empty()) {
      hint = "did you mean " + lack.nearest + "?";
    } else if (!names.empty()) {
      hint += "; the project has " + base::shortened(base::joined(names, ", "), 300);
    }
    add(Severity::error, "unknown_command", check, wants + ", which " + file + " does not have",
        std::move(hint), phase);
  }

  void look_at_reports(const Check& check, const Json& parameters, const std::string& phase) {
    const auto needs = [&](const std::string& what, const char* report, bool wanted) {
      if (!wanted || has(parameters, report)) return;
      const std::string command = base::string_member(parameters, "project").value_or("");
      add(Severity::error, "missing_report", check,
          "has " + what + " without " + report + ", and the project's command " + shown(command) +
              " names none either",
          std::string("write ") + report +
              (report == std::string_view("files") ? ": [tests/**]" : ": PATH of the report") +
              " into the check, or into the command of " + std::string(kProjectConfigFile),
          phase);
    };
    needs("min_tests", "junit", has(parameters, "min_tests"));
    needs("max_skipped", "junit", has(parameters, "max_skipped"));
    needs("tests in ratchet", "junit", ratchets(parameters, "tests"));
    needs("skipped in ratchet", "junit", ratchets(parameters, "skipped"));
    needs("min_coverage", "coverage", has(parameters, "min_coverage"));
    needs("coverage in ratchet", "coverage", ratchets(parameters, "coverage"));
    needs("fails_at", "files", has(parameters, "fails_at"));
  }

  void look_at_host(const Check& check, const Json& parameters, const std::string& phase) {
    const auto url = base::string_member(parameters, "url");
    if (!url || (config_ && !config_->sound_for_checks)) return;
    const Host host = host_of(*url);
    if (is_this_machine(host.name) || is_listed(host, parameters)) return;
    add(config_ ? Severity::error : Severity::warning, "unlisted_host", check,
        "reaches for " + shown(host.name) + ", which is neither this machine nor listed",
        "write hosts: [" + base::shortened(host.name, 60) + "] into the check, or into " +
            std::string(kProjectConfigFile),
        phase);
  }

  const std::optional<ProjectConfig>& config_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> lint_project(const LoadedWorkflow& loaded,
                                  const std::optional<ProjectConfig>& config) {
  if (!uses_project(loaded.workflow)) return {};
  const LoadedWorkflow filled = with_project(loaded, config);
  ProjectLint lint(config);
  each_check(filled.workflow,
             [&](const Check& check, const Json& parameters, const std::string& phase) {
               lint.look(check, parameters, phase);
             });
  return lint.take();
}

std::optional<LackingCommand> lacking_command(const Workflow& workflow,
                                              const std::optional<ProjectConfig>& config) {
  std::optional<LackingCommand> first;
  each_check(workflow, [&](const Check& check, const Json& parameters, const std::string&) {
    if (!first) first = lacking(check, parameters, config);
  });
  return first;
}

}  // namespace phasegate::phases
