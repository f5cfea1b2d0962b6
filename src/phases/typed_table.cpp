#include "phases/typed_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "phases/requirement_checks.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

/// A column that no rule reads.
struct OtherColumn {
  std::uint32_t column;
  std::string title;
  bool reported = false;
};

struct Columns {
  std::optional<std::uint32_t> evidence;
  std::optional<std::uint32_t> type;
  std::optional<std::uint32_t> validator;
  std::optional<std::uint32_t> description;
  std::optional<std::uint32_t> required;
  std::vector<OtherColumn> others;
};

/// The cells of one row that matter, as indexes of blocks; 0 (the document) where empty.
struct Row {
  std::size_t row = 0;
  std::size_t evidence = 0;
  std::size_t type = 0;
  std::size_t validator = 0;
  std::size_t description = 0;
  std::size_t required = 0;
};

void note_column(Columns& columns, std::string_view title, std::uint32_t column) {
  const std::vector<std::string> words = words_of(title);
  if (words.empty()) return;
  const auto take = [&](std::optional<std::uint32_t>& slot) {
    if (!slot) slot = column;
  };
  const std::string& word = words.front();
  if (words.size() == 2 && word == "required" && words[1] == "evidence") {
    return take(columns.evidence);
  }
  if (words.size() == 1 ||
      (words.size() == 2 && (words.back() == "name" || words.back() == "field"))) {
    if (word == "evidence" || word == "field" || word == "name") return take(columns.evidence);
  }
  if (words.size() == 1) {
    if (word == "type") return take(columns.type);
    if (word == "validator" || word == "validators" || word == "validation") {
      return take(columns.validator);
    }
    if (word == "description") return take(columns.description);
    if (word == "required") return take(columns.required);
  }
  columns.others.push_back({column, std::string(title)});
}

class TableReader {
 public:
  TableReader(const MarkdownTree& tree, std::string_view text, std::string_view path,
              const std::string& phase, std::vector<Requirement>& requirements,
              FindingList& findings)
      : tree_(tree),
        text_(text),
        path_(path),
        phase_(phase),
        requirements_(requirements),
        findings_(findings) {}

  bool read(std::size_t table) {
    const auto& blocks = tree_.blocks();
    std::size_t at = table + 1;
    std::optional<Row> row;
    bool typed = false;
    for (; at < blocks.size() && blocks[at].parent >= table; ++at) {
      const Block& block = blocks[at];
      if (block.kind == BlockKind::row) {
        if (!finish(row)) return typed;
        row.reset();
      } else if (block.kind == BlockKind::cell && block.header) {
        note_column(columns_, tree_.text(block), block.column);
      } else if (block.kind == BlockKind::cell) {
        if (!typed) typed = is_typed(table);
        if (!typed) return false;
        if (!row) row = Row{block.parent};
        put(*row, block.column, at);
        look_at_other(block);
      }
    }
    finish(row);
    return typed;
  }

 private:
  bool is_typed(std::size_t table) {
    if (!columns_.evidence || (!columns_.type && !columns_.validator)) return false;
    if (!columns_.type) {
      findings_.error("missing_column", "the evidence table has no column Type",
                      "add the column with boolean, integer, number, string, array or object",
                      source_of(tree_.blocks()[table]), phase_);
    }
    return true;
  }

  void put(Row& row, std::uint32_t column, std::size_t cell) const {
    if (column == columns_.evidence) row.evidence = cell;
    if (column == columns_.type) row.type = cell;
    if (column == columns_.validator) row.validator = cell;
    if (column == columns_.description) row.description = cell;
    if (column == columns_.required) row.required = cell;
  }

  /// A rule in a column that is not read would be lost: `Threshold`, `Validation Rule`.
  void look_at_other(const Block& cell) {
    const auto other = std::find_if(columns_.others.begin(), columns_.others.end(),
                                    [&](const auto& one) { return one.column == cell.column; });
    if (other == columns_.others.end()) return;
    const auto rules = rules_from_cell(base::to_utf8(MarkdownTree::raw_cell(text_, cell)));
    const std::string what =
        "the column " + base::in_quotes(base::shortened(base::to_utf8(other->title), 60));
    if (rules && !rules->empty()) {
      findings_.error("unknown_column", what + " holds a rule, but is not read",
                      "name the column Validator", source_of(cell), phase_);
    } else if (!std::exchange(other->reported, true)) {
      findings_.info("unknown_column", what + " of the evidence table is not read", "",
                     source_of(cell), phase_);
    }
  }

  [[nodiscard]] Source source_of(const Block& block) const { return {path_, tree_.line(block), 0}; }

  [[nodiscard]] std::string said(std::size_t cell) const {
    return cell == 0 ? "" : plain_sentence(tree_.text(tree_.blocks()[cell]));
  }

  /// False once the gate is full.
  bool finish(const std::optional<Row>& row) {
    if (!row || !columns_.type) return true;
    const Source source = source_of(tree_.blocks()[row->row]);
    const std::string written = said(row->evidence);
    if (written.empty()) {
      findings_.error("unnamed_requirement", "a row of the evidence table has no name",
                      "write a snake_case name into its Evidence column", source, phase_);
      return true;
    }
    Requirement requirement;
    requirement.name = is_plain_name(written) ? written : name_from_sentence(written);
    requirement.description = said(row->description);
    if (requirement.description.empty() && requirement.name != written) {
      requirement.description = written;
    }
    requirement.kind = RequirementSource::typed_table;
    requirement.source = source;
    const auto type = read_type(said(row->type), requirement.name, findings_, source, phase_);
    if (!type) return true;
    requirement.type = *type;
    read_required(said(row->required), requirement);
    if (row->validator != 0) {
      const std::string cell =
          base::to_utf8(MarkdownTree::raw_cell(text_, tree_.blocks()[row->validator]));
      apply_rules(rules_from_cell(cell), requirement, findings_, phase_);
    }
    return add_requirement(requirements_, std::move(requirement), findings_, phase_);
  }

  void read_required(const std::string& written, Requirement& requirement) {
    const std::string word = base::lowered(written);
    if (word.empty() || word == "yes" || word == "true" || word == "required") return;
    if (word == "no" || word == "false" || word == "optional") {
      requirement.required = false;
      return;
    }
    findings_.error("unknown_value",
                    base::in_quotes(requirement.name) + " has " +
                        base::in_quotes(base::shortened(written, 40)) + " in its column Required",
                    "write yes or no", requirement.source, phase_);
  }

  const MarkdownTree& tree_;
  std::string_view text_;
  std::string path_;
  const std::string& phase_;
  std::vector<Requirement>& requirements_;
  FindingList& findings_;
  Columns columns_;
};

}  // namespace

bool read_typed_table(const MarkdownTree& tree, std::size_t table, std::string_view text,
                      std::string_view path, const std::string& phase,
                      std::vector<Requirement>& requirements, FindingList& findings) {
  return TableReader(tree, text, path, phase, requirements, findings).read(table);
}

}  // namespace phasegate::phases
