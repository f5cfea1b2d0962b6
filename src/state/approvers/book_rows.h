#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/approvers.h"
#include "state/approvers/back_off.h"
#include "state/approvers/secret_hash.h"
#include "state/db.h"

/// The tables of the book of approvers, as functions on a connection. All throw StoreFailure.
namespace phasegate::state {

/// Somebody who is enrolled, as they are kept.
struct BookRow {
  std::string key;                    ///< the name as it is compared
  gating::engine::Approver approver;  ///< its fingerprint is computed, not kept
  SecretHash secret;
  Failures failures;
};

/// So many may be enrolled.
inline constexpr std::size_t kApproversMax = 100;

/// Everybody, by key. `damaged` if a row is not one that was written by this program: then the
/// whole book counts for nothing.
[[nodiscard]] std::vector<BookRow> read_rows(Db& db);
void insert_row(Db& db, const BookRow& row);
/// Gives the row of this key another secret, and forgets the failures with the old one.
void replace_secret(Db& db, const BookRow& row);
void delete_row(Db& db, std::string_view key);
void write_failures(Db& db, std::string_view key, const Failures& failures);

/// The failures with a name that is not enrolled. They are counted for 4096 groups of names, which
/// bounds the table and keeps no name, since people type a secret where a name belongs.
[[nodiscard]] Failures failures_of_unknown(Db& db, std::string_view name);
void write_failures_of_unknown(Db& db, std::string_view name, const Failures& failures);

/// Which enrolment it is, secret included: 16 hexadecimal digits that change with name, hash, salt,
/// cost and time. It tells nothing of the secret to who does not know the salt.
[[nodiscard]] std::string fingerprint_of(const BookRow& row);

}  // namespace phasegate::state
