#include "phases/reading/document_reading.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/reading/criteria_reader.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/places.h"
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

  DocumentReading build() {
    if (!tree_.complete()) {
      reading_.findings.push_back(
          {Severity::error,
           "unreadable_markdown",
           base::in_quotes(path_) + " could not be parsed to its end: it is too large (" +
               std::to_string(text_.size()) + " bytes), or a table is too wide",
           "split the file",
           {std::string(path_), 0, 0},
           ""});
    }
    const FoundPhases phases = find_phases(said_, tree_, path_);
    take_phases(phases);
    const std::vector<Place> places = places_of(said_, phases);
    const DocumentParts parts{text_, path_, tree_, said_, places, phases};
    for (ReadItem& item : read_items(parts, reading_.findings)) put(std::move(item), phases);
    if (const auto title =
            std::find_if(said_.begin(), said_.end(),
                         [](const Statement& one) { return one.kind == Statement::Kind::heading; });
        title != said_.end()) {
      reading_.title = title->text;
    }
    return std::move(reading_);
  }

 private:
  [[nodiscard]] std::uint32_t line_begin(std::size_t statement) const {
    if (statement >= said_.size()) return static_cast<std::uint32_t>(text_.size());
    std::size_t at = tree_.blocks()[said_[statement].block].begin;
    while (at > 0 && text_[at - 1] != '\n' && text_[at - 1] != '\r') --at;
    return static_cast<std::uint32_t>(at);
  }

  void take_phases(const FoundPhases& found) {
    for (const PhaseSpan& span : found.phases) {
      ReadPhase phase;
      phase.number = span.number;
      phase.title = span.title;
      phase.begin = found.unit ? 0 : line_begin(span.first);
      phase.end = found.rows ? phase.begin : line_begin(span.last);
      phase.line = span.line;
      phase.line_end = std::max(span.line, span.line_end);
      reading_.phases.push_back(std::move(phase));
    }
  }

  /// The phase that an item belongs to, or nothing for the work as a whole.
  ReadCriteria& criteria_of(const ReadItem& item, const FoundPhases& phases) {
    const auto number = [&](const std::string& wanted) -> ReadPhase* {
      const auto found = std::find_if(
          reading_.phases.begin(), reading_.phases.end(),
          [&](const ReadPhase& phase) { return !wanted.empty() && phase.number == wanted; });
      return found == reading_.phases.end() ? nullptr : &*found;
    };
    if (phases.unit) return reading_.phases.front().criteria;
    for (std::size_t i = 0; i < phases.phases.size(); ++i) {
      if (item.statement >= phases.phases[i].first && item.statement < phases.phases[i].last) {
        return reading_.phases[i].criteria;
      }
    }
    if (ReadPhase* named = number(item.named_phase)) return named->criteria;
    return reading_.whole;
  }

  void put(ReadItem item, const FoundPhases& phases) {
    ReadCriteria& criteria = criteria_of(item, phases);
    if (!item.entry && criteria.source.file.empty()) criteria.source = item.requirement.source;
    auto& list = item.entry ? criteria.entry : criteria.exit;
    const auto same = [&](const Requirement& one) { return one.name == item.requirement.name; };
    if (const auto before = std::find_if(list.begin(), list.end(), same); before != list.end()) {
      const bool near = std::abs(before->source.line - item.requirement.source.line) <= kNearLines;
      if (before->description == item.requirement.description) return;
      if (before->type == item.requirement.type && !near) {
        say_again(*before, item.requirement);
        return;
      }
      item.requirement.name = name_with_hash(item.requirement.name, item.requirement.description);
      if (std::any_of(list.begin(), list.end(), same)) return;
    }
    list.push_back(std::move(item.requirement));
  }

  /// The same thing at two places of a phase: the place that is more of a gate counts, and a rule
  /// that only one of them has is kept.
  static void say_again(Requirement& before, Requirement& again) {
    const bool adds =
        (again.constant && !before.constant) || (!again.one_of.empty() && before.one_of.empty());
    if (again.confidence < before.confidence || adds) std::swap(before, again);
  }

  /// Two items of one list stand near each other and are two things.
  static constexpr int kNearLines = 4;

  std::string_view text_;
  std::string_view path_;
  MarkdownTree tree_;
  std::vector<Statement> said_;
  DocumentReading reading_;
};

}  // namespace

DocumentReading read_document(std::string_view text, std::string_view path) {
  return Builder(text, path).build();
}

}  // namespace phasegate::phases
