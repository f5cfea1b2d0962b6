#pragma once
#include <string>

#include "app/cli/page.h"
#include "app/cli/render_findings.h"
#include "base/json_fwd.h"
#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A workflow and everything that is to be said about it.
struct Validated {
  std::string shown_path;  ///< as it was typed, or the place and the name
  std::string folder;      ///< put before the names of its files; may be empty
  phases::LoadedWorkflow loaded;
  LineOf line_of;  ///< may be empty
};

/// Adds the findings that only the gate's compiler can make, so that `findings` holds all.
void add_gate_findings(phases::LoadedWorkflow& loaded);

[[nodiscard]] std::string validate_text(const Validated& validated, const Page& page);
[[nodiscard]] base::Json validate_json(const Validated& validated);

}  // namespace phasegate::app::cli
