#include "state/approvers/book_file.h"

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/approvers/approver_book.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

namespace phasegate::state {
namespace {

namespace fs = std::filesystem;
using base::TimePoint;

constexpr HashCost kQuick{4, 8, 1};
constexpr TimePoint kNow{1'800'000'000'000};
constexpr const char* kSecret = "green kettle hums";

struct Folder {
  test::TempFolder temp;
  gating::engine::Approver ada;

  Folder() {
    SqliteApproverBook book(path(), kQuick);
    ada = book.add("ada", {}, kSecret, {"root", {}}, kNow).value();
  }
  [[nodiscard]] fs::path path() const { return temp.path() / "state"; }
  [[nodiscard]] fs::path file() const { return path() / "approvers.db"; }
  void sql(const std::string& statements) const {
    Db db(file(), {});
    db.execute(statements);
  }
  /// Every use must be refused alike, by who begins now; the refusal as text.
  [[nodiscard]] std::string refusal() const {
    SqliteApproverBook book(path(), kQuick);
    const auto listed = book.list();
    REQUIRE_FALSE(listed.ok());
    CHECK(listed.error().code == "approvers_unreadable");
    CHECK_FALSE(listed.error().hint.empty());
    const std::string text = base::to_text(listed.error());
    CHECK(text.find(temp.path().string()) == std::string::npos);
    const gating::engine::Approver& by = ada;
    CHECK(book.verify("ada", kSecret, kNow).error().code == "approvers_unreadable");
    CHECK(book.verify("bob", kSecret, kNow).error().code == "approvers_unreadable");
    CHECK(book.enrolments(kNow).error().code == "approvers_unreadable");
    CHECK(book.add("eve", {}, kSecret, {"root", {}}, kNow).error().code == "approvers_unreadable");
    CHECK(book.add("bob", {}, kSecret, {"root", by}, kNow).error().code == "approvers_unreadable");
    CHECK(book.remove("ada", {"root", by}).error().code == "approvers_unreadable");
    CHECK(book.set_secret("ada", kSecret, {"root", by}, kNow).error().code ==
          "approvers_unreadable");
    return text;
  }
};

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("approvers file: private from the beginning, whatever the umask") {
  const test::TempFolder temp;
  const mode_t before = ::umask(0);
  SqliteApproverBook book(temp.path() / "state", kQuick);
  CHECK(book.add("ada", {}, kSecret, {"root", {}}, kNow).ok());
  ::umask(before);
  struct stat status{};
  REQUIRE(::stat((temp.path() / "state").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0700U);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(temp.path() / "state")) {
    CAPTURE(entry.path().filename().string());
    REQUIRE(::stat(entry.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 07777U) == 0600U);
    ++files;
  }
  CHECK(files >= 2);
}

TEST_CASE("approvers file: one that others may touch is refused and left as it is (fail closed)") {
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U, 0666U}) {
    CAPTURE(mode);
    const Folder folder;
    REQUIRE(::chmod(folder.file().c_str(), mode) == 0);
    const std::string bytes = test::read_file(folder.file());
    CHECK(says(folder.refusal(), "may be read or written by others"));
    CHECK(test::read_file(folder.file()) == bytes);
    REQUIRE(::chmod(folder.file().c_str(), 0600) == 0);
    CHECK(SqliteApproverBook(folder.path()).list().ok());
  }
  for (const mode_t mode : {0770U, 0777U, 01777U, 0720U}) {
    CAPTURE(mode);
    const Folder folder;
    REQUIRE(::chmod(folder.path().c_str(), mode) == 0);
    CHECK(says(folder.refusal(), "folder of approvers.db may be written by others"));
  }
  const Folder folder;
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  CHECK(SqliteApproverBook(folder.path()).list()->size() == 1);
}

TEST_CASE("approvers file: a folder that others may write holds no book from the beginning") {
  const test::TempFolder temp;
  REQUIRE(::chmod(temp.path().c_str(), 0777) == 0);
  SqliteApproverBook book(temp.path(), kQuick);
  CHECK(book.list().value().empty());
  CHECK(book.add("ada", {}, kSecret, {"root", {}}, kNow).error().code == "approvers_unreadable");
  CHECK(fs::is_empty(temp.path()));
}

TEST_CASE("approvers file: links, folders, pipes and the files of others are refused") {
  const auto refused = [](auto put_there) {
    const Folder folder;
    const fs::path kept = folder.temp.path() / "kept.db";
    fs::rename(folder.file(), kept);
    put_there(folder, kept);
    return folder.refusal();
  };
  CHECK(says(refused([](const Folder& folder, const fs::path& kept) {
               fs::create_symlink(kept, folder.file());
             }),
             "is a link"));
  CHECK(says(refused([](const Folder& folder, const fs::path&) {
               fs::create_symlink(folder.temp.path() / "nowhere", folder.file());
             }),
             "is a link"));
  CHECK(says(
      refused([](const Folder& folder, const fs::path&) { fs::create_directory(folder.file()); }),
      "not a regular file"));
  CHECK(says(refused([](const Folder& folder, const fs::path&) {
               REQUIRE(::mkfifo(folder.file().c_str(), 0600) == 0);
             }),
             "not a regular file"));
  if (::geteuid() == 0) {
    const Folder folder;
    REQUIRE(::chown(folder.file().c_str(), 12345, 12345) == 0);
    CHECK(says(folder.refusal(), "belongs to another user"));
    const Folder other;
    REQUIRE(::chown(other.path().c_str(), 12345, 12345) == 0);
    CHECK(says(other.refusal(), "belongs to another user"));
  }
}

TEST_CASE("approvers file: one that is gone is not taken for none") {
  const Folder folder;
  SqliteApproverBook in_use(folder.path(), kQuick);
  CHECK(in_use.list()->size() == 1);
  for (const auto& name : {"approvers.db", "approvers.db-wal", "approvers.db-shm"}) {
    fs::remove(folder.path() / name);
  }
  CHECK(says(folder.refusal(), "is gone, although somebody was enrolled"));
  CHECK(in_use.list().error().code == "approvers_unreadable");
  CHECK(in_use.verify("ada", kSecret, kNow).error().code == "approvers_unreadable");
  CHECK_FALSE(fs::exists(folder.file()));
  // As the message says.
  fs::remove(folder.path() / "approvers.enrolled");
  CHECK(SqliteApproverBook(folder.path(), kQuick).list()->empty());
}

TEST_CASE("approvers file: damage, another version and another program's file are refused") {
  struct Case {
    const char* what;
    const char* sql;
    const char* says;
  };
  for (const Case& one : {
           Case{"newer", "PRAGMA user_version=9", "schema version 9"},
           Case{"another program's", "PRAGMA application_id=5", "belongs to another program"},
           Case{"the sessions'", "PRAGMA application_id=1885890420", "another program"},
           Case{"no table", "DROP TABLE approver", "no such table"},
           Case{"a cost that nobody can pay", "UPDATE approver SET n_log2 = 30", "secret of ada"},
           Case{"a cost that is none", "UPDATE approver SET r = -8", "secret of ada"},
           Case{"a huge cost", "UPDATE approver SET p = 4294967297", "secret of ada"},
           Case{"no salt", "UPDATE approver SET salt = x''", "secret of ada"},
           Case{"a huge hash", "UPDATE approver SET hash = zeroblob(100000)", "secret of ada"},
           Case{"another name", "UPDATE approver SET name = 'bob'", "a name is none"},
           Case{"a name that is none", "UPDATE approver SET name = 'a b', key = 'a b'", "a name"},
           Case{"roles", "UPDATE approver SET roles = 'dev,,qa'", "roles of ada"},
           Case{"roles out of order", "UPDATE approver SET roles = 'qa,dev'", "roles of ada"},
           Case{"who enrolled them", "UPDATE approver SET enrolled_by = CAST(x'ff' AS TEXT)",
                "who enrolled ada"},
       }) {
    CAPTURE(one.what);
    const Folder folder;
    folder.sql(one.sql);
    CHECK(says(folder.refusal(), one.says));
  }
}

TEST_CASE("approvers file: bytes that are no database, or half of one, are refused and kept") {
  const Folder whole;
  CHECK(SqliteApproverBook(whole.path()).list()->size() == 1);
  const std::string good = test::read_file(whole.file());
  for (const std::string& bytes :
       {std::string(), std::string("no database"), good.substr(0, 50), good.substr(0, 1000),
        good.substr(0, good.size() / 2), std::string(8192, '\0'), std::string(5'000'000, 'x')}) {
    CAPTURE(bytes.size());
    const Folder folder;
    test::write_file(folder.file(), bytes);
    static_cast<void>(folder.refusal());
    CHECK(test::read_file(folder.file()) == bytes);
  }
}

TEST_CASE("approvers file: an attempt that cannot be counted is not looked at") {
  if (::geteuid() == 0) {
    MESSAGE("root may write everywhere: nothing to see");
    return;
  }
  const Folder folder;
  REQUIRE(::chmod(folder.file().c_str(), 0400) == 0);
  SqliteApproverBook book(folder.path(), kQuick);
  CHECK(book.verify("ada", kSecret, kNow).error().code == "approvers_unreadable");
}

TEST_CASE("approvers file: a hash that was put in another's place shows in the fingerprint") {
  const Folder folder;
  {
    SqliteApproverBook book(folder.path(), kQuick);
    CHECK(book.add("eve", {}, "purple moss grows", {"root", folder.ada}, kNow).ok());
  }
  folder.sql(
      "UPDATE approver SET salt = (SELECT salt FROM approver WHERE key = 'eve'), "
      "hash = (SELECT hash FROM approver WHERE key = 'eve') WHERE key = 'ada'");
  SqliteApproverBook book(folder.path(), kQuick);
  const auto forged = book.verify("ada", "purple moss grows", kNow);
  REQUIRE(forged.ok());
  CHECK(forged->fingerprint != folder.ada.fingerprint);
}

TEST_CASE("book: a trigger or view that somebody has put there does not undo the count") {
  const Folder folder;
  folder.sql(
      "CREATE TRIGGER forget AFTER UPDATE OF failures ON approver BEGIN"
      " UPDATE approver SET failures = 0; END;"
      "DROP TABLE unknown_name;"
      "CREATE VIEW unknown_name AS SELECT 1 AS name_group, 0 AS failures, 0 AS failed_at;");
  SqliteApproverBook book(folder.path(), kQuick);
  for (int i = 0; i < 5; ++i) {
    CHECK(book.verify("ada", "not her secret", kNow).error().code == "wrong_secret");
  }
  CHECK(book.verify("ada", kSecret, kNow).error().code == "locked");
  CHECK(book.verify("nobody", kSecret, kNow).error().code == "approvers_unreadable");
}

}  // namespace
}  // namespace phasegate::state
