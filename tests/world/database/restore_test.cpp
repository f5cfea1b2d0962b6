#include "world/database/restore.h"

#include <doctest/doctest.h>

#include "tests/world/database/support.h"

using namespace phasegate;
using test::code_of;
using test::Databases;
using test::has_text;
namespace database = world::database;
namespace fs = std::filesystem;

namespace {

base::Result<database::Restored> restore(Databases& project, const std::string& name) {
  project.clock.advance_ms(1000);
  return database::restore(project.root(), "data/project.db", name, project.clock);
}

}  // namespace

TEST_CASE(
    "restore: the copy is back, open connections see it, and what was there is copied first") {
  for (const char* mode : {"DELETE", "WAL"}) {
    CAPTURE(mode);
    Databases project;
    project.make();
    auto open = project.open("data/project.db");
    REQUIRE(open.run(std::string("PRAGMA journal_mode=") + mode).ok());
    const auto copy = project.backed_up();
    REQUIRE(open.run("DELETE FROM book; CREATE TABLE more(x)").ok());
    const auto done = restore(project, copy.path);
    REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
    CHECK(done->from == copy);
    REQUIRE(done->before.has_value());
    CHECK(done->set_aside.empty());
    CHECK(open.whole("SELECT count(*) FROM book").value() == 3);
    CHECK_FALSE(open.whole("SELECT count(*) FROM more").ok());
    CHECK(project.count("data/backups/" + done->before->path) == 0);
    CHECK(open.rows("PRAGMA journal_mode").value()[0][0] == database::Value(base::lowered(mode)));
    // And back again.
    REQUIRE(restore(project, "latest").ok());
    CHECK(open.whole("SELECT count(*) FROM book").value() == 0);
  }
}

TEST_CASE("restore: a database that is in use is left as it is") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  project.run("data/project.db", "DELETE FROM book WHERE id = 1");
  auto reader = project.open("data/project.db");
  auto statement = reader.prepare("SELECT * FROM book");
  REQUIRE(statement.ok());
  REQUIRE(statement->step().value());
  CHECK(code_of(restore(project, copy.path)) == "busy");
  CHECK(project.count("data/project.db") == 2);
}

TEST_CASE("restore: a database that is damaged or gone") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  SUBCASE("gone") {
    fs::remove(project.root() / "data/project.db");
    const auto done = restore(project, copy.path);
    REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
    CHECK_FALSE(done->before.has_value());
  }
  SUBCASE("no database any more; a log beside it is not played into the copy") {
    project.folder.write("data/project.db", std::string(9000, 'x'));
    project.folder.write("data/project.db-wal", "old");
    const auto done = restore(project, copy.path);
    REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
    CHECK(test::read_file(project.root() / "data/backups" / done->set_aside) ==
          std::string(9000, 'x'));
    CHECK_FALSE(fs::exists(project.root() / "data/project.db-wal"));
  }
  CHECK(project.count("data/project.db") == 3);
}

TEST_CASE("restore: a copy that is not what was made is refused, and nothing is changed") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  project.run("data/project.db", "DELETE FROM book WHERE id = 1");
  SUBCASE("changed, and still a database") {
    project.run("data/backups/" + copy.path, "INSERT INTO book VALUES (9, 'forged')");
    const auto refused = restore(project, copy.path);
    CHECK(code_of(refused) == "damaged");
    CHECK(has_text(refused.error().message, "digest"));
  }
  SUBCASE("not in the list and no database") {
    project.folder.write("data/backups/project-20200101T000000000Z.db", std::string(5000, 'x'));
    CHECK(code_of(restore(project, "project-20200101T000000000Z.db")) == "not_a_database");
  }
  SUBCASE("a link") {
    fs::create_symlink("../project.db",
                       project.root() / "data/backups/project-20200101T000000000Z.db");
    CHECK(code_of(restore(project, "project-20200101T000000000Z.db")) == "not_found");
  }
  SUBCASE("a name that is none") {
    const auto refused = restore(project, "project-20270115T080001001Z.db");
    CHECK(code_of(refused) == "not_found");
    CHECK(has_text(refused.error().hint, copy.path));
    CHECK(code_of(restore(project, "../project.db")) == "not_found");
  }
  CHECK(project.count("data/project.db") == 2);
}

TEST_CASE("restore: a copy that the list does not know is verified by what it holds") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  fs::remove(project.root() / "data/backups/backups.db");
  project.run("data/project.db", "DELETE FROM book WHERE id = 1");
  REQUIRE(restore(project, "data/backups/" + copy.path).ok());
  CHECK(project.count("data/project.db") == 3);
}
