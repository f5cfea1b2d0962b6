#include "phases/approval_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kLineBytesMax = 400;
/// Words between the person and the approval: `approval by the user`, `reviewed with a person`.
constexpr std::size_t kPairDistanceMax = 4;  // `signed off by the user`

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_person(const std::string& word) {
  constexpr std::array<std::string_view, 10> kPersons = {
      "human",  "humans",   "user",        "users",        "person",
      "manual", "manually", "stakeholder", "stakeholders", "people"};
  return among(kPersons, word);
}

bool is_approval(const Words& words, std::size_t at) {
  constexpr std::array<std::string_view, 11> kApprovals = {
      "approval", "approvals", "approve", "approves", "approved", "review",
      "reviews",  "reviewed",  "signoff", "decision", "decisions"};
  const std::string& word = words[at];
  const bool sign = word == "sign" || word == "signed" || word == "signs";
  return among(kApprovals, word) || (sign && at + 1 < words.size() && words[at + 1] == "off");
}

/// `user stories`, `user guide`: a user who only names a thing is no person who could approve.
bool names_a_thing(const Words& words, std::size_t at) {
  constexpr std::array<std::string_view, 20> kThings = {
      "story",   "stories",  "guide",     "guides",     "manual",   "interview",  "interviews",
      "input",   "inputs",   "interface", "interfaces", "data",     "permission", "permissions",
      "account", "accounts", "supplied",  "facing",     "friendly", "experience"};
  const auto user = [&](std::size_t i) { return words[i] == "user" || words[i] == "users"; };
  if (words[at] == "manual") return at > 0 && user(at - 1);
  return user(at) && at + 1 < words.size() && among(kThings, words[at + 1]);
}

struct Pair {
  std::size_t begin;
  std::size_t end;  ///< one behind its last word
};

/// The first pair of a person and an approval, with at most a few words between them.
std::optional<Pair> find_pair(const Words& words) {
  const auto person = [&](std::size_t at) {
    return is_person(words[at]) && !names_a_thing(words, at);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!person(i) && !is_approval(words, i)) continue;
    for (std::size_t j = i + 1; j < words.size() && j <= i + kPairDistanceMax; ++j) {
      const bool pair =
          (person(i) && is_approval(words, j)) || (is_approval(words, i) && person(j));
      if (pair) return Pair{i, j + (j + 1 < words.size() && words[j + 1] == "off" ? 2 : 1)};
    }
  }
  return std::nullopt;
}

bool is_need(const std::string& word) {
  constexpr std::array<std::string_view, 7> kNeeds = {"require", "requires", "required", "need",
                                                      "needs",   "needed",   "necessary"};
  return among(kNeeds, word);
}

/// `unless`, `until`, …: what is denied comes back under a condition.
bool has_exception(const Words& words) {
  constexpr std::array<std::string_view, 8> kExceptions = {"unless", "except", "but",  "if",
                                                           "until",  "when",   "only", "without"};
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return among(kExceptions, word); });
}

/// A sentence that plainly needs nobody: `No human approval is required …`, `… does not require
/// human approval`, `… needs no human review`. Anything less plain is no denial.
bool denies(const Words& words, const Pair& pair) {
  if (has_exception(words)) return false;
  const std::size_t begin = pair.begin;
  if (begin >= 1 && words[begin - 1] == "no") {
    if (begin >= 2) return is_need(words[begin - 2]) && pair.end == words.size();
    std::size_t next = pair.end;
    if (next < words.size() && (words[next] == "is" || words[next] == "are")) ++next;
    return next < words.size() && is_need(words[next]);
  }
  return begin >= 2 && words[begin - 2] == "not" && is_need(words[begin - 1]) &&
         pair.end == words.size();
}

/// True if a word before the approval turns the sentence round.
bool is_negated(const Words& words, const Pair& pair) {
  constexpr std::array<std::string_view, 4> kNegations = {"no", "not", "never", "without"};
  return std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(pair.end),
                     [&](const std::string& word) { return among(kNegations, word); });
}

/// `Approval`, `Sign-off required`, `Approved by`: a label that needs no person beside it.
bool is_bare_label(const Words& words) {
  constexpr std::array<std::string_view, 9> kLabel = {
      "approval", "approvals", "approved", "sign", "off", "signoff", "required", "needed", "by"};
  return !words.empty() &&
         (words[0].starts_with("approv") || words[0] == "sign" || words[0] == "signoff") &&
         std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return among(kLabel, word); });
}

enum class Wish { none, no, yes, unclear };

Wish wish_of(Words value) {
  if (!value.empty() && (value[0] == "is" || value[0] == "are")) value.erase(value.begin());
  const std::string whole = base::joined(value, " ");
  constexpr std::array<std::string_view, 9> kNo = {
      "no",  "none", "false", "not required", "not needed", "not necessary", "not applicable",
      "n a", "na"};
  if (among(kNo, whole)) return Wish::no;
  // `not required for this phase`: a reason may follow, a condition may not.
  const bool needless = value.size() >= 2 && value[0] == "not" && is_need(value[1]);
  if (needless && !has_exception(value)) return Wish::no;
  constexpr std::array<std::string_view, 4> kYes = {"required", "yes", "true", "mandatory"};
  return !value.empty() && among(kYes, value[0]) ? Wish::yes : Wish::unclear;
}

/// `A: B` in its two parts; a full-width colon counts, too.
std::optional<std::pair<std::string, std::string>> label_and_value(std::string_view line) {
  constexpr std::string_view kWideColon = "\xEF\xBC\x9A";
  const auto narrow = line.find(':');
  const auto wide = line.find(kWideColon);
  const auto at = std::min(narrow, wide);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t length = at == wide ? kWideColon.size() : 1;
  return std::pair{std::string(line.substr(0, at)), std::string(line.substr(at + length))};
}

/// What one line of a gate section says; `below` is what follows it: the next line or cell.
Wish wish_inside(std::string_view line, std::string_view below) {
  if (const auto parts = label_and_value(line)) {
    const Words label = words_of(parts->first);
    if (find_pair(label) || is_bare_label(label)) {
      const Words value = words_of(parts->second);
      return wish_of(value.empty() ? words_of(below) : value);
    }
  }
  const Words words = words_of(line);
  const auto pair = find_pair(words);
  if (!pair) return Wish::none;
  if (denies(words, *pair)) return Wish::no;
  const Words rest(words.begin() + static_cast<std::ptrdiff_t>(pair->end), words.end());
  const Wish wish = wish_of(rest.empty() && words.size() <= 3 ? words_of(below) : rest);
  return wish == Wish::yes && is_negated(words, *pair) ? Wish::unclear : wish;
}

/// Outside of gate sections only `Human Approval: …` counts; a heading needs no value.
Wish wish_outside(std::string_view line, std::string_view below, bool heading) {
  const auto parts = label_and_value(line);
  const Words label = words_of(parts ? std::string_view(parts->first) : line);
  const bool named = label.size() >= 2 && label[0] == "human" && label[1] == "approval";
  const bool asks = label.size() == 3 && label[2] == "required";
  if (!named || (label.size() != 2 && !asks) || (!parts && !heading)) return Wish::none;
  if (!parts && asks) return Wish::yes;
  const Words value = parts ? words_of(parts->second) : Words{};
  return wish_of(value.empty() ? words_of(below) : value);
}

/// Names such as `human_approved` are evidence that is asked for, not the demand for a person.
std::string without_names(std::string_view cell) {
  std::string text;
  for (const std::string_view word : base::split(cell, ' ')) {
    if (word.find('_') == std::string_view::npos) text += std::string(word) + " ";
  }
  return text;
}

class ApprovalReader {
 public:
  ApprovalReader(const MarkdownTree& tree, const std::vector<bool>& inside, std::string_view path)
      : tree_(tree), inside_(inside), path_(path) {}

  ApprovalReading read(std::size_t from, std::size_t to, const std::string& phase,
                       FindingList& findings) {
    for (std::size_t i = from; i < std::min(to, tree_.blocks().size()); ++i) read_block(i);
    const bool demanded = yes_.line > 0;
    if (!demanded && unclear_.line <= 0) return {};
    const ApprovalReading reading{true, demanded ? yes_ : unclear_};
    if (demanded) return reading;
    findings.warning(
        "human_approval_assumed",
        base::in_quotes(base::shortened(base::to_utf8(unclear_text_), 100)) +
            " speaks of a person's approval without a plain yes or no; it counts as "
            "required" +
            (more_ == 0 ? "" : " (and " + counted(more_, "more line", "more lines") + ")"),
        "write Human Approval: Required, or reword the line so that it names no person beside an "
        "approval",
        unclear_, phase);
    return reading;
  }

 private:
  void read_block(std::size_t index) {
    const Block& block = tree_.blocks()[index];
    if (block.kind == BlockKind::heading) {
      const std::string_view text = tree_.text(block);
      note(inside_[index] ? wish_inside(text, below_heading(index))
                          : wish_outside(text, below_heading(index), true),
           text, tree_.line(block));
    } else if (block.kind == BlockKind::paragraph) {
      const auto lines = base::split(tree_.text(block), '\n');
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i].substr(0, kLineBytesMax);
        const std::string_view below =
            i + 1 < lines.size() ? lines[i + 1].substr(0, kLineBytesMax) : std::string_view();
        note(inside_[index] ? wish_inside(line, below) : wish_outside(line, below, false), line,
             tree_.line(block) + static_cast<int>(i));
      }
    } else if (block.kind == BlockKind::cell && inside_[index]) {
      const std::string text = without_names(tree_.text(block).substr(0, kLineBytesMax));
      note(wish_inside(text, block.header ? std::string_view() : next_cell(index)), text,
           tree_.line(block));
    }
  }

  [[nodiscard]] std::string_view below_heading(std::size_t index) const {
    const auto& blocks = tree_.blocks();
    if (index + 1 >= blocks.size() || blocks[index + 1].kind != BlockKind::paragraph) return {};
    const std::string_view text = tree_.text(blocks[index + 1]);
    return text.substr(0, std::min(text.find('\n'), kLineBytesMax));
  }

  [[nodiscard]] std::string_view next_cell(std::size_t index) const {
    const auto& blocks = tree_.blocks();
    const bool same_row = index + 1 < blocks.size() && blocks[index + 1].kind == BlockKind::cell &&
                          blocks[index + 1].parent == blocks[index].parent;
    return same_row ? tree_.text(blocks[index + 1]).substr(0, kLineBytesMax) : std::string_view();
  }

  void note(Wish wish, std::string_view text, int line) {
    if (wish == Wish::yes && yes_.line <= 0) yes_ = {path_, line, 0};
    if (wish != Wish::unclear) return;
    if (unclear_.line > 0) {
      ++more_;
      return;
    }
    unclear_ = {path_, line, 0};
    unclear_text_ = std::string(base::trimmed(text));
  }

  const MarkdownTree& tree_;
  const std::vector<bool>& inside_;
  std::string path_;
  Source yes_;
  Source unclear_;
  std::string unclear_text_;
  std::size_t more_ = 0;
};

}  // namespace

bool speaks_of_approval(std::string_view line) {
  return wish_inside(line.substr(0, kLineBytesMax), "") != Wish::none;
}

ApprovalReading read_approval(const MarkdownTree& tree, const std::vector<bool>& inside,
                              std::size_t from, std::size_t to, std::string_view path,
                              const std::string& phase, FindingList& findings) {
  return ApprovalReader(tree, inside, path).read(from, to, phase, findings);
}

}  // namespace phasegate::phases
