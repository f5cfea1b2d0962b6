#include "app/cli/render_findings.h"

#include <algorithm>
#include <map>

#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using phases::Finding;
using phases::Severity;

/// Places that are listed where a finding repeats.
constexpr std::size_t kPlacesShown = 12;
/// Of each of them.
constexpr std::size_t kPartBytes = 400;
/// A line that holds a bracket only shows nothing.
constexpr std::size_t kBracketBytes = 2;
/// Columns of a source line before its caret: more would push the caret off the page.
constexpr std::size_t kBeforeCaret = 40;
/// Characters of a source line on either side of its caret that are looked at, however long the
/// line is. After the caret it is the page's width if that is more.
constexpr std::size_t kWindow = 200;

/// The first part in quotes, with its quotes: `"a"`.
std::string_view first_quoted(std::string_view message) {
  const std::size_t begin = message.find('"');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = message.find('"', begin + 1);
  return end == std::string_view::npos ? std::string_view()
                                       : message.substr(begin, end - begin + 1);
}

std::string key_of(const Finding& finding) {
  std::string message = finding.message;
  if (const std::string_view name = first_quoted(message); !name.empty()) {
    message.replace(message.find(name), name.size(), "\"\"");
  }
  return std::string(phases::to_text(finding.severity)) + "\n" + finding.code + "\n" + message +
         "\n" + finding.hint;
}

std::string place_of(const Finding& finding, const std::string& folder) {
  if (finding.source.file.empty()) return "";
  phases::Source source = finding.source;
  if (!folder.empty()) source.file = folder + "/" + source.file;
  return phases::to_text(source);
}

/// `in phases 0, 1, 2` where all that differs is the phase, else every place with its name.
std::string repeats_text(const FindingGroup& group, const std::string& folder, const Page& page) {
  std::vector<const Finding*> all{group.first};
  all.insert(all.end(), group.others.begin(), group.others.end());
  const bool same_sentence = std::all_of(all.begin(), all.end(), [&](const Finding* one) {
    return one->message == group.first->message && !one->phase.empty();
  });
  std::vector<std::string> parts;
  for (const Finding* one : all) {
    std::string part = shown_short(same_sentence ? one->phase : place_of(*one, folder), kPartBytes);
    if (!same_sentence) {
      const std::string_view name = first_quoted(one->message);
      if (!name.empty()) part += " " + shown_short(name, kPartBytes);
    }
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  const std::size_t hidden = parts.size() > kPlacesShown ? parts.size() - kPlacesShown : 0;
  if (hidden > 0) parts.resize(kPlacesShown);
  std::string text = same_sentence ? "in phases " : "in: ";
  text += base::joined(parts, ", ");
  if (hidden > 0) text += ", and " + std::to_string(hidden) + " more";
  return wrapped(text, page.width, 4, 6);
}

/// Where the character after the one at `at` begins, in well-formed UTF-8.
std::size_t next_character(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

/// Where the character before the one at `at` begins.
std::size_t previous_character(std::string_view text, std::size_t at) {
  return base::utf8_boundary(text, at - 1);
}

/// Where the end of `text` begins that takes at most `columns` columns when it is shown.
std::size_t end_that_fits(std::string_view text, std::size_t columns) {
  std::size_t from = text.size();
  std::size_t used = 0;
  for (std::size_t passed = 0; from > 0 && passed < kWindow; ++passed) {
    const std::size_t before = previous_character(text, from);
    used += display_width(shown(text.substr(before, from - before)));
    if (used > columns) break;
    from = before;
  }
  return from;
}

std::string head_of(const Finding& finding, const std::string& where, const Page& page) {
  std::string head = page.in(tone_of(finding.severity), phases::to_text(finding.severity));
  if (!where.empty()) head += " " + shown_value(where);
  return head + " " + page.in(Tone::faint, shown_value(finding.code));
}

std::string group_text(const FindingGroup& group, const std::string& folder, const LineOf& line_of,
                       const Page& page) {
  const Finding& finding = *group.first;
  const bool alone = group.others.empty();
  std::string text = wrapped(alone ? head_of(finding, place_of(finding, folder), page)
                                   : head_of(finding, "", page) + " (" +
                                         std::to_string(group.others.size() + 1) + " times)",
                             page.width, 2, 4);
  text += wrapped(shown_value(finding.message), page.width, 4, 4);
  if (!alone) text += repeats_text(group, folder, page);
  if (alone && line_of && finding.source.line > 0 && finding.severity != Severity::info) {
    const std::string line = line_of(finding.source);
    if (base::trimmed(line).size() > kBracketBytes) {
      text += excerpt(line, finding.source.line, finding.source.column, page);
    }
  }
  return text + wrapped(shown_value(finding.hint), page.width, 4, 4);
}

}  // namespace

std::vector<FindingGroup> grouped(const std::vector<Finding>& findings) {
  std::vector<FindingGroup> groups;
  std::map<std::string, std::size_t> known;
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::error) {
      const auto [at, is_new] = known.emplace(key_of(finding), groups.size());
      if (!is_new) {
        groups[at->second].others.push_back(&finding);
        continue;
      }
    }
    groups.push_back({&finding, {}});
  }
  return groups;
}

std::string findings_text(const std::vector<Finding>& findings, const std::string& folder,
                          const LineOf& line_of, const Page& page) {
  std::string text;
  for (const FindingGroup& group : grouped(findings)) {
    text += group_text(group, folder, line_of, page);
  }
  return text;
}

std::string place_findings_text(const std::vector<Finding>& findings, const Page& page) {
  std::string text;
  for (const Finding& finding : findings) {
    const std::string severity(phases::to_text(finding.severity));
    text +=
        wrapped(page.in(tone_of(finding.severity), severity) + " " + shown_value(finding.message),
                page.width, 0, 2);
    text += wrapped(shown_value(finding.hint), page.width, 2, 2);
  }
  return text;
}

std::string excerpt(std::string_view line, int number, int column, const Page& page) {
  std::string plain = base::to_utf8(line);
  std::replace(plain.begin(), plain.end(), '\t', ' ');
  std::size_t caret = 0;
  for (int passed = 1; passed < column && caret < plain.size(); ++passed) {
    caret = next_character(plain, caret);
  }
  std::string_view before = std::string_view(plain).substr(0, caret);
  const bool cut = end_that_fits(before, kBeforeCaret) > 0;
  // Once something is dropped, the caret comes near the beginning.
  if (cut) before.remove_prefix(end_that_fits(before, kBeforeCaret / 2));
  const std::string ahead = (cut ? "…" : "") + shown(before);
  std::string_view after = std::string_view(plain).substr(caret);
  std::size_t end = 0;
  for (std::size_t n = std::max(kWindow, page.width); n > 0 && end < after.size(); --n) {
    end = next_character(after, end);
  }
  const std::string label = "    " + std::to_string(number) + " | ";
  const std::size_t room = page.width > label.size() ? page.width - label.size() : 1;
  std::string text =
      page.in(Tone::faint, label) + fitted(ahead + shown(after.substr(0, end)), room) + "\n";
  const std::size_t indent = label.size() + display_width(ahead);
  if (column > 0 && indent < page.width) {
    std::string under(label.size() - 2, ' ');
    text += page.in(Tone::faint, under + "| ") + std::string(indent - label.size(), ' ') +
            page.in(Tone::bad, "^") + "\n";
  }
  return text;
}

}  // namespace phasegate::app::cli
