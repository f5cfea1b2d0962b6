#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "gating/engine/ports.h"
#include "state/seal/seal.h"
#include "state/seal/upkeep.h"
#include "state/state.h"
#include "tests/state/seal/seal_support.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::failure_code;
using test::findings_of;
using test::go_on;
using test::is_sound;
using test::make_histories;
using test::run_id;

namespace {

void write_private(const fs::path& file, const std::string& text) {
  test::write_file(file, text);
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
}

std::string read_code(const fs::path& folder) {
  return failure_code(
      [&] { static_cast<void>(state::open_store(folder)->runs().load(run_id(1))); });
}

const std::string kDigits(64, 'a');

}  // namespace

TEST_CASE("seal keys: made by the first write, whole, for their owner alone") {
  const test::TempFolder temp;
  CHECK(state::read_seal_keys(temp.path()).empty());
  CHECK(fs::is_empty(temp.path()));
  make_histories(temp.path(), 1, 6);
  struct stat status{};
  REQUIRE(::stat((temp.path() / "seal-keys").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0600U);
  const auto keys = state::read_seal_keys(temp.path());
  REQUIRE(keys.size() == 1);
  CHECK(keys[0].number == 1);
  CHECK(keys[0].bytes.size() == 32);
}

TEST_CASE(
    "seal keys: processes that make the first one at once agree, and so does what they seal") {
  for (int round = 0; round < 5; ++round) {
    CAPTURE(round);
    const test::TempFolder temp;
    std::vector<int> children;
    for (int process = 1; process <= 4; ++process) {
      children.push_back(test::start_child([&temp, process] {
        test::add_run(temp.path() / "state", process);
        return true;
      }));
    }
    for (const int child : children) CHECK(test::wait_for_child(child) == 0);
    const auto report = state::audit(temp.path() / "state");
    CHECK(report.sound());
    CHECK(report.sessions == 4);
  }
}

TEST_CASE("seal keys: what is not as it was written is refused and left as it is") {
  struct Case {
    const char* what;
    std::string text;
  };
  const Case cases[] = {
      {"empty", ""},
      {"no end of line", "1 " + kDigits},
      {"an empty line", "1 " + kDigits + "\n\n"},
      {"a short key", "1 " + kDigits.substr(2) + "\n"},
      {"a long key", "1 " + kDigits + "aa\n"},
      {"upper case", "1 " + std::string(64, 'A') + "\n"},
      {"not hexadecimal", "1 " + std::string(64, 'g') + "\n"},
      {"no number", kDigits + "\n"},
      {"a number of 0", "0 " + kDigits + "\n"},
      {"a negative number", "-1 " + kDigits + "\n"},
      {"another spelling of the number", "01 " + kDigits + "\n"},
      {"the same number twice", "1 " + kDigits + "\n1 " + kDigits + "\n"},
      {"falling numbers", "2 " + kDigits + "\n1 " + kDigits + "\n"},
      {"two spaces", "1  " + kDigits + "\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const test::TempFolder temp;
    write_private(temp.path() / "seal-keys", c.text);
    CHECK(failure_code([&] { static_cast<void>(state::make_seal_keys(temp.path())); }) ==
          "damaged");
    CHECK(test::read_file(temp.path() / "seal-keys") == c.text);
  }
  const test::TempFolder temp;
  write_private(temp.path() / "seal-keys", "1 " + kDigits + "\n7 " + kDigits + "\n");
  CHECK(state::read_seal_keys(temp.path()).size() == 2);
}

TEST_CASE("seal keys: without them, with others, or readable by others nothing is believed") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  const fs::path file = temp.path() / "seal-keys";
  const std::string text = test::read_file(file);
  // A server that has read the keys long before.
  const auto running = state::open_store(temp.path());
  const auto server_code = [&] {
    return failure_code([&] {
      running->runs().transact(
          run_id(1), [](const gating::RunState& run) { return test::step_of(run, "{}"); });
    });
  };
  REQUIRE(server_code().empty());
  SUBCASE("gone") {
    fs::remove(file);
    const auto report = state::audit(temp.path());
    REQUIRE(report.problem.has_value());
    CHECK(report.problem->message.find("seal-keys is gone") != std::string::npos);
    CHECK(report.problem->hint.find("put seal-keys back") != std::string::npos);
    // Without the keys none of its copies can be put back.
    CHECK(report.problem->hint.find("phasegate restore") == std::string::npos);
  }
  SUBCASE("others under the same number") {
    write_private(file, "1 " + kDigits + "\n");
    CHECK_FALSE(is_sound(temp.path()));
  }
  SUBCASE("others under another number") {
    write_private(file, "2 " + kDigits + "\n");
    CHECK_FALSE(is_sound(temp.path()));
  }
  SUBCASE("readable by others") {
    REQUIRE(::chmod(file.c_str(), 0640) == 0);
    CHECK(state::audit(temp.path()).problem.has_value());
  }
  SUBCASE("a link") {
    fs::rename(file, temp.path() / "there");
    fs::create_symlink(temp.path() / "there", file);
    CHECK(state::audit(temp.path()).problem.has_value());
  }
  SUBCASE("a folder") {
    fs::remove(file);
    fs::create_directory(file);
    CHECK(state::audit(temp.path()).problem.has_value());
  }
  CHECK(read_code(temp.path()) == "damaged");
  CHECK(test::write_code(temp.path()) == "damaged");
  CHECK(server_code() == "damaged");
  CHECK(state::inspect(temp.path()).seal_problem.has_value());
  CHECK(failure_code([&] { test::add_run(temp.path(), 5); }) == "damaged");
  // Put back, everything is as it was.
  fs::remove_all(file);
  write_private(file, text);
  CHECK(read_code(temp.path()).empty());
  CHECK(server_code().empty());
  CHECK(is_sound(temp.path()));
}

TEST_CASE("seal keys: what was sealed with others is not accepted, which would seal it anew") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 10);
  const fs::path file = temp.path() / "seal-keys";
  const std::string text = test::read_file(file);
  const std::string before = findings_of(temp.path());
  write_private(file, "1 " + kDigits + "\n");
  const auto accept = [&] {
    static_cast<void>(state::accept_as_it_is(temp.path(), "approver:ada", "seen", {1}));
  };
  try {
    static_cast<void>(state::to_be_accepted(temp.path()));
    FAIL("it was offered");
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().message.find("seal-keys") != std::string::npos);
  }
  CHECK(failure_code(accept) == "damaged");
  write_private(file, text);
  CHECK(findings_of(temp.path()) == before);
  // With the right ones the mark of the whole alone can be accepted.
  test::change(temp.path(),
               "UPDATE meta SET value = replace(value, '1', '2') WHERE key = 'seal_mark'");
  CHECK(test::write_code(temp.path()) == "damaged");
  accept();
  CHECK(test::write_code(temp.path()).empty());
}

TEST_CASE("seal keys: after a rotation the old key verifies, the new one seals") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 10);
  // A process that has been running since before.
  const auto running = state::open_store(temp.path());
  REQUIRE(running->runs().load(run_id(1)).has_value());
  CHECK(state::rotate_seal_key(temp.path()) == 2);
  CHECK(findings_of(temp.path()) == "");
  running->runs().transact(run_id(1),
                           [](const gating::RunState& run) { return test::step_of(run, "{}"); });
  CHECK(findings_of(temp.path()) == "");
  {
    state::Db db(temp.path() / "state.db", {});
    const auto key_of = [&](const std::string& sql) {
      return state::key_number_of(db.query_text(sql).value_or(""));
    };
    CHECK(key_of("SELECT mac FROM run WHERE number = 1") == 2);
    CHECK(key_of("SELECT mac FROM run WHERE number = 2") == 1);
    CHECK(key_of("SELECT chain FROM journal WHERE run = 1 ORDER BY seq DESC LIMIT 1") == 2);
    CHECK(key_of("SELECT chain FROM journal WHERE run = 1 AND seq = 1") == 1);
  }
  go_on(temp.path(), 2);
  CHECK(state::rotate_seal_key(temp.path()) == 3);
  CHECK(findings_of(temp.path()) == "");
  // The first key is needed as long as there is something that it has sealed.
  const std::string text = test::read_file(temp.path() / "seal-keys");
  write_private(temp.path() / "seal-keys", text.substr(text.find('\n') + 1));
  CHECK_FALSE(is_sound(temp.path()));
}
