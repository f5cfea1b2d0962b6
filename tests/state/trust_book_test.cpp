#include <doctest/doctest.h>

#include "state/db.h"
#include "state/state.h"
#include "tests/support/files.h"

namespace phasegate::state {
namespace {

using gating::engine::TrustRecord;

TrustRecord record(const std::string& digest, const std::string& workflow, std::int64_t at) {
  return {digest, workflow, R"([{"runs":"make test"}])", "ada", {at}, {"HOME=/h", "PATH=/bin"}};
}

TEST_CASE("trust book: a record whose environment is damaged counts as none") {
  for (const char* damaged : {"", "{}", "[1]", "[\"PATH=/bin\"", "null"}) {
    CAPTURE(damaged);
    const test::TempFolder folder;
    open_store(folder.path() / "state")->trust().trust(record("d1", "fix", 5));
    {
      Db db(folder.path() / "state" / "state.db", {});
      db.prepare("UPDATE trust SET environment = ?").bind_all(std::string_view(damaged)).run();
    }
    const auto store = open_store(folder.path() / "state");
    CHECK_FALSE(store->trust().find("d1"));
    CHECK(store->trust().trusted().empty());
  }
}

}  // namespace
}  // namespace phasegate::state
