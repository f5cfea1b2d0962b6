#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/checks.h"
#include "phases/workflow.h"

namespace phasegate::gating::engine {

/// Carries out the checks of one attempt, in the order in which they are written. Throws nothing
/// for what they find.
class CheckRunner {
 public:
  struct Setting {
    const phases::Workflow& workflow;
    World& world;
    const base::Clock& clock;
    std::string run_id;
    std::string started;  ///< observations, see CheckScene
    std::string entered;
    base::TimePoint entered_at;
    /// Nothing that needs_trust is run; why, as a sentence. Empty: it may.
    std::string untrusted;
    std::vector<std::string> environment;  ///< of programs, see CheckScene
    std::function<bool()> go_on;
    /// Results of the attempt before, which may count again (`cache: inputs`).
    const std::vector<CheckResult>* earlier = nullptr;
    std::string how_to_trust = {};  ///< what to do about `untrusted`, as a sentence
  };

  /// `scope`: as check_scope makes it.
  CheckRunner(const Setting& setting, const base::Json& scope);
  ~CheckRunner();
  CheckRunner(const CheckRunner&) = delete;
  CheckRunner& operator=(const CheckRunner&) = delete;

  [[nodiscard]] CheckResult run(const phases::Check& check);
  /// The same ahead of its turn, unseen by the checks that follow.
  [[nodiscard]] CheckResult look(const phases::Check& check);
  /// Lets the checks that follow see a result that was found ahead of its turn.
  [[nodiscard]] CheckResult found(CheckResult result);

 private:
  [[nodiscard]] CheckScene scene(const base::Json& scope);
  [[nodiscard]] CheckResult carry_out(const phases::Check& check, const base::Json& scope);
  [[nodiscard]] CheckResult evaluate(const phases::Check& check, const base::Json& scope);
  [[nodiscard]] base::Result<bool> call(const std::string& name,
                                        const std::vector<base::Json>& arguments);
  [[nodiscard]] const CheckResult* reusable(const phases::Check& check,
                                            const std::string& digest) const;

  const Setting& setting_;
  std::unique_ptr<base::Json> scope_;
  std::vector<std::string> reasons_;  ///< of named checks that failed in the expression at hand
  int calls_ = 0;                     ///< named checks called by one another right now
};

}  // namespace phasegate::gating::engine
