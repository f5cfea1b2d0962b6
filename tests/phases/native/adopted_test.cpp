// A native file that was made from documents: what it says about them, and what is said when they
// have changed.
#include "phases/native/adopted.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "phases/native/writer.h"
#include "phases/native/yaml_text.h"
#include "phases/requirement_reader.h"
#include "phases/workflow_reader.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::has;
using phasegate::test::native;
using phasegate::test::step;
using phasegate::test::TempFolder;
namespace base = phasegate::base;

namespace {

std::string digest(char digit) {
  return std::string(64, digit);
}

/// What parse_native_yaml reads where `value` stands behind a key.
std::string read_back(const std::string& value) {
  const auto parsed = parse_native_yaml("a:\n  - key:" + value + "    next: 1\n");
  REQUIRE_MESSAGE(parsed.ok(), value);
  return parsed->find("a")->items.at(0).find("key")->scalar;
}

}  // namespace

TEST_CASE("yaml_block, yaml_quoted: any text comes back byte for byte") {
  using namespace std::string_literals;
  const std::string texts[] = {
      "one line"s,
      "one line\n"s,
      "two\nlines\n"s,
      "two\nlines\n\n\n"s,
      "\n\nbegins with empty lines\n"s,
      "  begins with blanks\nand goes on\n"s,
      "\tbegins with a tab\n"s,
      "ends with blanks   \nand again \t\n   \n"s,
      "   \n"s,
      "   "s,
      "\n"s,
      ""s,
      "a\r\nb\r\n"s,
      "a\r\n   b\r\n\r\n\tc"s,
      "a\rb"s,
      "# comment\n---\n...\nkey: value\n- item\n{{x}} & *y !z %w @v `u` ' \"\n"s,
      "---\n"s,
      "tabs\tinside\n\tand\tindented\n"s,
      "\xEF\xBB\xBF"
      "begins with a mark\n"s,
      "line\u2028separator \u2029 next\u0085line\n"s,
      "control \x01\x1F\x7F characters\n"s,
      "Überblick 🛑 日本語\n"s,
      "back\\slash \"quotes\" \\n\n"s,
      std::string(200'000, 'x') + "\n",
      std::string(2000, '\n'),
      "right to left \u202E mark\n"s,
  };
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 80));
    CHECK((read_back(yaml_block(text, 4)) == text));
    CHECK((read_back(" " + yaml_quoted(text) + "\n") == text));
  }
  CHECK(yaml_block("a\n  b\n", 4) == " |\n      a\n        b\n");
  CHECK(yaml_comment("two\nlines \"x\"", 2) == "  # two\\nlines \"x\"\n");
  CHECK(yaml_key("plain_name") == "plain_name");
  CHECK(yaml_key("null") == "\"null\"");
}

TEST_CASE("native files: aliases and source of a field, adopted_from of the file") {
  const auto read = native(flow(
      "adopted_from: [{file: a.md, sha256: \"" + digest('a') + "\"}]\n",
      step("a",
           "    evidence:\n      s: {type: string, aliases: [t, u v], source: \"a.md:3\"}\n")));
  CAPTURE(all_findings(read));
  CHECK(errors_of(read).empty());
  CHECK(read.workflow.phases[0].gate.requirements[0].aliases ==
        std::vector<std::string>{"t", "u v"});
  const struct {
    std::string text;
    std::string error;
  } kRows[] = {
      {flow("adopted_from: a.md\n"), "wrong_type 2:15"},
      {flow("adopted_from: [a.md]\n"), "wrong_type 2:16"},
      {flow("adopted_from: [{file: a.md}]\n"), "missing_key 2:16"},
      {flow("adopted_from: [{file: a.md, sha256: abc}]\n"), "wrong_type 2:37"},
      {flow("adopted_from: [{file: a.md, sha: x, sha256: \"" + digest('b') + "\"}]\n"),
       "unknown_key 2:29"},
      {flow("", step("a", "    evidence:\n      s: {type: string, aliases: t}\n")),
       "wrong_type 6:34"},
      {flow("", step("a", "    evidence:\n      s: {type: string, aliases: [\" \"]}\n")),
       "unusable_name 6:35"},
      {flow("",
            step("a", "    evidence:\n      s: {type: string, aliases: [t]}\n      t: string\n")),
       "ambiguous_alias 6:0"},
      {flow("", step("a", "    evidence:\n      s: {type: string, source: 3}\n")),
       "wrong_type 6:33"},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.text);
    const auto refused = native(row.text);
    CAPTURE(all_findings(refused));
    CHECK(errors_of(refused) == std::vector<std::string>{row.error});
  }
}

TEST_CASE("native files: documents that have changed since are named with what differs now") {
  const std::string document = "# P\n\n## Validation Gate\n- [ ] Done well\n- [ ] Said so\n";
  const auto read = [&](const std::string& now) {
    const TempFolder place;
    place.write("p.md", now);
    const auto file = place.write(
        "w.yaml",
        flow("adopted_from: [{file: p.md, sha256: \"" + base::sha256_hex(document) + "\"}]\n",
             step("a",
                  "    evidence:\n"
                  "      done_well: {type: boolean, source: \"p.md:4\"}\n"
                  "      told: {type: boolean, aliases: [said_so], source: \"p.md:5\"}\n"
                  "      mine: {type: string}\n")));
    return read_native_file(file);
  };
  CHECK_FALSE(has(read(document), "adopted_document_changed"));
  const auto words = findings_of(read(document + "\nMore words.\n"), "adopted_document_changed");
  REQUIRE(words.size() == 1);
  CHECK(words[0].severity == Severity::warning);
  CHECK(words[0].message == "\"p.md\" changed since it was adopted; it still asks for the same");
  const auto other =
      findings_of(read("# P\n\n## Validation Gate\n- [ ] Said so\n- [ ] Shown as well\n"),
                  "adopted_document_changed");
  REQUIRE(other.size() == 1);
  CHECK(other[0].message ==
        "\"p.md\" changed since it was adopted; it asks for something else now in step a (now also "
        "shown_as_well; no longer done_well)");
}

TEST_CASE("write_native: a document's approval becomes a decision, with its line as a comment") {
  const TempFolder place;
  place.write("p.md",
              "# P\n\n## Phase 1: Do\n\nDo it.\n\n### Validation Gate\n\n- [ ] Done well\n"
              "- [ ] Human approval obtained\n");
  const auto read = read_workflow(place.path() / "p.md", PlainRequirementReader());
  REQUIRE(read.startable());
  const NativeText text = write_native({{&read, ""}});
  CHECK(text.yaml.find("    # The document asks for a person's approval (p.md:10).\n    decision: "
                       "\"Is phase 1 (P) done as it should be?\"\n") != std::string::npos);
  CHECK(text.notes.empty());
  place.write("w.yaml", text.yaml);
  const auto adopted = read_native_file(place.path() / "w.yaml");
  REQUIRE_MESSAGE(adopted.startable(), all_findings(adopted));
  auto was = *decision_demand(read.workflow.phases[0]);
  auto is = *decision_demand(adopted.workflow.phases[0]);
  was.source = is.source = {};
  CHECK(is == was);
  // A document that comes to ask for a person is noticed.
  place.write("q.md",
              "# P\n\n## Validation Gate\n- [ ] Done well\n- [ ] Human approval obtained\n");
  const auto file = place.write(
      "v.yaml",
      flow("adopted_from: [{file: q.md, sha256: \"" + digest('a') + "\"}]\n",
           step("a", "    evidence: {done_well: {type: boolean, source: \"q.md:4\"}}\n")));
  const auto changed = findings_of(read_native_file(file), "adopted_document_changed");
  REQUIRE(changed.size() == 1);
  CHECK_MESSAGE(changed[0].message.ends_with("; now also a person's approval)"),
                changed[0].message);
}

TEST_CASE("native files: documents that do not lie beside the file are no more than a note") {
  const TempFolder place;
  place.write("x/p.md", "# P\n");
  const auto file =
      place.write("w/w.yaml", flow("adopted_from: [{file: ../x/p.md, sha256: \"" + digest('a') +
                                   "\"}, {file: q.md, sha256: \"" + digest('b') + "\"}]\n"));
  const auto read = read_native_file(file);
  CHECK(read.startable());
  CHECK(findings_of(read, "adopted_document_missing").size() == 2);
}

TEST_CASE("write_native: parts of one document are adopted from the document") {
  const auto original = native(flow("", step("a") + step("b")), "two.yaml");
  const NativeText text = write_native({{&original, "docs/"}});
  CAPTURE(text.yaml);
  CHECK(text.yaml.find("file: \"docs/two.yaml\", sha256: \"" +
                       base::sha256_hex(flow("", step("a") + step("b")))) != std::string::npos);
  CHECK(text.yaml.find("#a") == std::string::npos);
}

TEST_CASE("write_native: what was read comes back with its texts, and asks for the same") {
  const TempFolder place;
  place.write("w/metadata.json", phasegate::test::metadata());
  place.write("w/phases/0/phase.md", "# P\r\n\r\n## Validation Gate\r\n- [ ] Done well  \r\n");
  const auto original = phasegate::test::read_folder(place.path() / "w");
  const NativeText text = write_native({{&original, ""}, {&original, "other/"}});
  const auto adopted = native(text.yaml, "w.yaml");
  CAPTURE(text.yaml);
  CAPTURE(all_findings(adopted));
  CHECK(adopted.startable());
  REQUIRE(adopted.workflow.phases.size() == 2);
  CHECK(adopted.workflow.phases[0].id == "0");
  CHECK(adopted.workflow.phases[1].id == "w-0");
  for (const Phase& phase : adopted.workflow.phases) {
    CHECK(phase.title == "P");
    CHECK(adopted.blobs.at(adopted.workflow.documents.at(phase.file).hash) ==
          "# P\r\n\r\n## Validation Gate\r\n- [ ] Done well  \r\n");
    REQUIRE(phase.gate.requirements.size() == 1);
    CHECK(phase.gate.requirements[0].name == "done_well");
    CHECK(phase.gate.requirements[0].description == "Done well");
  }
}
