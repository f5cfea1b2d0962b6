#include "phases/project_config.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/check_paths.h"
#include "phases/checks/check_rules.h"
#include "phases/checks/check_values.h"
#include "phases/finding_list.h"
#include "phases/native/report.h"
#include "phases/requirement_names.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

using base::Json;
using Kind = YamlNode::Kind;

constexpr std::size_t kCommandsMax = 64;
constexpr std::size_t kHostsMax = 100;

NativeKeys all_read(const std::vector<std::string>& keys) {
  return {keys, {}};
}

class ConfigReader {
 public:
  ConfigReader(const NativeReport& report, ProjectConfig& config)
      : report_(report), config_(config) {}

  void read(const YamlNode& root) {
    read_for_checks(root);
    config_.sound_for_checks = !report_.findings().has_error();
    const YamlNode* search = root.find("search");
    config_.search = search != nullptr ? read_search_config(*search, report_) : SearchConfig();
    // A key that is not known may have been meant as search.
    config_.search.sound = config_.search.sound && has_only_known_keys(root);
  }

 private:
  static bool has_only_known_keys(const YamlNode& root) {
    const auto& keys = project_config_keys();
    return (root.is_null() || root.kind == Kind::map) &&
           std::all_of(root.members.begin(), root.members.end(), [&](const auto& member) {
             return std::find(keys.begin(), keys.end(), member.name) != keys.end();
           });
  }

  void read_for_checks(const YamlNode& root) {
    if (root.is_null()) return;
    if (root.kind != Kind::map) {
      return report_.wrong_type("the file", "a map with commands, protected, hosts or search", root,
                                "write commands: {test: [make, test]}");
    }
    report_.refuse_other_keys(root, all_read(project_config_keys()), "the file");
    if (const YamlNode* commands = root.find("commands")) read_commands(*commands);
    if (const YamlNode* globs = root.find("protected")) read_protected(*globs);
    if (const YamlNode* hosts = root.find("hosts")) read_hosts(*hosts);
  }

  void read_commands(const YamlNode& node) {
    if (node.is_null()) return;
    if (node.kind != Kind::map || node.members.size() > kCommandsMax) {
      return report_.wrong_type(
          "commands", "a map of at most " + std::to_string(kCommandsMax) + " commands by name",
          node, "write commands: {test: [make, test]}");
    }
    for (const auto& member : node.members) {
      if (!is_plain_name(member.name)) {
        report_.error(
            "unusable_name",
            base::in_quotes(base::shortened(member.name, 80)) + " cannot be the name of a command",
            "use letters, digits, and _ - . and begin with a letter", report_.at(member));
        continue;
      }
      auto parameters = read_command(member);
      if (parameters) {
        config_.commands.emplace(member.name, base::dump_canonical(*parameters));
      }
    }
  }

  /// What was meant by a line, where its words can be told apart without a shell.
  static std::string as_a_list(const YamlNode& node) {
    constexpr std::size_t kLineShown = 80;
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-./=";
    const std::string& line = node.scalar;
    if (node.kind != Kind::scalar || is_blank(line) || line.size() > kLineShown ||
        line.find_first_not_of(kPlain) != std::string::npos) {
      return "write [make, test]; a line for a shell is {shell: true, run: \"…\"}";
    }
    std::vector<std::string> words;
    for (const std::string_view word : base::split(line, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    return "write [" + base::joined(words, ", ") + "], or for a shell {shell: true, run: \"" +
           line + "\"}";
  }

  std::optional<Json> read_command(const YamlNode::Member& member) {
    const std::string what = "the command " + base::in_quotes(base::shortened(member.name, 60));
    const YamlNode& node = member.value;
    if (node.kind == Kind::map) return read_members(node, what);
    Json parameters = Json::object();
    if (node.kind != Kind::sequence) {
      report_.wrong_type(what, "a list of arguments, or a map", node, as_a_list(node));
      return std::nullopt;
    }
    for (const CheckMember& known : check_members(CheckKind::tests)) {
      if (known.name != "argv") continue;
      auto argv = read_check_value(known, node, what, report_);
      if (!argv) return std::nullopt;
      parameters["argv"] = std::move(*argv);
    }
    return parameters;
  }

  std::optional<Json> read_members(const YamlNode& node, const std::string& what) {
    report_.refuse_other_keys(node, all_read(project_command_keys()), what);
    bool sound = true;
    Json parameters = Json::object();
    for (const auto& written : node.members) {
      const auto& keys = project_command_keys();
      if (std::find(keys.begin(), keys.end(), written.name) == keys.end()) {
        sound = false;
        continue;
      }
      if (written.name == "cwd" && (written.value.scalar == "." || written.value.scalar == "./")) {
        continue;
      }
      for (const CheckMember& known : check_members(CheckKind::tests)) {
        if (known.name != written.name) continue;
        auto value = read_check_value(known, written.value, written.name + " of " + what, report_);
        sound = sound && value;
        if (value) parameters[written.name] = std::move(*value);
      }
    }
    if (!sound || !check_kind_rules(CheckKind::tests, node, what, parameters, report_)) {
      return std::nullopt;
    }
    return parameters;
  }

  void read_protected(const YamlNode& node) {
    if (node.is_null()) return;
    const auto globs = read_check_globs(node, "protected", report_);
    if (!globs) return;
    for (const Json& glob : *globs) config_.protected_paths.push_back(glob.get<std::string>());
  }

  /// A host is written without scheme, port and path: what is reached is the check's to say.
  void read_hosts(const YamlNode& node) {
    if (node.is_null()) return;
    if (node.kind != Kind::sequence || node.items.size() > kHostsMax) {
      return report_.wrong_type("hosts",
                                "a list of at most " + std::to_string(kHostsMax) + " names", node,
                                "write hosts: [example.org]");
    }
    for (const YamlNode& item : node.items) {
      const auto host = report_.text(item, "an item of hosts");
      if (!host) continue;
      if (is_blank(*host) || host->size() > 253 ||
          host->find_first_of("/ @?#\t\r\n") != std::string::npos) {
        report_.error("invalid_host",
                      base::in_quotes(base::shortened(*host, 80)) + " in hosts is no host",
                      "write the name alone: example.org", report_.at(item));
        continue;
      }
      config_.hosts.push_back(*host);
    }
  }

  const NativeReport& report_;
  ProjectConfig& config_;
};

}  // namespace

bool ProjectConfig::sound() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

ProjectConfig read_project_config(std::string_view text) {
  ProjectConfig config;
  config.search.sound = false;  // until it has been read
  config.sha256 = base::sha256_hex(text);
  FindingList findings;
  const std::string file(kProjectConfigFile);
  if (text.size() > base::limits::kProjectFileBytesMax) {
    findings.error("too_large",
                   "the file has " + std::to_string(text.size()) + " bytes, the limit is " +
                       std::to_string(base::limits::kProjectFileBytesMax),
                   "", {file, 0, 0});
  } else if (const auto root = parse_native_yaml(text)) {
    ConfigReader(NativeReport(file, findings), config).read(*root);
  } else {
    const Position at = position_from(root.error().where);
    findings.error(root.error().code, root.error().message, root.error().hint,
                   {file, at.line, 0, at.column});
  }
  config.findings = findings.take_sorted();
  return config;
}

const std::vector<std::string>& project_config_keys() {
  static const std::vector<std::string> kKeys = {"commands", "protected", "hosts", "search"};
  return kKeys;
}

const std::vector<std::string>& project_command_keys() {
  static const std::vector<std::string> kKeys = {
      "argv", "shell", "run", "cwd", "env", "timeout", "output_max", "junit", "coverage", "files"};
  return kKeys;
}

}  // namespace phasegate::phases
