#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "phases/markdown.h"

namespace phasegate::phases {

/// A table as texts: what its cells say without markup; empty cells are empty texts.
struct TableCells {
  struct Row {
    int line = 0;
    std::vector<std::string> cells;
  };
  std::vector<std::string> head;
  std::vector<Row> rows;
};

/// `table` is the index of a table in `tree.blocks()`. Linear in the table.
[[nodiscard]] TableCells table_cells(const MarkdownTree& tree, std::size_t table);

}  // namespace phasegate::phases
