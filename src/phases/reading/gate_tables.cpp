#include "phases/reading/gate_tables.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "phases/reading/item_text.h"
#include "phases/reading/lexicon.h"
#include "phases/reading/phase_heading.h"
#include "phases/reading/quantities.h"
#include "phases/reading/requirement_text.h"
#include "phases/reading/table_cells.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

template <std::size_t N>
std::optional<std::size_t> column_of(const std::vector<std::string>& head,
                                     const std::array<std::string_view, N>& titles) {
  for (const std::string_view title : titles) {
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (phrase_form(head[i]) == title) return i;
    }
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 4> kPhaseColumns = {" phase ", " stage ", " step ",
                                                           " gate "};
constexpr std::array<std::string_view, 16> kCriteriaColumns = {
    " success criteria ",    " exit criteria ", " completion criteria ",
    " acceptance criteria ", " gate ",          " gate criteria ",
    " exit criterion ",      " done when ",     " validation gate ",
    " exit gate ",           " checkpoint ",    " exit condition ",
    " quality gate ",        " must be true ",  " exit ",
    " evidence required "};
constexpr std::array<std::string_view, 14> kSubjectColumns = {
    " criterion ", " criteria ",     " check ",    " requirement ",  " gate ",
    " condition ", " item ",         " metric ",   " must be true ", " evidence ",
    " what ",      " quality gate ", " standard ", " checkpoint "};
constexpr std::array<std::string_view, 14> kMeasureColumns = {
    " threshold ", " target ",         " required ",       " minimum ",  " requirement ",
    " limit ",     " value ",          " pass threshold ", " criteria ", " pass criteria ",
    " standard ",  " pass condition ", " pass when ",      " expected "};
constexpr std::array<std::string_view, 5> kCriterionColumns = {
    " criterion ", " criteria ", " acceptance criterion ", " acceptance criteria ", " checkpoint "};
constexpr std::array<std::string_view, 5> kLevelColumns = {" severity ", " priority ", " level ",
                                                           " required ", " blocking "};
/// A table with one of these explains; it asks for nothing.
constexpr std::array<std::string_view, 12> kExplaining = {
    " verdict ", " classification ", " meaning ", " impact ",  " action ",  " severity ",
    " reality ", " excuse ",         " status ",  " symptom ", " thought ", " score "};

std::string row_phase(const std::string& cell) {
  auto read = read_phase_heading(cell);
  if (!read || read->number.empty()) read = read_phase_heading("Phase " + cell);
  return read ? read->number : "";
}

/// `Bug resolved, tests pass` are two conditions; `id, name` is none of them by itself.
std::vector<std::string_view> parts_of(std::string_view cell) {
  const char separator = cell.find(';') != std::string_view::npos ? ';' : ',';
  std::vector<std::string_view> parts = base::split(cell, separator);
  const bool each_says_something =
      std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
        const std::size_t words = words_of(part).size();
        return words >= 2 && words <= 8;
      });
  if (!each_says_something || cell.find('(') != std::string_view::npos) return {cell};
  return parts;
}

class Reader {
 public:
  Reader(TableCells table, std::string_view path) : table_(std::move(table)), path_(path) {}

  std::vector<RowRequirement> by_phase() {
    const auto phase = column_of(table_.head, kPhaseColumns);
    auto criteria = column_of(table_.head, kCriteriaColumns);
    if (!phase || !criteria || *phase == *criteria) return {};
    for (const TableCells::Row& row : table_.rows) {
      const std::string number = row_phase(row.cells[*phase]);
      if (number.empty()) return {};
      for (const std::string_view part : parts_of(row.cells[*criteria])) {
        if (is_placeholder(part) || words_of(part).empty()) continue;
        add(number, base::trimmed(part), row.line);
      }
    }
    return std::move(found_);
  }

  std::vector<RowRequirement> conditions(bool in_gate) {
    const auto criterion = column_of(table_.head, kCriterionColumns);
    if (!in_gate && (!criterion || *criterion > 1)) return {};
    if (in_gate && passing_rows()) return std::move(found_);
    if (!criterion && column_of(table_.head, kExplaining)) return {};
    auto subject = criterion ? criterion : column_of(table_.head, kSubjectColumns);
    auto measure = column_of(table_.head, kMeasureColumns);
    if (measure && subject && *measure == *subject) measure.reset();
    if (!subject && !measure) return {};
    const auto level = column_of(table_.head, kLevelColumns);
    if (!subject || subject == measure) subject = 0;
    if (measure && *measure == *subject) return {};
    for (const TableCells::Row& row : table_.rows) {
      const std::string& what = row.cells[*subject];
      if (words_of(what).empty() || is_placeholder(what)) continue;
      const auto counted = read_phase_heading(what);
      const bool numbered = counted && counted->word == PhaseHeading::Word::numbered;
      add("", numbered ? counted->title : what, row.line);
      Requirement& made = found_.back().requirement;
      if (level && advises(row.cells[*level])) made.required = false;
      if (!measure) continue;
      const std::string& bound = row.cells[*measure];
      if (!bound.empty()) made.description += ": " + bound;
      if (is_optional_wording(bound) || base::lowered(bound) == "no") made.required = false;
      if (const auto quantity = measure_in(bound)) apply_quantity(*quantity, made);
    }
    return std::move(found_);
  }

 private:
  /// `| PASS | score ≥ 8 | … |`: what the verdict takes is the condition.
  bool passing_rows() {
    for (const TableCells::Row& row : table_.rows) {
      const std::string verdict = base::lowered(row.cells[0]);
      if ((verdict != "pass" && verdict != "passed" && verdict != "go") || row.cells.size() < 2) {
        continue;
      }
      if (measure_in(row.cells[1])) add("", row.cells[1], row.line);
    }
    return !found_.empty();
  }

  static bool advises(const std::string& cell) {
    const std::string word = base::lowered(cell);
    return word == "low" || word == "medium" || word == "optional" || word == "advisory" ||
           word == "no" || word == "nice to have" || word == "should" || word == "info";
  }

  void add(const std::string& phase, std::string_view sentence, int line) {
    found_.push_back({phase, condition_from(sentence, RequirementSource::table_row,
                                            {std::string(path_), line, 0})});
    found_.back().requirement.confidence = Confidence::medium;
  }

  TableCells table_;
  std::string_view path_;
  std::vector<RowRequirement> found_;
};

}  // namespace

std::vector<RowRequirement> conditions_in_table(const MarkdownTree& tree, std::size_t table,
                                                TableUse use, std::string_view path) {
  const TableCells cells = table_cells(tree, table);
  if (cells.head.empty() || cells.rows.empty()) return {};
  auto by_phase = Reader(cells, path).by_phase();
  if (!by_phase.empty() || use == TableUse::phases_only) return by_phase;
  return Reader(cells, path).conditions(use == TableUse::gate);
}

}  // namespace phasegate::phases
