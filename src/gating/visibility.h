#pragma once
#include <set>
#include <string>
#include <string_view>

#include "gating/run.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// What an assistant may be shown of a workflow (invariant 1). By provenance: a file belongs to the
/// phase whose text, task or folder it is; shared files are visible once visible text links to
/// them.
class Visible {
 public:
  Visible(std::set<std::string, std::less<>> phases, std::set<std::string, std::less<>> documents,
          bool outline)
      : phases_(std::move(phases)), documents_(std::move(documents)), outline_(outline) {}

  [[nodiscard]] bool phase(std::string_view id) const { return phases_.contains(id); }
  /// The title of this phase, and that it exists: also of later ones under `outline: titles`.
  [[nodiscard]] bool title(std::string_view id) const { return outline_ || phase(id); }
  [[nodiscard]] bool document(std::string_view path) const { return documents_.contains(path); }
  [[nodiscard]] const std::set<std::string, std::less<>>& documents() const { return documents_; }

 private:
  std::set<std::string, std::less<>> phases_;
  std::set<std::string, std::less<>> documents_;
  bool outline_;
};

/// The one function that every surface asks. A run sees its current phase and every phase it has
/// completed; a withheld document is never visible. O(documents + links).
[[nodiscard]] Visible visible(const phases::Workflow& workflow, const RunState& run);

}  // namespace phasegate::gating
