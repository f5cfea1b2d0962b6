#include "phases/reading/item_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/reading/lexicon.h"
#include "phases/reading/quantities.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kLabelBytesMax = 90;

std::string_view without_edges(std::string_view text) {
  text = base::trimmed(text);
  while (!text.empty() && (text.front() == '*' || text.front() == '`')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '*' || text.back() == ':' || text.back() == '`')) {
    text.remove_suffix(1);
  }
  return base::trimmed(text);
}

/// Takes a colon or dash from the beginning; 0 if there is neither.
std::size_t separator_length(std::string_view text) {
  const std::string_view rest = base::trimmed(text);
  const std::size_t blanks = text.find_first_not_of(" \t");
  for (const std::string_view mark : {":", "：", "–", "—", "- ", "→", "="}) {
    if (rest.starts_with(mark))
      return (blanks == std::string_view::npos ? 0 : blanks) + mark.size();
  }
  return 0;
}

std::size_t word_count(std::string_view text) {
  return words_of(text).size();
}

/// The place of a colon or dash behind a short beginning: `Type checking: no errors`; npos if none.
std::size_t short_label_end(std::string_view text) {
  for (std::size_t at = 1; at < std::min(text.size(), kLabelBytesMax); ++at) {
    const bool last = at + 1 == text.size();
    if (text[at] == ':' && (last || text[at + 1] == ' ')) return at;
    if (text.substr(at).starts_with("：")) return at;
    const bool dash = text.substr(at).starts_with(" - ") || text.substr(at).starts_with(" – ") ||
                      text.substr(at).starts_with(" — ");
    if (dash) return word_count(text.substr(0, at)) <= 4 ? at : std::string_view::npos;
    if (text[at] == '.' && !last && text[at + 1] == ' ') return std::string_view::npos;
  }
  return std::string_view::npos;
}

bool is_capital_word(std::string_view word) {
  std::size_t letters = 0;
  for (const char c : word) {
    if (c >= 'A' && c <= 'Z') {
      ++letters;
    } else if (c != '-' && c != '_' && c != ' ' && c != '/' && !(c >= '0' && c <= '9')) {
      return false;
    }
  }
  return letters >= 4;
}

struct Command {
  std::string_view words;  ///< as phrase_form writes them
  CommandLine::Kind kind;
};

constexpr std::array kCommands = {
    Command{" evidence required ", CommandLine::Kind::asks},
    Command{" evidence ", CommandLine::Kind::asks},
    Command{" paste output ", CommandLine::Kind::asks},
    Command{" paste ", CommandLine::Kind::asks},
    Command{" count and document ", CommandLine::Kind::asks},
    Command{" quantify results ", CommandLine::Kind::asks},
    Command{" quantify ", CommandLine::Kind::asks},
    Command{" command output required ", CommandLine::Kind::asks},
    Command{" output required ", CommandLine::Kind::asks},
    Command{" gather evidence ", CommandLine::Kind::asks},
    Command{" record evidence ", CommandLine::Kind::asks},
    Command{" verify ", CommandLine::Kind::verify},
    Command{" confirm ", CommandLine::Kind::verify},
    Command{" ensure ", CommandLine::Kind::verify},
    Command{" validate gate ", CommandLine::Kind::gate},
    Command{" validation gate ", CommandLine::Kind::gate},
    Command{" gate status ", CommandLine::Kind::other},
};

/// `For builds: …`, `CRITICAL: …`, `Verify: …`, `Priority 1: …`: words that name no thing.
bool is_no_name(std::string_view label) {
  const std::string form = phrase_form(label);
  for (const std::string_view begin : {" for ", " if ", " when "}) {
    if (form.starts_with(begin)) return true;
  }
  constexpr std::array<std::string_view, 12> kMarks = {
      " critical ", " important ", " verify ", " check ",    " ensure ",    " confirm ",
      " required ", " must ",      " should ", " optional ", " mandatory ", " blocking "};
  if (std::find(kMarks.begin(), kMarks.end(), form) != kMarks.end()) return true;
  const auto words = words_of(label);
  const bool numbered = words.size() == 2 && words[1].size() <= 3 && words[1].front() >= '0' &&
                        words[1].front() <= '9';
  return numbered && (words[0] == "priority" || words[0] == "phase" || words[0] == "step" ||
                      words[0] == "stage");
}

ItemText taken_apart(const Statement& statement);

/// `All three must approve before proceeding`: what stands before `before`.
std::string demanded_before(std::string_view text, const std::string& lower) {
  if (lower.find(" before ") == std::string::npos) return "";
  for (const std::string_view word :
       {" before proceeding", " before continuing", " before advancing", " before moving on",
        " before you proceed", " before the next phase", " before deployment", " before merge"}) {
    const auto at = lower.find(word);
    if (at == std::string::npos || at < 8 || at > 200) continue;
    const std::string head = phrase_form(lower.substr(0, at));
    const bool approval = head.find(" approval ") != std::string::npos ||
                          head.find(" confirmation ") != std::string::npos;
    if (head.find(" must ") == std::string::npos && head.find(" required ") == std::string::npos &&
        !approval) {
      continue;
    }
    if (lower.substr(0, at).find(". ") != std::string::npos || head.starts_with(" if ")) return "";
    return std::string(base::trimmed(text.substr(0, at)));
  }
  return "";
}

}  // namespace

ItemText read_item_text(const Statement& statement) {
  ItemText item = taken_apart(statement);
  if (!item.code && !item.content.empty() && is_no_name(item.label)) item.label.clear();
  return item;
}

namespace {

ItemText taken_apart(const Statement& statement) {
  ItemText item;
  const std::string_view text = statement.text;
  if (statement.code > 0) {
    const std::string_view rest = text.substr(statement.code);
    const std::size_t separator = separator_length(rest);
    const bool alone = base::trimmed(rest).empty();
    const bool bracket = base::trimmed(rest).starts_with('(');
    if (separator > 0 || alone || bracket) {
      item.label = std::string(text.substr(0, statement.code));
      item.content = std::string(base::trimmed(rest.substr(separator)));
      item.code = true;
      item.colon = base::trimmed(rest).starts_with(':');
      return item;
    }
  }
  if (statement.strong > 0) {
    const std::string_view strong = text.substr(0, statement.strong);
    const std::string_view rest = text.substr(statement.strong);
    const bool whole = base::trimmed(rest).empty() || base::trimmed(rest) == ":";
    if (base::trimmed(rest).empty() && (strong.ends_with('.') || strong.ends_with('!')) &&
        word_count(strong) > 4 && strong.find(": ") == std::string_view::npos) {
      item.content = std::string(text);  // a sentence that is bold altogether
      return item;
    }
    const auto inner = strong.find(": ");
    if (whole && inner != std::string_view::npos && inner < kLabelBytesMax &&
        inner + 2 < strong.size()) {
      // `**Gate: all tests pass**`
      item.label = std::string(without_edges(strong.substr(0, inner)));
      item.content = std::string(base::trimmed(strong.substr(inner + 2)));
      item.bold = item.colon = true;
      return item;
    }
    const std::size_t separator = separator_length(rest);
    const bool colon_inside = base::trimmed(strong).ends_with(':');
    if (whole || separator > 0 || colon_inside) {
      item.label = std::string(without_edges(strong));
      item.content = std::string(base::trimmed(rest.substr(separator)));
      item.bold = true;
      item.colon = colon_inside || base::trimmed(rest).starts_with(':') ||
                   base::trimmed(rest).starts_with("：");
      item.lead = item.content.empty();
      if (item.lead && !item.colon && statement.kind == Statement::Kind::item) {
        item.content = item.label;  // a sentence that is bold altogether
        item.label.clear();
        item.lead = false;
      }
      return item;
    }
  }
  const std::size_t end = short_label_end(text);
  if (end != std::string_view::npos) {
    const std::string_view label = text.substr(0, end);
    const std::size_t words = word_count(label);
    const std::size_t separator = separator_length(text.substr(end));
    const std::string_view content = base::trimmed(text.substr(end + separator));
    if (content.empty() || words <= 5) {
      item.label = std::string(without_edges(label));
      item.content = std::string(content);
      item.colon = text[end] == ':' || text.substr(end).starts_with("：");
      item.lead = content.empty();
      return item;
    }
  }
  item.content = std::string(text);
  return item;
}

}  // namespace

CommandLine read_command_line(const Statement& statement) {
  CommandLine line;
  const std::string_view text = statement.text;
  const auto colon = text.find(':');
  const bool colon_near = colon != std::string_view::npos && colon < kLabelBytesMax;
  const std::string_view head = base::trimmed(text.substr(0, colon_near ? colon : text.size()));
  if (!colon_near && statement.glyph.empty()) return line;
  if (!is_capital_word(without_edges(head))) return line;
  line.content = std::string(without_edges(colon_near ? text.substr(colon + 1) : ""));
  const std::string form = phrase_form(head);
  const auto known = std::find_if(kCommands.begin(), kCommands.end(), [&](const Command& command) {
    return form.starts_with(command.words);
  });
  line.collects =
      form.starts_with(" count ") || form.starts_with(" quantify ") || form.starts_with(" gather ");
  if (known != kCommands.end()) {
    line.kind = known->kind;
  } else {
    const Role role = role_of(head);
    line.kind = role == Role::gate    ? CommandLine::Kind::gate
                : role == Role::entry ? CommandLine::Kind::entry
                                      : CommandLine::Kind::other;
  }
  if (line.kind == CommandLine::Kind::gate && role_of(line.content) == Role::entry) {
    line.kind = CommandLine::Kind::entry;
  }
  return line;
}

bool names_task(std::string_view text) {
  const std::string_view bare = without_leading_glyphs(text);
  const std::string lower = base::lowered(bare.substr(0, 40));
  const auto digits_at = [&](std::size_t at) {
    return at < lower.size() && lower[at] >= '0' && lower[at] <= '9';
  };
  for (const std::string_view word : {"task ", "task-", "task: ", "subtask ", "story "}) {
    if (!lower.starts_with(word)) continue;
    const std::size_t at = word.size();
    return word == "task: " || digits_at(at) || lower.substr(at).starts_with('[') ||
           lower.substr(at).starts_with('{');
  }
  if (lower.starts_with('t') && (digits_at(1) || lower.starts_with("txxx"))) return true;
  if (lower.starts_with('p') && digits_at(1) && lower.find("-t") < 5) return true;
  std::size_t at = 0;
  std::size_t points = 0;
  while (at < lower.size() && (digits_at(at) || lower[at] == '.')) {
    if (lower[at] == '.' && digits_at(at + 1)) ++points;
    ++at;
  }
  return points > 0 && at < lower.size() && lower[at] == ' ';
}

bool is_placeholder(std::string_view text) {
  std::string rest;
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{' || c == '<') ++depth;
    if (depth == 0) rest += c;
    if ((c == ']' || c == '}' || c == '>') && depth > 0) --depth;
  }
  if (rest.size() == text.size()) {
    const std::string_view dots = base::trimmed(text);
    return dots.empty() || dots == "..." || dots == "…";
  }
  return !has_letters(rest);
}

std::vector<std::string_view> conditions_in(std::string_view sentence) {
  for (std::size_t at = 20; at + 2 < sentence.size(); ++at) {
    if (sentence[at] == '.' && sentence[at + 1] == ' ' && sentence[at + 2] >= 'A' &&
        sentence[at + 2] <= 'Z') {
      sentence = sentence.substr(0, at);
    }
  }
  const std::string lower = base::lowered(sentence);
  for (const std::string_view before : {" before proceeding", " before continuing"}) {
    if (const auto at = lower.find(before); at != std::string::npos && at > 8) {
      sentence = sentence.substr(0, std::min(at, sentence.size()));
    }
  }
  std::vector<std::string_view> parts;
  const auto cut = [&](std::string_view joint) {
    parts.clear();
    for (std::size_t at = 0; at <= sentence.size();) {
      const auto end = std::min(sentence.find(joint, at), sentence.size());
      parts.push_back(base::trimmed(sentence.substr(at, end - at)));
      at = end + joint.size();
    }
    return parts.size() > 1 && std::all_of(parts.begin(), parts.end(), has_letters);
  };
  const auto begins_with_letter = [](std::string_view part) {
    return !(part.front() >= '0' && part.front() <= '9');
  };
  if ((cut(" AND ") || cut(" + ")) && std::all_of(parts.begin(), parts.end(), begins_with_letter)) {
    return parts;
  }
  const bool each_measured =
      cut(" and ") && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
        return measure_in(part).has_value();
      });
  if (each_measured) return parts;
  return {base::trimmed(sentence)};
}

std::string held_back_until(std::string_view text) {
  const std::string form = base::lowered(text.substr(0, 400));
  if (std::string before = demanded_before(text, form); !before.empty()) return before;
  constexpr std::array<std::string_view, 9> kBegins = {"do not ",       "don't ",      "never ",
                                                       "cannot ",       "must not ",   "stop ",
                                                       "you must not ", "you cannot ", "no phase "};
  // `WAIT FOR USER APPROVAL`, `Wait for the user's confirmation`
  const bool may_wait = form.find("wait") != std::string::npos;
  const std::string words = may_wait ? phrase_form(form) : "";
  const bool waits = words.starts_with(" wait for ") || words.starts_with(" stop and wait for ");
  const bool person = words.find(" approval ") != std::string::npos ||
                      words.find(" confirmation ") != std::string::npos ||
                      words.find(" sign off ") != std::string::npos;
  if (waits && person && form.size() < 120) {
    return std::string(base::trimmed(text.substr(form.find("wait for ") + 9)));
  }
  if (const auto only = form.find(" only when all "); only != std::string::npos && only < 30) {
    return std::string(base::trimmed(text.substr(only + 11)));
  }
  const bool holds = std::any_of(kBegins.begin(), kBegins.end(),
                                 [&](std::string_view begin) { return form.starts_with(begin); });
  if (!holds) return "";
  for (const std::string_view word : {" until ", " unless ", " without ", " before "}) {
    const auto at = form.find(word);
    if (at == std::string::npos) continue;
    const std::string head = phrase_form(form.substr(0, at));
    constexpr std::array<std::string_view, 12> kMoves = {
        " proceed ", " advance ", " continue ", " move ",  " start ",  " begin ",
        " merge ",   " close ",   " mark ",     " claim ", " deploy ", " consider "};
    const bool moves = std::any_of(kMoves.begin(), kMoves.end(), [&](std::string_view verb) {
      return head.find(verb) != std::string::npos;
    });
    if (!moves || (word == " before " && head.find(" start ") == std::string::npos)) return "";
    if (word == " without " && head.find(" cannot ") == std::string::npos) return "";
    std::string condition(base::trimmed(text.substr(at + word.size())));
    const std::string what = phrase_form(condition);
    // Which phase comes next is what gates are for; only what it names besides is a condition.
    for (const char* itself : {" the current ", " the previous ", " this phase ", " this step ",
                               " the prior ", " current phase "}) {
      if (what.starts_with(itself)) return "";
    }
    return condition;
  }
  return "";
}

}  // namespace phasegate::phases
