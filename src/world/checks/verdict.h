#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/process.h"
#include "gating/check_result.h"
#include "world/checks/kinds.h"
#include "world/checks/parameters.h"

namespace phasegate::world::checks {

/// Gathers all that is not as wanted in what a program printed or a service answered, so that it is
/// told at once.
class Verdict {
 public:
  /// `result` is what is known so far; one that is failed already keeps its reason in front.
  Verdict(const Ask& ask, gating::CheckResult result);

  /// It is not as wanted.
  void fail(const std::string& why);
  /// It cannot be told whether it is.
  void doubt(const std::string& why);
  /// The pattern of the parameter `name`, if it has one, is (`wanted`) or is not in `text`, which
  /// people know as `what`. Of a text that was cut it cannot be told.
  void matching(const char* name, const char* what, const base::ProcessOutput& text, bool wanted);
  /// The expression of the parameter `name`, if it has one, is true of the text as JSON, which is
  /// `output` in it. Of a text that was cut it cannot be told.
  void json(const char* name, const char* what, const base::ProcessOutput& text);

  /// Failed if anything failed, else errored if anything is in doubt, else the result as it was.
  /// The verdict is spent afterwards.
  [[nodiscard]] gating::CheckResult result();

 private:
  void cut(const char* name, const char* what);

  Parameters parameters_;
  bool takes_more_;  ///< the check has an output_max
  gating::CheckResult result_;
  std::string failures_;
  std::string doubts_;
  std::string hint_;
};

/// `0`, `0 or 3`, `0, 1 or 3`.
[[nodiscard]] std::string wanted_text(const std::vector<std::int64_t>& codes);

}  // namespace phasegate::world::checks
