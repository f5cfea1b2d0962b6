#include "phases/yaml_node.h"

#include <string>

#include <doctest/doctest.h>

#include "base/limits.h"

using namespace phasegate::phases;
namespace limits = phasegate::base::limits;
using Kind = YamlNode::Kind;

namespace {

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// Nine times nine times nine …: a kilobyte of text that stands for a billion values.
std::string laughs() {
  std::string text = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n";
  for (int level = 1; level < 10; ++level) {
    const std::string before = "*a" + std::to_string(level - 1);
    text += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + before;
    for (int i = 0; i < 8; ++i) text += ", " + before;
    text += "]\n";
  }
  return text;
}

}  // namespace

TEST_CASE("native YAML: what is refused, where, and in which words") {
  struct Case {
    std::string text;
    const char* where;
    const char* says;
  };
  const Case cases[] = {
      {"a: 1\nb: 2\na: 3\n", "3:1", "\"a\" appears twice in one map, first in line 1"},
      {"a: {b: 1, b: 2}\n", "1:11", "first in line 1"},
      {"a: 1\n---\nb: 2\n", "3:1", "second document"},
      {"a: !!int 3\n", "1:4", "tags are not read"},
      {"a: !mine {b: 1}\n", "1:4", "tags are not read"},
      {"x: &x {a: 1}\ny:\n  <<: *x\n", "3:3", "merge keys"},
      {"x: &x k\n? *x\n: 1\n", "2:3", "cannot be a key"},
      {"? [a, b]\n: 1\n", "1:3", "single word or text"},
      {"a: &a [*a]\n", "1:8", "within its own anchor"},
      {"a: *nobody\n", "1:4", "anchor is not defined"},
      {laughs(), "6:10", "more than 100000 values, those that aliases"},
      {"a: &a \"" + std::string(500'000, 'x') + "\"\nb: [" + repeated("*a, ", 100) + "]\n", "2:33",
       "more than 4194304 bytes"},
      {"a: " + repeated("[", 65) + repeated("]", 65), "1:67", "deeper than 64"},
      {"x: &x " + repeated("[", 40) + repeated("]", 40) + "\ny: " + repeated("[", 40) + "*x" +
           repeated("]", 40),
       "2:44", "deeper than 64"},
      {std::string(limits::kWorkflowFileBytesMax + 1, '#'), "1:1", "the limit is 1048576"},
      {"a: b\xFF\n", "1:5", "not UTF-8"},
      {"\xC3\xA4: b\n\xC3\xA4: \xC3\n", "2:4", "not UTF-8"},
      {std::string("a: b\0c", 6), "1:5", "control character"},
      {"a:\n\tb: 1\n", "2:1", "a tab indents this line"},
      {"a:\n  - b\n \t- c\n", "3:2", "a tab indents this line"},
      {"a: |\n\ttext\n", "2:1", "a tab indents this line"},
      {"a: b: c\n", "1:5", "illegal map value"},
      {"a: [1, 2\n", "2:1", "end of"},
      {"\xC3\xA4\xC3\xB6: {x: 1, x: 2}\n", "1:12", "first in line 1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text.substr(0, 80));
    const auto got = parse_native_yaml(c.text);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == "invalid_yaml");
    CHECK(got.error().where == c.where);
    CHECK_MESSAGE(got.error().message.find(c.says) != std::string::npos, got.error().message);
  }
}

TEST_CASE("native YAML: hints say what was probably meant") {
  CHECK(parse_native_yaml("title: a: b\n").error().hint.find("in quotes") != std::string::npos);
  CHECK(parse_native_yaml("a:\n\tb: 1\n").error().hint.find("spaces") != std::string::npos);
  CHECK(parse_native_yaml("a: [1,\n").error().hint.find("bracket") != std::string::npos);
}

TEST_CASE("native YAML: only plain true and false are booleans, and nothing is nothing") {
  const auto root = parse_native_yaml(
      "a: yes\nb: 'true'\nc: true\nd: ~\ne:\nf: null\ng: 'null'\nh: |\n  text\ni: >-\n  one\n  "
      "two\n");
  REQUIRE(root.ok());
  CHECK(root->find("a")->scalar == "yes");
  CHECK(root->find("b")->quoted);
  CHECK_FALSE(root->find("c")->quoted);
  CHECK(root->find("d")->is_null());
  CHECK(root->find("e")->is_null());
  CHECK(root->find("f")->is_null());
  CHECK(root->find("g")->scalar == "null");
  CHECK(root->find("h")->quoted);
  CHECK(root->find("h")->scalar == "text\n");
  CHECK(root->find("i")->scalar == "one two");
  CHECK(parse_native_yaml("").value().is_null());
  CHECK(parse_native_yaml("# only this\n").value().is_null());
}

TEST_CASE("native YAML: aliases are copies that know where they stand") {
  const auto root = parse_native_yaml("x: &x {a: [1, 2]}\ny:\n  - *x\n  - *x\nz: &z word\nw: *z\n");
  REQUIRE(root.ok());
  const YamlNode& list = *root->find("y");
  REQUIRE(list.items.size() == 2);
  CHECK(list.items[1].find("a")->items.size() == 2);
  CHECK(list.items[1].line == 4);
  CHECK(list.items[1].column == 5);
  CHECK(root->find("w")->scalar == "word");
}

TEST_CASE("native YAML: a byte order mark, CRLF and CR change nothing") {
  const std::string plain = "a: |\n  one\n  two\nb: \"x\"\n";
  const auto with_ends = [&](const std::string& end) {
    std::string text = "\xEF\xBB\xBF";
    for (const char c : plain) text += c == '\n' ? end : std::string(1, c);
    return text;
  };
  for (const char* end : {"\n", "\r\n", "\r"}) {
    CAPTURE(std::string(end).size());
    const auto root = parse_native_yaml(with_ends(end));
    REQUIRE(root.ok());
    CHECK(root->find("a")->scalar == "one\ntwo\n");
    CHECK(root->members[1].line == 4);
    CHECK(root->members[0].column == 1);
  }
}

TEST_CASE("native YAML: columns count characters, also in one long line") {
  const auto root = parse_native_yaml("\xC3\xA4\xE2\x82\xAC: {\xF0\x9F\x98\x80: 1, b: x}\n");
  REQUIRE(root.ok());
  const YamlNode& map = root->members[0].value;
  CHECK(map.column == 5);
  CHECK(map.members[0].column == 6);
  CHECK(map.members[0].value.column == 9);
  CHECK(map.members[1].column == 12);
  CHECK(map.members[1].value.column == 15);
}

TEST_CASE("native JSON: escapes, positions and kinds of values") {
  const auto root = parse_native_json(
      "{\n  \"a\": \"\\ud83d\\ude00 \\u00e9\\n\\\"\",\n  \"\\u0062\": [1.50, true, null, \"true\"],"
      "\n\t\"c\": {}, \"d\": []\n}\n");
  REQUIRE_MESSAGE(root.ok(), root.error().message);
  CHECK(root->find("a")->scalar == "\xF0\x9F\x98\x80 \xC3\xA9\n\"");
  CHECK(root->find("a")->quoted);
  const YamlNode* list = root->find("b");
  REQUIRE(list != nullptr);
  CHECK(root->members[1].line == 3);
  CHECK(root->members[1].column == 3);
  CHECK(list->items[0].scalar == "1.50");
  CHECK(list->items[1].scalar == "true");
  CHECK_FALSE(list->items[1].quoted);
  CHECK(list->items[2].is_null());
  CHECK(list->items[3].quoted);
  CHECK(list->items[3].column == 32);
  CHECK(root->members[2].line == 4);
  CHECK(root->members[2].column == 2);
  CHECK(root->members[2].value.kind == Kind::map);
  CHECK(root->members[3].value.kind == Kind::sequence);
}

TEST_CASE("native JSON: what is refused, and where") {
  struct Case {
    std::string text;
    const char* where;
    const char* says;
  };
  const Case cases[] = {
      {"", "1:1", "unexpected end of input"},
      {"{\"a\": 1,\n \"b\": ,}", "2:7", "unexpected"},
      {"{\"a\": 1, // no\n}", "1:10", "invalid literal"},
      {"{\"a\": 1}\n{}", "2:1", "expected end of input"},
      {"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", "3:2", "appears twice in one object, first in line 1"},
      {"{\"a\": {\"b\": 1, \"\\u0062\": 2}}", "1:16", "appears twice"},
      {"{\"a\": \"\\ud83d\"}", "1:14", "surrogate"},
      {"{\"a\": NaN}", "1:7", "invalid literal"},
      {repeated("[", 65) + repeated("]", 65), "1:65", "deeper than 64"},
      {repeated("[", 100'000), "1:100001", "unexpected end of input"},
      {"[" + repeated("1,", 100'000) + "1]", "1:200000", "more than 100000 values"},
      {"\"" + std::string(limits::kWorkflowFileBytesMax, 'x') + "\"", "1:1",
       "the limit is 1048576"},
      {"{\"a\": \"\xFF\"}", "1:8", "not UTF-8"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text.substr(0, 80));
    const auto got = parse_native_json(c.text);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == "invalid_json");
    CHECK(got.error().where == c.where);
    CHECK_MESSAGE(got.error().message.find(c.says) != std::string::npos, got.error().message);
  }
  CHECK(parse_native_json("\xEF\xBB\xBF{\"a\": 1}").ok());
}

TEST_CASE("gate file YAML: anchors, aliases and yes stay what they were") {
  const auto parse = [](const std::string& text) { return parse_yaml(text, 1000, 8); };
  CHECK(parse("a: yes\n")->find("a")->as_bool() == true);
  CHECK(parse("a: 'yes'\n")->find("a")->as_bool() == std::nullopt);
  CHECK(parse("a: &x 1\n").error().message.find("anchors") != std::string::npos);
  CHECK(parse("a: *x\n").error().message.find("not defined") != std::string::npos);
  CHECK(parse("<<: {a: 1}\n").ok());
  CHECK(parse("a: 1\na: 2\n").error().where == "2:1");
}
