#include "gating/engine/definitions.h"

#include "base/json.h"
#include "base/limits.h"
#include "phases/workflow_json.h"

namespace phasegate::gating::engine {
namespace {

/// The model was written by us, from files within kWorkflowBytesMax.
constexpr base::JsonLimits kStoredModelLimits{base::limits::kWorkflowBytesMax,
                                              base::limits::kDocumentDepthMax};

[[noreturn]] void damaged(std::string_view hash, const std::string& cause) {
  throw StoreFailure(
      {"damaged",
       "the stored workflow " + std::string(hash.substr(0, 12)) + " cannot be read: " + cause,
       "the session stays as it is; a person should run `phasegate doctor`", ""});
}

}  // namespace

std::shared_ptr<const Definition> Definitions::find(std::string_view hash) {
  const auto found = by_hash_.find(std::string(hash));
  if (found == by_hash_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return order_.front();
}

void Definitions::remember(const std::shared_ptr<const Definition>& definition) {
  if (by_hash_.contains(definition->hash)) return;
  order_.push_front(definition);
  by_hash_.emplace(definition->hash, order_.begin());
  if (order_.size() > base::limits::kDefinitionsCachedMax) {
    by_hash_.erase(order_.back()->hash);
    order_.pop_back();
  }
}

std::shared_ptr<const Definition> Definitions::get(std::string_view hash) {
  if (auto known = find(hash)) return known;
  const auto stored = store_.definition(hash);
  if (!stored) damaged(hash, "it is not in the store");
  const auto model = base::parse_json(stored->model, kStoredModelLimits);
  if (!model) damaged(hash, base::to_text(model.error()));
  auto workflow = phases::workflow_from_json(*model);
  if (!workflow) damaged(hash, base::to_text(workflow.error()));
  auto definition = Definition::make(std::string(hash), std::move(workflow).value());
  if (!definition) damaged(hash, base::to_text(definition.error()));
  remember(*definition);
  return *definition;
}

}  // namespace phasegate::gating::engine
