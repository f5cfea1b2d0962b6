#include "phases/requirement_names.h"

#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/text.h"

using namespace phasegate::phases;

TEST_CASE("P-6, 004-15: names of sentences are stable, plain and short") {
  struct Case {
    const char* sentence;
    const char* name;
  };
  const Case cases[] = {
      {"report.md file exists", "report_md_file_exists"},
      {"All tests pass", "all_tests_pass"},
      {"`docs/` folder — created!", "docs_folder_created"},
      {"3 examples given", "item_3_examples_given"},
      {"Don't skip", "dont_skip"},
      {"APIs/interfaces  specified", "apis_interfaces_specified"},
      {"  __x__  ", "x"},
      {"Größe geprüft", "größe_geprüft"},
      {"关键文件覆盖", "关键文件覆盖"},
      {"ID 格式统一：是", "id_格式统一_是"},
  };
  for (const Case& c : cases) CHECK(name_from_sentence(c.sentence) == c.name);
}

TEST_CASE("P-6: any sentence gives a name within the limit, and other sentences other names") {
  const std::string long_words =
      "a very long sentence that goes on and on about what must be there at the end of it all";
  const char* sentences[] = {"テスト完了",     "テスト失敗",     "Größe geprüft",
                             "Grösse geprüft", "✅✅",           "…",
                             "\xff\xfe",       "аудит завершён", "x"};
  std::set<std::string> names;
  for (const std::string sentence : sentences) {
    CAPTURE(sentence);
    const std::string name = name_from_sentence(sentence);
    CHECK(name == name_from_sentence(sentence));
    CHECK(is_plain_name(name));
    CHECK(name.size() <= 60);
    CHECK(phasegate::base::is_utf8(name));
    names.insert(name);
  }
  CHECK(names.size() == std::size(sentences));
  const std::string cut = name_from_sentence(long_words);
  CHECK(cut.size() <= 60);
  CHECK(cut.back() != '_');
  CHECK(name_from_sentence(std::string(5000, 'x')).size() == 60);
  CHECK(name_with_hash(cut, long_words).size() <= 60);
  CHECK(name_with_hash("a", "one") != name_with_hash("a", "two"));
}

TEST_CASE("004-18: the description is the sentence without its marks") {
  struct Case {
    const char* text;
    const char* plain;
  };
  const Case cases[] = {
      {"Done ✅/❌", "Done"},
      {"Done ✅ / ❌ ", "Done"},
      {"Done [✅/❌]", "Done"},
      {"Done (✅)", "Done"},
      {"a\nb ✅/❌", "a b"},
      {"In docs/ ✅/❌", "In docs/"},
      {"✅ means yes", "✅ means yes"},
      {"plain (text)", "plain (text)"},
      {"", ""},
      {"✅/❌", ""},
      {"a/", "a/"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(plain_sentence(c.text) == c.plain);
  }
}

TEST_CASE("requirements: conditional wording") {
  for (const char* yes : {"Docs linked (if phase 0 ran)", "Migrated, if applicable",
                          "Notes (optional)", "Built (when needed)"}) {
    CHECK(is_conditional(yes));
  }
  for (const char* no : {"Checked if valid", "All optional parts done", "When in doubt, asked"}) {
    CHECK_FALSE(is_conditional(no));
  }
}

TEST_CASE("requirements: names whose sense contradicts being true") {
  struct Case {
    const char* name;
    const char* description;
    bool negative;
  };
  const Case cases[] = {
      {"tests_failed", "", true},
      {"files_missing", "", true},
      {"has_errors", "", true},
      {"stubs_detected", "No stubs found", true},
      {"errors_found", "", true},
      {"no_errors", "", false},
      {"no_errors_found", "", false},
      {"errors_fixed", "", false},
      {"violations_resolved", "", false},
      {"has_examples", "", false},
      {"index_exists", "The index exists", false},
      {"tests_passed", "No test fails", false},
      {"", "", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(is_negative(c.name, c.description) == c.negative);
  }
}
