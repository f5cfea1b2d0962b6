#include "phases/reading/table_cells.h"

#include "phases/requirement_names.h"

namespace phasegate::phases {

TableCells table_cells(const MarkdownTree& tree, std::size_t table) {
  TableCells cells;
  const auto& blocks = tree.blocks();
  for (std::size_t at = table + 1; at < blocks.size() && blocks[at].parent >= table; ++at) {
    const Block& block = blocks[at];
    if (block.kind != BlockKind::cell) continue;
    std::vector<std::string>* row = &cells.head;
    if (!block.header) {
      const int line = tree.line(blocks[block.parent]);
      if (cells.rows.empty() || cells.rows.back().line != line) cells.rows.push_back({line, {}});
      row = &cells.rows.back().cells;
    }
    if (row->size() <= block.column) row->resize(block.column + 1);
    (*row)[block.column] = plain_sentence(tree.text(block));
  }
  for (TableCells::Row& row : cells.rows) row.cells.resize(cells.head.size());
  return cells;
}

}  // namespace phasegate::phases
