#include "state/seal/store_guard.h"

#include <cerrno>
#include <exception>
#include <string>
#include <utility>

#include "base/log.h"
#include "gating/engine/ports.h"
#include "state/db_failure.h"
#include "state/files.h"
#include "state/migrations.h"
#include "state/seal/anchor.h"
#include "state/seal/under_log.h"

namespace phasegate::state {
using gating::engine::StoreFailure;

base::Error frozen(const std::string& what) {
  return {"damaged", what,
          "nothing is written any more; reading goes on. Put the newest copy back with `phasegate "
          "restore latest`, or let an approver accept the state as it is with `phasegate audit "
          "--accept`; "
          "`phasegate audit` shows what is there",
          ""};
}

base::Result<void> compare_with_anchor(const StoreMark& mark,
                                       const std::optional<std::int64_t>& anchor) {
  const std::string name(kAnchorFileName);
  if (anchor && *anchor > mark.counter) {
    return frozen("state.db is older than it was: its counter is " + std::to_string(mark.counter) +
                  ", " + name + " beside it says " + std::to_string(*anchor));
  }
  if (!anchor && mark.counter > 0) {
    return frozen(name +
                  ", which tells whether state.db is older than it was, is gone, was changed, "
                  "is open to others (it wants mode 0600) or belongs to another database; the "
                  "counter of state.db is " +
                  std::to_string(mark.counter));
  }
  return {};
}

base::Result<StoreMark> check_store(Db& db, Seal& seal) {
  // In this order: an anchor is never ahead of what was committed before.
  const auto anchor = read_anchor(seal);
  auto mark = read_store_mark(db, seal);
  if (!mark) return mark;
  const auto counter = anchor ? std::optional(anchor->counter) : std::nullopt;
  if (auto compared = compare_with_anchor(*mark, counter); !compared) return compared.error();
  if (auto compared = compare_under_log(db, seal, anchor); !compared) return compared.error();
  return mark;
}

StoreGuard::StoreGuard(Db& db, Seal& seal) : db_(db), seal_(seal) {
  seal.forget_changed_keys();
  auto mark = check_store(db, seal);
  if (!mark && read_database_id(db) != seal.database_id()) {
    throw StoreFailure(base::Error{"damaged",
                                   "the copy of another state was put in the place of state.db",
                                   "repeat the call, which is about that one then", ""});
  }
  if (!mark) throw StoreFailure(mark.error());
  mark_ = *std::move(mark);
}

void StoreGuard::added(std::int64_t number, std::string_view mac) {
  mark_.last_number = number;
  mark_.sum.add(mac);
  changed_ = true;
}

void StoreGuard::replaced(std::string_view old_mac, std::string_view new_mac) {
  mark_.sum.take(old_mac);
  mark_.sum.add(new_mac);
  changed_ = true;
}

void StoreGuard::buried(std::string_view mac) {
  mark_.sum.take(mac);
  ++mark_.tombstones;
  changed_ = true;
}

void StoreGuard::trusted(std::string digest) {
  mark_.trusted = std::move(digest);
  changed_ = true;
}

void StoreGuard::before_commit() {
  if (!changed_) return;
  if (mark_.counter == 0) {
    // From now on a missing anchor means that it was lost.
    if (!raise_anchor(seal_, 0, db_.log_name(), true))
      throw_errno(errno, "cannot hold seal-anchor");
    sync_folder(seal_.folder());
  }
  ++mark_.counter;
  write_store_mark(db_, seal_, mark_);
}

void StoreGuard::after_commit(bool sync) noexcept {
  if (!changed_) return;
  try {
    if (raise_anchor(seal_, mark_.counter, db_.log_name(), sync)) return;
    base::log_warning("state.anchor_behind", {{"counter", std::to_string(mark_.counter)}});
  } catch (const std::exception& problem) {
    base::log_warning("state.anchor_behind", {{"problem", problem.what()}});
  }
}

}  // namespace phasegate::state
