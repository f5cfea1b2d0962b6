#pragma once
#include <map>
#include <string>
#include <vector>

#include "gating/engine/ports.h"
#include "phases/workflow.h"

/// Workflows made in memory, for tests of what comes after reading.
namespace phasegate::test {

[[nodiscard]] phases::Requirement boolean(std::string name);
[[nodiscard]] phases::Requirement integer(std::string name, double minimum);
[[nodiscard]] phases::Requirement text(std::string name);
[[nodiscard]] phases::Requirement list(std::string name, std::int64_t min_items);
[[nodiscard]] phases::Requirement optional(phases::Requirement requirement);

/// Phase `id` with a text of its own, `phases/<id>/phase.md`.
[[nodiscard]] phases::Phase phase(std::string id, std::vector<phases::Requirement> requirements);

/// A workflow `id` of these phases. Every phase gets a document with the given text (or one that
/// names the phase) and one task, `phases/<id>/task-1.md`.
[[nodiscard]] phases::LoadedWorkflow workflow(std::string id, std::vector<phases::Phase> phases,
                                              std::map<std::string, std::string> texts = {});

/// Adds a document to a workflow made here; `phase` empty: shared.
void add_document(phases::LoadedWorkflow& loaded, const std::string& path, std::string text,
                  std::string phase_id, std::vector<std::string> links = {});

/// 004-45's first phase and a second one.
[[nodiscard]] phases::LoadedWorkflow test_generation();

/// A WorkflowSource over workflows in memory.
class MemoryWorkflows final : public gating::engine::WorkflowSource {
 public:
  void put(phases::LoadedWorkflow loaded);
  void remove(const std::string& id) { by_id_.erase(id); }
  [[nodiscard]] std::vector<gating::engine::FoundWorkflow> list() override;
  [[nodiscard]] base::Result<gating::engine::FoundWorkflow> find(
      std::string_view id_or_alias) override;

 private:
  std::map<std::string, gating::engine::FoundWorkflow, std::less<>> by_id_;
};

}  // namespace phasegate::test
