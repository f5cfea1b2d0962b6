#include "world/notify/targets.h"

#include <algorithm>

#include "base/text.h"
#include "phases/finding_list.h"
#include "phases/native/report.h"
#include "phases/requirement_names.h"
#include "phases/text_position.h"
#include "phases/yaml_node.h"
#include "world/notify/message.h"

namespace phasegate::world {

using phases::NativeKeys;
using phases::NativeReport;
using phases::YamlNode;
using Kind = YamlNode::Kind;

namespace {

constexpr std::string_view kFile = "notify.yaml";
constexpr std::size_t kArgumentsMax = 64;
constexpr std::int64_t kSecondMs = 1000;
constexpr std::string_view kExample =
    "write notify: {desk: {command: [notify-send, phasegate, \"{{text}}\"]}}";

const NativeKeys& file_keys() {
  static const NativeKeys keys{{"notify"}, {}};
  return keys;
}

const NativeKeys& target_keys() {
  static const NativeKeys keys{{"events", "command", "webhook", "secret_file", "timeout"}, {}};
  return keys;
}

/// One target. It counts only if nothing of it is wrong.
class TargetReader {
 public:
  TargetReader(std::string file, phases::FindingList& findings)
      : report_(std::move(file), findings) {}

  NotifyTarget read(const YamlNode::Member& member) {
    NotifyTarget target;
    target.name = member.name;
    const std::string shown = base::in_quotes(base::shortened(member.name, 80));
    const bool begins_well = !member.name.starts_with('-') && !member.name.starts_with('.');
    if (!phases::is_plain_name(member.name) || !begins_well) {
      report_.error("unusable_name", shown + " cannot be the name of a target",
                    "use letters, digits, and _ - . and begin with a letter", report_.at(member));
    }
    what_ = "the target " + shown;
    const YamlNode& node = member.value;
    if (node.kind != Kind::map) {
      report_.wrong_type(what_, "a map with command or webhook", node, std::string(kExample));
      return target;
    }
    report_.refuse_other_keys(node, target_keys(), what_);
    read_events(node.find("events"), target);
    const YamlNode* command = node.find("command");
    const YamlNode* webhook = node.find("webhook");
    if ((command == nullptr) == (webhook == nullptr)) {
      report_.error("invalid_target", what_ + " must have either command or webhook",
                    std::string(kExample), report_.at(member));
    } else if (command != nullptr) {
      read_command(*command, target);
    } else {
      read_webhook(*webhook, target);
    }
    read_secret(node.find("secret_file"), target);
    read_timeout(node.find("timeout"), target);
    return target;
  }

 private:
  void read_events(const YamlNode* node, NotifyTarget& target) {
    const std::vector<std::string>& all = notify_events();
    if (node == nullptr || node->is_null()) {
      target.events.insert(all.begin(), all.end());
      return;
    }
    const std::string known = base::joined(all, ", ");
    if (node->kind != Kind::sequence || node->items.empty()) {
      return report_.wrong_type("events of " + what_, "a list of events", *node,
                                "there are: " + known);
    }
    for (const YamlNode& item : node->items) {
      if (item.kind == Kind::scalar &&
          std::find(all.begin(), all.end(), item.scalar) != all.end()) {
        target.events.insert(item.scalar);
        continue;
      }
      std::string hint = "there are: " + known;
      if (const auto near = base::nearest_name(item.scalar, all)) {
        hint = "did you mean " + *near + "? " + hint;
      }
      report_.error("unknown_event",
                    phases::described(item) + " is no event that somebody can be told of",
                    std::move(hint), report_.at(item));
    }
  }

  void read_command(const YamlNode& node, NotifyTarget& target) {
    const std::string what = "command of " + what_;
    if (node.kind != Kind::sequence || node.items.empty() || node.items.size() > kArgumentsMax) {
      return report_.wrong_type(what, "a list of a program and its arguments", node,
                                "write [notify-send, phasegate, \"{{text}}\"]; no shell reads it");
    }
    for (const YamlNode& item : node.items) {
      if (item.kind != Kind::scalar || (item.scalar.find('\0') != std::string::npos)) {
        report_.wrong_type("an argument of " + what, "a text", item, "put it in quotes");
        return;
      }
      target.command.push_back(item.scalar);
    }
    const std::string& program = target.command.front();
    if (base::trimmed(program).empty() || program.find("{{") != std::string::npos) {
      report_.error("invalid_target", "the program of " + what + " must be written out",
                    "what happens must not choose the program; use {{…}} in arguments only",
                    report_.at(node));
    }
    for (const std::string& name : unknown_names(target.command)) {
      report_.error("unknown_name",
                    base::in_quotes("{{" + base::shortened(name, 40) + "}}") + " in " + what +
                        " stands for nothing",
                    "there are: event, text, session, workflow, phase, project, decide, page",
                    report_.at(node));
    }
  }

  void read_webhook(const YamlNode& node, NotifyTarget& target) {
    const auto text = report_.text(node, "webhook of " + what_);
    if (!text) return;
    auto url = parse_url(*text);
    // The address may be a secret: what was written is not repeated.
    std::string why = url ? unsupported_plain(*url) : "is no address that can be used";
    if (!why.empty()) {
      return report_.error("invalid_target", "webhook of " + what_ + " " + why,
                           "write https://host/path, without user name or password",
                           report_.at(node));
    }
    target.webhook = std::move(url).value();
  }

  /// What is told would be read by everybody on the way.
  static std::string unsupported_plain(const Url& url) {
    return url.secure || is_loopback(url) ? "" : "must be https, or on this machine";
  }

  void read_secret(const YamlNode* node, NotifyTarget& target) {
    if (node == nullptr) return;
    const auto text = report_.text(*node, "secret_file of " + what_);
    if (!text) return;
    if (!target.webhook) {
      return report_.error("invalid_target", "secret_file of " + what_ + " has no webhook to sign",
                           "leave it out", report_.at(*node));
    }
    if (base::trimmed(*text).empty()) {
      return report_.error("invalid_target", "secret_file of " + what_ + " is empty",
                           "name a file beside this one", report_.at(*node));
    }
    target.secret_file = *text;
  }

  void read_timeout(const YamlNode* node, NotifyTarget& target) {
    if (node == nullptr) return;
    const std::int64_t most = base::limits::kNotifyMsMax / kSecondMs;
    const std::string& digits = node->scalar;
    const bool whole = node->kind == Kind::scalar && !node->quoted && !digits.empty() &&
                       digits.size() <= 2 &&
                       digits.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t seconds = whole ? std::stoll(digits) : 0;
    if (seconds < 1 || seconds > most) {
      return report_.wrong_type("timeout of " + what_,
                                "a whole number of seconds from 1 to " + std::to_string(most),
                                *node);
    }
    target.timeout_ms = seconds * kSecondMs;
  }

  NativeReport report_;
  std::string what_;
};

void read_file(const YamlNode& root, phases::FindingList& findings,
               std::vector<NotifyTarget>& targets) {
  const NativeReport report(std::string(kFile), findings);
  if (root.is_null()) return;
  if (root.kind != Kind::map) {
    return report.wrong_type("the file", "a map with notify", root, std::string(kExample));
  }
  report.refuse_other_keys(root, file_keys(), "the file");
  const YamlNode* all = root.find("notify");
  if (all == nullptr || all->is_null()) return;
  if (all->kind != Kind::map || all->members.size() > base::limits::kNotifyTargetsMax) {
    return report.wrong_type(
        "notify",
        "a map of at most " + std::to_string(base::limits::kNotifyTargetsMax) + " targets by name",
        *all, std::string(kExample));
  }
  for (const YamlNode::Member& member : all->members) {
    phases::FindingList of_it;
    NotifyTarget target = TargetReader(std::string(kFile), of_it).read(member);
    if (!of_it.has_error()) targets.push_back(std::move(target));
    findings.add_all(of_it.take());
  }
}

}  // namespace

const std::vector<std::string>& notify_events() {
  static const std::vector<std::string> events{
      "decision_opened", "decision_reminded", "decision_decided", "run_completed",
      "run_rejected",    "run_cancelled",     "run_stalled"};
  return events;
}

const NotifyTarget* NotifyConfig::find(std::string_view name) const {
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [&](const NotifyTarget& target) { return target.name == name; });
  return found == targets.end() ? nullptr : &*found;
}

NotifyConfig read_notify_config(std::string_view text) {
  NotifyConfig config;
  config.there = true;
  phases::FindingList findings;
  if (const auto root = phases::parse_native_yaml(text)) {
    read_file(*root, findings, config.targets);
  } else {
    const phases::Position at = phases::position_from(root.error().where);
    findings.error(root.error().code, root.error().message, root.error().hint,
                   {std::string(kFile), at.line, 0, at.column});
  }
  config.findings = findings.take_sorted();
  return config;
}

}  // namespace phasegate::world
