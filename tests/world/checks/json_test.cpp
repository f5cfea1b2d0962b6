#include "tests/world/checks/bench.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;

TEST_CASE("json check: files and evidence against schemas and expressions (ARCHITECTURE §5)") {
  Bench bench;
  bench.write("a.json", "\xEF\xBB\xBF{\"n\": 3, \"list\": [1, 2], \"ok\": false}\r\n");
  bench.write("schema.json", R"x({"type": "object", "required": ["n"]})x");
  bench.write("strange.json", R"x({"type": "object", "if": {}})x");
  bench.write("half.json", R"x({"n": )x");
  bench.write("empty.json", "");
  bench.write("twice.json", R"x({"n": 1, "n": 2})x");
  bench.write("binary.json", std::string("{\"n\": \"\xFF\0\"}", 11));
  bench.write("deep.json", std::string(100'000, '['));
  bench.write("big.json", "");
  fs::resize_file(bench.root / "big.json", (16U << 20U) + 1);
  bench.scope["evidence"] = {{"report", {{"items", {1, 2, 3}}}}, {"a.b", 1}, {"none", nullptr}};
  run_rows(
      bench, CheckKind::json,
      {
          {R"x({"file": "a.json"})x", passed},
          {R"x({"file": "a.json", "schema": {"type": "object", "required": ["n"]}})x", passed},
          {R"x({"file": "a.json", "schema_file": "schema.json"})x", passed},
          {R"x({"file": "a.json", "schema": {"type": "array"}})x", failed,
           "a.json: the value must be"},
          {R"x({"file": "a.json", "schema": {"required": ["m"],
               "properties": {"n": {"minimum": 5}, "ok": {"const": true}}}})x",
           failed, "/n must be at least 5"},
          {R"x({"file": "a.json", "schema": {"if": {}}})x", errored, "the schema cannot be used"},
          {R"x({"file": "a.json", "schema_file": "strange.json"})x", errored,
           "the schema cannot be used"},
          {R"x({"file": "a.json", "schema_file": "none.json"})x", errored,
           "none.json does not exist"},
          {R"x({"file": "a.json", "schema_file": "half.json"})x", errored, "half.json is no JSON"},
          {R"x({"file": "a.json", "schema_file": "schema.json", "schema": {}})x", errored,
           "both given"},
          {R"x({"file": "a.json", "that": "value.n == 3 && value.list.length == 2"})x", passed},
          {R"x({"file": "a.json", "that": "value.ok"})x", failed,
           "value.ok is not so: value.ok is false"},
          {R"x({"file": "a.json", "that": "value.n"})x", errored,
           "value.n is integer, wanted true or false"},
          {R"x({"file": "a.json", "that": "value.none.x > 1"})x", errored},
          {R"x({"file": "a.json", "that": "value.("})x", errored},
          {R"x({"file": "a.json", "that": "value.n == evidence.report.items.length"})x", passed},
          {R"x({"evidence": "report.items", "schema": {"type": "array", "minItems": 3}})x", passed},
          {R"x({"evidence": "evidence.report", "that": "value.items.length > 3"})x", failed,
           "evidence.report: "},
          {R"x({"evidence": "a.b", "that": "value == 1"})x", passed},
          {R"x({"evidence": "none", "schema": {"type": "object"}})x", failed},
          {R"x({"evidence": "report.item"})x", failed, "evidence.report.item is not there"},
          {R"x({"evidence": "a", "file": "a.json"})x", errored, "both given"},
          {R"x({"that": "true"})x", errored, "neither file nor evidence"},
          {R"x({"file": "half.json"})x", failed, "half.json is no JSON"},
          {R"x({"file": "empty.json"})x", failed, "no JSON"},
          {R"x({"file": "twice.json"})x", failed, "no JSON"},
          {R"x({"file": "binary.json"})x", failed, "no JSON"},
          {R"x({"file": "deep.json"})x", failed, "no JSON"},
          {R"x({"file": "big.json"})x", errored, "larger than"},
          {R"x({"file": "none.json"})x", failed, "does not exist"},
          {R"x({"file": "../a.json"})x", errored},
          {R"x({"file": "/dev/zero"})x", failed, "not a regular file"},
      });
}

TEST_CASE("json check: at most ten problems are told") {
  Bench bench;
  base::Json list = base::Json::array();
  for (int i = 0; i < 30; ++i) list.push_back("text");
  bench.scope["evidence"]["list"] = list;
  const auto result = bench.run(
      CheckKind::json, {{"evidence", "list"}, {"schema", {{"items", {{"type", "integer"}}}}}});
  CHECK(result.outcome == failed);
  CHECK(result.reason.find("/9 must be") != std::string::npos);
  CHECK(result.reason.find("/10 must be") == std::string::npos);
  CHECK(result.reason.find("and 20 more") != std::string::npos);
}

}  // namespace
}  // namespace phasegate::world::checks
