#include "state/request_key.h"

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::failure_code;

namespace {

std::string refusal(const fs::path& folder) {
  try {
    static_cast<void>(state::request_key(folder));
  } catch (const gating::engine::StoreFailure& failure) {
    return failure.error().code + ": " + failure.error().message;
  }
  return "";
}

}  // namespace

TEST_CASE("request key: made by the first that needs it, private, and the same from then on") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "state";
  test::add_run(folder);
  const auto store = state::open_store(folder);
  CHECK(store->runs().load(test::run_id(1)).has_value());
  CHECK_FALSE(fs::exists(folder / "request-key"));

  const std::string key = state::request_key(folder);
  CHECK(key.size() == 32);
  CHECK(std::set<char>(key.begin(), key.end()).size() > 8);
  CHECK(state::request_key(folder) == key);
  struct stat status{};
  REQUIRE(::stat((folder / "request-key").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0600U);
  CHECK(test::read_file(folder / "request-key") == key);
  for (const auto& entry : fs::directory_iterator(folder)) {
    CHECK(entry.path().filename().string().find(".new-") == std::string::npos);
  }

  const test::TempFolder other;
  CHECK(state::request_key(other.path() / "a" / "b") != key);
  REQUIRE(::stat((other.path() / "a" / "b").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0700U);
}

TEST_CASE("request key: a file that others may know, or that is no key, is refused and left") {
  struct Case {
    const char* what;
    std::string bytes;
    mode_t mode;
    const char* message;
  };
  const std::string good(32, 'k');
  const std::vector<Case> cases = {
      {"group may read", good, 0640, "by others"},  {"all may read", good, 0604, "by others"},
      {"group may write", good, 0620, "by others"}, {"empty", "", 0600, "0 bytes"},
      {"short", good.substr(1), 0600, "31 bytes"},  {"long", good + "k", 0600, "33 bytes"}};
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const test::TempFolder temp;
    const fs::path file = temp.write("request-key", one.bytes);
    REQUIRE(::chmod(file.c_str(), one.mode) == 0);
    CHECK(failure_code([&] { static_cast<void>(state::request_key(temp.path())); }) ==
          "unsafe_key");
    CHECK(refusal(temp.path()).find(one.message) != std::string::npos);
    CHECK(test::read_file(file) == one.bytes);
  }
  {
    const test::TempFolder temp;
    const fs::path file = temp.write("request-key", good);
    REQUIRE(::chmod(file.c_str(), 0400) == 0);
    CHECK(state::request_key(temp.path()) == good);
  }
}

TEST_CASE("request key: links, folders and pipes are refused") {
  const test::TempFolder temp;
  const fs::path elsewhere = temp.write("elsewhere", std::string(32, 'k'));
  REQUIRE(::chmod(elsewhere.c_str(), 0600) == 0);
  const fs::path file = temp.path() / "request-key";
  fs::create_symlink(elsewhere, file);
  CHECK(refusal(temp.path()).find("is a link") != std::string::npos);
  fs::remove(file);
  fs::create_symlink(temp.path() / "nowhere", file);
  CHECK(refusal(temp.path()).find("is a link") != std::string::npos);
  CHECK_FALSE(fs::exists(temp.path() / "nowhere"));
  fs::remove(file);
  fs::create_directory(file);
  CHECK(refusal(temp.path()).find("not a regular file") != std::string::npos);
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK(refusal(temp.path()).find("not a regular file") != std::string::npos);
}

TEST_CASE("request key: processes that make it at once end with the same") {
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    const test::TempFolder temp;
    const fs::path folder = temp.path() / "state";
    std::vector<int> children;
    children.reserve(8);
    for (int process = 0; process < 8; ++process) {
      children.push_back(test::start_child([&folder, &temp, process] {
        const std::string key = state::request_key(folder);
        test::write_file(temp.path() / ("seen" + std::to_string(process)), key);
        return key.size() == 32;
      }));
    }
    for (const int child : children) CHECK(test::wait_for_child(child) == 0);
    const std::string key = state::request_key(folder);
    for (int process = 0; process < 8; ++process) {
      CHECK(test::read_file(temp.path() / ("seen" + std::to_string(process))) == key);
    }
  }
}
