#include "phases/correction/reference.h"

#include <algorithm>

#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kNamesShown = 8;

/// `- [ ] `, `* `, `3. `: what stands before a sentence in a list.
std::string_view without_list_marks(std::string_view text) {
  while (true) {
    text = base::trimmed(text);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const bool numbered = digits > 0 && digits + 1 < text.size() &&
                          (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ';
    const bool bullet = text.size() > 1 && std::string_view("-*+").find(text[0]) != text.npos &&
                        (text[1] == ' ' || text[1] == '\t');
    const bool box = text.size() > 2 && text[0] == '[' && text[2] == ']' &&
                     std::string_view(" xX").find(text[1]) != text.npos;
    if (numbered) {
      text.remove_prefix(digits + 1);
    } else if (bullet) {
      text.remove_prefix(1);
    } else if (box) {
      text.remove_prefix(3);
    } else {
      return text;
    }
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesShown)));
  if (names.size() > kNamesShown) shown.emplace_back("…");
  return base::joined(shown, ", ");
}

/// What was probably meant: a name, or the name and line of the sentence that is nearest.
std::string nearest_hint(const RequirementCorrection& correction,
                         const std::vector<Requirement>& requirements) {
  std::vector<std::string> names;
  std::vector<std::string> sentences;
  for (const Requirement& requirement : requirements) {
    names.push_back(requirement.name);
    sentences.push_back(plain_reference(requirement.description));
  }
  if (correction.by_item) {
    const auto nearest = base::nearest_name(plain_reference(correction.reference), sentences);
    const auto found = std::find(sentences.begin(), sentences.end(), nearest.value_or(""));
    if (nearest && found != sentences.end()) {
      const Requirement& meant = requirements[static_cast<std::size_t>(found - sentences.begin())];
      return "did you mean item: " + base::in_quotes(base::shortened(meant.description, 120)) +
             " (" + meant.name + ", " + to_text(meant.source) + ")?";
    }
  } else if (const auto nearest = base::nearest_name(correction.reference, names)) {
    return "did you mean " + *nearest + "?";
  }
  return names.empty() ? "nothing was read there; add: adds what is missing"
                       : "it asks for: " + listed(names);
}

}  // namespace

std::string plain_reference(std::string_view sentence) {
  // Marks first: `- [ ] **Done** ✅.` has them at both ends.
  std::string text = plain_sentence(without_list_marks(sentence));
  std::erase_if(text, [](char c) { return c == '*' || c == '`' || c == '_' || c == '~'; });
  std::string plain;
  for (const std::string_view word : base::split(text, ' ')) {
    if (word.empty()) continue;
    if (!plain.empty()) plain += ' ';
    plain += word;
  }
  while (plain.ends_with('.')) plain.pop_back();
  return plain;
}

std::optional<std::size_t> find_requirement(const RequirementCorrection& correction,
                                            const std::vector<Requirement>& requirements,
                                            const std::string& phase, FindingList& findings) {
  const std::string wanted =
      correction.by_item ? plain_reference(correction.reference) : correction.reference;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const Requirement& requirement = requirements[i];
    const bool same = correction.by_item ? plain_reference(requirement.description) == wanted
                                         : requirement.name == wanted;
    if (same) found.push_back(i);
  }
  const std::string shown = base::in_quotes(base::shortened(correction.reference, 100));
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    findings.error("drift",
                   "phase " + phase + " has no requirement " +
                       (correction.by_item ? "that says " : "named ") + shown +
                       ": the document has changed since, or the reference is wrong",
                   nearest_hint(correction, requirements), correction.source, phase);
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const std::size_t i : found) names.push_back(requirements[i].name);
  findings.error("ambiguous_reference",
                 shown + " is said by " + counted(found.size(), "requirement", "requirements") +
                     " of phase " + phase + ": " + listed(names),
                 "write requirement: and the name of the one that is meant", correction.source,
                 phase);
  return std::nullopt;
}

}  // namespace phasegate::phases
