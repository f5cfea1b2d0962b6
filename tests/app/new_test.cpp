#include <functional>
#include <set>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/new_workflow.h"
#include "app/cli/schema_copy.h"
#include "app/embedded.h"
#include "phases/builtin.h"
#include "tests/app/project.h"

namespace cli = phasegate::app::cli;
namespace fs = std::filesystem;
using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;
using phasegate::test::read_file;
using phasegate::test::workflow_of;

namespace {

constexpr const char* kModeline = "# yaml-language-server: $schema=../workflow.schema.json\n";

fs::path made(const Project& project, const std::string& name) {
  return project.root() / ".phasegate/workflows" / name;
}

/// The names in a folder, hidden ones too.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace

TEST_CASE("new: a workflow's name becomes its file's and its id, everything else stays") {
  CHECK(cli::with_name("workflow: old\ntitle: x\n", "mine") ==
        std::string(kModeline) + "workflow: mine\ntitle: x\n");
  CHECK(cli::with_name("# yaml-language-server: $schema=elsewhere\n# why\nworkflow: old  # id\n"
                       "steps:\n  - workflow: kept",
                       "mine") ==
        std::string(kModeline) + "# why\nworkflow: mine  # id\nsteps:\n  - workflow: kept\n");
  // What YAML takes for a number or a truth value is put in quotes.
  for (const char* name : {"123", "1e5", "true", "No"}) {
    CHECK(contains(cli::with_name("workflow: x\n", name),
                   "workflow: \"" + std::string(name) + "\"\n"));
  }
  CHECK(cli::with_name("", "mine") == kModeline);
}

TEST_CASE("new: names that cannot be a workflow's are refused with what can") {
  for (const char* name : {"review", "review_code-2", "0b", "a.b", "Review"}) {
    CHECK_MESSAGE(cli::check_new_name(name).ok(), name);
  }
  for (const std::string& name :
       {std::string("../x"), std::string("a/b"), std::string(".hidden"), std::string("-x"),
        std::string("a b"), std::string("gr\xC3\xBCn"), std::string("x.yaml"), std::string(65, 'a'),
        std::string("a\nb")}) {
    CAPTURE(name);
    const auto checked = cli::check_new_name(name);
    REQUIRE_FALSE(checked.ok());
    CHECK(checked.error().code == "usage");
    CHECK_FALSE(checked.error().hint.empty());
  }
}

TEST_CASE("new: writes a workflow and the schema beside its folder, and says what is next") {
  const Project project;
  const Ended ended = project.run({"new", "mine"});
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "Made .phasegate/workflows/mine.yaml"));
  CHECK(contains(ended.out, "phasegate validate mine --state "));
  CHECK(contains(ended.out, "\"start the mine workflow\""));
  const std::string text = read_file(made(project, "mine.yaml"));
  CHECK(text.starts_with(kModeline));
  CHECK(contains(text, "\nworkflow: mine\n"));
  CHECK(read_file(project.root() / ".phasegate/workflow.schema.json") == cli::schema_for_project());
  CHECK(names_in(project.root() / ".phasegate") ==
        std::set<std::string>{"workflow.schema.json", "workflows"});
  CHECK(names_in(project.root() / ".phasegate/workflows") ==
        std::set<std::string>{"broken", "mine.yaml", "two_steps"});
}

TEST_CASE("new: a project that has no .phasegate yet gets one") {
  const Project project;
  fs::remove_all(project.root() / ".phasegate");
  CHECK(project.run({"new", "mine"}).code == 0);
  CHECK(fs::exists(made(project, "mine.yaml")));
}

TEST_CASE("new: what exists is never overwritten, whatever it is") {
  const Project project;
  phasegate::test::write_file(made(project, "a.yaml"), "mine");
  phasegate::test::write_file(made(project, "b.json"), "mine");
  fs::create_symlink("nowhere", made(project, "c.yaml"));
  struct Row {
    const char* name;
    const char* taken_by;
  };
  for (const Row& row : std::vector<Row>{
           {"two_steps", "two_steps"}, {"a", "a.yaml"}, {"b", "b.json"}, {"c", "c.yaml"}}) {
    CAPTURE(row.name);
    const Ended ended = project.run({"new", row.name});
    CHECK(ended.code == 1);
    CHECK(contains(ended.err, std::string(row.taken_by) + " exists already. Nothing was changed."));
    CHECK(contains(ended.err, "phasegate new " + std::string(row.name) + "_2"));
  }
  CHECK(read_file(made(project, "a.yaml")) == "mine");
  CHECK(read_file(made(project, "b.json")) == "mine");
  CHECK(fs::is_symlink(made(project, "c.yaml")));
  CHECK_FALSE(fs::exists(project.root() / ".phasegate/workflow.schema.json"));
}

TEST_CASE("new: a free name is offered, not one that is taken, too") {
  const Project project;
  CHECK(project.run({"new", "mine"}).code == 0);
  CHECK(project.run({"new", "mine_2"}).code == 0);
  CHECK(contains(project.run({"new", "mine"}).err, "phasegate new mine_3"));
}

TEST_CASE("new: the schema it writes is the program's own, with a digest of it") {
  const std::string text = cli::schema_for_project();
  CHECK(cli::is_unchanged_schema(text));
  Json json = Project::parsed(text);
  CHECK(json.erase("$comment") == 1);
  CHECK(json == Project::parsed(std::string(phasegate::app::workflow_schema())));
  // Whatever is changed in it, it shows.
  for (const std::size_t at : {std::size_t{0}, std::size_t{30}, text.find("sha256 ") + 10,
                               text.size() / 2, text.size() - 1}) {
    std::string changed = text;
    changed[at] = changed[at] == 'x' ? 'y' : 'x';
    CHECK_FALSE(cli::is_unchanged_schema(changed));
    CHECK_FALSE(cli::is_unchanged_schema(text.substr(0, at)));
  }
  CHECK_FALSE(cli::is_unchanged_schema(text + "\n"));
}

TEST_CASE("new: another version's copy of the schema is renewed, a present one is left") {
  const Project project;
  const fs::path schema = project.root() / ".phasegate/workflow.schema.json";
  phasegate::test::write_file(
      schema,
      "{\n  \"$comment\": \"Written by phasegate new, which renews it as long as it is unchanged: "
      "sha256 78fbce966319e360904c88617e7ed1fb86d9e89c08e1b89653017ca35ad11637\",\n"
      "  \"title\": \"an older one\"\n}\n");
  REQUIRE(cli::is_unchanged_schema(read_file(schema)));
  CHECK(project.run_json({"new", "mine", "--json"})["schema_left"].is_null());
  CHECK(read_file(schema) == cli::schema_for_project());
  // As it lies in the program's own repository it is the same.
  phasegate::test::write_file(schema, std::string(phasegate::app::workflow_schema()));
  CHECK(project.run_json({"new", "second", "--json"})["schema_left"].is_null());
  CHECK(read_file(schema) == phasegate::app::workflow_schema());
}

TEST_CASE("new: a schema that somebody has changed or put elsewhere is never touched") {
  const Project project;
  const fs::path schema = project.root() / ".phasegate/workflow.schema.json";
  const fs::path elsewhere = project.root() / "theirs.json";
  phasegate::test::write_file(elsewhere, cli::schema_for_project());
  const std::string edited = cli::schema_for_project() + "\n";
  struct Row {
    const char* why;
    std::function<void()> make;
    std::function<bool()> is_untouched;
  };
  int number = 0;
  for (const Row& row : std::vector<Row>{
           {"holds something else", [&] { phasegate::test::write_file(schema, edited); },
            [&] { return read_file(schema) == edited; }},
           {"is a link", [&] { fs::create_symlink(elsewhere, schema); },
            [&] { return fs::read_symlink(schema) == elsewhere; }},
           {"is a link", [&] { fs::create_symlink("nowhere", schema); },
            [&] {
              return fs::is_symlink(schema) && !fs::exists(project.root() / ".phasegate/nowhere");
            }},
           {"is no file", [&] { fs::create_directory(schema); },
            [&] { return fs::is_directory(schema); }},
           {"is no file", [&] { REQUIRE(::mkfifo(schema.c_str(), 0600) == 0); },
            [&] { return fs::is_fifo(schema); }},
       }) {
    CAPTURE(row.why);
    row.make();
    const std::string name = "mine" + std::to_string(++number);
    phasegate::test::ToRun wide = project.to_run({"new", name});
    wide.variables["COLUMNS"] = "1000";
    const Ended ended = phasegate::test::run_program(phasegate::test::phasegate_binary(), wide);
    CHECK(ended.code == 0);
    CHECK(contains(ended.out, "workflow.schema.json " + std::string(row.why) + ", so it was left"));
    CHECK(contains(ended.out, "Move it away"));
    CHECK(fs::exists(made(project, name + ".yaml")));
    CHECK(row.is_untouched());
    const Json json = project.run_json({"new", name + "_too", "--json"});
    CHECK(contains(json["schema_left"].get<std::string>(), row.why));
    fs::remove(schema);
  }
  CHECK(read_file(elsewhere) == cli::schema_for_project());
}

TEST_CASE("new --from: a copy of what the program carries, with its comments") {
  const Project project;
  REQUIRE_FALSE(phasegate::phases::builtin_workflows().empty());
  for (const auto& one : phasegate::phases::builtin_workflows()) {
    const std::string name = "my_" + std::string(one.id);
    const Json json = project.run_json({"new", name, "--from", std::string(one.id), "--json"});
    CHECK(json["id"] == name);
    CHECK(json["file"] == ".phasegate/workflows/" + name + ".yaml");
    CHECK(json["from"] == std::string(one.id));
    CHECK(json["hides"].is_null());
    CHECK(read_file(made(project, name + ".yaml")) == cli::with_name(one.text, name));
  }
  const Ended unknown = project.run({"new", "mine", "--from", "featur"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "Did you mean `feature`?"));
  CHECK(contains(project.run({"new", "mine", "--from", "zzzzzzzz"}).err, "It carries "));
  CHECK_FALSE(fs::exists(made(project, "mine.yaml")));
}

TEST_CASE("bad environment: a folder that cannot be written is exit code 3, and nothing is made") {
  const Project project;
  fs::remove_all(project.root() / ".phasegate");
  phasegate::test::write_file(project.root() / ".phasegate", "a file where a folder is wanted");
  const Ended ended = project.run({"new", "mine"});
  CHECK(ended.code == 3);
  CHECK(ended.out.empty());
  CHECK(contains(ended.err, ".phasegate/workflows cannot be written"));
  CHECK_FALSE(contains(ended.err, project.root().string() + "/.phasegate"));

  if (::geteuid() == 0) {
    MESSAGE("the rest is skipped: root may write everywhere");
    return;
  }
  fs::remove(project.root() / ".phasegate");
  fs::permissions(project.root(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(project.run({"new", "mine"}).code == 3);
  fs::permissions(project.root(), fs::perms::owner_all);
}
