#include "state/open_runs.h"

#include <doctest/doctest.h>

#include "state/db.h"
#include "state/project_root.h"
#include "state/store_file.h"
#include "tests/support/files.h"

using namespace phasegate;

TEST_CASE("open runs: no store is no error, and reading makes none") {
  const test::TempFolder folder;
  const auto open = state::read_open_runs(folder.path() / "none");
  REQUIRE(open.ok());
  CHECK(open->runs.empty());
  CHECK(open->project_root.empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "none"));
}

TEST_CASE("open runs: what is no store of ours is an error in a sentence") {
  const test::TempFolder folder;
  test::write_file(folder.path() / "state.db", "something else");
  CHECK(state::read_open_runs(folder.path()).error().code == "not_a_database");
  test::write_file(folder.path() / "state.db", std::string(8192, '\1'));
  CHECK_FALSE(state::read_open_runs(folder.path()).ok());
}

TEST_CASE("project root: the last writer's is kept, what is no text is not") {
  const test::TempFolder folder;
  state::StoreFile file(folder.path(), {});
  state::Db& db = file.for_writing();
  CHECK(state::read_project_root(db).empty());
  state::keep_project_root(db, "");
  state::keep_project_root(db, "\xff");
  CHECK(state::read_project_root(db).empty());
  for (const char* root : {"/a/project", "/b/worktree", "/b/worktree"}) {
    state::keep_project_root(db, root);
    CHECK(state::read_project_root(db) == root);
  }
  CHECK(state::read_open_runs(folder.path())->project_root == "/b/worktree");
}
