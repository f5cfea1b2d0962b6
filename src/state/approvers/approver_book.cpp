#include "state/approvers/approver_book.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/text.h"
#include "gating/engine/ports.h"
#include "state/approvers/back_off.h"
#include "state/approvers/book_rows.h"
#include "state/approvers/secret.h"
#include "state/approvers/secret_rules.h"

namespace phasegate::state {

using base::Error;
using base::Result;
using gating::engine::Approver;
using gating::engine::StoreFailure;

namespace {

constexpr std::size_t kUserBytesMax = 200;
constexpr std::int64_t kFailuresMax = 1'000'000;  // beyond it a number says no more

Error unreadable(const std::string& message, std::string hint) {
  return {"approvers_unreadable", "Nobody can decide: " + message + ".", std::move(hint), ""};
}

/// The words of a store speak of sessions and of its backups.
std::string hint_for(const Error& error) {
  if (error.code == "unsafe_file" || error.code == "busy" || error.code == "newer_version") {
    return error.hint;
  }
  if (error.code == "damaged" || error.code == "not_a_database") {
    return "It was left as it is. Put a copy of approvers.db back, or move it and "
           "approvers.enrolled away and enrol everybody anew.";
  }
  return "Nothing was changed; mend that and begin again.";
}

/// Runs `body`; whatever the file or the library throws becomes the one error.
template <typename T, typename Body>
Result<T> guarded(Body body) {
  try {
    return body();
  } catch (const StoreFailure& failure) {
    return unreadable(failure.error().message, hint_for(failure.error()));
  } catch (const std::exception& problem) {
    return unreadable(problem.what(), "Nothing was changed; begin again.");
  }
}

BookRow* find(std::vector<BookRow>& rows, std::string_view name) {
  const std::string key = base::lowered(name);
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const BookRow& row) { return row.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

Error wrong_secret() {
  return {"wrong_secret", "Name and secret do not belong together.",
          "`phasegate approvers` lists the names. After " + std::to_string(kFailuresFree) +
              " failures in a row each further one means a longer wait.",
          ""};
}

Error no_approvers() {
  return {"no_approvers", "Nobody is enrolled who could decide.",
          "A person does that on a terminal of their own: phasegate approvers add NAME", ""};
}

Error locked(base::TimePoint until) {
  return {"locked",
          "There were too many failures with this name; no secret is looked at before " +
              base::to_rfc3339(until) + ".",
          "Wait until then. If it was not you, find out who it was first.", ""};
}

Error unknown_approver(std::string_view name, const std::vector<BookRow>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const BookRow& row : rows) names.push_back(row.approver.name);
  const auto nearest = base::nearest_name(name, names);
  return {"unknown_approver", base::in_quotes(base::shortened(name, 100)) + " is not enrolled.",
          nearest ? "Did you mean `" + *nearest + "`?" : "`phasegate approvers` lists who is.", ""};
}

/// Whether the book as it is now lets `by` change it. What was verified may be gone since.
Result<void> require_permission(std::vector<BookRow>& rows, const ChangeBy& by) {
  if (!by.approver && rows.empty()) return {};
  if (by.approver) {
    const BookRow* row = find(rows, by.approver->name);
    if (row != nullptr && row->approver.fingerprint == by.approver->fingerprint) return {};
  }
  return Error{"not_permitted",
               "Whoever is enrolled decides who else is, and the book has changed meanwhile.",
               "Nothing was changed; begin again. `phasegate approvers` shows who is enrolled.",
               ""};
}

std::string changer(const ChangeBy& by) {
  return by.approver ? by.approver->name : base::shortened(base::to_utf8(by.user), kUserBytesMax);
}

}  // namespace

SqliteApproverBook::SqliteApproverBook(const std::filesystem::path& folder, const HashCost& cost)
    : file_(folder), cost_(cost) {}

Result<std::vector<Approver>> SqliteApproverBook::list() {
  return guarded<std::vector<Approver>>([&]() -> Result<std::vector<Approver>> {
    const CloseOnFailure guard(file_.store());
    std::vector<Approver> approvers;
    Db* db = file_.for_reading();
    if (db == nullptr) return approvers;
    for (BookRow& row : read_rows(*db)) approvers.push_back(std::move(row.approver));
    return approvers;
  });
}

Result<std::vector<Enrolment>> SqliteApproverBook::enrolments(base::TimePoint now) {
  return guarded<std::vector<Enrolment>>([&]() -> Result<std::vector<Enrolment>> {
    const CloseOnFailure guard(file_.store());
    std::vector<Enrolment> all;
    Db* db = file_.for_reading();
    if (db == nullptr) return all;
    for (BookRow& row : read_rows(*db)) {
      const auto until = locked_until(as_of(row.failures, now), now);
      all.push_back({std::move(row.approver), until});
    }
    return all;
  });
}

/// What a secret is compared with, while nothing is locked.
struct SqliteApproverBook::Attempt {
  SecretHash secret;
  std::optional<Approver> approver;  ///< none: the name is not enrolled, and nothing can match
};

Result<SqliteApproverBook::Attempt> SqliteApproverBook::begin_attempt(std::string_view name,
                                                                      base::TimePoint now) {
  const CloseOnFailure guard(file_.store());
  Db* db = file_.for_reading();
  if (db == nullptr) return no_approvers();
  StoreTransaction transaction(file_.store(), *db);
  std::vector<BookRow> rows = read_rows(*db);
  if (rows.empty()) return no_approvers();
  const BookRow* row = find(rows, name);
  const auto write = [&](const Failures& failures) {
    if (row != nullptr) {
      write_failures(*db, row->key, failures);
    } else {
      write_failures_of_unknown(*db, name, failures);
    }
    transaction.commit();
  };
  const Failures before = row != nullptr ? row->failures : failures_of_unknown(*db, name);
  Failures failures = as_of(before, now);
  if (const auto until = locked_until(failures, now)) {
    if (failures != before) write(failures);
    return locked(*until);
  }
  failures = {std::clamp<std::int64_t>(failures.count, 0, kFailuresMax) + 1, now};
  write(failures);
  // A name that is not enrolled costs what an enrolled one costs.
  if (row == nullptr) return Attempt{rows.front().secret, std::nullopt};
  return Attempt{row->secret, row->approver};
}

Result<Approver> SqliteApproverBook::end_attempt(const Attempt& attempt) {
  const CloseOnFailure guard(file_.store());
  Db* db = file_.for_reading();
  if (db == nullptr) return wrong_secret();
  StoreTransaction transaction(file_.store(), *db);
  std::vector<BookRow> rows = read_rows(*db);
  const BookRow* row = find(rows, attempt.approver->name);
  // They may have been removed, or been given another secret, while the hash was computed.
  if (row == nullptr || row->secret != attempt.secret) return wrong_secret();
  write_failures(*db, row->key, {});
  transaction.commit();
  return row->approver;
}

Result<Approver> SqliteApproverBook::verify(std::string_view name, std::string_view secret,
                                            base::TimePoint now) {
  return guarded<Approver>([&]() -> Result<Approver> {
    auto attempt = begin_attempt(name, now);
    if (!attempt) return std::move(attempt).error();
    // What is too long to be a secret costs the same; the part that is hashed cannot match.
    const bool too_long = secret.size() > Secret::kBytesMax;
    const bool same = matches(secret.substr(0, Secret::kBytesMax), attempt->secret);
    if (!same || too_long || !attempt->approver) return wrong_secret();
    return end_attempt(*attempt);
  });
}

Result<Approver> SqliteApproverBook::add(std::string_view name,
                                         const std::vector<std::string>& roles,
                                         std::string_view secret, const ChangeBy& by,
                                         base::TimePoint now) {
  return guarded<Approver>([&]() -> Result<Approver> {
    auto key = compared_name("name", name);
    if (!key) return std::move(key).error();
    auto kept = kept_roles(roles);
    if (!kept) return std::move(kept).error();
    if (auto good = check_new_secret(name, secret); !good) return std::move(good).error();
    BookRow row{
        *key, {std::string(name), *kept, "", now, changer(by)}, hash_secret(secret, cost_), {}};
    row.approver.fingerprint = fingerprint_of(row);

    const CloseOnFailure guard(file_.store());
    Db& db = file_.for_writing();
    StoreTransaction transaction(file_.store(), db);
    std::vector<BookRow> rows = read_rows(db);
    if (auto allowed = require_permission(rows, by); !allowed) return std::move(allowed).error();
    if (const BookRow* there = find(rows, name)) {
      return Error{"already_enrolled",
                   base::in_quotes(there->approver.name) + " is enrolled already.",
                   "phasegate approvers passwd " + there->approver.name +
                       " sets another secret; for other roles remove them first.",
                   ""};
    }
    if (rows.size() == kApproversMax) {
      return Error{"too_many",
                   std::to_string(kApproversMax) + " are enrolled, which is as many as can be.",
                   "Remove somebody first.", ""};
    }
    insert_row(db, row);
    file_.mark_enrolled();
    transaction.commit();
    return row.approver;
  });
}

Result<void> SqliteApproverBook::remove(std::string_view name, const ChangeBy& by) {
  return guarded<void>([&]() -> Result<void> {
    const CloseOnFailure guard(file_.store());
    Db* db = file_.for_reading();
    if (db == nullptr) return unknown_approver(name, {});
    StoreTransaction transaction(file_.store(), *db);
    std::vector<BookRow> rows = read_rows(*db);
    const BookRow* row = find(rows, name);
    if (row == nullptr) return unknown_approver(name, rows);
    if (auto allowed = require_permission(rows, by); !allowed) return allowed;
    delete_row(*db, row->key);
    transaction.commit();
    return {};
  });
}

Result<Approver> SqliteApproverBook::set_secret(std::string_view name, std::string_view secret,
                                                const ChangeBy& by, base::TimePoint now) {
  return guarded<Approver>([&]() -> Result<Approver> {
    if (auto good = check_new_secret(name, secret); !good) return std::move(good).error();
    const SecretHash hashed = hash_secret(secret, cost_);

    const CloseOnFailure guard(file_.store());
    Db* db = file_.for_reading();
    if (db == nullptr) return unknown_approver(name, {});
    StoreTransaction transaction(file_.store(), *db);
    std::vector<BookRow> rows = read_rows(*db);
    BookRow* row = find(rows, name);
    if (row == nullptr) return unknown_approver(name, rows);
    if (auto allowed = require_permission(rows, by); !allowed) return std::move(allowed).error();
    row->secret = hashed;
    row->approver.since = now;
    row->approver.enrolled_by = changer(by);
    row->approver.fingerprint = fingerprint_of(*row);
    replace_secret(*db, *row);
    transaction.commit();
    return row->approver;
  });
}

}  // namespace phasegate::state
