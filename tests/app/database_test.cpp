#include <doctest/doctest.h>

#include "app/cli/command_db.h"
#include "tests/app/deciding.h"
#include "tests/app/project.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using test::contains;
using test::Project;

/// A project with three books, and the command as a person and as a program gives it.
struct Books {
  Project project;

  Books() {
    test::write_file(project.root() / "migrations" / "0001-books.sql",
                     "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);\n"
                     "INSERT INTO book VALUES (1, 'one'), (2, ''), (3, 'three');\n");
    REQUIRE(db({"migrate", "books.db", "migrations"}).code == 0);
  }

  [[nodiscard]] test::Ended db(std::vector<std::string> words) const {
    words.insert(words.begin(), "db");
    return project.run(std::move(words));
  }

  /// On a terminal; `asked` is what the person was shown.
  Outcome ask(const std::vector<std::string>& words, bool answer, std::string& asked) const {
    std::vector<std::string> all = {"db", "--state", project.state().string()};
    all.insert(all.end(), words.begin(), words.end());
    const auto invocation = parse(all);
    REQUIRE_MESSAGE(invocation.ok(), base::to_text(invocation.error()));
    Environment environment;
    environment.working_folder = project.root();
    environment.stdin_is_terminal = true;
    environment.stdout_is_terminal = true;
    const auto settings = resolve(*invocation, environment);
    REQUIRE(settings.ok());
    return work_on_database(
        *invocation, *settings, environment, Page{},
        [&](const std::string& question) {
          asked = question;
          return answer;
        },
        prompts_on_terminal());
  }
};

TEST_CASE("db: rows are read and changed, as text and as JSON") {
  const Books books;
  const auto text = books.db({"query", "books.db", "SELECT id, title, NULL AS n FROM book"});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "id"));
  CHECK(contains(text.out, "three"));
  CHECK(contains(text.out, "''"));
  CHECK(contains(text.out, "NULL"));
  CHECK(contains(text.out, "3 rows"));
  const auto changed = books.db({"exec", "books.db", "UPDATE book SET title = ? WHERE id = ?",
                                 "--value", "x'; DROP TABLE book; --", "--value", "2"});
  CHECK_MESSAGE(changed.code == 0, changed.err);
  CHECK(contains(changed.out, "1 row changed."));
  const Json json = books.project.run_json(
      {"db", "query", "books.db", "SELECT title, x'00', 1.5 FROM book WHERE id = 2", "--json"});
  CHECK(json["rows"][0][0] == "x'; DROP TABLE book; --");
  CHECK(json["rows"][0][1]["base64"] == "AA==");
  CHECK(json["rows"][0][2] == 1.5);
  CHECK(json["more"] == false);
  const Json returned = books.project.run_json(
      {"db", "exec", "books.db", "INSERT INTO book VALUES (4, 'four') RETURNING id", "--json"});
  CHECK(returned["changed"] == 1);
  CHECK(returned["deleted"] == 0);
  CHECK(returned["returned"]["rows"][0][0] == 4);
}

TEST_CASE("db: what is blocked is said in the words of the design, with exit code 1 (003-62 …)") {
  const Books books;
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"DROP TABLE book", "DROP TABLE blocked. Use migrations system."},
      {"DROP DATABASE books", "Database deletion blocked."},
      {"DELETE FROM book", "TRUNCATE blocked. Use explicit DELETE with confirmation."},
      {"DELETE FROM book WHERE id = 1",
       "DELETE requires confirmation token from db.getDeleteConfirmation()"},
  };
  for (const auto& [sql, message] : rows) {
    const auto refused = books.db({"exec", "books.db", sql});
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, message));
    CHECK(refused.out.empty());
  }
  CHECK(books.db({"exec", "books.db", "DELETE FROM book WHERE id = 1", "--token", "x"}).code == 1);
}

TEST_CASE("db: a person confirms on a terminal, and the token is good once, in other processes") {
  const Books books;
  const std::string sql = "DELETE FROM book WHERE id = ?";
  const auto elsewhere = books.db({"confirm", "books.db", sql, "--value", "1"});
  CHECK(elsewhere.code == 1);
  CHECK(elsewhere.out.empty());
  CHECK(contains(elsewhere.err, "on a terminal"));
  CHECK(contains(elsewhere.err, "phasegate db confirm "));
  CHECK(contains(elsewhere.err, "'DELETE FROM book WHERE id = ?' --value=1 --root "));
  std::string asked;
  const Outcome no = books.ask({"confirm", "books.db", sql, "--value", "1"}, false, asked);
  CHECK(no.code == ExitCode::not_ok);
  CHECK(contains(asked, "deletes 1 row"));
  CHECK(contains(asked, "[y/N]"));
  const Outcome yes = books.ask({"confirm", "books.db", sql, "--value", "1"}, true, asked);
  REQUIRE_MESSAGE(yes.code == ExitCode::ok, yes.err);
  const std::size_t at = yes.out.find("--token ") + 8;
  const std::string token = yes.out.substr(at, yes.out.find('\n', at) - at);
  const auto other = books.db({"exec", "books.db", sql, "--value", "3", "--token", token});
  CHECK(contains(other.err, "not for this statement"));
  const auto done = books.db({"exec", "books.db", sql, "--value", "1", "--token", token});
  CHECK_MESSAGE(done.code == 0, done.err);
  CHECK(contains(done.out, "1 row changed, 1 gone."));
  REQUIRE(books.db({"exec", "books.db", "INSERT INTO book VALUES (1, 'again')"}).code == 0);
  const auto again = books.db({"exec", "books.db", sql, "--value", "1", "--token", token});
  CHECK(again.code == 1);
  CHECK(contains(again.err, "has been used"));
}

TEST_CASE("db: copies are made, listed and put back by a person") {
  const Books books;
  CHECK(contains(books.db({"backups", "books.db"}).out, "no copies"));
  const Json made = books.project.run_json({"db", "backup", "books.db", "--json"});
  const Json list = books.project.run_json({"db", "backups", "books.db", "--json"});
  CHECK(list["folder"] == "backups");
  CHECK(list["problem"] == nullptr);
  CHECK(list["backups"][0] == made);
  CHECK(contains(books.db({"backups", "books.db"}).out, made["path"].get<std::string>()));
  REQUIRE(books.db({"exec", "books.db", "INSERT INTO book VALUES (9, 'nine')"}).code == 0);
  const auto elsewhere = books.db({"restore", "books.db", "latest"});
  CHECK(elsewhere.code == 1);
  CHECK(contains(elsewhere.err, "on a terminal"));
  std::string asked;
  CHECK(books.ask({"restore", "books.db", "latest"}, false, asked).code == ExitCode::not_ok);
  CHECK(contains(asked, made["path"].get<std::string>()));
  const Outcome yes = books.ask({"restore", "books.db", "latest"}, true, asked);
  CHECK_MESSAGE(yes.code == ExitCode::ok, yes.err);
  CHECK(contains(books.db({"query", "books.db", "SELECT id FROM book"}).out, "3 rows"));
  CHECK(books.db({"restore", "books.db", "none.db"}).code == 1);
  CHECK(books.db({"backup", "none.db"}).code == 1);
}

TEST_CASE("db: migrations, and first what they would do") {
  const Books books;
  CHECK(contains(books.db({"migrate", "books.db", "migrations"}).out, "has had all 1"));
  test::write_file(books.project.root() / "migrations" / "0002-more.sql",
                   "ALTER TABLE book ADD COLUMN year;\n");
  const auto dry = books.db({"migrate", "books.db", "migrations", "--dry-run"});
  CHECK(contains(dry.out, "Would run"));
  CHECK(contains(dry.out, "ALTER TABLE book"));
  const Json done = books.project.run_json({"db", "migrate", "books.db", "migrations", "--json"});
  CHECK(done["migrations"] == Json::array({"0002-more.sql"}));
  CHECK(done["backup"]["size_bytes"].is_number());
}

TEST_CASE("db: words that are too many, too few or none, and files that are not the project's") {
  const Books books;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"drop", "books.db"},
                                             {"query", "books.db"},
                                             {"backup"},
                                             {"backup", "books.db", "x"},
                                             {"backup", "books.db", "--dry-run"},
                                             {"query", "books.db", "SELECT 1", "--token", "x"},
                                             {"backups", "books.db", "--value", "1"},
                                             {"query", "", "SELECT 1"}}) {
    const auto ended = books.db(words);
    CHECK(ended.code == 2);
    CHECK_FALSE(ended.err.empty());
  }
  for (const char* file : {"../x.db", "/etc/passwd", "..", "."}) {
    const auto ended = books.db({"query", file, "SELECT 1"});
    CHECK(ended.code == 1);
    CHECK(contains(ended.err, "phasegate: "));
  }
  CHECK(books.db({"query", (books.project.root() / "books.db").string(), "SELECT 1"}).code == 0);
}

TEST_CASE("db: once somebody is enrolled, restore and confirm ask for their secret, too (§6)") {
  const Books books;
  const test::Project& project = books.project;
  project.be_sound();
  REQUIRE(books.db({"backup", "books.db"}).code == 0);
  REQUIRE(books.db({"exec", "books.db", "UPDATE book SET title = 'changed'"}).code == 0);
  state::SqliteApproverBook book(project.state(), {4, 8, 1});
  REQUIRE(book.add("ada", {}, test::kSecret, {"root", {}}, base::SystemClock().now()).ok());
  const auto title = [&] {
    return project.run_json({"db", "query", "books.db", "SELECT title FROM book", "--json"});
  };
  const Json changed = title();
  const std::vector<std::string> restore = {"db", "restore", "books.db", "latest"};
  const std::vector<std::string> confirm = {"db", "confirm", "books.db",
                                            "DELETE FROM book WHERE id = 1"};
  for (const auto& [words, question] :
       {std::pair{confirm, "Give a token for it? [y/N] "}, std::pair{restore, "Restore? [y/N] "}}) {
    CAPTURE(words[1]);
    {
      test::Person guess(project, words);
      guess.answer(question, "y");
      for (int i = 0; i < 2; ++i) guess.tell("Secret of ada: ", "not the secret");
      guess.tell("Secret of ada: ", "nor this");
      CHECK(guess.end() == 1);
      CHECK(contains(guess.output(), "do not belong together"));
      CHECK_FALSE(contains(guess.output(), "--token"));
      REQUIRE(book.verify("ada", test::kSecret, base::SystemClock().now()).ok());
    }
    {
      test::ToRun marked = project.to_run(words);
      marked.variables["CLAUDECODE"] = "1";
      test::LiveProgram program(test::phasegate_binary(), marked,
                                test::LiveProgram::Output::terminal, 200);
      CHECK(program.wait_for_end() == 1);
      CHECK(contains(program.output(), "This terminal is an assistant's"));
      CHECK(contains(program.output(), "phasegate db " + words[1]));
    }
    CHECK(title() == changed);
    test::Person person(project, words);
    person.answer(question, "y");
    person.tell("Secret of ada: ", test::kSecret);
    CHECK(person.end() == 0);
  }
  CHECK(title() != changed);
  test::write_file(project.state() / "approvers.db", "no book any more");
  for (const auto& words : {restore, confirm}) {
    test::Person person(project, words);
    CHECK(person.end() == 3);
    CHECK(contains(person.output(), "Nobody can decide"));
  }
}

}  // namespace
}  // namespace phasegate::app::cli
