#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/page.h"
#include "app/environment.h"
#include "app/settings.h"
#include "base/json_fwd.h"
#include "gating/engine/approvers.h"
#include "gating/engine/ports.h"
#include "state/inspect.h"

namespace phasegate::app::cli {

/// A line of `doctor`.
struct Diagnosis {
  enum class Level { ok, note, problem };
  Level level = Level::ok;
  std::string about;  ///< `project`, `state`, `approvers`, `decisions`, `workflows`
  std::string text;
  std::string hint;  ///< what to do; may be empty

  friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

[[nodiscard]] std::string_view to_text(Diagnosis::Level level);

/// What a state folder's report means. `parent_writable`: where nothing is stored yet, whether the
/// folder could be made.
[[nodiscard]] std::vector<Diagnosis> diagnose_state(const Settings& settings,
                                                    const state::StoreReport& report,
                                                    bool parent_writable);

/// Who is enrolled to decide.
[[nodiscard]] Diagnosis diagnose_approvers(
    const Settings& settings, const base::Result<std::vector<gating::engine::Approver>>& approvers);

/// What the workflow places hold.
[[nodiscard]] std::vector<Diagnosis> diagnose_workflows(
    const Settings& settings, const std::vector<gating::engine::FoundWorkflow>& found,
    const std::vector<phases::Finding>& place_findings);

/// True if nothing is a problem.
[[nodiscard]] bool sound(const std::vector<Diagnosis>& diagnoses);

[[nodiscard]] std::string doctor_text(const std::vector<Diagnosis>& diagnoses, const Page& page);
[[nodiscard]] base::Json doctor_json(const Settings& settings, const Environment& environment,
                                     const state::StoreReport& report,
                                     const std::vector<Diagnosis>& diagnoses);

}  // namespace phasegate::app::cli
