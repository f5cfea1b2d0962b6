#include <doctest/doctest.h>

#include "state/db.h"
#include "state/seal/audit.h"
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

TEST_CASE("trust book: with a row that was put in, changed, taken out or put back nothing counts") {
  for (const char* sql :
       {"INSERT INTO trust VALUES ('d3', 'own', '[]', 'ada', 7, '[]')",
        "UPDATE trust SET workflow = 'other' WHERE digest = 'd1'",
        "UPDATE trust SET at = 6 WHERE digest = 'd1'", "DELETE FROM trust WHERE digest = 'd2'",
        "INSERT INTO trust SELECT 'd0', workflow, shown, principal, at, environment FROM trust"
        " WHERE digest = 'd1'"}) {
    CAPTURE(sql);
    const test::TempFolder folder;
    const auto store = open_store(folder.path() / "state");
    store->trust().trust(record("d1", "fix", 5));
    store->trust().trust(record("d2", "spec", 5));
    REQUIRE(store->trust().find("d1"));
    Db(folder.path() / "state" / "state.db", {}).execute(sql);
    CHECK_FALSE(store->trust().find("d1"));
    CHECK_FALSE(store->trust().find("d3"));
    CHECK(store->trust().trusted().empty());
    REQUIRE(audit(folder.path() / "state").findings.size() == 1);
    CHECK(audit(folder.path() / "state").findings[0].code == "trust");
    // Who trusts a workflow now has seen that one, and none of the others.
    store->trust().trust(record("d4", "fix", 8));
    CHECK(store->trust().trusted().size() == 1);
    CHECK(store->trust().find("d4"));
    CHECK(audit(folder.path() / "state").sound());
  }
}

TEST_CASE("trust book: what was taken back cannot be put back from a copy of its row") {
  const test::TempFolder folder;
  const auto store = open_store(folder.path() / "state");
  store->trust().trust(record("d1", "fix", 5));
  store->trust().trust(record("d2", "spec", 5));
  {
    Db db(folder.path() / "state" / "state.db", {});
    db.execute("CREATE TABLE kept AS SELECT * FROM trust");
  }
  CHECK(store->trust().revoke("fix") == 1);
  CHECK(store->trust().find("d2"));
  {
    Db db(folder.path() / "state" / "state.db", {});
    db.execute("INSERT INTO trust SELECT * FROM kept WHERE digest = 'd1'; DROP TABLE kept");
  }
  CHECK_FALSE(store->trust().find("d1"));
  CHECK(store->trust().revoke("spec") == 0);
  CHECK(store->trust().trusted().empty());
}

}  // namespace
}  // namespace phasegate::state
