#pragma once
#include <string>

namespace phasegate::phases {

/// Where something was written: a file relative to the workflow's folder and its lines from 1.
/// `line` 0 means the file as a whole.
struct Source {
  std::string file;
  int line = 0;
  int line_end = 0;  ///< inclusive; 0 when the span is one line
  int column = 0;    ///< from 1; 0 when only the line is known. For findings, not kept in a model

  friend bool operator==(const Source&, const Source&) = default;
};

/// `phases/1/phase.md:12`, `workflow.yaml:12:7`, or the file alone.
[[nodiscard]] std::string to_text(const Source& source);

}  // namespace phasegate::phases
