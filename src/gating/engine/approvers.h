#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace phasegate::gating::engine {

/// A person who may decide (ARCHITECTURE §6). What makes them one is a secret that the assistant
/// does not have; of it only a salted slow hash is kept.
struct Approver {
  std::string name;
  std::vector<std::string> roles;  ///< sorted, each once; may be empty
  /// Tells this enrolment, secret included, from every other one of the same name: 16 hexadecimal
  /// digits. Recorded with each decision, so that a secret that was replaced is seen afterwards.
  std::string fingerprint;
  base::TimePoint since;    ///< when this secret was set
  std::string enrolled_by;  ///< the operating system's user; an approver's name for later changes

  friend bool operator==(const Approver&, const Approver&) = default;
};

/// Who may decide here. Methods return these errors and never throw: `approvers_unreadable` (the
/// book is damaged, of a newer version, belongs to somebody else or may be written by others):
/// nobody can decide then, and the message says why.
class ApproverBook {
 public:
  virtual ~ApproverBook() = default;
  /// By name. Empty if nobody is enrolled.
  [[nodiscard]] virtual base::Result<std::vector<Approver>> list() = 0;
  /// Whether the secret is theirs, which takes about a tenth of a second on purpose. Every failure
  /// counts, from however many processes; after some there is none but a wait that grows. Errors
  /// beside the general one: `no_approvers`, `wrong_secret` (in the same words and the same time
  /// for a name that is not enrolled), `locked` (with the time from which it may be tried again).
  [[nodiscard]] virtual base::Result<Approver> verify(std::string_view name,
                                                      std::string_view secret,
                                                      base::TimePoint now) = 0;
};

}  // namespace phasegate::gating::engine
