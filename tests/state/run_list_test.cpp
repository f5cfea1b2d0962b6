#include "state/run_list.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using gating::engine::RunQuery;

TEST_CASE("store: no list sorts, and no list or look-up walks through the runs") {
  const test::TempFolder temp;
  state::open_store(temp.path())
      ->runs()
      .create_run(test::a_definition(), test::first_of(test::run_id(1)), false);
  state::Db db(temp.path() / "state.db", {});
  std::vector<std::string> statements = {
      "SELECT id FROM run WHERE resume_key = ? AND open = 1"
      " ORDER BY created_at DESC, number DESC LIMIT 1",
      "SELECT state FROM run WHERE id = ?", "SELECT data FROM journal WHERE run = ? AND seq > ?"};
  for (const auto which : {RunQuery::Which::open, RunQuery::Which::ended, RunQuery::Which::all}) {
    for (const std::string workflow : {"", "spec"}) {
      statements.push_back(state::page_sql({which, workflow, 20, ""}));
    }
  }
  for (const std::string& sql : statements) {
    CAPTURE(sql);
    state::Statement plan = db.prepare("EXPLAIN QUERY PLAN " + sql);
    std::string text;
    while (plan.step()) text += plan.text(3) + "\n";
    CAPTURE(text);
    CHECK(text.find("SCAN") == std::string::npos);
    CHECK(text.find("TEMP B-TREE") == std::string::npos);
    CHECK(text.find("USING") != std::string::npos);
  }
}
