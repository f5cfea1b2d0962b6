#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/engine/engine.h"
#include "rag/finder.h"

namespace phasegate::mcp::tools {

/// What a search has found, and how the index is doing.
struct Searched {
  rag::SearchAnswer answer;
  double milliseconds = 0;            ///< that it took
  std::vector<base::Error> refused;   ///< folders of the project that cannot be searched
  std::optional<base::Error> failed;  ///< why the index cannot be brought up to date
};

/// The documents that the tools search: the project's, and what a session has reached. As the
/// engine, for one thread at a time.
class DocumentSearch {
 public:
  virtual ~DocumentSearch() = default;

  /// `session_id` empty: nothing of any workflow is found (invariant 1). Errors: those of
  /// Engine::reached_text, `invalid_query`, `wrong_workflow`, and `unsound_search` if the
  /// project's configuration cannot be read. Throws StoreFailure.
  [[nodiscard]] virtual base::Result<Searched> search(const rag::SearchRequest& request,
                                                      const std::string& session_id) = 0;
};

}  // namespace phasegate::mcp::tools
