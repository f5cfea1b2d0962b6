#include "phases/native/decision.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/duration.h"
#include "phases/native/decision_options.h"
#include "phases/native/rules.h"
#include "phases/native/texts.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
namespace limits = base::limits;

constexpr std::size_t kValueBytesShown = 60;
constexpr std::size_t kRoleBytesMax = 64;
constexpr std::int64_t kCountMax = 100;  ///< as many approvers as can be enrolled
constexpr std::int64_t kRemindMsMin = 1000;
constexpr std::int64_t kRemindMsMax = 366LL * 24 * 3'600'000;

/// In a step of `kind: decision` nobody works.
constexpr std::array<std::string_view, 5> kWorkKeys = {"evidence", "checks", "tasks", "by",
                                                       "decision"};

std::string shown(std::string_view text) {
  return base::in_quotes(base::shortened(text, kValueBytesShown));
}

/// `required`, `none`, `human`: a mark rather than a question.
bool is_single_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

/// A role as approvers have it, in the form in which it is compared.
bool is_role(std::string_view role) {
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return !role.empty() && role.size() <= kRoleBytesMax && letter_or_digit(role.front()) &&
         std::all_of(role.begin(), role.end(), [&](char c) {
           return letter_or_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

class DecisionReader {
 public:
  DecisionReader(std::string what, const NativeReport& report)
      : what_(std::move(what)), report_(report) {}

  ReadDecision read_text(const YamlNode& node) {
    read_prompt(node);
    return std::move(read_);
  }

  /// `map` holds the keys, among others or alone.
  ReadDecision read_map(const YamlNode& map) {
    if (const YamlNode* prompt = map.find("prompt")) {
      read_prompt(*prompt);
    } else {
      report_.error("missing_key", what_ + " has no prompt",
                    "write prompt: and the question that the person is asked", report_.at(map));
    }
    if (const YamlNode* show = map.find("show")) read_show(*show);
    if (const YamlNode* options = map.find("options")) {
      read_decision_options(*options, what_, report_, read_);
    }
    if (const YamlNode* approvers = map.find("approvers")) read_approvers(*approvers);
    if (const YamlNode* channel = map.find("channel")) read_channel(*channel);
    if (const YamlNode* after = map.find("remind_after")) read_reminder(*after);
    refuse_unproven(map);
    return std::move(read_);
  }

 private:
  [[nodiscard]] std::string of(const char* key) const { return std::string(key) + " of " + what_; }

  void read_prompt(const YamlNode& node) {
    read_.demand.source = report_.kept(node.line);
    const auto text = report_.shown_text(node, of("prompt"), limits::kDecisionPromptBytesMax);
    if (!text) return;
    if (is_blank(*text)) {
      return report_.error("empty_text", of("prompt") + " is empty",
                           "write the question that the person is asked", report_.at(node));
    }
    if (is_single_word(base::trimmed(*text))) {
      return report_.error(
          "unknown_value", of("prompt") + " is " + shown(*text) + ", which is no question",
          "write the question that the person is asked: decision: \"Is it good enough to "
          "be published?\"",
          report_.at(node));
    }
    warn_of_templates(*text, of("prompt"), report_.at(node), report_);
    read_.demand.prompt = base::trimmed(*text);
  }

  void read_show(const YamlNode& node) {
    if (node.is_null()) return;
    if (node.kind != Kind::sequence) {
      return report_.wrong_type(of("show"), "a list of names and expressions", node,
                                "write show: [evidence.summary]");
    }
    if (node.items.size() > limits::kDecisionShowMax) {
      return report_.error("out_of_range",
                           of("show") + " has " + std::to_string(node.items.size()) +
                               " entries, the limit is " + std::to_string(limits::kDecisionShowMax),
                           "show what the person needs in order to decide", report_.at(node));
    }
    for (const YamlNode& item : node.items) {
      const std::string what =
          "entry " + std::to_string(&item - node.items.data() + 1) + " of " + of("show");
      const auto text = report_.text(item, what);
      if (!text) continue;
      if (is_blank(*text)) {
        report_.error("empty_text", what + " is empty", "", report_.at(item));
      } else if (text->size() > limits::kExpressionBytesMax) {
        report_.error("out_of_range",
                      what + " has " + std::to_string(text->size()) + " bytes, the limit is " +
                          std::to_string(limits::kExpressionBytesMax),
                      "", report_.at(item));
      } else {
        read_.demand.show.push_back(*text);
      }
    }
  }

  void read_approvers(const YamlNode& node) {
    if (node.is_null()) return;
    const std::string what = of("approvers");
    if (node.kind != Kind::map) {
      return report_.wrong_type(what, "a map with role, count or not_submitter", node,
                                "write approvers: {role: editor, count: 2}");
    }
    report_.refuse_other_keys(node, native_approvers_keys(), what);
    if (const YamlNode* role = node.find("role")) {
      const auto text = report_.text(*role, "role of " + what);
      if (text && !is_role(base::lowered(*text))) {
        report_.error(
            "invalid_id", "role of " + what + " is " + shown(*text),
            "a role has letters from a to z, digits, dots, underscores and hyphens, begins with "
            "a letter or digit, and has at most " +
                std::to_string(kRoleBytesMax) + " bytes",
            report_.at(*role));
      } else if (text) {
        read_.demand.role = base::lowered(*text);
      }
    }
    if (const YamlNode* count = node.find("count")) {
      const auto number = read_native_length(*count, "count of " + what, report_);
      if (number && (*number < 1 || *number > kCountMax)) {
        report_.error("out_of_range",
                      "count of " + what + " is " + std::to_string(*number) + ", it may be 1 to " +
                          std::to_string(kCountMax),
                      "", report_.at(*count));
      } else if (number) {
        read_.demand.count = static_cast<int>(*number);
      }
    }
    if (const YamlNode* other = node.find("not_submitter")) {
      read_.demand.not_submitter = report_.flag(*other, "not_submitter of " + what).value_or(false);
    }
  }

  void read_channel(const YamlNode& node) {
    bool later = false;
    const auto word = report_.word(node, native_channels(), of("channel"), later);
    if (word) read_.demand.channel = *decision_channel_from(*word);
  }

  void read_reminder(const YamlNode& node) {
    const std::string what = of("remind_after");
    const std::string hint = "write it as 30m or 4h";
    const auto value = node.kind == Kind::scalar && scalar_kind(node) == ScalarKind::text
                           ? duration_from(node.scalar)
                           : std::nullopt;
    if (!value) return report_.wrong_type(what, "a duration", node, hint);
    if (*value < kRemindMsMin || *value > kRemindMsMax) {
      return report_.error("out_of_range",
                           what + " is " + base::shortened(node.scalar, 40) + ", it may be " +
                               duration_text(kRemindMsMin) + " to " + duration_text(kRemindMsMax),
                           hint, report_.at(node));
    }
    read_.demand.remind_after_ms = *value;
  }

  /// Nobody can tell who answers through the assistant's own client, nor how many.
  void refuse_unproven(const YamlNode& map) {
    const DecisionDemand& demand = read_.demand;
    if (demand.channel != DecisionChannel::client) return;
    const char* wanted = demand.count > 1       ? "count"
                         : !demand.role.empty() ? "role"
                         : demand.not_submitter ? "not_submitter"
                                                : nullptr;
    if (wanted == nullptr) return;
    report_.error(
        "contradicting_keys",
        what_ +
            " takes an answer through the client (channel: client), which proves nothing, "
            "and asks for " +
            wanted + " of its approvers",
        "remove one of the two", report_.at(*map.find("approvers")->find(wanted)));
  }

  std::string what_;
  const NativeReport& report_;
  ReadDecision read_;
};

/// What `read` gives, unless it finds an error; all that it finds is the report's.
template <typename Read>
std::optional<ReadDecision> read_soundly(const NativeReport& report, const Read& read) {
  FindingList findings;
  ReadDecision decision = read(NativeReport(report.file(), findings).of_step(report.step()));
  const bool sound = !findings.has_error();
  report.findings().add_all(findings.take());
  return sound ? std::optional(std::move(decision)) : std::nullopt;
}

/// The standard options, each at the place of the decision.
void offer_standard(ReadDecision& read, const std::string& back_to, const Source& place) {
  if (!read.demand.options.empty()) return;
  read.demand.options = standard_decision("", back_to, {}).options;
  if (back_to.empty()) {
    std::erase_if(read.demand.options,
                  [](const DecisionOption& one) { return one.effect == DecisionEffect::go_to; });
  }
  read.ways.assign(read.demand.options.size(), place);
}

}  // namespace

std::optional<ReadDecision> read_native_decision(const YamlNode& node, const std::string& what,
                                                 const std::string& phase,
                                                 const NativeReport& report) {
  return read_soundly(report, [&](const NativeReport& own) {
    ReadDecision read;
    if (node.kind == Kind::map) {
      own.refuse_other_keys(node, native_decision_keys(), what);
      read = DecisionReader(what, own).read_map(node);
    } else if (node.kind == Kind::scalar && scalar_kind(node) == ScalarKind::text) {
      read = DecisionReader(what, own).read_text(node);
    } else {
      own.wrong_type(what, "the question that a person is asked, or a map with prompt", node,
                     "write decision: \"Is it good enough?\"");
    }
    offer_standard(read, phase, report.at(node));
    return read;
  });
}

std::optional<ReadDecision> read_decision_step(const YamlNode& step, const std::string& what,
                                               const std::string& before,
                                               const NativeReport& report) {
  return read_soundly(report, [&](const NativeReport& own) {
    ReadDecision read = DecisionReader(what, own).read_map(step);
    offer_standard(read, before, report.at(step));
    return read;
  });
}

bool refuse_misplaced_keys(const YamlNode& step, bool by_person, const std::string& what,
                           const NativeReport& report) {
  bool sound = true;
  const auto& own = native_decision_keys().read;
  for (const auto& member : step.members) {
    const bool work = std::find(kWorkKeys.begin(), kWorkKeys.end(), member.name) != kWorkKeys.end();
    const bool asks = std::find(own.begin(), own.end(), member.name) != own.end();
    if (by_person ? !work : !asks) continue;
    sound = false;
    if (!by_person) {
      report.error(
          "misplaced_key", member.name + " stands at " + what + " itself, in which there is work",
          "write it below decision:, or make this a step of kind: decision", report.at(member));
    } else if (member.name == "decision") {
      report.error("misplaced_key", what + " is of kind: decision and has decision: as well",
                   "write prompt, options and the other keys at the step itself",
                   report.at(member));
    } else if (member.name == "by") {
      report.error("misplaced_key", what + " is of kind: decision, and a person performs it",
                   "remove by; who may decide stands in approvers: {role: …}", report.at(member));
    } else {
      report.error(
          "misplaced_key",
          what + " is of kind: decision, in which there is no work: it has no " + member.name,
          "move " + member.name +
              " to the step before it, or make this a step with work: remove kind, and "
              "write prompt and options below decision:",
          report.at(member));
    }
  }
  return sound;
}

bool is_no_decision(const YamlNode& node) {
  return node.kind == Kind::scalar && scalar_kind(node) == ScalarKind::text &&
         node.scalar == "none";
}

}  // namespace phasegate::phases
