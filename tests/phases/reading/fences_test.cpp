#include "phases/reading/fences.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/requirement_words.h"
#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;
using phasegate::test::names_of;

namespace {

using Reader = std::vector<Requirement> (*)(const MarkdownTree&, const Block&, std::string_view);

/// Reads the first fence of a document whose fence begins on line 1.
std::vector<Requirement> read(Reader reader, const std::string& inside,
                              const std::string& language = "") {
  const std::string text = "```" + language + "\n" + inside + "\n```\n";
  const MarkdownTree tree = parse_markdown(text, Html::tags);
  for (const Block& block : tree.blocks()) {
    if (block.kind == BlockKind::code) return reader(tree, block, "doc.md");
  }
  return {};
}

/// `name: type and rules`, one after the other.
std::string shown(const std::vector<Requirement>& requirements) {
  std::string all;
  for (const Requirement& one : requirements) {
    if (!all.empty()) all += "; ";
    all += one.name + ": " + type_and_rules(one);
  }
  return all;
}

}  // namespace

TEST_CASE("fences: the values of a sample call (004-18)") {
  const auto got = read(sample_call_evidence,
                        "finish(\n    phase=1,\n    evidence={\n        \"rooms_swept\": True,\n"
                        "        \"room_count\": 4,\n        \"dust_grams\": 1.5,\n"
                        "        \"notes\": \"short\",\n        \"photos\": [\"a.jpg\"],\n"
                        "        \"by_room\": {\n            \"hall\": 1\n        },\n"
                        "        \"mood\": \"good|bad\"\n    }\n)",
                        "python");
  CHECK(names_of(got) == "rooms_swept, room_count, dust_grams, notes, photos, by_room, mood");
  REQUIRE(got.size() == 7);
  CHECK(got[0].type == ValueType::boolean);
  CHECK(got[1].type == ValueType::integer);
  CHECK(got[2].type == ValueType::number);
  CHECK(got[3].type == ValueType::string);
  CHECK(got[4].type == ValueType::array);
  CHECK(got[5].type == ValueType::object);
  CHECK(got[6].one_of.size() == 2);
  for (const Requirement& one : got) {
    CHECK(one.kind == RequirementSource::sample_call);
    CHECK(one.source.file == "doc.md");
  }
  CHECK(got[0].source.line == 5);
  CHECK(got[6].source.line == 13);
  CHECK(names_of(read(sample_call_evidence, "{\n  \"evidence\": {\n    \"a_b\": 1\n  }\n}")) ==
        "a_b");
}

TEST_CASE("fences: what is no sample call") {
  for (const char* inside : {"", "evidence", "evidence = 3", "evidence={", "x = {\n  \"a\": 1\n}",
                             "# evidence: look here\n\"a\": 1", "evidence={}\n\"a\": 1"}) {
    CAPTURE(std::string(inside));
    CHECK(read(sample_call_evidence, inside).empty());
  }
}

TEST_CASE("fences: the fields of an evidence block in YAML") {
  const auto got = read(yaml_evidence,
                        "gate: one\nevidence:\n  rooms_swept: true\n  errors: 3  # should be 0\n"
                        "  photos:\n    type: array\n    required: false\nafter: 1",
                        "yaml");
  CHECK(names_of(got) == "rooms_swept, errors, photos");
  REQUIRE(got.size() == 3);
  CHECK(got[0].type == ValueType::boolean);
  CHECK(got[0].source.line == 4);
  REQUIRE(got[1].constant.has_value());
  CHECK(std::get<std::int64_t>(*got[1].constant) == 0);
  CHECK(got[2].type == ValueType::array);
  CHECK_FALSE(got[2].required);
  CHECK(read(yaml_evidence, "gate:\n  rooms: 1").empty());
  CHECK(read(yaml_evidence, "").empty());
}

TEST_CASE("fences: the members of a shown object") {
  const auto got = read(shown_object,
                        "{\n  \"verdict\": \"go|stop\",\n  \"rooms\": [\"name\"],\n"
                        "  \"count\": 3,\n  \"inner\": {\n    \"deep\": 1\n  },\n"
                        "  \"remark\": null\n}",
                        "json");
  CHECK(names_of(got) == "verdict, rooms, count, inner, remark");
  REQUIRE(got.size() == 5);
  CHECK(got[0].one_of.size() == 2);
  CHECK_FALSE(got[4].required);
  CHECK(got[0].source.line == 3);
  CHECK(read(shown_object, "[1, 2]").empty());
  CHECK(read(shown_object, "").empty());
  CHECK(read(shown_object, "{").empty());
}

TEST_CASE("fences: the fields of a form") {
  const auto got = read(form_fields,
                        "Sweeping: [PASS/FAIL]\n- Rooms: [NUMBER]\n- [ ] Lamps are off\n"
                        "### Verdict: GO | STOP\nAll done? [YES/NO]\nplain words");
  CHECK(shown(got).find("sweeping") != std::string::npos);
  REQUIRE(got.size() >= 4);
  CHECK(got[0].name == "sweeping");
  CHECK(got[0].one_of.size() == 2);
  CHECK(got[0].source.line == 2);
  CHECK(got[1].name == "rooms");
  CHECK(got[1].type == ValueType::integer);
  CHECK(got[2].name == "lamps_are_off");
  CHECK(got[2].kind == RequirementSource::checkbox);
  CHECK(got[3].name == "verdict");
  CHECK(got[3].one_of.size() == 2);
  const auto path = read(form_fields, "Report: reports/[name].md");
  REQUIRE(path.size() == 1);
  CHECK(path[0].format == "project-path");
  const auto folder = read(form_fields, "Reports: reports/[name]/\nReport folder: reports/[name]");
  REQUIRE(folder.size() == 2);
  CHECK(folder[0].format == "project-folder");
  CHECK(folder[1].format == "project-folder");
  CHECK(read(form_fields, "# A document\n\n- [ ] to be written").empty());
  CHECK(read(form_fields, "- [ ] [condition]").empty());
  CHECK(read(form_fields, "").empty());
}

TEST_CASE("fences: a line keeps its number behind blank ones") {
  const auto got = read(form_fields, "\n\nSweeping: [PASS/FAIL]\n\n- Rooms: [NUMBER]");
  REQUIRE(got.size() == 2);
  CHECK(got[0].source.line == 4);
  CHECK(got[1].source.line == 6);
}

TEST_CASE("fences: truncated and hostile ones give a result") {
  const std::string whole =
      "evidence={\n \"a_b\": [1, {\"c\": \"}\"}],\n 'd': '|',\n e=None # must be 3\n}\n"
      "A: [PASS/FAIL]\nevidence:\n  x: 1 # should be 0\n";
  for (std::size_t i = 0; i <= whole.size(); ++i) {
    for (const Reader reader : {sample_call_evidence, yaml_evidence, shown_object, form_fields}) {
      CHECK_NOTHROW((void)read(reader, whole.substr(0, i)));
    }
  }
  CHECK_NOTHROW((void)read(sample_call_evidence, "evidence={" + std::string(50'000, '{')));
  CHECK_NOTHROW((void)read(form_fields, std::string(50'000, '[') + ": x"));
}
