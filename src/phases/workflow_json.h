#pragma once
#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A plain value as JSON, and a list of them.
[[nodiscard]] base::Json scalar_json(const Scalar& value);
[[nodiscard]] base::Json scalars_json(const std::vector<Scalar>& values);

/// The model as it is stored with a run (without blobs). Reading it back gives an equal Workflow.
[[nodiscard]] base::Json to_json(const Workflow& workflow);

/// Reads what to_json wrote. Errors (`damaged_definition`): missing or wrong-typed members, an
/// unknown enumerator, a model version newer than Workflow::kModelVersion. Never partly filled.
[[nodiscard]] base::Result<Workflow> workflow_from_json(const base::Json& json);

[[nodiscard]] base::Json to_json(const Finding& finding);

}  // namespace phasegate::phases
