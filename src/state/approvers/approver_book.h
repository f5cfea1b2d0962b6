#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/approvers.h"
#include "state/approvers/book_file.h"
#include "state/approvers/secret_hash.h"

namespace phasegate::state {

/// An approver and what the book knows beside.
struct Enrolment {
  gating::engine::Approver approver;
  std::optional<base::TimePoint> locked_until;  ///< no secret is looked at before

  friend bool operator==(const Enrolment&, const Enrolment&) = default;
};

/// Who changes the book: the operating system's user, and the approver whose secret was verified.
/// Without one a change is let through only while nobody is enrolled.
struct ChangeBy {
  std::string user;
  std::optional<gating::engine::Approver> approver;
};

/// Who may decide, in `approvers.db` of a folder outside every project (ARCHITECTURE §6). Any
/// number of processes may use it at once. A failure is counted before the secret is looked at, so
/// that attempts at the same moment cannot be more than attempts one after another; the lock-out is
/// in back_off.h and outlives every process. Not thread-safe: one per thread.
///
/// Beside their own errors all methods return `approvers_unreadable`, with the reason: the file is
/// damaged, of a newer version, not private, gone, or cannot be written (an attempt that cannot be
/// counted is not looked at). They never throw, and what is refused is never changed or replaced.
class SqliteApproverBook final : public gating::engine::ApproverBook {
 public:
  /// Touches nothing. `cost`: of secrets that are set from now on.
  explicit SqliteApproverBook(const std::filesystem::path& folder, const HashCost& cost = {});

  [[nodiscard]] base::Result<std::vector<gating::engine::Approver>> list() override;
  [[nodiscard]] base::Result<gating::engine::Approver> verify(std::string_view name,
                                                              std::string_view secret,
                                                              base::TimePoint now) override;

  /// As list, with who has to wait as of `now`.
  [[nodiscard]] base::Result<std::vector<Enrolment>> enrolments(base::TimePoint now);
  /// Errors: `invalid_name`, `too_many`, `weak_secret` (see secret_rules.h), `already_enrolled`,
  /// `not_permitted` (somebody is enrolled and `by` names nobody who still is).
  [[nodiscard]] base::Result<gating::engine::Approver> add(std::string_view name,
                                                           const std::vector<std::string>& roles,
                                                           std::string_view secret,
                                                           const ChangeBy& by, base::TimePoint now);
  /// Errors: `unknown_approver`, `not_permitted`.
  [[nodiscard]] base::Result<void> remove(std::string_view name, const ChangeBy& by);
  /// Gives them another secret and ends a lock-out. Errors: `unknown_approver`, `weak_secret`,
  /// `not_permitted`.
  [[nodiscard]] base::Result<gating::engine::Approver> set_secret(std::string_view name,
                                                                  std::string_view secret,
                                                                  const ChangeBy& by,
                                                                  base::TimePoint now);

 private:
  struct Attempt;
  [[nodiscard]] base::Result<Attempt> begin_attempt(std::string_view name, base::TimePoint now);
  [[nodiscard]] base::Result<gating::engine::Approver> end_attempt(const Attempt& attempt);

  BookFile file_;
  HashCost cost_;
};

}  // namespace phasegate::state
