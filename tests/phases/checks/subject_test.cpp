#include <doctest/doctest.h>

#include "base/json.h"
#include "base/text.h"
#include "phases/check.h"

/// What a gate says of its checks before anything is sent: what is looked at, and what is wanted.
namespace phasegate::phases {

using base::Json;

TEST_CASE("check subjects: they say what is wanted, on one short line") {
  struct Case {
    CheckKind kind;
    const char* parameters;
    const char* said;
  };
  const Case cases[] = {
      {CheckKind::file, R"({"path":"a.md","exists":true})", "a.md"},
      {CheckKind::file, R"({"path":"a.md","min_size":200,"lacks":"TODO"})",
       R"(a.md (min_size 200, lacks "TODO"))"},
      {CheckKind::file, R"({"path":"a.md","changed_since_step":true})",
       "a.md (changed_since_step)"},
      {CheckKind::file, R"({"path":"a","absent":true})", "a (absent)"},
      {CheckKind::count, R"({"files":["tests/**"],"at_least":3})", "tests/** (at_least 3)"},
      {CheckKind::count, R"({"files":["a"],"pattern":"^def ","equals":"evidence.n"})",
       R"(a (pattern "^def ", equals evidence.n))"},
      {CheckKind::command, R"({"argv":["make","lint"],"timeout":5,"env":{"A":"b"}})", "make lint"},
      {CheckKind::command, R"({"argv":["a"],"exit":[1,2]})", "a (exit 1 2)"},
      {CheckKind::tests,
       R"({"argv":["make","test"],"files":["t"],"junit":"j","fails_at":"start","min_tests":3})",
       "make test (fails_at start, min_tests 3)"},
      {CheckKind::tests, R"({"project":"test","passes_now":true})", "the project's command test"},
      {CheckKind::sqlite, R"({"db":"a.db","query":"SELECT 1","expect":"row"})",
       R"(a.db (query "SELECT 1"))"},
      {CheckKind::expr, R"({"that":"evidence.a > 1"})", "evidence.a > 1"},
      {CheckKind::guard, R"({"paths":["a","b"],"additions":"allowed"})", "a b (additions allowed)"},
      {CheckKind::git, R"({"clean":true})", "clean"},
  };
  for (const Case& c : cases) {
    Check check;
    check.kind = c.kind;
    check.parameters = c.parameters;
    CHECK(subject_of(check) == c.said);
  }
  Check longest;
  longest.kind = CheckKind::file;
  longest.parameters = base::dump(Json{
      {"path", std::string(500, 'p')}, {"min_size", 7}, {"lacks", std::string(500, 'x') + "\n"}});
  const std::string said = subject_of(longest);
  CHECK(said.size() <= 200);
  CHECK(said.find("min_size 7") != std::string::npos);
  CHECK(said.find('\n') == std::string::npos);
}

}  // namespace phasegate::phases
