#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_service.h"
#include "tests/mcp/protocol_fixture.h"

/// Input from people: MCP 2026-07-28 §Multi round-trip requests, 2025-11-25 §Elicitation.
namespace phasegate::mcp::protocol {
namespace {

constexpr std::string_view kAsk =
    R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"ask","arguments":{"what":"x"}EXTRA,)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":CAPABILITIES}}})";
constexpr std::string_view kForms = R"({"elicitation":{}})";

struct Desk {
  test::FakeService service;
  test::FakeServer server{service};

  Json modern(std::string_view extra, std::string_view capabilities = kForms) {
    const auto line = replaced(replaced(kAsk, "EXTRA", extra), "CAPABILITIES", capabilities);
    return parsed(*server.answer(line));
  }
  std::string first_state() {
    const Json asked = modern("");
    REQUIRE(asked["result"]["resultType"] == "input_required");
    return asked["result"]["requestState"];
  }
  Json retry(const std::string& state, std::string_view response) {
    return modern(R"(,"requestState":")" + state + R"(","inputResponses":{"sure":)" +
                  std::string(response) + R"(,"unasked":{}})");
  }
};

TEST_CASE(
    "modern: what is needed is said, and the retry with answer and state completes the call") {
  Desk desk;
  const Json asked = desk.modern("");
  CHECK(asked["id"] == 9);
  const Json& request = asked["result"]["inputRequests"]["sure"];
  CHECK(request["method"] == "elicitation/create");
  CHECK(request["params"]["message"] == "Sure?");
  CHECK_FALSE(request.contains("id"));
  CHECK_FALSE(request.contains("jsonrpc"));
  CHECK_FALSE(asked["result"].contains("ttlMs"));
  CHECK(asked["result"]["_meta"].contains("io.modelcontextprotocol/serverInfo"));

  const std::string state = asked["result"]["requestState"];
  const Json done = desk.retry(state, R"({"action":"accept","content":{"yes":true}})");
  CHECK(done["result"]["resultType"] == "complete");
  CHECK(done["result"]["content"][0]["text"] == "yes: x");
  for (const char* no : {R"({"action":"decline"})", R"({"action":"cancel"})", "{}"}) {
    CHECK(desk.retry(state, no)["result"]["isError"] == true);
  }
  // Every retry of one state carries the same token: that is how the handler knows it again.
  REQUIRE(desk.service.used.size() == 4);
  CHECK(desk.service.used.front() == desk.service.used.back());
}

TEST_CASE("modern: answers without the state, or missing ones, are asked for again") {
  Desk desk;
  const std::string state = desk.first_state();
  CHECK(desk.modern(R"(,"inputResponses":{"sure":{"action":"accept"}})")["result"]["resultType"] ==
        "input_required");
  CHECK(desk.modern(R"(,"requestState":")" + state +
                    R"(","inputResponses":{"other":{}})")["result"]["resultType"] ==
        "input_required");
  CHECK(desk.service.used.empty());
}

TEST_CASE(
    "modern: a state that is not ours, not whole, too old or for another request is refused") {
  Desk desk;
  const std::string state = desk.first_state();
  const std::string accept = R"({"action":"accept"})";
  std::string flipped = state;
  flipped[10] = flipped[10] == 'A' ? 'B' : 'A';
  std::string other_key = state;
  {
    RequestSeal seal([] { return std::string(32, 'z'); });
    other_key = *seal.seal({"ada", "", "t", 1LL << 50, ""});
  }
  for (const std::string& bad :
       {flipped, other_key, state + "A", state.substr(0, state.size() - 1), std::string("v1.x.y"),
        std::string("v1."), std::string("v1.."), std::string("."),
        std::string(base::limits::kRequestStateBytesMax + 1, 'A'), "v2" + state.substr(2)}) {
    CAPTURE(bad.substr(0, 80));
    const Json refused = desk.retry(bad, accept);
    CHECK(refused["error"]["code"] == -32602);
    CHECK(refused["error"]["data"]["reason"] == "invalid_request_state");
  }
  CHECK(desk.modern(R"(,"requestState":7)")["error"]["code"] == -32602);
  CHECK(desk.modern(R"(,"inputResponses":[])")["error"]["code"] == -32602);
  CHECK(desk.modern(R"(,"inputResponses":{"sure":"accept"})")["error"]["code"] == -32602);

  // Other arguments are another request.
  const auto other = replaced(replaced(replaced(kAsk, R"("what":"x")", R"("what":"y")"), "EXTRA",
                                       R"(,"requestState":")" + state + R"(")"),
                              "CAPABILITIES", kForms);
  CHECK(parsed(*desk.server.answer(other))["error"]["code"] == -32602);

  desk.server.clock.advance_ms(base::limits::kRequestStateMs + 1);
  CHECK(desk.retry(state, accept)["error"]["code"] == -32602);
  CHECK(desk.service.used.empty());
}

TEST_CASE("modern: a state belongs to the principal that it was given to") {
  Desk desk;
  const std::string state = desk.first_state();
  const Message retry =
      parse_message(replaced(replaced(kAsk, "EXTRA",
                                      R"(,"requestState":")" + state +
                                          R"(","inputResponses":{"sure":{"action":"accept"}})"),
                             "CAPABILITIES", kForms));
  NoExchange nowhere;
  const auto envelope = read_envelope(retry.params);
  CHECK(desk.server.server.modern(retry, envelope, "eve", nowhere).error == -32602);
  CHECK(desk.server.server.modern(retry, envelope, "ada", nowhere).error == 0);
}

TEST_CASE("modern: another process with the same key can serve the retry") {
  Desk first;
  const std::string state = first.first_state();
  Desk second;
  CHECK(second.retry(state, R"({"action":"accept"})")["result"]["content"][0]["text"] == "yes: x");
}

TEST_CASE("modern: what the client did not declare is not asked for") {
  for (const char* capabilities : {"{}", R"({"elicitation":{"url":{}}})", R"({"sampling":{}})"}) {
    Desk desk;
    const Json refused = desk.modern("", capabilities);
    CHECK(refused["error"]["code"] == -32021);
    CHECK(base::dump(refused["error"]["data"]) ==
          R"({"requiredCapabilities":{"elicitation":{"form":{}}}})");
  }
}

/// A legacy client that answers every question with what the test says, on another thread.
class AnsweringClient final : public Exchange {
 public:
  AnsweringClient(LegacySession& session, std::string answer)
      : session_(session), answer_(std::move(answer)) {}
  ~AnsweringClient() override {
    for (std::thread& thread : threads_) thread.join();
  }

  bool send(std::string line) override {
    const Json message = parsed(line);
    lines.push_back(message);
    if (!message.contains("id") || answer_.empty()) return !answer_.empty();
    const std::string response = replaced(answer_, "ID", base::dump(message["id"]));
    threads_.emplace_back([this, response] { session_.responded(parse_message(response)); });
    return true;
  }
  [[nodiscard]] bool cancelled() override { return gone; }
  bool wait(std::chrono::milliseconds) override { return !gone; }

  std::vector<Json> lines;
  bool gone = false;

 private:
  LegacySession& session_;
  std::string answer_;
  std::vector<std::thread> threads_;
};

Json legacy_call(Desk& desk, std::string_view capabilities, std::string_view answer,
                 std::vector<Json>* asked = nullptr, bool gone = false) {
  (void)desk.server.answer(replaced(initialize("2025-11-25"), R"("capabilities":{})",
                                    R"("capabilities":)" + std::string(capabilities)));
  AnsweringClient client(desk.server.session, std::string(answer));
  client.gone = gone;
  const auto line =
      desk.server.answer(parse_message(R"({"jsonrpc":"2.0","id":4,"method":"tools/call",)"
                                       R"("params":{"name":"ask","arguments":{"what":"x"}}})"),
                         client);
  if (asked != nullptr) *asked = client.lines;
  return parsed(*line);
}

TEST_CASE("legacy: the client is asked inside the call, and its answer completes it") {
  Desk desk;
  std::vector<Json> asked;
  const Json done = legacy_call(
      desk, kForms,
      R"({"jsonrpc":"2.0","id":ID,"result":{"action":"accept","content":{"yes":true}}})", &asked);
  CHECK(done["id"] == 4);
  CHECK(done["result"]["content"][0]["text"] == "yes: x");
  CHECK_FALSE(done["result"].contains("resultType"));
  REQUIRE(asked.size() == 1);
  CHECK(asked[0]["method"] == "elicitation/create");
  CHECK(asked[0]["params"]["message"] == "Sure?");
  CHECK(asked[0]["id"].is_string());
  CHECK(desk.service.used.size() == 1);
}

TEST_CASE("legacy: refusals, errors, nonsense and silence are no yes") {
  for (const char* answer :
       {R"({"jsonrpc":"2.0","id":ID,"result":{"action":"decline"}})",
        R"({"jsonrpc":"2.0","id":ID,"result":{"action":"cancel"}})",
        R"({"jsonrpc":"2.0","id":ID,"result":{}})", R"({"jsonrpc":"2.0","id":ID,"result":true})",
        R"({"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"what?"}})", ""}) {
    CAPTURE(answer);
    Desk desk;
    CHECK(legacy_call(desk, kForms, answer)["result"]["content"][0]["text"] == "no: x");
  }
  Desk desk;
  const Json cancelled =
      legacy_call(desk, kForms, R"({"jsonrpc":"2.0","id":"another","result":{"action":"accept"}})",
                  nullptr, true);
  CHECK(cancelled["result"]["content"][0]["text"] == "no: x");
}

TEST_CASE("legacy: a client that cannot be asked, or whose revision knows no asking, is told so") {
  Desk desk;
  std::vector<Json> asked;
  const Json refused = legacy_call(desk, "{}", "", &asked);
  CHECK(refused["error"]["code"] == -32602);
  CHECK(asked.empty());
  (void)desk.server.answer(replaced(initialize("2025-03-26"), R"("capabilities":{})",
                                    R"("capabilities":{"elicitation":{}})"));
  CHECK_FALSE(desk.server.session.peer().capabilities.elicitation_form);
}

TEST_CASE("modern: without a key nothing is asked, and the reason is said") {
  test::FakeService service;
  Subscriptions subscriptions;
  RequestSeal seal([]() -> base::Result<std::string> {
    return base::Error{"unsafe_key", "the key may be read by others", "remove it", ""};
  });
  base::ManualClock clock;
  base::SystemIdSource ids;
  Server server(test::fake_server_info(), {service, subscriptions, seal, clock, ids});
  const Message ask = parse_message(replaced(replaced(kAsk, "EXTRA", ""), "CAPABILITIES", kForms));
  NoExchange nowhere;
  const Answer answer = server.modern(ask, read_envelope(ask.params), "ada", nowhere);
  CHECK(answer.error == -32603);
  CHECK(answer.line.find("the key may be read by others") != std::string::npos);
  CHECK_FALSE(seal.open("v1.e30.AA").has_value());
}

TEST_CASE("legacy: a question whose asker has left is given up at once") {
  class Left final : public Exchange {
   public:
    bool send(std::string) override { return true; }
    [[nodiscard]] bool cancelled() override { return false; }
    [[nodiscard]] bool reachable() override { return false; }
    bool wait(std::chrono::milliseconds) override { return true; }
  };
  Desk desk;
  (void)desk.server.answer(replaced(initialize("2025-11-25"), R"("capabilities":{})",
                                    R"("capabilities":{"elicitation":{}})"));
  Left left;
  const auto line =
      desk.server.answer(parse_message(R"({"jsonrpc":"2.0","id":4,"method":"tools/call",)"
                                       R"("params":{"name":"ask","arguments":{"what":"x"}}})"),
                         left);
  CHECK(parsed(*line)["result"]["content"][0]["text"] == "no: x");
}

TEST_CASE("a sealed state is read back as it was written") {
  RequestSeal seal([] { return std::string(32, 'k'); });
  const RequestState state{"ada", "digest", "once", 1234, std::string("s\0\xc3\xa9\n", 5)};
  const auto opened = seal.open(*seal.seal(state));
  REQUIRE(opened.has_value());
  CHECK(opened->principal == "ada");
  CHECK(opened->request == "digest");
  CHECK(opened->once == "once");
  CHECK(opened->expires_at_ms == 1234);
  CHECK(opened->state == state.state);
}

}  // namespace
}  // namespace phasegate::mcp::protocol
