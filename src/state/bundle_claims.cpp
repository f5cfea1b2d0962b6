#include "state/bundle_claims.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "gating/definition.h"
#include "phases/loaded_workflow.h"
#include "phases/workflow_json.h"

namespace phasegate::state {
namespace {

using base::Error;
using base::Result;

constexpr base::JsonLimits kModelLimits{base::limits::kWorkflowBytesMax,
                                        base::limits::kDocumentDepthMax};
/// Hashes of files are nothing but digits, so none begins so.
constexpr const char* kForeign = "imported:";

/// Whether the documents that a workflow names are those that came with it.
bool has_its_documents(const phases::LoadedWorkflow& loaded) {
  const auto& documents = loaded.workflow.documents;
  return std::all_of(documents.begin(), documents.end(),
                     [&](const auto& one) { return loaded.blobs.contains(one.second.hash); });
}

/// Puts the definition under a hash that is true. Nullopt: done.
std::optional<Error> name_definition(gating::engine::StoredDefinition& definition) {
  const auto model = base::parse_json(definition.model, kModelLimits);
  if (!model) return damaged_bundle("its workflow is no JSON");
  auto workflow = phases::workflow_from_json(*model);
  if (!workflow) return damaged_bundle("its workflow cannot be read: " + workflow.error().message);
  phases::LoadedWorkflow loaded;
  loaded.workflow = *std::move(workflow);
  loaded.blobs = std::move(definition.blobs);
  if (!has_its_documents(loaded)) return damaged_bundle("documents of its workflow are missing");
  const std::string hash = phases::content_hash_of(loaded);
  if (definition.hash != hash) definition.hash = kForeign + hash;
  // As a start would keep it, whatever spaces it came with.
  definition.model = base::dump(phases::to_json(loaded.workflow));
  definition.model_version = phases::Workflow::kModelVersion;
  definition.blobs = std::move(loaded.blobs);
  const auto made = gating::Definition::make(definition.hash, std::move(loaded.workflow));
  if (!made) return damaged_bundle("its workflow cannot be run: " + made.error().message);
  return std::nullopt;
}

/// Nothing is to be seen later that was not brought along, and nothing else is kept.
bool has_its_observations(const Bundle& bundle) {
  std::set<std::string> wanted = {bundle.run.started, bundle.run.entered};
  wanted.erase("");
  std::set<std::string> there;
  for (const auto& [hash, bytes] : bundle.observations) there.insert(hash);
  return wanted == there;
}

}  // namespace

Result<Bundle> without_claims(Bundle bundle) {
  if (bundle.run.pending) return damaged_bundle("checks of it are still to be carried out");
  if (!has_its_observations(bundle))
    return damaged_bundle("what it has seen of the project is not whole");
  if (auto problem = name_definition(bundle.definition)) return *std::move(problem);
  gating::RunState& run = bundle.run;
  run.definition_hash = bundle.definition.hash;
  run.trust.clear();
  run.resume_key.clear();
  run.verified.reset();
  if (run.decision) run.decision->answers.clear();
  return bundle;
}

}  // namespace phasegate::state
