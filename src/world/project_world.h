#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gating/engine/checks.h"
#include "world/checks/kinds.h"

namespace phasegate::world {

/// The project as it is: carries out checks below its root.
class ProjectWorld final : public gating::engine::World {
 public:
  /// `root` is canonical; `scratch` is a private folder outside the project, made when needed.
  ProjectWorld(std::filesystem::path root, std::filesystem::path scratch);

  [[nodiscard]] gating::CheckResult run(const phases::Check& check,
                                        const gating::engine::CheckScene& scene) override;
  [[nodiscard]] std::string observe_start(const phases::Workflow& workflow) override;
  [[nodiscard]] std::string observe_entry(const phases::Phase& phase,
                                          const base::Json& scope) override;
  [[nodiscard]] std::vector<gating::FileDigest> digests(
      const std::vector<std::string>& paths) override;
  [[nodiscard]] std::string inputs_digest(const phases::Check& check,
                                          const gating::engine::CheckScene& scene) override;
  [[nodiscard]] std::vector<std::string> environment() override;
  [[nodiscard]] base::Result<bool> back_up(const phases::Workflow& workflow,
                                           const std::string& run_id) override;

 private:
  [[nodiscard]] checks::Place place_for(const gating::engine::CheckScene& scene) const;

  checks::Place place_;
};

}  // namespace phasegate::world
