#include "mcp/tools/search_tool.h"

#include <optional>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"
#include "mcp/protocol/local_call.h"
#include "mcp/tools/document_search.h"
#include "tests/mcp/desk.h"

namespace phasegate {
namespace {

using base::Json;

/// Answers with what it was given and remembers what it was asked.
class FakeSearch final : public mcp::tools::DocumentSearch {
 public:
  base::Result<mcp::tools::Searched> search(const rag::SearchRequest& request,
                                            const std::string& session_id) override {
    asked = request;
    session = session_id;
    if (error) return *error;
    mcp::tools::Searched searched;
    searched.milliseconds = 1.25;
    searched.answer.searched = passages.size();
    for (std::size_t i = request.offset; i < passages.size(); ++i) {
      if (searched.answer.passages.size() == request.results) break;
      searched.answer.passages.push_back(passages[i]);
    }
    searched.answer.more = request.offset + searched.answer.passages.size() < passages.size();
    searched.answer.corrected = corrected;
    searched.answer.complete = complete;
    return searched;
  }

  std::vector<rag::FoundPassage> passages;
  std::vector<rag::CorrectedWord> corrected;
  bool complete = true;
  std::optional<base::Error> error;
  rag::SearchRequest asked;
  std::string session;
};

rag::FoundPassage passage(int number, std::string content) {
  rag::FoundPassage made;
  made.id = "id" + std::to_string(number);
  made.file = "standards/" + std::to_string(number) + ".md";
  made.section = "Rules > Rule " + std::to_string(number);
  made.tokens = (content.size() + 3) / 4;
  made.content = std::move(content);
  made.line_first = 3;
  made.line_last = 9;
  made.relevance = 1.0 / (number + 1);
  return made;
}

phases::LoadedWorkflow generation(bool passages) {
  phases::LoadedWorkflow loaded = test::test_generation();
  loaded.workflow.passages_on_refusal = passages;
  return loaded;
}

struct SearchDesk {
  explicit SearchDesk(bool passages = false) : desk(generation(passages)) {}

  test::Desk desk;
  FakeSearch search;
  std::unique_ptr<mcp::protocol::Service> tools{mcp::tools::make_tools(
      desk.house.engine(),
      {.root = "/project", .principal = "ada", .command_options = "", .search = &search})};

  mcp::protocol::ToolResult call(const Json& arguments,
                                 const std::string& tool = "search_standards") {
    mcp::protocol::LocalCall call("ada", "test");
    return std::get<mcp::protocol::ToolResult>(tools->call_tool(tool, arguments, call.context()));
  }
};

TEST_CASE("search_standards: answers with the fields that 004's sibling documents name") {
  SearchDesk desk;
  desk.search.passages = {passage(1, "Take mutexes in one order.\n"),
                          passage(2, "Release them in reverse.\n")};
  desk.search.passages[1].workflow = "review";
  desk.search.passages[1].phase = "2";
  desk.search.passages[1].tags = {"locks"};
  const auto result = desk.call({{"query", "mutex"}});
  REQUIRE_FALSE(result.is_error);
  const Json& out = *result.structured;
  REQUIRE(out["results"].size() == 2);
  const Json& first = out["results"][0];
  CHECK(first["content"] == "Take mutexes in one order.\n");
  CHECK(first["file"] == "standards/1.md");
  CHECK(first["section"] == "Rules > Rule 1");
  CHECK(first["lines"] == "3-9");
  CHECK(first["relevance_score"] == 0.5);
  CHECK(first["tokens"] == 7);
  CHECK_FALSE(first.contains("workflow"));
  CHECK(out["results"][1]["workflow"] == "review");
  CHECK(out["results"][1]["phase"] == "2");
  CHECK(out["results"][1]["tags"] == Json({"locks"}));
  CHECK(out["total_tokens"] == 7 + 7);
  CHECK(out["retrieval_method"] == "bm25f");
  CHECK(out["query_time_ms"] == 1.25);
  CHECK_FALSE(out.contains("next_cursor"));
  CHECK(result.text.find("standards/1.md:3-9 · Rules > Rule 1") != std::string::npos);
  CHECK(result.text.find("Take mutexes in one order.") != std::string::npos);
}

TEST_CASE("search_standards: hands on what was asked for, as assistants write it") {
  SearchDesk desk;
  static_cast<void>(desk.call({{"query", "mutex"}}));
  CHECK(desk.search.asked.results == base::limits::kSearchResultsDefault);
  static_cast<void>(desk.call({{"query", "mutex"},
                               {"n_results", 20},
                               {"filter_phase", 2},
                               {"filter_tags", {"Locks", "a, b"}},
                               {"session_id", "s"},
                               {"workflow", "w"}}));
  CHECK(desk.search.asked.query == "mutex");
  CHECK(desk.search.asked.results == 20);
  CHECK(desk.search.asked.phase == "2");
  CHECK(desk.search.asked.tags == std::vector<std::string>{"locks", "a", "b"});
  CHECK(desk.search.asked.workflow == "w");
  CHECK(desk.search.session == "s");
  static_cast<void>(
      desk.call({{"query", "mutex"}, {"filter_tags", "Locks"}, {"filter_phase", nullptr}}));
  CHECK(desk.search.asked.tags == std::vector<std::string>{"locks"});
  CHECK(desk.search.asked.phase.empty());
}

TEST_CASE("search_standards: wrong arguments are refused with what was wanted") {
  SearchDesk desk;
  const Json wrong[] = {Json::object(),
                        {{"query", 7}},
                        {{"query", "a"}, {"n_results", 0}},
                        {{"query", "a"}, {"n_results", 21}},
                        {{"query", "a"}, {"n_results", "5"}},
                        {{"query", "a"}, {"max_tokens", 1}},
                        {{"query", "a"}, {"filter_tags", {1, 2}}},
                        {{"query", "a"}, {"filter_phase", -1}},
                        {{"query", "a"}, {"filter_phase", 1.5}},
                        {{"query", "a"}, {"filter_phase", {{"a", 1}}}},
                        {{"query", "a"}, {"unheard_of", 1}}};
  for (const Json& arguments : wrong) {
    CAPTURE(arguments.dump());
    const auto result = desk.call(arguments);
    REQUIRE(result.is_error);
    CHECK((*result.structured)["error"] == "invalid_argument");
    CHECK_FALSE((*result.structured)["required_action"].get<std::string>().empty());
  }
  for (const char* cursor : {"x", "5", "5-", "5-00000000", "-1-abc", "99999999999999999999-0"}) {
    CAPTURE(cursor);
    const auto result = desk.call({{"query", "a"}, {"cursor", cursor}});
    REQUIRE(result.is_error);
    CHECK((*result.structured)["error"] == "invalid_cursor");
  }
}

TEST_CASE("search_standards: pages stay within the bound and lose no passage") {
  SearchDesk desk;
  for (int i = 0; i < 60; ++i) {
    // Quotes take two bytes in JSON: the structured answer is the larger one.
    desk.search.passages.push_back(passage(i, std::string(900, i % 2 == 0 ? '"' : 'x') + "\n"));
  }
  std::vector<std::string> ids;
  Json arguments{{"query", "rule"}, {"n_results", 20}};
  for (bool more = true; more;) {
    const auto result = desk.call(arguments);
    REQUIRE_FALSE(result.is_error);
    CHECK(result.text.size() <= base::limits::kPageBytesMax);
    CHECK(base::dump_size(*result.structured) <= base::limits::kPageBytesMax);
    const Json& out = *result.structured;
    REQUIRE(!out["results"].empty());
    for (const Json& row : out["results"]) ids.push_back(row["id"]);
    more = out.contains("next_cursor");
    if (more) arguments["cursor"] = out["next_cursor"];
    REQUIRE(ids.size() <= 60);
  }
  REQUIRE(ids.size() == 60);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(ids[i] == "id" + std::to_string(i));

  SUBCASE("a cursor belongs to its query") {
    const auto result = desk.call({{"query", "another"}, {"cursor", arguments["cursor"]}});
    CHECK(result.is_error);
  }
}

TEST_CASE("search_standards: max_tokens bounds the passages, and the first is shortened to fit") {
  SearchDesk desk;
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "line " + std::to_string(i) + " of a long rule\n";
  desk.search.passages = {passage(1, lines), passage(2, "short\n")};
  const auto result = desk.call({{"query", "rule"}, {"max_tokens", 300}});
  const Json& out = *result.structured;
  REQUIRE(out["results"].size() == 1);
  CHECK(out["total_tokens"].get<int>() <= 300);
  CHECK(out["results"][0]["shortened"] == true);
  CHECK(out["results"][0]["content"].get<std::string>().ends_with("rule\n"));
  CHECK(out.contains("next_cursor"));

  const auto both = desk.call({{"query", "rule"}, {"max_tokens", 100000}});
  CHECK((*both.structured)["results"].size() == 2);
}

TEST_CASE("search_standards: a passage larger than an answer is shown as far as it goes") {
  SearchDesk desk;
  desk.search.passages = {passage(1, std::string(30'000, '"'))};
  const auto result = desk.call({{"query", "rule"}});
  REQUIRE_FALSE(result.is_error);
  CHECK(result.text.size() <= base::limits::kPageBytesMax);
  CHECK(base::dump_size(*result.structured) <= base::limits::kPageBytesMax);
  CHECK((*result.structured)["results"][0]["shortened"] == true);
}

TEST_CASE("search_standards: says what it did differently, and what to do when nothing is found") {
  SearchDesk desk;
  desk.search.corrected = {{"mutx", "mutex"}};
  desk.search.complete = false;
  desk.search.passages = {passage(1, "Take mutexes in one order.\n")};
  auto result = desk.call({{"query", "mutx"}});
  CHECK((*result.structured)["corrected"]["mutx"] == "mutex");
  CHECK((*result.structured)["index"] == "building");
  CHECK(result.text.find("\"mutex\"") != std::string::npos);

  desk.search.passages.clear();
  result = desk.call({{"query", "mutx"}});
  CHECK((*result.structured)["next_call"].get<std::string>().find("in a moment") !=
        std::string::npos);
  desk.search.complete = true;
  result = desk.call({{"query", "mutx"}});
  CHECK_FALSE(result.is_error);
  CHECK((*result.structured)["results"] == Json::array());
  CHECK((*result.structured)["next_call"].get<std::string>().find("project.yaml") !=
        std::string::npos);

  desk.search.error = base::Error{"invalid_query", "no word", "ask for something", "query"};
  result = desk.call({{"query", "?"}});
  CHECK(result.is_error);
  CHECK((*result.structured)["error"] == "invalid_query");
}

TEST_CASE("passages: a refused gate names where documents speak of what is missing, if asked to") {
  for (const bool wanted : {true, false}) {
    CAPTURE(wanted);
    SearchDesk desk(wanted);
    desk.search.passages = {passage(1, "Count every function.\n"), passage(9, "Far off.\n")};
    const std::string id = desk.desk.start("test_generation_v3");
    const auto refused =
        desk.call({{"session_id", id}, {"phase", "1"}, {"evidence", {{"method_count", 3}}}},
                  "complete_phase");
    REQUIRE(refused.is_error);
    CHECK(refused.structured->contains("passages") == wanted);
    CHECK((refused.text.find("standards/1.md:3-9") != std::string::npos) == wanted);
    if (!wanted) continue;
    CHECK(desk.search.session == id);
    CHECK(desk.search.asked.query.find("function_count") != std::string::npos);
    // One that has little to do with it is not named, and no text is repeated.
    const Json& places = (*refused.structured)["passages"];
    REQUIRE(places.size() == 1);
    CHECK(places[0]["file"] == "standards/1.md");
    CHECK(refused.text.find("Count every function.") == std::string::npos);

    desk.search.error = base::Error{"invalid_query", "no word", "", ""};
    const auto without = desk.call(
        {{"session_id", id}, {"phase", "1"}, {"evidence", Json::object()}}, "complete_phase");
    CHECK(without.is_error);
    CHECK_FALSE(without.structured->contains("passages"));
  }
}

TEST_CASE("reached text: what a session may be shown, and nothing again that is known") {
  test::Desk desk(test::test_generation());
  const std::string id = desk.start("test_generation_v3");
  auto reached = desk.house.engine().reached_text(id, "");
  REQUIRE(reached);
  std::vector<std::string> paths;
  for (const auto& document : reached->documents) {
    paths.push_back(document.path);
    CHECK(document.phase == "1");
    CHECK_FALSE(document.text.empty());
  }
  CHECK(paths == std::vector<std::string>{"phases/1/phase.md", "phases/1/task-1.md"});
  const auto again = desk.house.engine().reached_text(id, reached->digest);
  REQUIRE(again);
  CHECK(again->documents.empty());
  CHECK(again->digest == reached->digest);
  CHECK_FALSE(desk.house.engine().reached_text("no-session", ""));
}

}  // namespace
}  // namespace phasegate
