#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::phases {

/// What a document asks for around one phase, or around the work as a whole.
struct ReadCriteria {
  std::vector<Requirement> exit;   ///< to leave the phase, in the order of their lines
  std::vector<Requirement> entry;  ///< to begin it: told apart, since they are no evidence
  bool human_approval = false;
  Source human_approval_source;
  Source source;  ///< the heading or marker of the first exit gate; file empty if there is none
};

/// A phase that a document names and orders by itself.
struct ReadPhase {
  std::string number;       ///< as written: `3`, `0B`, `A`, `23.1.2`; empty: named, not numbered
  std::string title;        ///< without the number, emphasis and emoji
  std::uint32_t begin = 0;  ///< first byte of its text: the line of its heading, tag or table row
  std::uint32_t end = 0;    ///< one behind its last byte
  int line = 0;             ///< from 1
  int line_end = 0;         ///< inclusive
  ReadCriteria criteria;
};

/// What a markdown document says about phases and gates.
struct DocumentReading {
  std::string title;              ///< of the document; empty if it has none
  std::string description;        ///< of its front matter; may be empty
  std::vector<ReadPhase> phases;  ///< in their order; empty: the document orders none
  ReadCriteria whole;             ///< for the work as a whole, or all there is without phases
  std::vector<Finding> findings;  ///< in the order of their discovery
};

/// Reads a document that stands for itself: its phases and what each of them asks for (004-11,
/// 004-12, 004-16 … 004-18). `path` is its name for sources and findings. Only text that CommonMark
/// calls text counts; fences only where they are the gate itself. Total: any bytes give a result.
/// Linear in `text`.
[[nodiscard]] DocumentReading read_document(std::string_view text, std::string_view path);

/// Reads a document that is the text of one phase of a workflow, whatever else it speaks of: the
/// result has exactly one phase. A gate in it that names another phase is that phase's, unless none
/// names this one: then the number is stale (warning `stale_phase_number`) and the gate counts.
[[nodiscard]] DocumentReading read_phase_document(std::string_view text, std::string_view path,
                                                  std::string_view number);

}  // namespace phasegate::phases
