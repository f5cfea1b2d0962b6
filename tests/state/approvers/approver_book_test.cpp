#include "state/approvers/approver_book.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/state/store_support.h"
#include "tests/support/files.h"

namespace phasegate::state {
namespace {

namespace fs = std::filesystem;
using base::TimePoint;
using gating::engine::Approver;

constexpr HashCost kQuick{4, 8, 1};
constexpr TimePoint kNow{1'800'000'000'000};
constexpr const char* kSecret = "green kettle hums";
constexpr const char* kOther = "blue ladder leans";

template <typename T>
std::string code_of(const base::Result<T>& result) {
  return result ? "" : result.error().code;
}

TimePoint later(std::int64_t ms) {
  return {kNow.ms + ms};
}

/// A book with Ada in it.
struct Book {
  test::TempFolder folder;
  SqliteApproverBook book{folder.path() / "state", kQuick};
  Approver ada;

  Book() {
    auto added = book.add("Ada", {"QA", "dev"}, kSecret, {"root", {}}, kNow);
    REQUIRE_MESSAGE(added.ok(), base::to_text(added.error()));
    ada = *added;
  }
  [[nodiscard]] std::string code(const char* name, const char* secret, TimePoint now) {
    return code_of(book.verify(name, secret, now));
  }
  /// As another process.
  [[nodiscard]] SqliteApproverBook again() const { return SqliteApproverBook(path(), kQuick); }
  [[nodiscard]] fs::path path() const { return folder.path() / "state"; }
};

TEST_CASE("approvers: nobody is enrolled until somebody is, and looking makes nothing (§6)") {
  const test::TempFolder folder;
  SqliteApproverBook book(folder.path() / "a" / "b", kQuick);
  CHECK(book.list().value().empty());
  CHECK(book.enrolments(kNow).value().empty());
  CHECK(code_of(book.verify("ada", kSecret, kNow)) == "no_approvers");
  CHECK(code_of(book.remove("ada", {"root", {}})) == "unknown_approver");
  CHECK(code_of(book.set_secret("ada", kSecret, {"root", {}}, kNow)) == "unknown_approver");
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("approvers: who is enrolled decides with their own secret") {
  Book one;
  CHECK(one.ada.name == "Ada");
  CHECK(one.ada.roles == std::vector<std::string>{"dev", "qa"});
  CHECK(one.ada.since == kNow);
  CHECK(one.ada.enrolled_by == "root");
  CHECK(one.ada.fingerprint.size() == 16);
  CHECK(one.ada.fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(one.book.verify("Ada", kSecret, kNow).value() == one.ada);
  CHECK(one.again().verify("aDA", kSecret, kNow).value() == one.ada);
  CHECK(one.again().list().value() == std::vector<Approver>{one.ada});
  for (const char* wrong : {"", "green kettle hum", "Green kettle hums", kOther}) {
    CHECK(one.code("Ada", wrong, kNow) == "wrong_secret");
    CHECK(one.code("Ada", kSecret, kNow) == "");
  }
  const std::string huge = std::string(kSecret) + std::string(10'000'000, 'x');
  CHECK(one.code("Ada", huge.c_str(), kNow) == "wrong_secret");
  CHECK(one.code(huge.c_str(), kSecret, kNow) == "wrong_secret");
  // The same words, whether the name is enrolled or not.
  CHECK(one.book.verify("ada", kOther, kNow).error() ==
        one.book.verify("nobody", kOther, kNow).error());
}

TEST_CASE("approvers: whoever is enrolled says who else is") {
  Book one;
  const ChangeBy stranger{"root", {}};
  const ChangeBy ada{"root", one.ada};
  CHECK(code_of(one.book.add("bob", {}, kOther, stranger, kNow)) == "not_permitted");
  CHECK(code_of(one.book.remove("ada", stranger)) == "not_permitted");
  CHECK(code_of(one.book.set_secret("ada", kOther, stranger, kNow)) == "not_permitted");
  Approver forged = one.ada;
  forged.fingerprint = "0000000000000000";
  CHECK(code_of(one.book.add("bob", {}, kOther, {"root", forged}, kNow)) == "not_permitted");

  const auto bob = one.book.add("bob", {}, kOther, ada, later(1));
  REQUIRE(bob.ok());
  CHECK(bob->enrolled_by == "Ada");
  CHECK(bob->roles.empty());
  CHECK(code_of(one.book.add("BOB", {}, kOther, ada, kNow)) == "already_enrolled");
  CHECK(one.book.remove("bbo", ada).error().hint == "Did you mean `bob`?");
  CHECK(code_of(one.book.add("a b", {}, kOther, ada, kNow)) == "invalid_name");
  CHECK(code_of(one.book.add("carl", {"a b"}, kOther, ada, kNow)) == "invalid_name");
  CHECK(code_of(one.book.add("carl", {}, "short", ada, kNow)) == "weak_secret");
  CHECK(code_of(one.book.set_secret("bob", "bob", ada, kNow)) == "weak_secret");

  // Another secret is another enrolment, and what was allowed with the old one is not any more.
  const auto changed = one.book.set_secret("ADA", "yellow door creaks", ada, later(2));
  REQUIRE(changed.ok());
  CHECK(changed->name == "Ada");
  CHECK(changed->roles == one.ada.roles);
  CHECK(changed->since == later(2));
  CHECK(changed->fingerprint != one.ada.fingerprint);
  CHECK(one.code("ada", kSecret, kNow) == "wrong_secret");
  CHECK(one.code("ada", "yellow door creaks", kNow) == "");
  CHECK(code_of(one.book.remove("bob", ada)) == "not_permitted");

  CHECK(one.book.remove("ada", {"root", *bob}).ok());
  CHECK(one.code("ada", "yellow door creaks", kNow) == "wrong_secret");
  CHECK(code_of(one.book.add("ada", {}, kSecret, {"root", *changed}, kNow)) == "not_permitted");
  CHECK(one.book.remove("bob", {"root", *bob}).ok());
  CHECK(one.book.list().value().empty());
  CHECK(one.code("bob", kOther, kNow) == "no_approvers");
  CHECK(one.book.add("Carl", {}, kOther, stranger, kNow).ok());
}

TEST_CASE("approvers: the same secret under the same name is another enrolment each time") {
  Book one;
  const ChangeBy ada{"root", one.ada};
  const auto again = one.book.set_secret("ada", kSecret, ada, kNow);
  REQUIRE(again.ok());
  CHECK(again->fingerprint != one.ada.fingerprint);
}

TEST_CASE("approvers: after five failures in a row there is a wait, which outlives every process") {
  for (const char* name : {"Ada", "nobody"}) {
    CAPTURE(name);
    Book one;
    for (int i = 0; i < 5; ++i) CHECK(one.code(name, kOther, later(i)) == "wrong_secret");
    // What is right is not looked at either.
    const auto locked = one.again().verify(name, kSecret, later(4));
    CHECK(code_of(locked) == "locked");
    CHECK(locked.error().message.find(base::to_rfc3339(later(5'004))) != std::string::npos);
    CHECK(one.code(name, kOther, later(5'003)) == "locked");
    CHECK(one.code(name, kOther, later(5'004)) == "wrong_secret");
    CHECK(one.code(name, kOther, later(15'003)) == "locked");
    // A clock that is set back does not help, and the other way round does not lock for years.
    CHECK(one.code(name, kSecret, later(-1'000'000)) == "locked");
    CHECK(one.code(name, kSecret, later(-1'000'000 + 9'999)) == "locked");
    CHECK(one.code(name, kOther, later(-1'000'000 + 10'000)) == "wrong_secret");
  }
}

TEST_CASE("approvers: a right secret forgets the failures, those of others stay") {
  Book one;
  REQUIRE(one.book.add("bob", {}, kOther, {"root", one.ada}, kNow).ok());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) CHECK(one.code("ada", kOther, kNow) == "wrong_secret");
    CHECK(one.code("ada", kSecret, kNow) == "");
  }
  for (int i = 0; i < 5; ++i) CHECK(one.code("ada", kOther, kNow) == "wrong_secret");
  CHECK(one.code("bob", kOther, kNow) == "");
  const auto all = one.book.enrolments(later(1));
  REQUIRE(all->size() == 2);
  CHECK((*all)[0].locked_until == later(5'000));
  CHECK((*all)[1].locked_until == std::nullopt);
  CHECK((*one.book.enrolments(later(5'000)))[0].locked_until == std::nullopt);
  CHECK((*one.book.enrolments(later(-9)))[0].locked_until == later(-9 + 5'000));
  // Another approver can end the wait with a new secret.
  const auto bob = one.book.verify("bob", kOther, kNow);
  CHECK(one.book.set_secret("ada", kSecret, {"root", *bob}, kNow).ok());
  CHECK(one.code("ada", kSecret, kNow) == "");
}

TEST_CASE("approvers: attempts from many processes at once are counted like one after another") {
  Book one;
  std::vector<int> children;
  children.reserve(12);
  for (int process = 0; process < 12; ++process) {
    children.push_back(test::start_child([&one] {
      SqliteApproverBook book(one.path(), kQuick);
      return code_of(book.verify("ada", kOther, kNow)) == "wrong_secret";
    }));
  }
  int looked_at = 0;
  for (const int child : children) looked_at += test::wait_for_child(child) == 0 ? 1 : 0;
  CHECK(looked_at == 5);
  CHECK(one.code("ada", kSecret, kNow) == "locked");
}

TEST_CASE("approvers: of many who would be the first, one is") {
  const test::TempFolder folder;
  std::vector<int> children;
  children.reserve(6);
  for (int process = 0; process < 6; ++process) {
    children.push_back(test::start_child([&folder, process] {
      SqliteApproverBook book(folder.path() / "state", kQuick);
      return book.add("a" + std::to_string(process), {}, kSecret, {"root", {}}, kNow).ok();
    }));
  }
  int first = 0;
  for (const int child : children) first += test::wait_for_child(child) == 0 ? 1 : 0;
  CHECK(first == 1);
  CHECK(SqliteApproverBook(folder.path() / "state").list()->size() == 1);
}

TEST_CASE("approvers: at most a hundred are enrolled") {
  Book one;
  const ChangeBy ada{"root", one.ada};
  for (int i = 1; i < 100; ++i) {
    REQUIRE(one.book.add("p" + std::to_string(i), {}, kSecret, ada, kNow).ok());
  }
  CHECK(code_of(one.book.add("more", {}, kSecret, ada, kNow)) == "too_many");
  CHECK(one.book.list()->size() == 100);
}

TEST_CASE("approvers: no secret is in any file, not even one that was typed as a name") {
  Book one;
  CHECK(one.code("ada", "a wrong guess of mine", kNow) == "wrong_secret");
  CHECK(one.code("secret as a name", kSecret, kNow) == "wrong_secret");
  for (const auto& entry : fs::directory_iterator(one.path())) {
    const std::string bytes = test::read_file(entry.path());
    for (const char* text : {kSecret, "wrong guess", "secret as a name"}) {
      CHECK(bytes.find(text) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace phasegate::state
