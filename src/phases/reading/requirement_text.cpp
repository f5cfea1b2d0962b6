#include "phases/reading/requirement_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

/// The sentence without what stands in brackets and without placeholders, for names.
std::string bare_words(std::string_view text) {
  std::string bare;
  std::string outside;  // of round brackets
  int depth = 0;
  int round = 0;
  for (const char c : text) {
    if (c == '(') ++round;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (depth == 0) bare += c;
    if (round == 0) outside += c;
    if (c == ')' && round > 0) --round;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
  }
  if (outside.size() < text.size() && words_of(outside).size() >= 2) text = outside;
  const std::size_t kept = words_of(bare).size();
  return kept >= 3 || kept * 2 > words_of(text).size() + 1 ? bare : std::string(text);
}

std::string name_of(std::string_view label, bool code) {
  if (code && is_plain_name(label)) return std::string(label);
  return name_from_sentence(bare_words(label));
}

Requirement named(std::string name, std::string_view description, RequirementSource kind,
                  const Source& source) {
  Requirement requirement;
  requirement.name = std::move(name);
  requirement.description = std::string(description);
  requirement.kind = kind;
  requirement.source = source;
  requirement.required = !is_optional_wording(description);
  return requirement;
}

/// The words that name one of several placeholders: those behind it, or those before.
std::string slot_name(std::string_view text, const std::vector<Slot>& slots, std::size_t i) {
  const std::size_t next = i + 1 < slots.size() ? slots[i + 1].begin : text.size();
  std::string_view behind = text.substr(slots[i].end, next - slots[i].end);
  behind = behind.substr(0, behind.find_first_of(",;("));
  if (const auto joint = base::lowered(behind).find(" with "); joint != std::string::npos) {
    behind = behind.substr(0, joint);
  }
  if (has_letters(behind)) return std::string(base::trimmed(behind));
  const std::size_t last = i > 0 ? slots[i - 1].end : 0;
  std::string_view before = text.substr(last, slots[i].begin - last);
  if (const auto comma = before.find_last_of(",;:"); comma != std::string_view::npos) {
    const std::string_view rest = before.substr(comma + 1);
    if (has_letters(rest)) before = rest;
  }
  return std::string(base::trimmed(before));
}

std::vector<Requirement> from_slots(const Statement& statement, const ItemText& item,
                                    const std::vector<Slot>& slots, RequirementSource kind,
                                    const Source& source) {
  std::vector<Requirement> requirements;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    std::string name;
    if (i == 0 && !item.label.empty()) {
      name = name_of(item.label, item.code);
    } else {
      const std::string words = slot_name(item.content, slots, i);
      if (!has_letters(words)) continue;
      name = name_from_sentence(words);
    }
    Requirement requirement = named(std::move(name), statement.text, kind, source);
    apply_quantity(slots[i].value, requirement);
    const bool repeated =
        std::any_of(requirements.begin(), requirements.end(),
                    [&](const Requirement& one) { return one.name == requirement.name; });
    if (!repeated) requirements.push_back(std::move(requirement));
  }
  return requirements;
}

}  // namespace

bool is_optional_wording(std::string_view sentence) {
  if (is_conditional(sentence)) return true;
  const std::string lower = base::lowered(sentence);
  for (const std::string_view done :
       {"when you are done", "when done", "when finished", "when complete", "when all "}) {
    if (lower.starts_with(done)) return false;
  }
  for (const std::string_view begin : {"if ", "when ", "optional:", "optionally", "where "}) {
    if (lower.starts_with(begin)) return true;
  }
  // `rules are used.` ends its sentence; `secrets are used. Never …` does not.
  constexpr std::string_view kUsed = " are used.";
  const auto used = lower.find(kUsed);
  if (used != std::string::npos && used + kUsed.size() == lower.size()) return true;
  const auto says = [&](std::string_view phrase) {
    return lower.find(phrase) != std::string::npos;
  };
  constexpr std::array<std::string_view, 8> kSaid = {
      " as needed",         " where relevant", " where appropriate", "(unit path)",
      "(integration path)", "(nice to have)",  "(recommended)",      " optional)"};
  if (std::any_of(kSaid.begin(), kSaid.end(), says)) return true;
  if (!says(" if ")) return false;
  constexpr std::array<std::string_view, 10> kIf = {
      " if needed",  " if necessary", " if required", " if present", " if defined",
      " if desired", " if possible",  " if changes ", " if story ",  " if appropriate"};
  if (std::any_of(kIf.begin(), kIf.end(), says)) return true;
  if (const auto any = lower.find(" if any"); any != std::string::npos) {
    const std::string_view behind = std::string_view(lower).substr(any + 7);
    if (behind.empty() || behind.front() == ')' || behind.front() == ',' || behind.front() == '.') {
      return true;
    }
  }
  const auto label = lower.find(": if ");
  return label != std::string::npos && label < 60;
}

Requirement condition_from(std::string_view sentence, RequirementSource kind,
                           const Source& source) {
  Requirement requirement = named(name_from_sentence(bare_words(sentence)), sentence, kind, source);
  requirement.type = ValueType::boolean;
  if (const auto measure = measure_in(sentence)) apply_quantity(*measure, requirement);
  return requirement;
}

std::vector<Requirement> requirements_from(const Statement& statement, Asked asked,
                                           RequirementSource kind, const Source& source) {
  const ItemText item = read_item_text(statement);
  const std::vector<Slot> slots = slots_in(item.content);
  if (is_placeholder(statement.text)) return {};
  // In a longer sentence a placeholder stands for a word, unless it stands for a count or a choice.
  const bool telling =
      is_placeholder(item.content) || std::any_of(slots.begin(), slots.end(), [](const Slot& slot) {
        return slot.value.type != ValueType::string || !slot.value.one_of.empty();
      });
  const bool values = telling && !slots.empty() && (!item.label.empty() || asked == Asked::value);
  if (values) {
    auto requirements = from_slots(statement, item, slots, kind, source);
    if (!requirements.empty()) return requirements;
  }
  if (item.label.empty() && asked == Asked::condition) {
    // `Coverage ≥ 80 % and no more than 3 errors` asks for two things.
    const auto parts = conditions_in(item.content);
    const bool several = parts.size() > 1 && item.content.find(" AND ") == std::string::npos &&
                         item.content.find(" + ") == std::string::npos;
    if (several) {
      std::vector<Requirement> each;
      for (const std::string_view part : parts) {
        each.push_back(condition_from(part, kind, source));
        each.back().description = statement.text;
        each.back().required = !is_optional_wording(statement.text);
      }
      return each;
    }
  }
  if (item.label.empty() || words_of(item.label).size() > 8) {
    // The content alone, where what stood before it names nothing.
    const bool apart = item.label.empty() && !item.content.empty();
    Requirement requirement = condition_from(apart ? item.content : statement.text, kind, source);
    requirement.description = statement.text;
    requirement.required = !is_optional_wording(statement.text);
    if (asked == Asked::value && requirement.type == ValueType::boolean) {
      requirement.type = ValueType::string;
      requirement.confidence = Confidence::medium;
    }
    return {std::move(requirement)};
  }
  Requirement requirement = named(name_of(item.label, item.code), statement.text, kind, source);
  std::optional<Quantity> value = typed_value(item.content);
  if (!value) value = measure_in(item.content.empty() ? item.label : item.content);
  if (!value && !item.content.empty()) value = measure_in(item.label);
  const bool identifier = item.code && is_plain_name(item.label);
  if (!value && asked == Asked::value) {
    value = identifier ? quantity_from_name(item.label) : Quantity();
    if (!identifier) value->type = ValueType::string;
    requirement.confidence = identifier ? Confidence::medium : requirement.confidence;
  }
  requirement.type = ValueType::boolean;
  if (value) apply_quantity(*value, requirement);
  return {std::move(requirement)};
}

}  // namespace phasegate::phases
