#include "phases/native/report.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kValueBytesShown = 60;

std::string shown(std::string_view text) {
  return base::in_quotes(base::shortened(text, kValueBytesShown));
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Our own spelling of every key: a message need not name both.
std::vector<std::string> plain_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> plain;
  for (const std::string& key : keys) {
    if (plain_key(key) == key) plain.push_back(key);
  }
  return plain;
}

/// The grammar of a number in JSON.
bool is_json_number(std::string_view text) {
  const auto digits = [&] {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

/// Other formats' words for our keys; of a word's rows the first that is known counts.
std::optional<std::string> meant_by(const std::string& key, const std::vector<std::string>& known) {
  static const std::pair<const char*, const char*> kWords[] = {
      {"min", "minimum"},
      {"max", "maximum"},
      {"regex", "pattern"},
      {"regexp", "pattern"},
      {"matches", "pattern"},
      {"choices", "enum"},
      {"values", "enum"},
      {"one_of", "enum"},
      {"len", "min_length"},
      {"length", "min_length"},
      {"of", "items"},
      {"desc", "description"},
      {"text", "instructions"},
      {"steps", "tasks"},
      {"goal", "purpose"},
      {"phases", "steps"},
      {"inputs", "input"},
      {"id", "workflow"},
      // Members of decisions.
      {"message", "prompt"},
      {"question", "prompt"},
      {"context", "show"},
      {"choices", "options"},
      {"title", "label"},
      {"text", "label"},
      {"name", "label"},
      {"next", "goto"},
      {"step", "goto"},
      {"then", "goto"},
      {"action", "outcome"},
      {"comment", "input"},
      {"quorum", "count"},
      {"approver", "approvers"},
      {"timeout", "remind_after"},
      {"reminder", "remind_after"},
      // Members of checks, and of the project's commands.
      {"min", "at_least"},
      {"min", "min_size"},
      {"min", "min_tests"},
      {"minimum", "at_least"},
      {"minimum", "min"},
      {"min_count", "at_least"},
      {"max", "at_most"},
      {"max", "max_skipped"},
      {"maximum", "at_most"},
      {"max_count", "at_most"},
      {"size", "min_size"},
      {"regex", "matches"},
      {"pattern", "matches"},
      {"contains", "matches"},
      {"not_matches", "lacks"},
      {"cmd", "argv"},
      {"command", "argv"},
      {"args", "argv"},
      {"exec", "argv"},
      {"script", "run"},
      {"line", "run"},
      {"dir", "cwd"},
      {"directory", "cwd"},
      {"workdir", "cwd"},
      {"working_directory", "cwd"},
      {"environment", "env"},
      {"exit_code", "exit"},
      {"code", "exit"},
      {"status", "exit"},
      {"stdout", "stdout_matches"},
      {"stderr", "stderr_matches"},
      {"globs", "files"},
      {"glob", "files"},
      {"paths", "files"},
      {"path", "files"},
      {"file", "files"},
      {"test_files", "files"},
      {"report", "junit"},
      {"min_coverage", "min"},
      {"body", "body_matches"},
      {"code", "status"},
      {"address", "url"},
      {"sql", "query"},
      {"select", "query"},
      {"database", "db"},
      {"params", "parameters"},
      {"condition", "that"},
      {"expr", "that"},
      {"expression", "that"},
      {"assert", "that"},
      {"path", "file"},
      {"file", "path"},
      {"path", "report"},
      {"file", "report"},
      {"file", "db"},
      {"path", "db"},
      {"files", "paths"},
      // Kinds of checks.
      {"cmd", "command"},
      {"shell", "command"},
      {"run", "command"},
      {"exec", "command"},
      {"script", "command"},
      {"argv", "command"},
      {"test", "tests"},
      {"pytest", "tests"},
      {"sql", "sqlite"},
      {"db", "sqlite"},
      {"database", "sqlite"},
      {"query", "sqlite"},
      {"url", "http"},
      {"https", "http"},
      {"exists", "file"},
      {"folder", "file"},
      {"glob", "count"},
      {"files", "count"},
      {"expression", "expr"},
      {"assert", "expr"},
      {"condition", "expr"},
      {"that", "expr"},
      {"guard", "protected"},
      {"protect", "protected"},
      {"readonly", "protected"}};
  if (key == "optional" && holds(known, "required")) return "required: false";
  if (key == "requiresInput" && holds(known, "input")) return "input: required";
  for (const auto& [word, ours] : kWords) {
    if (key == word && holds(known, ours)) return ours;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> nearest_key(const std::string& key,
                                       const std::vector<std::string>& known) {
  const auto meant = meant_by(key, known);
  return meant ? meant : base::nearest_name(key, known);
}

NativeReport NativeReport::of_step(std::string id) const {
  NativeReport report = *this;
  report.step_ = std::move(id);
  return report;
}

void NativeReport::error(std::string code, std::string message, std::string hint,
                         Source source) const {
  findings_->error(std::move(code), std::move(message), std::move(hint), std::move(source), step_);
}

void NativeReport::wrong_type(std::string_view what, std::string_view wanted, const YamlNode& got,
                              std::string hint) const {
  error("wrong_type",
        std::string(what) + " must be " + std::string(wanted) + ", got " + described(got),
        std::move(hint), at(got));
}

void NativeReport::not_supported_yet(std::string_view what, Source source) const {
  error("not_supported_yet",
        std::string(what) +
            " is not supported yet; the file is refused rather than read as if it were not there",
        "remove it, or wait for a version that supports it", std::move(source));
}

bool NativeReport::refuse_other_keys(const YamlNode& map, const NativeKeys& keys,
                                     std::string_view where) const {
  constexpr std::size_t kUnknownNamed = 20;
  std::size_t unknown = 0;
  bool later = false;
  for (const auto& member : map.members) {
    if (holds(keys.read, member.name)) continue;
    if (holds(keys.later, member.name)) {
      later = true;
      not_supported_yet(std::string(where) + ": " + base::in_quotes(member.name), at(member));
      continue;
    }
    if (++unknown > kUnknownNamed || findings_->is_full()) continue;
    std::vector<std::string> known = plain_keys(keys.read);
    const std::size_t read = known.size();
    known.insert(known.end(), keys.later.begin(), keys.later.end());
    auto nearest = meant_by(member.name, keys.read);
    if (!nearest) nearest = base::nearest_name(member.name, known);
    known.resize(read);
    error("unknown_key",
          std::string(where) + " has the key " + shown(member.name) + ", which is not known",
          nearest ? "did you mean " + *nearest + "?" : "known keys: " + base::joined(known, ", "),
          at(member));
  }
  if (unknown > kUnknownNamed) {
    error("unknown_key",
          std::string(where) + " has " + std::to_string(unknown) + " keys that are not known", "",
          at(map));
  }
  return later;
}

std::optional<std::string> NativeReport::word(const YamlNode& node, const NativeKeys& words,
                                              std::string_view key, bool& later) const {
  const auto value = text(node, key);
  if (!value) return std::nullopt;
  if (holds(words.read, *value)) return value;
  if (holds(words.later, *value)) {
    later = true;
    not_supported_yet(std::string(key) + ": " + *value, at(node));
    return std::nullopt;
  }
  const auto nearest = base::nearest_name(*value, words.read);
  error("unknown_value", std::string(key) + " is " + shown(*value) + ", which is not known",
        nearest ? "did you mean " + *nearest + "?"
                : std::string(key) + " can be: " + base::joined(words.read, ", "),
        at(node));
  return std::nullopt;
}

std::optional<std::string> NativeReport::text(const YamlNode& node, std::string_view what) const {
  if (node.kind == YamlNode::Kind::scalar) {
    if (scalar_kind(node) == ScalarKind::text) return node.scalar;
    wrong_type(what, "a text", node, "write it in quotes");
    return std::nullopt;
  }
  wrong_type(what, "a text", node);
  return std::nullopt;
}

std::optional<bool> NativeReport::flag(const YamlNode& node, std::string_view what) const {
  if (scalar_kind(node) == ScalarKind::boolean) return node.scalar == "true";
  wrong_type(what, "true or false", node, "write true or false, without quotes");
  return std::nullopt;
}

std::optional<std::string> NativeReport::shown_text(const YamlNode& node, std::string_view what,
                                                    std::size_t bytes_max) const {
  auto whole = text(node, what);
  if (!whole || whole->size() <= bytes_max) return whole;
  findings_->info("text_shortened",
                  std::string(what) + " has " + std::to_string(whole->size()) +
                      " bytes and is shortened to " + std::to_string(bytes_max),
                  "what is longer belongs into the instructions", at(node), step_);
  return base::shortened(*whole, bytes_max);
}

ScalarKind scalar_kind(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::scalar || node.quoted) return ScalarKind::text;
  if (node.scalar == "true" || node.scalar == "false") return ScalarKind::boolean;
  return is_json_number(node.scalar) ? ScalarKind::number : ScalarKind::text;
}

std::string described(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::sequence:
      return node.items.empty() ? "an empty list" : "a list";
    case YamlNode::Kind::map:
      return node.members.empty() ? "an empty map" : "a map";
    case YamlNode::Kind::scalar:
      break;
  }
  const std::string value = base::shortened(node.scalar, kValueBytesShown);
  switch (scalar_kind(node)) {
    case ScalarKind::number:
      return "the number " + value;
    case ScalarKind::boolean:
      return value;
    case ScalarKind::text:
      break;
  }
  return "the text " + base::in_quotes(value);
}

bool is_blank(std::string_view text) {
  return base::trimmed(text).empty();
}

}  // namespace phasegate::phases
