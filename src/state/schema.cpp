#include <array>

#include "state/migrations.h"
#include "state/seal/seal_everything.h"

namespace phasegate::state {
namespace {

// Version 1: every table of the design. Times are UTC milliseconds. The columns chain_head, mac and
// chain are for the keyed hash chain, which version 5 begins.
constexpr std::string_view kVersion1 = R"sql(
CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('anchor_counter', '0');

-- A workflow as it was when a run started, by content hash.
CREATE TABLE definition (
  hash          TEXT NOT NULL PRIMARY KEY,
  model_version INTEGER NOT NULL,
  model         TEXT NOT NULL,
  model_digest  TEXT NOT NULL
) STRICT;

-- The bytes of its files; the key is their SHA-256.
CREATE TABLE blob (
  hash  TEXT NOT NULL PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE definition_blob (
  definition TEXT NOT NULL REFERENCES definition (hash),
  blob       TEXT NOT NULL REFERENCES blob (hash),
  PRIMARY KEY (definition, blob)
) STRICT, WITHOUT ROWID;
CREATE INDEX definition_blob_by_blob ON definition_blob (blob);

-- The checkpoint of a run. `state` is the truth; the columns beside it repeat what lists and
-- indexes need.
CREATE TABLE run (
  number           INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  workflow         TEXT NOT NULL,
  definition       TEXT NOT NULL REFERENCES definition (hash),
  status           TEXT NOT NULL CHECK (status IN
                     ('active', 'waiting', 'completed', 'rejected', 'failed', 'cancelled')),
  open             INTEGER NOT NULL CHECK (open = (status IN ('active', 'waiting'))),
  partial          INTEGER NOT NULL CHECK (partial IN (0, 1)),
  current_phase    TEXT NOT NULL,
  target           TEXT NOT NULL,
  branch           TEXT NOT NULL,
  phases_completed INTEGER NOT NULL,
  resume_key       TEXT,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  version          INTEGER NOT NULL,
  journal_head     INTEGER NOT NULL,
  state            TEXT NOT NULL,
  state_digest     TEXT NOT NULL,
  chain_head       BLOB,
  mac              BLOB
) STRICT;
CREATE INDEX run_by_change ON run (open, updated_at, id);
CREATE INDEX run_by_workflow ON run (workflow, open, updated_at, id);
CREATE INDEX run_open_by_resume_key ON run (resume_key, created_at)
  WHERE open = 1 AND resume_key IS NOT NULL;

CREATE TABLE journal (
  run     INTEGER NOT NULL REFERENCES run (number),
  seq     INTEGER NOT NULL CHECK (seq > 0),
  kind    TEXT NOT NULL,
  phase   TEXT NOT NULL,
  visit   INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  data    TEXT NOT NULL,
  at      INTEGER NOT NULL,
  chain   BLOB,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- Effects that wait for an owner. Ids are never used twice, so that a late result cannot meet
-- another effect.
CREATE TABLE outbox (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  run           INTEGER NOT NULL REFERENCES run (number),
  kind          TEXT NOT NULL,
  phase         TEXT NOT NULL,
  attempt       INTEGER NOT NULL,
  payload       TEXT NOT NULL,
  boot_id       TEXT,
  pid           INTEGER,
  process_start INTEGER,
  lease_until   INTEGER NOT NULL DEFAULT 0,
  heartbeat_at  INTEGER,
  deliveries    INTEGER NOT NULL DEFAULT 0,
  CHECK ((boot_id IS NULL) = (pid IS NULL) AND (pid IS NULL) = (process_start IS NULL))
) STRICT;

-- What a person was asked and answered.
CREATE TABLE decision (
  id           TEXT NOT NULL PRIMARY KEY,
  run          INTEGER NOT NULL REFERENCES run (number),
  phase        TEXT NOT NULL,
  visit        INTEGER NOT NULL,
  status       TEXT NOT NULL CHECK (status IN ('open', 'decided', 'withdrawn')),
  question     TEXT NOT NULL,
  shown_digest TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  approver     TEXT,
  channel      TEXT,
  assurance    TEXT,
  choice       TEXT,
  input        TEXT,
  decided_at   INTEGER
) STRICT;
CREATE INDEX decision_by_run ON decision (run, created_at);

-- Accepted evidence. A phase is accepted once per visit.
CREATE TABLE artifact (
  number        INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (number),
  phase         TEXT NOT NULL,
  visit         INTEGER NOT NULL,
  evidence      TEXT NOT NULL,
  digest        TEXT NOT NULL,
  stored_digest TEXT NOT NULL,
  accepted_at   INTEGER NOT NULL,
  stale         INTEGER NOT NULL DEFAULT 0 CHECK (stale IN (0, 1)),
  UNIQUE (run, phase, visit)
) STRICT;
)sql";

// Version 2: what counts once, such as a person's answer. `until_ms`: afterwards it is refused by
// its time, and need not be remembered.
constexpr std::string_view kVersion2 = R"sql(
CREATE TABLE used_once (
  token    TEXT NOT NULL PRIMARY KEY,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_once_by_time ON used_once (until_ms);
)sql";

// Version 3: how far an effect is, and what people trust.
constexpr std::string_view kVersion3 = R"sql(
ALTER TABLE outbox ADD COLUMN progress TEXT NOT NULL DEFAULT '';

CREATE TABLE trust (
  digest      TEXT NOT NULL PRIMARY KEY,
  workflow    TEXT NOT NULL,
  shown       TEXT NOT NULL,
  principal   TEXT NOT NULL,
  at          INTEGER NOT NULL,
  environment TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

// Version 4: when time alone changes something for a run; null: never.
constexpr std::string_view kVersion4 = R"sql(
ALTER TABLE run ADD COLUMN due_at INTEGER;
CREATE INDEX run_by_due ON run (due_at) WHERE due_at IS NOT NULL;
)sql";

// Version 5: every row of a history is sealed (see seal/). A new database has nothing to be sealed
// but its own mark.
constexpr std::string_view kVersion5 = R"sql(
DELETE FROM meta WHERE key = 'anchor_counter';
ALTER TABLE decision ADD COLUMN mac BLOB;

-- Who accepted the state as it is after it was found to be an older one, or put a copy back.
CREATE TABLE acceptance (
  number    INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  principal TEXT NOT NULL,
  what      TEXT NOT NULL,
  counter   INTEGER NOT NULL,
  anchor    INTEGER,
  mac       BLOB NOT NULL
) STRICT;
)sql";

// Version 6: what stays of sessions that were pruned; and indexes, so that no question walks
// through a whole table, however many rows it has. The entries of a journal in which people speak
// are few, and looked for whenever a session is shown.
constexpr std::string_view kVersion6 = R"sql(
CREATE TABLE tombstone (
  place        INTEGER PRIMARY KEY,
  number       INTEGER NOT NULL UNIQUE,
  id           TEXT NOT NULL UNIQUE,
  workflow     TEXT NOT NULL,
  status       TEXT NOT NULL,
  partial      INTEGER NOT NULL,
  target       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  ended_at     INTEGER NOT NULL,
  journal_head INTEGER NOT NULL,
  chain_head   BLOB NOT NULL,
  pruned_at    INTEGER NOT NULL,
  pruned_by    TEXT NOT NULL,
  mac          BLOB NOT NULL
) STRICT;

CREATE INDEX run_by_definition ON run (definition);
CREATE INDEX run_by_branch ON run (branch, open, updated_at, id);
CREATE INDEX journal_of_people ON journal (run, seq)
  WHERE kind IN ('decision_answered', 'reopen_demanded');
CREATE INDEX outbox_by_kind ON outbox (kind, lease_until);
DROP INDEX IF EXISTS outbox_by_run; -- the first databases had another one of this name
CREATE INDEX outbox_by_run ON outbox (run, kind);
CREATE INDEX outbox_held ON outbox (kind, lease_until) WHERE boot_id IS NOT NULL;
CREATE INDEX outbox_by_owner ON outbox (boot_id, pid, process_start) WHERE boot_id IS NOT NULL;
)sql";

constexpr std::array<Migration, 6> kMigrations{{{1, kVersion1},
                                                {2, kVersion2},
                                                {3, kVersion3},
                                                {4, kVersion4},
                                                {5, kVersion5, seal_everything},
                                                {6, kVersion6}}};

}  // namespace

std::span<const Migration> all_migrations() {
  return kMigrations;
}

}  // namespace phasegate::state
