#pragma once
#include <string>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "phases/reading/document_reading.h"

namespace phasegate::app::cli {

/// A document as it was read, under the name by which it was given.
struct ReadGates {
  std::string document;
  phases::DocumentReading reading;
};

/// Each phase with its line, what is asked for there, and what the author should know.
[[nodiscard]] std::string gates_text(const ReadGates& gates, const Page& page);

/// The same for programs: `doc`, `phases`, `requirements` and `entry` of the whole, `findings`.
[[nodiscard]] base::Json gates_json(const ReadGates& gates);

}  // namespace phasegate::app::cli
