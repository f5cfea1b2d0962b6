#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/cli/page.h"
#include "phases/workflow.h"

/// What the author of a workflow should know, as text.
namespace phasegate::app::cli {

/// The text of the line that a source names; empty if it cannot be had.
using LineOf = std::function<std::string(const phases::Source&)>;

/// Findings that say the same: shown as one, with everywhere it is so.
struct FindingGroup {
  const phases::Finding* first;
  std::vector<const phases::Finding*> others;
};

/// Warnings and notes of one code and hint whose sentences are equal, or equal but for the first
/// name in quotes: what each of them proposes must be there to paste. Errors stay alone, since each
/// is to be mended in its own line. Keeps the order.
[[nodiscard]] std::vector<FindingGroup> grouped(const std::vector<phases::Finding>& findings);

/// Severity, place and code on a line; what is wrong; the line of the source, with a caret where
/// the column is known; what to do. `folder` is put before the files' names, as the path under
/// which a person finds them.
[[nodiscard]] std::string findings_text(const std::vector<phases::Finding>& findings,
                                        const std::string& folder, const LineOf& line_of,
                                        const Page& page);

/// Findings about places instead of a workflow's files.
[[nodiscard]] std::string place_findings_text(const std::vector<phases::Finding>& findings,
                                              const Page& page);

/// A line of a source and a caret below its column, for a page of this width. `column` counts
/// characters from 1; 0: no caret.
[[nodiscard]] std::string excerpt(std::string_view line, int number, int column, const Page& page);

}  // namespace phasegate::app::cli
