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

/// The column with the first of these titles; titles of other scripts may be part of a longer one.
template <std::size_t N>
std::optional<std::size_t> column_of(const std::vector<std::string>& head,
                                     const std::array<std::string_view, N>& titles,
                                     std::optional<std::size_t> except = std::nullopt) {
  for (const std::string_view title : titles) {
    for (std::size_t i = 0; i < head.size(); ++i) {
      const std::string form = phrase_form(head[i]);
      const bool same =
          title.front() == ' ' ? form == title : form.find(title) != std::string::npos;
      if (same && i != except) return i;
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
/// What is judged; the leftmost of them counts.
constexpr std::array<std::string_view, 30> kSubjectColumns = {" criterion ",
                                                              " criteria ",
                                                              " check ",
                                                              " checks ",
                                                              " requirement ",
                                                              " gate ",
                                                              " condition ",
                                                              " item ",
                                                              " metric ",
                                                              " must be true ",
                                                              " evidence ",
                                                              " what ",
                                                              " quality gate ",
                                                              " standard ",
                                                              " checkpoint ",
                                                              " acceptance criterion ",
                                                              " acceptance criteria ",
                                                              " threshold ",
                                                              " critério ",
                                                              " criterio ",
                                                              " critère ",
                                                              " kriterium ",
                                                              " prüfung ",
                                                              " проверка ",
                                                              " критерий ",
                                                              "检查项",
                                                              "检查",
                                                              "标准",
                                                              "項目",
                                                              "항목"};
/// What it is judged by; the first title that is there counts.
constexpr std::array<std::string_view, 31> kMeasureColumns = {" threshold ",
                                                              " pass threshold ",
                                                              " pass ",
                                                              " pass criteria ",
                                                              " pass condition ",
                                                              " pass when ",
                                                              " passing ",
                                                              " target ",
                                                              " required value ",
                                                              " minimum ",
                                                              " limit ",
                                                              " requirement ",
                                                              " required ",
                                                              " value ",
                                                              " expected ",
                                                              " expectation ",
                                                              " criteria ",
                                                              " criterion ",
                                                              " standard ",
                                                              " rule ",
                                                              " schwelle ",
                                                              " zielwert ",
                                                              " seuil ",
                                                              " umbral ",
                                                              " limiar ",
                                                              " meta ",
                                                              "通过条件",
                                                              "阈值",
                                                              "目标",
                                                              "基準",
                                                              "기준"};
/// A table with one of these and without a subject explains; it asks for nothing.
constexpr std::array<std::string_view, 14> kExplaining = {
    " verdict ",  " classification ", " meaning ",      " impact ",         " action ",
    " severity ", " symptom ",        " reality ",      " excuse ",         " status ",
    " thought ",  " score ",          " anti pattern ", " rationalization "};
constexpr std::array<std::string_view, 6> kLevelColumns = {
    " severity ", " priority ", " level ", " required ", " blocking ", " classification "};

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
        if (is_placeholder(part) || !has_letters(part)) continue;
        add(number, base::trimmed(part), row.line);
      }
    }
    return std::move(found_);
  }

  std::vector<RowRequirement> conditions(bool in_gate) {
    auto subject = subject_column();
    const std::size_t threshold = threshold_column();
    if (subject && threshold < *subject) subject.reset();
    const bool bounded = threshold < table_.head.size();
    const bool explains = column_of(table_.head, kExplaining).has_value() && !bounded;
    if (!subject && (!in_gate || explains)) return {};
    if (is_rating()) return {};
    if (in_gate && passing_rows()) return std::move(found_);
    if (!in_gate && (*subject > 1 || is_advice() || !names_criteria(*subject))) return {};
    if (subject && *subject > 2) return {};
    auto measure = column_of(table_.head, kMeasureColumns, subject);
    if (!subject && !measure && !bounded) return {};
    const std::size_t about = subject.value_or(0);
    if (measure == about) measure.reset();
    const auto level = column_of(table_.head, kLevelColumns);
    for (const TableCells::Row& row : table_.rows) {
      const std::string& what = row.cells[about];
      if (!has_letters(what) || is_placeholder(what)) continue;
      const auto counted = read_phase_heading(what);
      const bool numbered = counted && counted->word == PhaseHeading::Word::numbered;
      add("", numbered ? counted->title : what, row.line);
      Requirement& made = found_.back().requirement;
      if (level && advises(row.cells[*level])) made.required = false;
      bool measured = take_threshold(row, about, made) ||
                      (measure && take_measure(row.cells[*measure], is_limit(*measure), made));
      for (std::size_t i = about + 1; i < row.cells.size() && !measured; ++i) {
        if (i != measure && judges(i)) measured = take_measure(row.cells[i], is_limit(i), made);
      }
    }
    return std::move(found_);
  }

 private:
  /// The leftmost column that names what is judged. One of ids (`G1.1`, `3`) gives way to the next.
  [[nodiscard]] std::optional<std::size_t> subject_column() const {
    for (std::size_t i = 0; i < table_.head.size(); ++i) {
      const std::string title = phrase_form(table_.head[i]);
      const bool known =
          std::any_of(kSubjectColumns.begin(), kSubjectColumns.end(), [&](std::string_view one) {
            return one.front() == ' ' ? title == one : title.find(one) != std::string::npos;
          });
      if (!known) continue;
      const bool ids = std::all_of(table_.rows.begin(), table_.rows.end(),
                                   [&](const auto& row) { return is_id(row.cells[i]); });
      if (ids && i + 1 < table_.head.size()) return i + 1;
      if (i > 1) return std::nullopt;
      return i;
    }
    return std::nullopt;
  }

  /// Outside of a gate only a table that calls its rows criteria, checks or the like asks for them.
  [[nodiscard]] bool names_criteria(std::size_t subject) const {
    const std::string title = phrase_form(table_.head[subject]);
    for (const std::string_view word : {" criteri", " check", " requirement ", " threshold ",
                                        " condition ", "检查", " critér", " kriteri", " критери"}) {
      if (title.find(word) != std::string::npos) return true;
    }
    return subject > 0 && phrase_form(table_.head[subject - 1]) == " check ";
  }

  static bool is_id(std::string_view cell) {
    const bool digit = cell.find_first_of("0123456789") != std::string_view::npos;
    return cell.size() <= 8 && digit && cell.find(' ') == std::string_view::npos;
  }

  /// A bare number below such a title is the most there may be.
  [[nodiscard]] bool is_limit(std::size_t column) const {
    const std::string title = phrase_form(table_.head[column]);
    return title.find(" limit ") != std::string::npos || title.find(" max") != std::string::npos ||
           title.find(" budget ") != std::string::npos;
  }

  /// Columns beside that tell how to look, what failing means, or how much it weighs.
  [[nodiscard]] bool judges(std::size_t column) const {
    const std::string title = phrase_form(table_.head[column]);
    for (const std::string_view other :
         {" fail",         " red ",    " reject", " amber ", " warn",    " poor",     " bad ",
          " weight",       " command", " how ",   " tool",   " owner",   " severity", " priority",
          " verification", " example", " points", "权重",    " gewicht", " peso",     " poids"}) {
      if (title.find(other) != std::string::npos) return false;
    }
    return true;
  }

  static bool take_measure(const std::string& bound, bool limit, Requirement& made) {
    if (bound.empty()) return false;
    if (is_optional_wording(bound) || base::lowered(bound) == "no") made.required = false;
    auto quantity = measure_in(bound);
    // `| Limit | 3 % |`
    if (limit && quantity && quantity->minimum) std::swap(quantity->minimum, quantity->maximum);
    if (!quantity) return false;
    made.description += ": " + bound;
    apply_quantity(*quantity, made);
    return true;
  }

  /// What earns which grade: `| Grade | Standard |`.
  [[nodiscard]] bool is_rating() const {
    const std::string first = phrase_form(table_.head[0]);
    for (const std::string_view grade : {" grade", " rating", " score ", " level ", "等级", "评分",
                                         "级别", "分数", "レベル", " stufe ", " note "}) {
      if (first.find(grade) != std::string::npos) return true;
    }
    return false;
  }

  /// The column behind the first whose title calls its numbers a bound; the number of columns if
  /// there is none.
  [[nodiscard]] std::size_t threshold_column() const {
    for (std::size_t i = 1; i < table_.head.size(); ++i) {
      const std::string title = phrase_form(table_.head[i]);
      for (const std::string_view word : {" threshold ", " minimum ", " min ", " maximum "}) {
        if (title.find(word) != std::string::npos) return i;
      }
    }
    return table_.head.size();
  }

  /// `| Margin | 40 % | ≥ threshold |`, `| Artifact | Minimum score |`: the number stands in a
  /// column that calls it so, the direction perhaps in another.
  bool take_threshold(const TableCells::Row& row, std::size_t about, Requirement& made) const {
    for (std::size_t i = about + 1; i < row.cells.size(); ++i) {
      const std::string title = phrase_form(table_.head[i]);
      const bool least = title.find(" minimum ") != std::string::npos ||
                         title.find(" min ") != std::string::npos ||
                         title.find(" threshold ") != std::string::npos;
      const bool most =
          title.find(" maximum ") != std::string::npos || title.find(" max ") != std::string::npos;
      const bool value = title == " value " || title == " default value " || title == " default ";
      if (!least && !most && !value) continue;
      const std::string& cell = row.cells[i];
      const bool number = !cell.empty() && cell.front() >= '0' && cell.front() <= '9' &&
                          cell.find_first_not_of("0123456789.% ") == std::string::npos;
      if (!number) continue;
      bool down = most;
      bool directed = least || most;
      for (std::size_t other = about + 1; other < row.cells.size(); ++other) {
        if (other == i) continue;
        const std::string& said = row.cells[other];
        const bool less = said.starts_with("<") || said.starts_with("≤");
        const bool more = said.starts_with(">") || said.starts_with("≥");
        directed = directed || less || more;
        if (less || more) down = less;
      }
      const bool none = cell == "0" || cell == "0%";
      const auto bound = measure_in((none ? "exactly " : down ? "<= " : ">= ") + cell);
      if (!directed || !bound) continue;
      apply_quantity(*bound, made);
      made.description += ": " + cell;
      return true;
    }
    return false;
  }

  /// Tables that compare what people think with what is so.
  [[nodiscard]] bool is_advice() const {
    constexpr std::array<std::string_view, 6> kAdvice = {" reality ", " excuse ", " thought ",
                                                         " meaning ", " action ", " example "};
    return column_of(table_.head, kAdvice).has_value();
  }

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
           word == "no" || word == "nice to have" || word == "should" || word == "info" ||
           word == "warning" || word == "minor";
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
