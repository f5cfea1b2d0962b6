#pragma once
#include <string>
#include <string_view>

#include "phases/phase_names.h"
#include "phases/reading/document_reading.h"

namespace phasegate::phases {

/// What a list of workflows says about one that is a document. It is shown before any phase is
/// reached, so it never names one (ARCHITECTURE §4, invariant 1).
struct DocumentHeads {
  std::string title;        ///< of front matter or heading; empty: none, or it is a phase's
  std::string description;  ///< of the front matter, else the first paragraph; may be empty
};

/// Title and description of a document, within limits::kTitleBytesMax and kWorkflowTextBytesMax.
/// `preamble` is the document up to its first phase, from its first byte on; `phases` are the names
/// of all its phases. Linear in `preamble`.
[[nodiscard]] DocumentHeads heads_of(const DocumentReading& reading, std::string_view preamble,
                                     const PhaseNames& phases);

}  // namespace phasegate::phases
