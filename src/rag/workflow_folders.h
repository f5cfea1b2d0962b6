#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/descriptor.h"

namespace phasegate::rag {

/// True for a folder that looks like a workflow's, wherever it lies: it has `workflow.yaml`
/// (`.yml`, `.json`) or a gate file; `metadata.json` and a folder `phases`, in itself or one
/// further down; or a folder `phases` that holds metadata, gate files, `phase.md` itself or one
/// further down, or a name that is numbered as a phase (`1`, `2-design`, `step-01-plan.md`).
/// Names may be written `phases`, `Phases` or `PHASES`. In doubt (a folder that cannot be listed,
/// or has more entries than kWorkflowEntriesMax) true: what is withheld wrongly is missed and put
/// elsewhere, what is shown wrongly is a locked phase. nullopt if it cannot be looked at just now
/// (is_passing). Looks at names only; O(1), with `phases` or `metadata.json` O(entries of what is
/// listed).
[[nodiscard]] std::optional<bool> holds_workflow(const base::Descriptor& folder);

/// True for the name of a folder `phases`.
[[nodiscard]] bool is_phases_name(std::string_view name);

inline constexpr std::size_t kWorkflowEntriesMax = 10'000;

}  // namespace phasegate::rag
