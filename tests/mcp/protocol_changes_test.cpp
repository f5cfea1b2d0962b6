#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_service.h"
#include "tests/mcp/protocol_fixture.h"

/// Who is told of changes: MCP 2026-07-28 §subscriptions/listen, 2025-11-25 §Resources.
namespace phasegate::mcp::protocol {
namespace {

class Recorder final : public Sink {
 public:
  bool send(std::string line) override {
    lines.push_back(parsed(line));
    return open;
  }
  std::vector<Json> lines;
  bool open = true;
};

struct Desk {
  test::FakeService service;
  test::FakeServer server{service};
  Subscriptions& subscriptions = server.subscriptions;

  std::variant<Listening, Answer> listen(std::string_view notifications,
                                         std::string_view id = "5") {
    const Message message = parse_message(
        R"({"jsonrpc":"2.0","id":)" + std::string(id) +
        R"(,"method":"subscriptions/listen","params":{)" +
        (notifications.empty() ? "" : R"("notifications":)" + std::string(notifications) + ",") +
        std::string(kMeta) + "}}");
    return server.server.listen(message, read_envelope(message.params), "ada");
  }
};

TEST_CASE("a listen stream is acknowledged with what is offered, and told only what it asked for") {
  Desk desk;
  auto accepted = desk.listen(
      R"({"toolsListChanged":true,"resourceSubscriptions":["test://a","other://b","test://a"]})",
      "\"l-1\"");
  REQUIRE(std::holds_alternative<Listening>(accepted));
  const Listening& listening = std::get<Listening>(accepted);
  const Json acknowledged = parsed(listening.acknowledged);
  CHECK(acknowledged["method"] == "notifications/subscriptions/acknowledged");
  CHECK(base::dump(acknowledged["params"]["notifications"]) ==
        R"({"toolsListChanged":true,"resourceSubscriptions":["test://a"]})");
  CHECK(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "l-1");

  const auto stream = std::make_shared<Recorder>();
  auto handle = desk.subscriptions.add(listening.wants, listening.id, stream);
  desk.subscriptions.announce(Subscriptions::Change::prompts);
  desk.subscriptions.announce_resource("test://b");
  CHECK(stream->lines.empty());
  desk.subscriptions.announce(Subscriptions::Change::tools);
  desk.subscriptions.announce_resource("test://a");
  REQUIRE(stream->lines.size() == 2);
  CHECK(stream->lines[0]["method"] == "notifications/tools/list_changed");
  CHECK(stream->lines[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "l-1");
  CHECK(stream->lines[1]["method"] == "notifications/resources/updated");
  CHECK(stream->lines[1]["params"]["uri"] == "test://a");

  const Json ended = parsed(listening.ended);
  CHECK(ended["id"] == "l-1");
  CHECK(ended["result"]["resultType"] == "complete");
  handle = {};
  desk.subscriptions.announce(Subscriptions::Change::tools);
  CHECK(stream->lines.size() == 2);
}

TEST_CASE("a listen that says nothing, or nonsense, is refused") {
  std::string many = "[";
  for (std::size_t i = 0; i <= base::limits::kSubscriptionsMax; ++i) many += "\"test://x\",";
  many.back() = ']';
  for (const std::string& notifications :
       {std::string(), std::string("[]"), std::string(R"({"toolsListChanged":1})"),
        std::string(R"({"resourceSubscriptions":"test://a"})"),
        std::string(R"({"resourceSubscriptions":[3]})"),
        std::string(R"({"resourceSubscriptions":[""]})"),
        R"({"resourceSubscriptions":)" + many + "}"}) {
    Desk desk;
    const auto refused = desk.listen(notifications);
    REQUIRE(std::holds_alternative<Answer>(refused));
    CHECK(std::get<Answer>(refused).error == -32602);
  }
  Desk desk;
  CHECK(std::holds_alternative<Listening>(desk.listen("{}")));
}

TEST_CASE("a legacy session is told of what its server declares, and of what it subscribed to") {
  Desk desk;
  const auto stream = std::make_shared<Recorder>();
  desk.server.session.set_stream(stream);
  desk.subscriptions.announce(Subscriptions::Change::tools);
  CHECK_MESSAGE(stream->lines.empty(), "nothing before the handshake");
  (void)desk.server.answer(initialize("2025-06-18"));
  const auto subscribe = [&](const char* method, const char* uri) {
    return parsed(*desk.server.answer(R"({"jsonrpc":"2.0","id":1,"method":"resources/)" +
                                      std::string(method) + R"(","params":{"uri":")" + uri +
                                      "\"}}"));
  };
  CHECK(subscribe("subscribe", "test://a")["result"].empty());
  CHECK(subscribe("subscribe", "test://a")["result"].empty());
  CHECK(subscribe("subscribe", "other://a")["error"]["code"] == -32002);
  CHECK(desk.subscriptions.wanted().resource_uris == std::vector<std::string>{"test://a"});
  desk.subscriptions.announce(Subscriptions::Change::resources);
  desk.subscriptions.announce_resource("test://a");
  REQUIRE(stream->lines.size() == 2);
  CHECK(base::dump(stream->lines[0]) ==
        R"({"jsonrpc":"2.0","method":"notifications/resources/list_changed"})");
  CHECK(base::dump(stream->lines[1]["params"]) == R"({"uri":"test://a"})");
  CHECK(subscribe("unsubscribe", "test://a")["result"].empty());
  desk.subscriptions.announce_resource("test://a");
  CHECK(stream->lines.size() == 2);

  for (std::size_t i = 0; i < base::limits::kSubscriptionsMax; ++i) {
    CHECK(desk.server.session.subscribe("test://" + std::to_string(i)));
  }
  CHECK(subscribe("subscribe", "test://more")["error"]["code"] == -32602);
}

TEST_CASE("a legacy session's stream may come while it subscribes, and nothing is lost") {
  Subscriptions subscriptions;
  // Whoever is told takes a moment, so that the two meet.
  subscriptions.on_wanted_changed([] { std::this_thread::yield(); });
  constexpr int kRounds = 3000;
  int told = 0;
  for (int i = 0; i < kRounds; ++i) {
    LegacySession session(subscriptions, "ada");
    session.negotiated(Revision::v2025_11_25, "test", {}, {});
    const auto stream = std::make_shared<Recorder>();
    std::jthread comes([&] { session.set_stream(stream); });
    REQUIRE(session.subscribe("test://a"));
    comes.join();
    subscriptions.announce_resource("test://a");
    told += static_cast<int>(stream->lines.size());
  }
  CHECK(told == kRounds);
}

TEST_CASE("whoever announces is told when somebody begins or stops to listen") {
  Subscriptions subscriptions;
  int changes = 0;
  subscriptions.on_wanted_changed([&] { ++changes; });
  const auto stream = std::make_shared<Recorder>();
  Wants wants;
  wants.prompts = true;
  {
    const auto handle = subscriptions.add(wants, "1", stream);
    CHECK(changes == 1);
    CHECK(subscriptions.wanted().prompts);
    stream->open = false;
    subscriptions.announce(Subscriptions::Change::prompts);
    subscriptions.announce(Subscriptions::Change::prompts);
    CHECK_MESSAGE(stream->lines.size() == 1, "a sink that failed is told nothing more");
  }
  CHECK(changes == 2);
  CHECK_FALSE(subscriptions.wanted().prompts);
}

TEST_CASE("a subscription may end while it is told of a change") {
  /// Lets go of its own subscription as a closed stream does.
  class Leaving final : public Sink {
   public:
    bool send(std::string) override {
      handle = {};
      return false;
    }
    Subscriptions::Handle handle;
  };
  Subscriptions subscriptions;
  const auto sink = std::make_shared<Leaving>();
  Wants wants;
  wants.tools = true;
  sink->handle = subscriptions.add(wants, "1", sink);
  subscriptions.announce(Subscriptions::Change::tools);
  CHECK_FALSE(subscriptions.wanted().tools);
}

}  // namespace
}  // namespace phasegate::mcp::protocol
