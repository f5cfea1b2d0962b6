#pragma once
#include "base/result.h"
#include "state/bundle.h"

namespace phasegate::state {

/// The bundle as it may be taken in here. Whoever wrote it may have written anything, so nothing in
/// it keeps what would count as said or seen on this machine:
/// - trust, results that checks may use again and answers of approvers to an open decision are
///   taken out, and so is the key by which a start would go on with the session;
/// - the workflow is under the hash that its model and documents have. Where that is not the hash
/// it
///   came with (the project's commands are in it, an older version kept it, or somebody wrote it
///   anew), it gets one that no workflow of a file ever has, so that no start meets it.
///
/// Errors (`damaged`): a workflow that cannot be read or run, documents or observations that do not
/// go with it, checks that wait to be carried out. Pure. O(session).
[[nodiscard]] base::Result<Bundle> without_claims(Bundle bundle);

}  // namespace phasegate::state
