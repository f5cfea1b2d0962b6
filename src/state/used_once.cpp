#include "state/used_once.h"

#include "base/limits.h"

namespace phasegate::state {

bool keep_used_once(Db& db, const gating::engine::Once& once, base::TimePoint now) {
  // What is past its time may have been forgotten, so nobody knows any more whether it was used.
  if (once.until_ms < now.ms) return false;
  db.prepare("INSERT INTO used_once VALUES (?, ?) ON CONFLICT (token) DO NOTHING")
      .bind_all(once.token, once.until_ms)
      .run();
  if (db.changes() != 1) return false;
  db.prepare(
        "DELETE FROM used_once WHERE token IN"
        " (SELECT token FROM used_once WHERE until_ms < ? ORDER BY until_ms LIMIT ?)")
      .bind_all(now.ms, static_cast<std::int64_t>(base::limits::kTokensForgottenAtOnce))
      .run();
  return true;
}

}  // namespace phasegate::state
