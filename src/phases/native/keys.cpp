#include "phases/native/keys.h"

#include <algorithm>
#include <utility>

namespace phasegate::phases {
namespace {

/// Our spelling and JSON Schema's.
const std::pair<const char*, const char*> kSpellings[] = {
    {"exclusive_minimum", "exclusiveMinimum"},
    {"exclusive_maximum", "exclusiveMaximum"},
    {"min_length", "minLength"},
    {"max_length", "maxLength"},
    {"min_items", "minItems"},
    {"max_items", "maxItems"},
};

const std::vector<std::string> kRules = {"type",    "description", "minimum", "maximum", "items",
                                         "pattern", "format",      "enum",    "const",   "example"};

std::vector<std::string> with_both_spellings(std::vector<std::string> keys) {
  for (const auto& [ours, theirs] : kSpellings) {
    keys.emplace_back(ours);
    keys.emplace_back(theirs);
  }
  return keys;
}

std::vector<std::string> joined(std::vector<std::string> keys,
                                const std::vector<std::string>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace

const NativeKeys& native_workflow_keys() {
  static const NativeKeys kKeys = {
      {"workflow", "version", "title", "description", "outline", "passages", "input", "defaults",
       "complete_message", "start", "dialect", "adopted_from", "checks", "protect", "steps"},
      {"variables", "limits", "performers", "scope"}};
  return kKeys;
}

const NativeKeys& native_defaults_keys() {
  static const NativeKeys kKeys = {{"by"},
                                   {"timeout", "lease", "max_attempts", "backoff", "on_failure",
                                    "on_condition_error", "session"}};
  return kKeys;
}

const NativeKeys& native_step_keys() {
  static const NativeKeys kKeys = {
      joined({"id", "title", "purpose", "kind", "by", "instructions", "tasks", "evidence", "checks",
              "gate", "decision", "next"},
             native_decision_keys().read),
      {"when",         "command",    "inputs",
       "entry",        "review",     "output",
       "outputs",      "repeat",     "items",
       "as",           "max",        "on_item_failure",
       "min_success",  "steps",      "separator",
       "max_attempts", "timeout",    "lease",
       "backoff",      "on_failure", "on_condition_error",
       "session"}};
  return kKeys;
}

const NativeKeys& native_task_keys() {
  static const NativeKeys kKeys = {{"name", "instructions"}, {}};
  return kKeys;
}

const NativeKeys& native_text_keys() {
  static const NativeKeys kKeys = {{"file"}, {}};
  return kKeys;
}

const NativeKeys& native_evidence_keys() {
  static const NativeKeys kKeys = {
      joined(with_both_spellings(kRules),
             {"required", "artifact", "aliases", "check", "secret", "source"}),
      {}};
  return kKeys;
}

const NativeKeys& native_adopted_keys() {
  static const NativeKeys kKeys = {{"file", "sha256"}, {}};
  return kKeys;
}

const NativeKeys& native_protect_keys() {
  static const NativeKeys kKeys = {{"sqlite", "backups"}, {}};
  return kKeys;
}

const NativeKeys& native_decision_keys() {
  static const NativeKeys kKeys = {
      {"prompt", "show", "options", "approvers", "channel", "remind_after"}, {}};
  return kKeys;
}

const NativeKeys& native_option_keys() {
  static const NativeKeys kKeys = {{"id", "label", "goto", "outcome", "input"}, {}};
  return kKeys;
}

const NativeKeys& native_approvers_keys() {
  static const NativeKeys kKeys = {{"role", "count", "not_submitter"}, {}};
  return kKeys;
}

const NativeKeys& native_item_keys() {
  static const NativeKeys kKeys = {{"type", "min_length", "minLength", "pattern", "enum"}, {}};
  return kKeys;
}

const NativeKeys& native_input_keys() {
  static const NativeKeys kKeys = {{"type", "required", "properties", "additionalProperties"}, {}};
  return kKeys;
}

const NativeKeys& native_property_keys() {
  static const NativeKeys kKeys = {with_both_spellings(kRules), {"default"}};
  return kKeys;
}

const NativeKeys& native_kinds() {
  static const NativeKeys kKinds = {
      {"task", "decision"}, {"choice", "parallel", "map", "collect", "transform", "wait", "call"}};
  return kKinds;
}

const NativeKeys& native_dialects() {
  static const NativeKeys kDialects = {
      {"native"}, {"lexichord", "openagents", "openfang", "razorweave", "agent-os"}};
  return kDialects;
}

const NativeKeys& native_outlines() {
  static const NativeKeys kOutlines = {{"hidden", "titles"}, {}};
  return kOutlines;
}

const NativeKeys& native_passages() {
  static const NativeKeys kPassages = {{"never", "on_refusal"}, {}};
  return kPassages;
}

const NativeKeys& native_outcomes() {
  static const NativeKeys kWords = {{"completed", "rejected", "cancelled"}, {}};
  return kWords;
}

const NativeKeys& native_option_inputs() {
  static const NativeKeys kWords = {{"none", "optional", "required"}, {}};
  return kWords;
}

const NativeKeys& native_channels() {
  static const NativeKeys kWords = {{"approver", "client"}, {}};
  return kWords;
}

std::string plain_key(const std::string& key) {
  for (const auto& [ours, theirs] : kSpellings) {
    if (key == theirs) return ours;
  }
  return key;
}

}  // namespace phasegate::phases
