#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_service.h"
#include "tests/mcp/protocol_fixture.h"

/// Resources, prompts, completion, content, progress and logging in each revision's shape.
namespace phasegate::mcp::protocol {
namespace {

constexpr std::array<std::string_view, 4> kHandshakes{"2024-11-05", "2025-03-26", "2025-06-18",
                                                      "2025-11-25"};

/// Keeps what a call sends before its answer.
class Recorder final : public Exchange {
 public:
  bool send(std::string line) override {
    lines.push_back(parsed(line));
    return true;
  }
  [[nodiscard]] bool cancelled() override { return false; }
  bool wait(std::chrono::milliseconds) override { return true; }
  std::vector<Json> lines;
};

struct Desk {
  test::FakeService service;
  test::FakeServer server{service};

  Json ask(std::string_view method, std::string_view params, bool modern) {
    std::string line = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
                       R"(","params":{)" + std::string(params);
    if (modern) line += (params.empty() ? "" : ",") + std::string(kMeta);
    return parsed(*server.answer(line + "}}"));
  }
  Json legacy(std::string_view revision, std::string_view method, std::string_view params) {
    (void)server.answer(initialize(revision));
    return ask(method, params, false)["result"];
  }
};

TEST_CASE("capabilities are what the service offers, as far as a revision knows them") {
  Desk desk;
  const Json modern = desk.ask("server/discover", "", true)["result"]["capabilities"];
  CHECK(base::dump(modern) ==
        R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
        R"("resources":{"subscribe":true,"listChanged":true},"completions":{},"logging":{}})");
  for (const std::string_view revision : kHandshakes) {
    const Json capabilities =
        parsed(*desk.server.answer(initialize(revision)))["result"]["capabilities"];
    CHECK(capabilities.contains("completions") == (revision != "2024-11-05"));
    CHECK(capabilities["resources"]["subscribe"] == true);
  }
}

TEST_CASE("lists come in pages, only the modern revision is told how long they hold") {
  Desk desk;
  const Json first = desk.ask("resources/list", "", true)["result"];
  CHECK(first["resources"][0]["uri"] == "test://one");
  CHECK(first["resources"][0]["title"] == "One");
  CHECK(first["nextCursor"] == "second");
  CHECK(first["ttlMs"] == 60000);
  CHECK(first["cacheScope"] == "private");
  CHECK(first["resultType"] == "complete");
  const Json second = desk.ask("resources/list", R"("cursor":"second")", true)["result"];
  CHECK(second["resources"].size() == 1);
  CHECK_FALSE(second.contains("nextCursor"));
  CHECK_FALSE(second["resources"][0].contains("mimeType"));
  for (const char* cursor : {R"("cursor":"third")", R"("cursor":"")", R"("cursor":7)"}) {
    CHECK(desk.ask("resources/list", cursor, true)["error"]["code"] == -32602);
  }
  for (const std::string_view revision : kHandshakes) {
    const Json legacy = desk.legacy(revision, "resources/list", "");
    CHECK_FALSE(legacy.contains("ttlMs"));
    CHECK_FALSE(legacy.contains("resultType"));
    CHECK(legacy["resources"][0].contains("title") == (revision >= "2025-06-18"));
    CHECK(desk.legacy(revision, "resources/templates/list",
                      "")["resourceTemplates"][0]["uriTemplate"] == "test://{id}");
  }
}

TEST_CASE("a resource is read as text or as base64, one that is not there has its era's code") {
  Desk desk;
  const Json text = desk.ask("resources/read", R"("uri":"test://one")", true)["result"];
  CHECK(base::dump(text["contents"]) ==
        R"([{"uri":"test://one","mimeType":"text/plain","text":"1"}])");
  const Json bytes = desk.ask("resources/read", R"("uri":"test://bytes")", true)["result"];
  CHECK(bytes["contents"][0]["blob"] == "AA==");
  CHECK_FALSE(bytes["contents"][0].contains("text"));
  CHECK(bytes["cacheScope"] == "public");

  const Json gone = desk.ask("resources/read", R"("uri":"test://gone")", true)["error"];
  CHECK(gone["code"] == -32602);
  CHECK(gone["data"]["uri"] == "test://gone");
  (void)desk.server.answer(initialize("2025-11-25"));
  CHECK(desk.ask("resources/read", R"("uri":"test://gone")", false)["error"]["code"] == -32002);
  const std::string endless(base::limits::kUriBytesMax + 1, 'a');
  for (const std::string& uri : {std::string("\"\""), "\"" + endless + "\"", std::string("3")}) {
    CHECK(desk.ask("resources/read", R"("uri":)" + uri, true)["error"]["code"] == -32602);
  }
}

TEST_CASE("prompts: listed with their arguments, filled in with texts only") {
  Desk desk;
  const Json listed = desk.ask("prompts/list", "", true)["result"];
  CHECK(base::dump(listed["prompts"][0]["arguments"]) ==
        R"([{"name":"name","title":"Name","description":"Whom.","required":true},{"name":"how"}])");
  const Json got =
      desk.ask("prompts/get", R"("name":"greet","arguments":{"name":"Ada"})", true)["result"];
  CHECK(got["messages"][0]["role"] == "user");
  CHECK(got["messages"][0]["content"]["text"] == "Hello Ada");
  CHECK_FALSE(got.contains("ttlMs"));
  for (const char* params :
       {R"("name":"other")", R"("name":3)", R"("name":"greet","arguments":{"name":3})",
        R"("name":"greet","arguments":[])"}) {
    CHECK(desk.ask("prompts/get", params, true)["error"]["code"] == -32602);
  }
}

TEST_CASE("completion: at most a hundred values, and whether there are more") {
  Desk desk;
  constexpr std::string_view kParams =
      R"("ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"},)"
      R"("context":{"arguments":{"how":"loud","odd":3}})";
  const Json few = desk.ask("completion/complete", kParams, true)["result"]["completion"];
  CHECK(base::dump(few) == R"({"values":["v0","v1","v2"],"total":3,"hasMore":false})");
  CHECK(desk.service.asked.ref == "greet");
  CHECK(desk.service.asked.value == "A");
  REQUIRE(desk.service.asked.known.size() == 1);
  CHECK(desk.service.asked.known[0].value == "loud");

  desk.service.completions = 101;
  const Json many = desk.ask("completion/complete", kParams, true)["result"]["completion"];
  CHECK(many["values"].size() == 100);
  CHECK(many["hasMore"] == true);
  for (const char* params :
       {R"("argument":{"name":"n","value":""})", R"("ref":{"type":"ref/tool","name":"x"})",
        R"("ref":{"type":"ref/prompt"},"argument":{"name":"n","value":""})",
        R"("ref":{"type":"ref/resource","uri":"u"},"argument":{"name":"n"})"}) {
    CHECK(desk.ask("completion/complete", params, true)["error"]["code"] == -32602);
  }
}

TEST_CASE("content that a revision does not know is said in words") {
  Desk desk;
  const Json modern = desk.ask("tools/call", R"("name":"media")", true)["result"]["content"];
  CHECK(modern.size() == 4);
  CHECK(modern[0]["type"] == "image");
  CHECK(modern[2]["resource"]["text"] == "inside");
  CHECK(modern[3]["type"] == "resource_link");
  for (const std::string_view revision : kHandshakes) {
    const Json content = desk.legacy(revision, "tools/call", R"("name":"media")")["content"];
    CHECK(content[1]["type"] == (revision == "2024-11-05" ? "text" : "audio"));
    CHECK(content[3]["type"] == (revision >= "2025-06-18" ? "resource_link" : "text"));
  }
}

TEST_CASE("progress is reported to whoever asked, and only what goes on, logging likewise") {
  Desk desk;
  const auto sent = [&](std::string_view meta) {
    Recorder recorder;
    (void)desk.server.answer(
        parse_message(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":{)" +
            std::string(meta) + "}}}"),
        recorder);
    return recorder.lines;
  };
  const std::string modern = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{})";
  CHECK(sent(modern).empty());
  const auto progress = sent(modern + R"(,"progressToken":"t")");
  REQUIRE(progress.size() == 1);
  CHECK(base::dump(progress[0]) ==
        R"({"jsonrpc":"2.0","method":"notifications/progress",)"
        R"("params":{"progressToken":"t","progress":1,"total":2,"message":"half"}})");
  const auto logged = sent(modern + R"(,"io.modelcontextprotocol/logLevel":"info")");
  REQUIRE(logged.size() == 1);
  CHECK(base::dump(logged[0]["params"]) ==
        R"({"level":"warning","logger":"work","data":{"left":1}})");
  CHECK(sent(modern + R"(,"io.modelcontextprotocol/logLevel":"debug")").size() == 2);
  CHECK(sent(modern + R"(,"io.modelcontextprotocol/logLevel":"alert")").empty());

  (void)desk.server.answer(initialize("2025-06-18"));
  CHECK(sent(R"("progressToken":7)").size() == 2);
  CHECK(desk.ask("logging/setLevel", R"("level":"critical")", false)["result"].empty());
  CHECK(sent(R"("progressToken":7)").size() == 1);
  CHECK(desk.ask("logging/setLevel", R"("level":"loud")", false)["error"]["code"] == -32602);
}

}  // namespace
}  // namespace phasegate::mcp::protocol
