#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/tasks/heads.h"

namespace phasegate::phases {

/// A place in a tasks file where something may begin or end.
struct TaskMark {
  enum class Kind { heading, paragraph, item, rule, other };
  static constexpr int kParagraphLevel = 7;  ///< a bold line heads less than any heading

  Kind kind = Kind::other;
  std::size_t block = 0;
  std::size_t after = 0;  ///< index of the first block behind it and all that it holds
  int line = 0;
  int level = 0;  ///< of a heading or a bold line
  std::optional<PhaseHead> phase;
  std::optional<TaskHead> task;
  bool gate = false;                   ///< a title or marker of a gate
  bool gates = false;                  ///< a title about several: `Validation Gates`
  std::optional<std::string> names;    ///< the phase that a title or label names
  bool label = false;                  ///< a paragraph that says what follows: `**Tasks:**`
  bool aside = false;                  ///< what follows it is no work: risks, criteria, notes
  bool boxed = false;                  ///< an item with a box
  bool ticked = false;                 ///< its box is
  std::optional<std::string> ordinal;  ///< of an item of a numbered list
  bool top = false;                    ///< an item of a list that stands in no other

  [[nodiscard]] bool heads() const { return kind == Kind::heading || level == kParagraphLevel; }
};

/// The marks of a document in their order: headings, rules, paragraphs and tables outside lists,
/// and items. Nothing inside a quote counts. Linear in the document.
[[nodiscard]] std::vector<TaskMark> find_marks(const MarkdownTree& tree, std::string_view text);

}  // namespace phasegate::phases
