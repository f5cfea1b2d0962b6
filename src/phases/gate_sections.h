#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// The blocks of a document that stand in a gate of the end of its phase.
struct GateSections {
  Source source;                       ///< the first gate's heading or marker; no file: none found
  std::vector<std::size_t> inside;     ///< every block that stands there, in their order
  std::vector<int> lines;              ///< for each of them, the line of its section's mark
  std::map<int, std::size_t> ignored;  ///< boxes below headings that say gate but are none, by line
  std::vector<std::size_t> blocks;     ///< tables and list items with a box, in their order
};

/// Finds the gates of a phase in its text: below a heading that says gate or checkpoint, up to the
/// next heading of the same or a higher level, and behind a marker such as
/// `🛑 VALIDATE-GATE: …`, up to the end of the section it stands in. No gates are: tasks and steps
/// about gates (`Task 5: Define Validation Gates`), entry gates (prerequisites), and gates that
/// name another phase while some name this one. Linear in the document.
[[nodiscard]] GateSections find_gate_sections(const MarkdownTree& tree, std::string_view text,
                                              std::string_view path, const std::string& phase,
                                              FindingList& findings);

}  // namespace phasegate::phases
