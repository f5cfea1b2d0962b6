#include "phases/reading/document_reading.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "phases/approval_reader.h"
#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/reading/criteria_reader.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/places.h"
#include "phases/reading/reading_findings.h"
#include "phases/reading/statements.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

class Builder {
 public:
  Builder(std::string_view text, std::string_view path)
      : text_(text),
        path_(path),
        tree_(parse_markdown(text, Html::tags)),
        said_(statements_of(tree_, text)) {}

  /// `number` is nullopt for a document that stands for itself.
  DocumentReading build(std::optional<std::string_view> number) {
    if (!tree_.complete()) {
      findings_.error("unreadable_markdown",
                      base::in_quotes(path_) +
                          " could not be parsed to its end: it is too large (" +
                          std::to_string(text_.size()) + " bytes), or a table is too wide",
                      "split the file", {std::string(path_), 0, 0});
    }
    report_unclosed_fence();
    const FoundPhases phases = number ? one_unit(*number) : find_phases(said_, tree_, path_);
    take_phases(phases);
    const std::vector<StatementPlace> places = places_of(said_, phases);
    const DocumentParts parts{text_, path_, tree_, said_, places, phases};
    ReadItems read = read_items(parts, findings_);
    if (number) settle_numbers(std::string(*number), read);
    for (ReadItem& item : read.items) {
      if (read.asked[item.statement]) put(std::move(item), phases);
    }
    report_unasked(parts, read.asked, findings_);
    find_approvals(parts, read.asked);
    take_title();
    reading_.findings = findings_.take();
    for (Finding& finding : reading_.findings) {
      name_phase(finding);
      // Where nothing is asked for, what was taken for work is what a gate may have been meant by.
      if (finding.code == "boxes_taken_for_work" && nothing_asked(finding)) {
        finding.severity = Severity::warning;
      }
    }
    return std::move(reading_);
  }

 private:
  [[nodiscard]] std::uint32_t line_begin(std::size_t statement) const {
    if (statement >= said_.size()) return static_cast<std::uint32_t>(text_.size());
    return tree_.line_begin(said_[statement].line);
  }

  void take_phases(const FoundPhases& found) {
    for (const PhaseSpan& span : found.phases) {
      ReadPhase phase;
      phase.number = span.number;
      phase.title = span.title;
      phase.begin = found.unit ? 0 : line_begin(span.first);
      phase.end = found.rows    ? phase.begin
                  : span.closed ? tree_.line_begin(span.line_end + 1)
                                : line_begin(span.last);
      phase.line = span.line;
      phase.line_end = std::max(span.line, span.line_end);
      if (!phase.number.empty()) by_number_.emplace(phase.number, reading_.phases.size());
      reading_.phases.push_back(std::move(phase));
    }
  }

  /// A fence without an end takes all that follows with it, phases and gates included.
  void report_unclosed_fence() {
    const Block& last = tree_.blocks().back();
    if (last.kind != BlockKind::code || text_.empty()) return;
    const int opening = tree_.line(last) - 1;
    if (!is_fence(opening)) return;
    int line = tree_.last_line();
    while (line > opening && base::trimmed(line_text(line)).empty()) --line;
    if (line > opening && is_fence(line)) return;
    findings_.error("unclosed_fence",
                    "the fence that begins at line " + std::to_string(opening) +
                        " is never closed, so that all behind it is code",
                    "close it with a line of the same marks", {std::string(path_), opening, 0});
  }
  [[nodiscard]] std::string_view line_text(int line) const {
    const std::uint32_t begin = tree_.line_begin(line);
    return text_.substr(begin, tree_.line_begin(line + 1) - begin);
  }
  [[nodiscard]] bool is_fence(int line) const {
    if (line < 1) return false;
    std::string_view text = base::trimmed(line_text(line));
    while (text.starts_with("> ")) text = base::trimmed(text.substr(2));
    return text.starts_with("```") || text.starts_with("~~~");
  }

  [[nodiscard]] FoundPhases one_unit(std::string_view number) const {
    FoundPhases found;
    found.unit = true;
    PhaseSpan span;
    span.number = std::string(number);
    span.last = said_.size();
    span.line = 1;
    span.line_end = last_line();
    found.phases.push_back(std::move(span));
    return found;
  }

  [[nodiscard]] int last_line() const { return tree_.last_line(); }

  /// Gates that name another phase are that phase's, unless none names ours: then the number is
  /// stale, as happens when phases are renumbered, and the gate is still the only one there is.
  void settle_numbers(const std::string& ours, ReadItems& read) {
    const bool named = std::any_of(read.items.begin(), read.items.end(), [&](const auto& item) {
      return !item.entry && item.named_phase == ours;
    });
    std::string reported;
    for (const ReadItem& item : read.items) {
      if (item.entry || item.named_phase.empty() || item.named_phase == ours) continue;
      if (named) {
        read.asked[item.statement] = false;
      } else if (reported != item.named_phase) {
        reported = item.named_phase;
        findings_.warning("stale_phase_number",
                          "the gate of phase " + ours + " names phase " + item.named_phase,
                          "correct the number", {std::string(path_), item.opened_at, 0}, ours);
      }
    }
  }

  void take_title() {
    const auto title = std::find_if(said_.begin(), said_.end(), [](const Statement& one) {
      return one.kind == Statement::Kind::heading;
    });
    if (title != said_.end()) reading_.title = title->text;
  }

  /// The phase in which a line stands, or null.
  [[nodiscard]] const ReadPhase* phase_at(int line) const {
    const auto behind =
        std::upper_bound(reading_.phases.begin(), reading_.phases.end(), line,
                         [](int wanted, const ReadPhase& phase) { return wanted < phase.line; });
    if (behind == reading_.phases.begin()) return nullptr;
    const ReadPhase& phase = *std::prev(behind);
    return line <= phase.line_end ? &phase : nullptr;
  }

  /// Findings of the reading know their line; the phase follows from it.
  void name_phase(Finding& finding) const {
    const ReadPhase* phase = phase_at(finding.source.line);
    if (finding.phase.empty() && phase != nullptr) finding.phase = phase->number;
  }

  [[nodiscard]] bool nothing_asked(const Finding& finding) const {
    const ReadPhase* phase = phase_at(finding.source.line);
    const ReadCriteria& criteria = phase == nullptr ? reading_.whole : phase->criteria;
    return criteria.exit.empty();
  }

  /// A person's approval, for each phase from its own blocks.
  void find_approvals(const DocumentParts& parts, const std::vector<bool>& asked) {
    std::vector<bool> inside(tree_.blocks().size(), false);
    for (std::size_t i = 0; i < said_.size(); ++i) {
      const bool gate =
          parts.places[i].role == Role::gate || parts.places[i].role == Role::evidence;
      if (!gate && !asked[i]) continue;
      const std::size_t end = i + 1 < said_.size() ? said_[i + 1].block : inside.size();
      for (std::size_t block = said_[i].block;
           block < std::max<std::size_t>(end, said_[i].block + 1); ++block) {
        inside[block] = true;
      }
    }
    const auto block_of = [&](std::size_t statement) {
      return statement < said_.size() ? std::size_t{said_[statement].block} : inside.size();
    };
    const auto take = [&](std::size_t from, std::size_t to, ReadCriteria& criteria,
                          const std::string& phase) {
      if (from >= to) return;
      const ApprovalReading read = read_approval(tree_, inside, from, to, path_, phase, findings_);
      if (!read.demanded || criteria.human_approval) return;
      criteria.human_approval = true;
      criteria.human_approval_source = read.source;
    };
    std::size_t done = 0;
    for (std::size_t i = 0; i < parts.phases.phases.size() && !parts.phases.rows; ++i) {
      const PhaseSpan& span = parts.phases.phases[i];
      const std::size_t from = parts.phases.unit ? 0 : block_of(span.first);
      take(done, from, reading_.whole, "");
      done = block_of(span.last);
      take(from, done, reading_.phases[i].criteria, span.number);
    }
    take(done, inside.size(), reading_.whole, "");
  }

  /// Where an item belongs: the index of its phase, or kWhole for the work as a whole.
  [[nodiscard]] std::size_t phase_of(const ReadItem& item, const FoundPhases& found) const {
    if (found.unit) return 0;
    const auto& spans = found.phases;
    const auto named = by_number_.find(item.named_phase);
    if (!item.named_phase.empty() && named != by_number_.end()) return named->second;
    if (!found.rows) {
      const auto behind = std::upper_bound(
          spans.begin(), spans.end(), item.statement,
          [](std::size_t statement, const PhaseSpan& span) { return statement < span.first; });
      if (behind != spans.begin() && item.statement < std::prev(behind)->last) {
        return static_cast<std::size_t>(behind - spans.begin()) - 1;
      }
    }
    return kWhole;
  }

  void put(ReadItem item, const FoundPhases& found) {
    const std::size_t phase = phase_of(item, found);
    ReadCriteria& criteria = phase == kWhole ? reading_.whole : reading_.phases[phase].criteria;
    if (!item.entry && criteria.source.file.empty()) {
      criteria.source = {std::string(path_), item.opened_at, 0};
    }
    if (!item.entry && !criteria.human_approval &&
        speaks_of_approval(item.requirement.description)) {
      criteria.human_approval = true;
      criteria.human_approval_source = item.requirement.source;
    }
    auto& list = item.entry ? criteria.entry : criteria.exit;
    auto& places = names_[{phase, item.entry}];
    if (const auto before = places.find(item.requirement.name); before != places.end()) {
      Requirement& first = list[before->second];
      const bool near = std::abs(first.source.line - item.requirement.source.line) <= kNearLines;
      if (first.description == item.requirement.description) {
        findings_.info("repeated_requirement",
                       "line " + std::to_string(item.requirement.source.line) + " says " +
                           base::in_quotes(base::shortened(first.description, 80)) +
                           " again; it is asked for once",
                       "", item.requirement.source);
        return;
      }
      if (!near && is_same_thing(first, item.requirement)) {
        say_again(first, item.requirement);
        return;
      }
      item.requirement.name = name_with_hash(item.requirement.name, item.requirement.description);
      if (places.contains(item.requirement.name)) return;
    }
    places.emplace(item.requirement.name, list.size());
    list.push_back(std::move(item.requirement));
  }

  /// One says nothing that the other does not: the same words but for a note in brackets, the same
  /// rules or none.
  static bool is_same_thing(const Requirement& first, const Requirement& again) {
    const bool code = first.description.starts_with(first.name);
    const bool note = first.description.find('(') == std::string::npos ||
                      again.description.find('(') == std::string::npos;
    if (first.type != again.type || first.required != again.required) return false;
    if (!code && (!note || bare_name(first) != bare_name(again))) return false;
    const auto ruled = [](const Requirement& one) {
      return one.constant || !one.one_of.empty() || one.maximum || one.exclusive_maximum ||
             one.exclusive_minimum || one.minimum.value_or(0) > 0;
    };
    const bool same_rules = first.constant == again.constant && first.one_of == again.one_of &&
                            first.minimum == again.minimum && first.maximum == again.maximum &&
                            first.exclusive_minimum == again.exclusive_minimum &&
                            first.exclusive_maximum == again.exclusive_maximum;
    // `0 to 100` and then `must be 100`: the narrower of the two says all.
    const bool narrower = again.constant.has_value() || first.constant.has_value();
    return same_rules || !ruled(first) || !ruled(again) || narrower;
  }

  /// What a sentence says without its brackets.
  static std::string bare_name(const Requirement& requirement) {
    const std::string& said = requirement.description;
    return name_from_sentence(said.substr(0, said.find('(')));
  }

  /// The same thing at two places of a phase: the place that is more of a gate counts, and a rule
  /// that only one of them has is kept.
  static void say_again(Requirement& before, Requirement& again) {
    const bool adds =
        (again.constant && !before.constant) || (!again.one_of.empty() && before.one_of.empty());
    if (again.confidence < before.confidence || adds) std::swap(before, again);
  }

  static constexpr std::size_t kWhole = static_cast<std::size_t>(-1);
  /// Two items of one list stand near each other and are two things.
  static constexpr int kNearLines = 4;

  std::string_view text_;
  std::string_view path_;
  MarkdownTree tree_;
  std::vector<Statement> said_;
  FindingList findings_;
  DocumentReading reading_;
  std::map<std::string, std::size_t> by_number_;  ///< phases
  /// Where a name stands in the list of its phase, entry criteria apart.
  std::map<std::pair<std::size_t, bool>, std::unordered_map<std::string, std::size_t>> names_;
};

}  // namespace

DocumentReading read_document(std::string_view text, std::string_view path) {
  return Builder(text, path).build(std::nullopt);
}

DocumentReading read_phase_document(std::string_view text, std::string_view path,
                                    std::string_view number) {
  return Builder(text, path).build(number);
}

}  // namespace phasegate::phases
