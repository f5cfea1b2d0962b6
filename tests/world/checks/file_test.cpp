#include <sys/stat.h>

#include "base/hash.h"
#include "base/limits.h"
#include "tests/world/checks/bench.h"
#include "world/checks/file_names.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;

TEST_CASE("file check: there, absent, large enough, matching (ARCHITECTURE §5)") {
  Bench bench;
  bench.write("docs/plan.md", "\xEF\xBB\xBF# Plan\r\n\r\n## Steps\r\nfirst TODO later\r\n");
  bench.write("docs/empty.md", "");
  bench.write("docs/binary", std::string("a\0b\xFF\xFEsecret\xFFword", 16));
  bench.scope["input"]["name"] = "plan";
  bench.scope["input"]["away"] = "../../etc/passwd";
  bench.scope["input"]["absolute"] = "/etc/passwd";
  REQUIRE(::mkfifo((bench.root / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("/etc/passwd", bench.root / "out");
  fs::create_symlink("loop", bench.root / "loop");
  run_rows(
      bench, CheckKind::file,
      {
          {R"({"path": "docs/plan.md"})", passed},
          {R"({"path": "docs/{{input.name}}.md"})", passed},
          {R"({"path": "docs"})", passed},
          {R"({"path": "docs/", "exists": true})", passed},
          {R"({"path": "docs", "type": "folder"})", passed},
          {R"({"path": ".", "type": "folder"})", passed},
          {R"({"path": ".", "type": "file"})", errored, "names no file"},
          {R"({"path": "docs", "type": "file"})", failed, "docs is a folder, wanted a file"},
          {R"({"path": "docs/plan.md", "type": "file"})", passed},
          {R"({"path": "docs/plan.md/", "type": "folder"})", failed,
           "docs/plan.md is a file, wanted a folder"},
          {R"({"path": "docs/Plan.md"})", failed, "docs/Plan.md does not exist"},
          {R"({"path": "none", "absent": true})", passed},
          {R"({"path": "none", "exists": false})", passed},
          {R"({"path": "docs/plan.md", "absent": true})", failed, "docs/plan.md is there"},
          {R"({"path": "docs", "absent": true})", failed, "docs is there"},
          {R"({"path": "docs/plan.md", "min_size": 10})", passed},
          {R"({"path": "docs/empty.md", "min_size": 1})", failed, "has 0 bytes, wanted at least 1"},
          {R"({"path": "docs/plan.md", "min_size": 200})", failed, "bytes, wanted at least 200"},
          {R"({"path": "docs", "min_size": 1})", failed, "docs is a folder, wanted a file"},
          {R"({"path": "docs/plan.md", "matches": "^# Plan$"})", passed},
          {R"({"path": "docs/plan.md", "matches": "^## Steps$"})", passed},
          {R"({"path": "docs/plan.md", "matches": "^Steps"})", failed,
           "nothing that matches /^Steps/"},
          {R"({"path": "docs/plan.md", "lacks": "TODO"})", failed, "matches /TODO/ on line 4"},
          {R"({"path": "docs/plan.md", "lacks": "FIXME"})", passed},
          {R"({"path": "docs/binary", "lacks": "secret.word"})", failed, "on line 1"},
          {R"({"path": "docs/empty.md", "matches": "."})", failed},
          {R"({"path": "docs/plan.md", "matches": "x(?=a)b"})", errored, "cannot be used"},
          {R"({"path": "docs/plan.md", "matches": "((((a{1,100}){1,100}){1,100}){1,100}x"})",
           errored},
          {R"({"path": "docs/plan.md", "min_size": 999, "matches": "zz"})", failed, "; "},
          {R"({"path": "../p/docs/plan.md"})", errored, "climbs above"},
          {R"({"path": "docs/{{input.away}}"})", errored, "climbs above"},
          {R"({"path": "{{input.absolute}}"})", errored, "absolute"},
          {R"({"path": "{{input.none}}"})", errored},
          {R"({"path": "/usr/share/{{input.away}}"})", errored, "leads out with .."},
          {R"({"path": "out"})", errored, "leads out"},
          {R"({"path": "out", "absent": true})", errored, "leads out"},
          {R"({"path": "loop"})", errored, "loop"},
          {R"({"path": "pipe"})", failed, "not a regular file"},
          {R"({"path": "pipe", "absent": true})", failed},
          {R"({"path": "/dev/zero", "matches": "x"})", failed, "not a regular file"},
          {R"({"path": "docs/plan.md/x"})", failed, "does not exist"},
      });
  const auto near = bench.run(CheckKind::file, {{"path", "docs/Plan.md"}});
  CHECK(near.hint == "did you mean docs/plan.md?");
  CHECK(near.subject == "docs/Plan.md");
  CHECK(bench.run(CheckKind::file, {{"path", "docs/{{input.name}}.md"}}).subject == "docs/plan.md");
}

TEST_CASE("file check: a value leads on from what its author wrote, never back (ARCHITECTURE §5)") {
  Bench bench;
  for (const char* path : {"docs/a.md", "docs/sub/a.md", "docs/report-a.md", "docs/other.md",
                           "secrets.md", "secrets/a.md", "documents/a.md"}) {
    bench.write(path, "x");
  }
  constexpr const char* kLeaves = "does not begin with";
  const struct {
    const char* path;
    const char* value;
    CheckOutcome outcome;
    const char* reason;
  } rows[] = {
      {"docs/{{input.v}}.md", "a", passed, ""},
      {"docs/{{input.v}}.md", "sub/a", passed, ""},
      {"docs/{{input.v}}.md", "none/../sub/./a", passed, ""},
      {"./docs//{{input.v}}.md", "a", passed, ""},
      {"docs/report-{{input.v}}.md", "a", passed, ""},
      {"{{input.v}}.md", "docs/../secrets", passed, ""},
      {"./{{input.v}}.md", "docs/../secrets", passed, ""},
      {"{{input.v}}/a.md", "secrets", passed, ""},
      {"docs/{{input.v}}.md", "../secrets", errored,
       "what was filled into \"docs/{{input.v}}.md\" makes it \"secrets.md\", which does not begin "
       "with \"docs/\" any more"},
      {"docs/{{input.v}}.md", "x/../../secrets", errored, kLeaves},
      {"docs/{{input.v}}.md", "../documents/a", errored, kLeaves},
      {"docs/sub/{{input.v}}.md", "../a", errored, kLeaves},
      {"docs/report-{{input.v}}.md", "/../other", errored, kLeaves},
      {"docs/{{input.v}}", ".", errored, kLeaves},
      {"docs/{{input.v}}", "", errored, kLeaves},
  };
  for (const auto& row : rows) {
    CAPTURE(row.path);
    CAPTURE(row.value);
    bench.scope["input"]["v"] = row.value;
    const auto result = bench.run(CheckKind::file, {{"path", row.path}});
    CAPTURE(result.reason);
    CHECK(gating::to_text(result.outcome) == gating::to_text(row.outcome));
    CHECK(result.reason.find(row.reason) != std::string::npos);
    CHECK(result.hint.empty() == (row.outcome == passed));
  }
}

TEST_CASE("file check: its digest, as evidence or the author says") {
  Bench bench;
  bench.write("a", "abc");
  const std::string digest = base::sha256_hex("abc");
  bench.scope["evidence"]["digest"] = digest;
  bench.scope["evidence"]["wrong"] = std::string(64, 'a');
  run_rows(bench, CheckKind::file,
           {{R"({"path": "a", "sha256": "{{evidence.digest}}"})", passed},
            {R"({"path": "a", "sha256": "{{evidence.wrong}}"})", failed, "wanted aaaa"},
            {R"({"path": "a", "sha256": "abc"})", errored, "no digest"},
            {R"({"path": "a", "sha256": "{{evidence.none}}"})", errored}});
  const auto result = bench.run(CheckKind::file, {{"path", "a"}});
  CHECK(Json::parse(result.value) == Json{{"size", 3}, {"sha256", digest}});
}

TEST_CASE("file check: more than a check reads is an error, its size is not") {
  Bench bench;
  bench.write("big", "");
  fs::resize_file(bench.root / "big", base::limits::kCheckedFileBytesMax + 1);
  run_rows(bench, CheckKind::file,
           {{R"({"path": "big", "min_size": 100})", passed},
            {R"({"path": "big", "lacks": "x"})", errored, "larger than"}});
}

TEST_CASE("file check: every listed name occurs as a whole word") {
  Bench bench;
  bench.write("src/a.py",
              "def parse_all(x):\n  return parser.run(x)\nclass B$:\n  caf\xC3\xA9 = 1");
  const auto with = [&](const Json& list) {
    bench.scope["evidence"]["functions"] = list;
    return bench.run(CheckKind::file,
                     {{"path", "src/a.py"}, {"matches_all", "evidence.functions"}});
  };
  for (const Json& list :
       {Json{"parse_all"}, Json{"run", "parser", "parser.run"}, Json{"parser.run(x)"}, Json{"B$"},
        Json{"caf\xC3\xA9"}, Json{"x", "x", "x"}, Json{"(x):"}}) {
    CAPTURE(list.dump());
    CHECK(with(list).outcome == passed);
  }
  for (const Json& list :
       {Json{"parse"}, Json{"parse_al"}, Json{"all"}, Json{"arser.run"}, Json{"parser.ru"},
        Json{"caf"}, Json{""}, Json{"run", "absent"}, Json::array(), Json(), Json("run"), Json{1},
        Json{"run", nullptr}, Json{std::string("run\0", 4)}}) {
    CAPTURE(list.dump());
    CHECK(with(list).outcome == failed);
  }
  Json many = Json::array();
  for (int i = 0; i < 15; ++i) many.push_back("name" + std::to_string(i));
  const auto result = with(many);
  CHECK(result.reason.find("does not hold \"name0\", \"name1\"") != std::string::npos);
  CHECK(result.reason.find("and 5 more") != std::string::npos);
  CHECK(bench.run(CheckKind::file, {{"path", "src/a.py"}, {"matches_all", "evidence.("}}).outcome ==
        errored);
}

TEST_CASE("file check: names without end in a file without end are refused, not looked for") {
  const std::string text(1U << 24U, 'a');
  std::vector<std::string> words(5000, "b");
  CHECK(names_not_in(words, text)->size() == 1);
  words.clear();
  for (int i = 0; i < 5000; ++i) words.push_back("w" + std::to_string(i));
  CHECK(names_not_in(words, text)->size() == 5000);
  for (std::string& word : words) word += "(";
  CHECK(names_not_in(words, text).error().code == "too_large");
}

TEST_CASE("file check: changed since the phase was entered") {
  Bench bench;
  bench.write("same", "x");
  bench.write("other", "new");
  bench.write("made", "new");
  bench.entered = base::dump(Json{{"same", base::sha256_hex("x")},
                                  {"other", base::sha256_hex("old")},
                                  {"made", ""},
                                  {"gone", base::sha256_hex("old")},
                                  {"never", ""}});
  run_rows(bench, CheckKind::file,
           {{R"({"path": "same", "changed_since_step": true})", failed, "has not changed"},
            {R"({"path": "./same", "changed_since_step": true})", failed, "has not changed"},
            {R"({"path": "same", "changed_since_step": false})", passed},
            {R"({"path": "other", "changed_since_step": true})", passed},
            {R"({"path": "made", "changed_since_step": true})", passed},
            {R"({"path": "gone", "changed_since_step": true})", failed, "does not exist"},
            {R"({"path": "gone", "absent": true, "changed_since_step": true})", passed},
            {R"({"path": "never", "absent": true, "changed_since_step": true})", failed, "either"},
            {R"({"path": "unseen", "absent": true, "changed_since_step": true})", errored,
             "was not looked at"}});
  bench.entered = "";
  run_rows(bench, CheckKind::file,
           {{R"({"path": "same", "changed_since_step": true})", errored, "was not looked at"}});
  bench.entered = "[1";
  run_rows(bench, CheckKind::file,
           {{R"({"path": "same", "changed_since_step": true})", errored, "damaged"}});
}

}  // namespace
}  // namespace phasegate::world::checks
