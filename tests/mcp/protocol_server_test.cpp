#include "tests/mcp/protocol_fixture.h"

namespace phasegate::mcp::protocol {
namespace {

TEST_CASE("legacy: initialize answers a revision that is served, else the latest") {
  struct Row {
    std::string_view asked;
    std::string_view answered;
  };
  for (const Row& row : {Row{"2024-11-05", "2024-11-05"}, Row{"2025-03-26", "2025-03-26"},
                         Row{"2025-06-18", "2025-06-18"}, Row{"2025-11-25", "2025-11-25"},
                         Row{"2026-07-28", "2025-11-25"}, Row{"1999-01-01", "2025-11-25"},
                         Row{"2024-10-07", "2025-11-25"}, Row{"", "2025-11-25"}}) {
    CAPTURE(row.asked);
    Fixture fixture;
    const Json result = fixture.ask(initialize(row.asked))["result"];
    CHECK(result["protocolVersion"] == row.answered);
    CHECK(result["capabilities"] == parsed(R"({"tools":{}})"));
    CHECK(result["instructions"] == "Call echo first.");
    CHECK(result["serverInfo"]["name"] == "fake");
    CHECK(result["serverInfo"]["version"] == "1.2.3");
    CHECK(result["serverInfo"].contains("title") == (row.answered >= "2025-06-18"));
    CHECK_FALSE(result.contains("resultType"));
    CHECK_FALSE(result.contains("_meta"));
    // A second handshake on the same pipe is answered as well.
    CHECK(fixture.ask(initialize("2025-06-18"))["result"]["protocolVersion"] == "2025-06-18");
  }
}

TEST_CASE("legacy: requests that cannot be served say what is wrong") {
  Fixture fixture;
  check_errors(
      fixture,
      {
          {R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", -32602, "1", "protocolVersion"},
          {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}})",
           -32602, "1", "not integer"},
          {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x","clientInfo":[]}})",
           -32602, "1", "clientInfo"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602, "1", "`name`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", -32602, "1", "missing"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}})", -32602, "1",
           "not integer"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ecko"}})", -32602,
           "1", "did you mean \"echo\"?"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"zzzzzz"}})", -32602,
           "1", "tools/list"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[]}})",
           -32602, "1", "not array"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":"{}"}})",
           -32602, "1", "not string"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}})", -32602, "1",
           "cursor"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"p2"}})", -32602,
           "1", "cursor"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}})", -32602, "1",
           "cursor"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}})", -32602, "1",
           "_meta"},
          {R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})", -32601, "1", "`resources`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"resources/templates/list"})", -32601, "1",
           "`resources`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{}})", -32601, "1",
           "`prompts`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"completion/complete"})", -32601, "1",
           "`completions`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})",
           -32601, "1", "`logging`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tool/list"})", -32601, "1",
           "did you mean \"tools/list\"?"},
          {R"({"jsonrpc":"2.0","id":1,"method":""})", -32601, "1", "not offered"},
          {R"({"jsonrpc":"2.0","id":1,"method":"notifications/initialized"})", -32601, "1",
           "not offered"},
          {R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", -32601, "1", "_meta"},
          {R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"})", -32601, "1",
           "not offered"},
      });
  const std::string long_name(100'000, 'm');
  const Json answer = fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":")" + long_name + "\"}");
  CHECK(answer["error"]["message"].get<std::string>().size() < 200);
  CHECK(fixture.tools.calls == 0);
}

TEST_CASE("legacy: null where a member may be absent counts as absent") {
  Fixture fixture;
  CHECK(fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})")["result"] ==
        Json::object());
  CHECK(
      fixture
          .ask(
              R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null,"_meta":null}})")
          .contains("result"));
  CHECK(
      fixture
          .ask(
              R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":null}})")
          .contains("result"));
}

TEST_CASE("legacy: each revision gets the tool fields that it knows") {
  struct Row {
    std::string_view revision;
    std::string_view echo;
  };
  const std::string schema =
      R"("inputSchema":{"type":"object","properties":{"text":{"type":"string"}}})";
  for (
      const Row& row :
      {Row{"2024-11-05", R"({"name":"echo","description":"Gives back its arguments.",SCHEMA})"},
       Row{"2025-03-26",
           R"({"name":"echo","description":"Gives back its arguments.",SCHEMA,"annotations":{"readOnlyHint":true,"title":"Echo"}})"},
       Row{"2025-06-18",
           R"({"name":"echo","title":"Echo","description":"Gives back its arguments.",SCHEMA,"annotations":{"readOnlyHint":true}})"},
       Row{"2025-11-25",
           R"({"name":"echo","title":"Echo","description":"Gives back its arguments.",SCHEMA,"annotations":{"readOnlyHint":true}})"}}) {
    CAPTURE(row.revision);
    Fixture fixture;
    (void)fixture.ask(initialize(row.revision));
    const Json result = fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")["result"];
    REQUIRE(result["tools"].size() == 3);
    CHECK(base::dump(result["tools"][0]) == replaced(row.echo, "SCHEMA", schema));
    CHECK(result.size() == 1);
    if (row.revision >= "2025-03-26") {
      CHECK(base::dump(result["tools"][1]["annotations"]) ==
            R"({"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true})");
    }
    const Json call = fixture.ask(
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hé"}}})");
    CHECK(call["result"]["content"][0]["type"] == "text");
    CHECK(call["result"]["content"][0]["text"] == R"({"echoed":{"text":"hé"}})");
    CHECK(call["result"].contains("structuredContent") == (row.revision >= "2025-06-18"));
    CHECK_FALSE(call["result"].contains("isError"));
    CHECK_FALSE(call["result"].contains("resultType"));
    CHECK(fixture.tools.client_name == "tester");
  }
}

TEST_CASE("legacy: works without a handshake, as the revision that needs none would") {
  Fixture fixture;
  const Json tool =
      fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")["result"]["tools"][0];
  CHECK_FALSE(tool.contains("title"));
  CHECK(tool["annotations"]["title"] == "Echo");
  CHECK(fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")["result"] == Json::object());
}

TEST_CASE("modern: every result carries the envelope of its kind") {
  Fixture fixture;
  const Json discovered = fixture.ask(replaced(
      R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{META}})", "META", kMeta));
  CHECK(base::dump(discovered) ==
        R"({"jsonrpc":"2.0","id":"d","result":{"supportedVersions":["2026-07-28"],)"
        R"("capabilities":{"tools":{}},"instructions":"Call echo first.","ttlMs":3600000,)"
        R"("cacheScope":"public","resultType":"complete","_meta":)"
        R"({"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1.2.3",)"
        R"("title":"Fake server"}}}})");

  const Json list =
      fixture.ask(replaced(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}})",
                           "META", kMeta))["result"];
  CHECK(list["tools"].size() == 3);
  CHECK(list["tools"][0]["title"] == "Echo");
  CHECK(list["resultType"] == "complete");
  CHECK(list["ttlMs"] == 3600000);
  CHECK(list["cacheScope"] == "public");
  CHECK(list["_meta"] == discovered["result"]["_meta"]);

  const Json call = fixture.ask(
      replaced(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail",META}})",
               "META", kMeta))["result"];
  CHECK(call["isError"] == true);
  CHECK(call["content"][0]["text"] == "Gate closed: finish phase 1 first.");
  CHECK_FALSE(call.contains("structuredContent"));
  CHECK_FALSE(call.contains("ttlMs"));
  CHECK(call["resultType"] == "complete");
  CHECK(call["_meta"] == discovered["result"]["_meta"]);
}

TEST_CASE("modern: an incomplete envelope, another version, a removed or unknown method") {
  Fixture fixture;
  check_errors(
      fixture,
      {
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})",
           -32602, "1", "clientCapabilities"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}})",
           -32602, "1", "protocolVersion"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5,"io.modelcontextprotocol/clientCapabilities":{}}}})",
           -32602, "1", "not integer"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}})",
           -32602, "1", "not array"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"me"}}})",
           -32602, "1", "clientInfo"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}}})",
           -32602, "1", "logLevel"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":1.5}}})",
           -32602, "1", "progressToken"},
          // The envelope is judged before the version, the version before the method.
          {R"({"jsonrpc":"2.0","id":1,"method":"foo","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}})",
           -32602, "1", "clientCapabilities"},
          {R"({"jsonrpc":"2.0","id":1,"method":"foo","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})",
           -32022, "1", "2099-01-01"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}})",
           -32022, "1", "2025-11-25"},
          {R"({"jsonrpc":"2.0","id":5,"method":"foo","params":{META}})", -32601, "5",
           "not offered"},
          {R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-11-25",META}})",
           -32601, "5", "2026-07-28 removed it"},
          {R"({"jsonrpc":"2.0","id":5,"method":"ping","params":{META}})", -32601, "5",
           "2026-07-28 removed it"},
          {R"({"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"info",META}})",
           -32601, "5", "removed it"},
          {R"({"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{META}})", -32601,
           "5", "removed it"},
          {R"({"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{META}})", -32601,
           "5", "not offered"},
          {R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nope",META}})",
           -32602, "5", "unknown tool"},
          {R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x",META}})", -32602,
           "5", "cursor"},
      });
  const Json refused = fixture.ask(
      R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})");
  CHECK(base::dump(refused["error"]["data"]) ==
        R"({"supported":["2026-07-28"],"requested":"2099-01-01"})");
}

TEST_CASE("both eras share one pipe, message by message") {
  Fixture fixture;
  const std::string modern =
      replaced(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}})", "META", kMeta);
  const std::string legacy = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  CHECK(fixture.ask(modern)["result"].contains("resultType"));
  CHECK(fixture.ask(initialize("2025-06-18"))["result"]["protocolVersion"] == "2025-06-18");
  CHECK(fixture.ask(modern)["result"].contains("resultType"));
  CHECK_FALSE(fixture.ask(legacy)["result"].contains("resultType"));
  CHECK(fixture.ask(legacy)["result"]["tools"] == fixture.ask(modern)["result"]["tools"]);
}

TEST_CASE("foreign keys in _meta are tolerated in both eras") {
  Fixture fixture;
  (void)fixture.ask(initialize("2025-06-18"));
  CHECK(
      fixture
          .ask(
              R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"callId":"c","progressToken":1},"name":"echo","arguments":{}}})")
          .contains("result"));
  CHECK(
      fixture
          .ask(
              R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{},"inputResponses":{},"_meta":{"claudecode/toolUseId":"t","progressToken":3,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"modern one","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}})")
          .contains("result"));
  CHECK(fixture.tools.client_name == "modern one");
}

TEST_CASE("a tool that throws is an internal error without its text, and the server goes on") {
  Fixture fixture;
  const Json answer =
      fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crash"}})");
  CHECK(answer["id"] == 1);
  CHECK(answer["error"]["code"] == -32603);
  CHECK(base::dump(answer).find("secret") == std::string::npos);
  CHECK(fixture.ask(R"({"jsonrpc":"2.0","id":2,"method":"ping"})")["result"] == Json::object());
}

TEST_CASE("2025-03-26: a batch is answered as a batch, and only after that handshake") {
  Fixture fixture;
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  (void)fixture.ask(initialize("2025-03-26"));
  const Json answers = fixture.ask("[" + ping +
                                   R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},5,)"
                                   R"({"jsonrpc":"2.0","id":"x","method":"tools/list"},[],)"
                                   R"({"jsonrpc":"2.0","id":2,"method":"nope"}])");
  REQUIRE(answers.is_array());
  REQUIRE(answers.size() == 5);
  CHECK(base::dump(answers[0]) == R"({"jsonrpc":"2.0","id":1,"result":{}})");
  CHECK(answers[1]["error"]["code"] == -32600);
  CHECK(answers[2]["result"]["tools"].size() == 3);
  CHECK(answers[3]["error"]["code"] == -32600);
  CHECK(answers[4]["error"]["code"] == -32601);

  fixture.silent(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  CHECK(fixture.ask("[]")["error"]["code"] == -32600);
  const Json refused = fixture.ask("[" + initialize("2025-06-18") + "]");
  CHECK(refused[0]["error"]["code"] == -32600);

  std::string many = "[" + ping;
  for (std::size_t i = 0; i < base::limits::kMessagesQueuedMax; ++i) many += "," + ping;
  CHECK(fixture.ask(many + "]")["error"]["message"].get<std::string>().find("1024") !=
        std::string::npos);

  (void)fixture.ask(initialize("2025-06-18"));
  CHECK(fixture.ask("[" + ping + "]")["error"]["code"] == -32600);
}

TEST_CASE("2025-03-26: what is of another revision, or given up, is refused within a batch") {
  Fixture fixture;
  (void)fixture.ask(initialize("2025-03-26"));
  const Json answers =
      fixture.ask(replaced(R"([{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{META}},)"
                           R"({"jsonrpc":"2.0","id":2,"method":"ping"}])",
                           "META", kMeta));
  CHECK(answers[0]["error"]["code"] == -32600);
  CHECK(answers[1]["result"].empty());

  class GivenUp final : public Exchange {
   public:
    bool send(std::string) override { return false; }
    [[nodiscard]] bool cancelled() override { return true; }
    bool wait(std::chrono::milliseconds) override { return false; }
  };
  GivenUp given_up;
  const auto line = fixture.server.answer(
      parse_message(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}])"),
      given_up);
  CHECK(parsed(*line)[0]["error"]["code"] == -32603);
  CHECK(fixture.tools.calls == 0);
}

/// One tool of the test's making.
class OneTool final : public Service {
 public:
  OneTool(std::string schema, std::string text) : text_(std::move(text)) {
    ToolDefinition tool;
    tool.name = "t";
    tool.input_schema = std::move(schema);
    tools_ = std::make_shared<const std::vector<ToolDefinition>>(std::vector{tool});
  }
  [[nodiscard]] Offer offer() const override { return {}; }
  [[nodiscard]] std::shared_ptr<const std::vector<ToolDefinition>> tools() override {
    return tools_;
  }
  [[nodiscard]] Outcome<ToolResult> call_tool(std::string_view, const Json&,
                                              CallContext&) override {
    ToolResult result;
    result.text = text_;
    return result;
  }

 private:
  std::string text_;
  std::shared_ptr<const std::vector<ToolDefinition>> tools_;
};

TEST_CASE("a tool whose schema is no object is a mistake of ours and found at start") {
  OneTool broken("[]", "");
  CHECK_THROWS_AS(test::FakeServer{broken}, std::invalid_argument);
}

TEST_CASE("text that is not UTF-8 never leaves as such") {
  OneTool dirty("{}", "a\xff\nb");
  test::FakeServer server(dirty);
  const auto answer =
      server.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}})");
  REQUIRE(answer.has_value());
  CHECK(parsed(*answer)["result"]["content"][0]["text"] == "a\xEF\xBF\xBD\nb");
}

}  // namespace
}  // namespace phasegate::mcp::protocol
