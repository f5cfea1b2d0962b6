#pragma once
#include <cstddef>
#include <string>

#include "base/json_fwd.h"
#include "mcp/tools/answer.h"
#include "rag/finder.h"

namespace phasegate::mcp::tools {

/// What a page of passages may hold.
struct PassageRoom {
  std::size_t bytes_max = 0;   ///< of either representation of the whole answer
  std::size_t tokens_max = 0;  ///< of the passages together
};

/// What of the passages has been put into the answer.
struct PassagesShown {
  std::size_t count = 0;
  std::size_t tokens = 0;
};

/// Puts passages into `object["results"]` and the answer's text, best first, as many as there is
/// room for; at least the first, shortened at the end of a line if it must be. Everything else of
/// `object` has to be there before.
[[nodiscard]] PassagesShown add_passages(Answer& answer, base::Json& object,
                                         const rag::SearchAnswer& found, PassageRoom room);

/// Where a passage stands: `standards/testing.md:12-40 · Testing > Doubles`.
[[nodiscard]] std::string passage_heading(const rag::FoundPassage& passage);

}  // namespace phasegate::mcp::tools
