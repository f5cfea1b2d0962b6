#include "state/approvers/book_rows.h"

#include "base/hash.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "state/approvers/secret_rules.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kFingerprintDigits = 16;
constexpr std::size_t kEnrolledByBytesMax = 256;

[[noreturn]] void throw_damaged_book(const std::string& what) {
  throw gating::engine::StoreFailure(
      base::Error{"damaged", "approvers.db is damaged: " + what, "", ""});
}

int small(std::int64_t number) {
  // What is too large for an int is as unsound as this.
  return number < 0 || number > 1000 ? -1 : static_cast<int>(number);
}

std::vector<std::string> roles_from(const std::string& text) {
  std::vector<std::string> roles;
  if (text.empty()) return roles;
  for (const std::string_view role : base::split(text, ',')) roles.emplace_back(role);
  return roles;
}

void require_sound(const BookRow& row) {
  const auto key = compared_name("name", row.approver.name);
  if (!key || *key != row.key) throw_damaged_book("a name is none");
  const auto roles = kept_roles(row.approver.roles);
  if (!roles || *roles != row.approver.roles) {
    throw_damaged_book("the roles of " + row.approver.name + " are none");
  }
  if (!is_sound(row.secret)) throw_damaged_book("the secret of " + row.approver.name + " is none");
  const std::string& by = row.approver.enrolled_by;
  if (by.size() > kEnrolledByBytesMax || !base::is_utf8(by)) {
    throw_damaged_book("who enrolled " + row.approver.name + " cannot be read");
  }
}

std::int64_t group_of(std::string_view name) {
  constexpr std::size_t kDigits = 3;
  constexpr int kHexadecimal = 16;
  const std::string digest = base::sha256_hex(base::lowered(name)).substr(0, kDigits);
  return std::stoll(digest, nullptr, kHexadecimal);
}

}  // namespace

std::vector<BookRow> read_rows(Db& db) {
  std::vector<BookRow> rows;
  Statement row = db.prepare(
      "SELECT key, name, roles, n_log2, r, p, salt, hash, since, enrolled_by, failures, failed_at "
      "FROM approver ORDER BY key");
  while (row.step()) {
    if (rows.size() == kApproversMax) throw_damaged_book("it has too many rows");
    BookRow read;
    read.key = row.text(0);
    read.approver.name = row.text(1);
    read.approver.roles = roles_from(row.text(2));
    read.secret = {{small(row.integer(3)), small(row.integer(4)), small(row.integer(5))},
                   row.text(6),
                   row.text(7)};
    read.approver.since = {row.integer(8)};
    read.approver.enrolled_by = row.text(9);
    read.failures = {row.integer(10), {row.integer(11)}};
    require_sound(read);
    read.approver.fingerprint = fingerprint_of(read);
    rows.push_back(std::move(read));
  }
  return rows;
}

void insert_row(Db& db, const BookRow& row) {
  const gating::engine::Approver& approver = row.approver;
  const HashCost& cost = row.secret.cost;
  const std::string roles = base::joined(approver.roles, ",");
  Statement statement = db.prepare(
      "INSERT INTO approver (n_log2, r, p, since, key, name, roles, enrolled_by, salt, hash) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  statement.bind_all(std::int64_t{cost.n_log2}, std::int64_t{cost.r}, std::int64_t{cost.p},
                     approver.since.ms, row.key, approver.name, roles, approver.enrolled_by);
  statement.bind_blob(9, row.secret.salt).bind_blob(10, row.secret.hash).run();
}

void replace_secret(Db& db, const BookRow& row) {
  const HashCost& cost = row.secret.cost;
  Statement statement = db.prepare(
      "UPDATE approver SET n_log2 = ?, r = ?, p = ?, since = ?, enrolled_by = ?, salt = ?, "
      "hash = ?, failures = 0, failed_at = 0 WHERE key = ?");
  statement.bind_all(std::int64_t{cost.n_log2}, std::int64_t{cost.r}, std::int64_t{cost.p},
                     row.approver.since.ms, row.approver.enrolled_by);
  statement.bind_blob(6, row.secret.salt).bind_blob(7, row.secret.hash);
  statement.bind(8, row.key).run();
}

void delete_row(Db& db, std::string_view key) {
  db.prepare("DELETE FROM approver WHERE key = ?").bind_all(key).run();
}

void write_failures(Db& db, std::string_view key, const Failures& failures) {
  db.prepare("UPDATE approver SET failures = ?, failed_at = ? WHERE key = ?")
      .bind_all(failures.count, failures.last.ms, key)
      .run();
}

Failures failures_of_unknown(Db& db, std::string_view name) {
  Statement row = db.prepare("SELECT failures, failed_at FROM unknown_name WHERE name_group = ?");
  if (!row.bind_all(group_of(name)).step()) return {};
  return {row.integer(0), {row.integer(1)}};
}

void write_failures_of_unknown(Db& db, std::string_view name, const Failures& failures) {
  db.prepare("INSERT OR REPLACE INTO unknown_name VALUES (?, ?, ?)")
      .bind_all(group_of(name), failures.count, failures.last.ms)
      .run();
}

std::string fingerprint_of(const BookRow& row) {
  const HashCost& cost = row.secret.cost;
  return base::Digest()
      .add("approver")
      .add(row.key)
      .add(row.secret.salt)
      .add(row.secret.hash)
      .add(std::to_string(cost.n_log2) + " " + std::to_string(cost.r) + " " +
           std::to_string(cost.p))
      .add(std::to_string(row.approver.since.ms))
      .hex()
      .substr(0, kFingerprintDigits);
}

}  // namespace phasegate::state
