#include <string>
#include <thread>

#include "tests/mcp/http/endpoint_fixture.h"
#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

/// The endpoint behind the listener, over sockets.
namespace phasegate::mcp::http {
namespace {

struct Live {
  Live() {
    listener.handler.on_refuse = [this](const RequestHead& head) {
      return fixture.endpoint.refuse(head);
    };
    listener.handler.on_request = [this](const Request& request) {
      return fixture.endpoint.handle(request);
    };
    listener.run();
  }
  ~Live() { stop(); }

  void stop() {
    fixture.endpoint.close_streams();
    listener.stop();
  }

  /// A request as bytes.
  static std::string bytes(const Ask& ask) {
    std::string text = ask.request.head.method + " " + ask.request.head.path + " HTTP/1.1\r\n";
    for (const auto& [name, value] : ask.request.head.headers.all()) {
      text.append(name).append(": ").append(value).append("\r\n");
    }
    return text + "Content-Length: " + std::to_string(ask.request.body.size()) + "\r\n\r\n" +
           ask.request.body;
  }
  test::RawResponse send(const Ask& ask) { return test::ask(listener.address(), bytes(ask)); }

  std::string session() {
    const test::RawResponse response = send(initialize());
    REQUIRE(response.status == 200);
    return response.header("Mcp-Session-Id");
  }
  /// A connection on which `ask` has been sent.
  test::RawClient begin(const Ask& ask) {
    test::RawClient client(listener.address());
    REQUIRE(client.send(bytes(ask)));
    return client;
  }

  /// Reads until a change has come. A stream is told nothing before it is attached, which is a
  /// moment after its head has left; so the change is announced over and over.
  std::string read_change(test::RawClient& client) {
    const std::jthread announcing([this](const std::stop_token& enough) {
      while (!enough.stop_requested()) {
        fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
        std::this_thread::yield();
      }
    });
    return client.read_until("tools/list_changed");
  }

  Fixture fixture;
  test::LiveListener listener;
};

}  // namespace

TEST_CASE("live: a legacy client from its handshake to its end") {
  Live live;
  const std::string session = live.session();
  CHECK(session.size() == 36);
  test::RawClient first = live.begin(Ask("GET").header("Mcp-Session-Id", session));
  CHECK(first.read_until("\r\n\r\n").find("text/event-stream") != std::string::npos);
  CHECK(live.read_change(first).find("event: message") != std::string::npos);
  test::RawClient second = live.begin(Ask("GET").header("Mcp-Session-Id", session));
  CHECK(second.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  CHECK(live.read_change(second).find("event: message") != std::string::npos);
  // The older one has made room.
  static_cast<void>(first.read_rest());

  CHECK(live.send(Fixture::legacy(session, rpc("tools/list", ""))).status == 200);
  CHECK(live.send(Ask("DELETE").header("Mcp-Session-Id", session)).status == 204);
  static_cast<void>(second.read_rest());
  CHECK(live.send(Fixture::legacy(session, rpc("tools/list", ""))).status == 404);
}

TEST_CASE("live: a listen stream ends with its result when the server stops") {
  Live live;
  test::RawClient client =
      live.begin(modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
  static_cast<void>(client.read_until("subscriptions/acknowledged"));
  // The subscription stands a moment after its acknowledgement has left.
  while (!live.fixture.subscriptions.wanted().tools) std::this_thread::yield();
  live.fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  static_cast<void>(client.read_until("tools/list_changed"));
  live.stop();
  CHECK(client.read_rest().find(R"("resultType":"complete")") != std::string::npos);
}

TEST_CASE("live: a modern client that leaves has cancelled, a legacy one has not") {
  Live live;
  test::Latch rounds;
  test::Latch ended;
  live.fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    while (context.wait(std::chrono::milliseconds(1))) rounds.count();
    ended.count();
  };
  test::RawClient modern_client =
      live.begin(modern("tools/call", R"("name":"slow")", "slow", kMetaProgress));
  REQUIRE(rounds.wait());
  modern_client.close();
  CHECK(ended.wait());

  const std::string session = live.session();
  test::RawClient legacy_client =
      live.begin(Fixture::legacy(session, rpc("tools/call", R"("name":"slow")")));
  REQUIRE(rounds.wait(rounds.value() + 1));
  legacy_client.close();
  // It goes on and on.
  CHECK(rounds.wait(rounds.value() + 200));
  CHECK(ended.value() == 1);
  const std::string cancelled =
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})";
  CHECK(live.send(Fixture::legacy(session, cancelled)).status == 202);
  CHECK(ended.wait(2));
}

TEST_CASE("live: calls that wait end when the server stops, and are answered") {
  Live live;
  test::Latch running;
  live.fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    running.count();
    CHECK_FALSE(context.wait(std::chrono::hours(1)));
  };
  const std::string session = live.session();
  test::RawClient streamed =
      live.begin(Fixture::legacy(session, rpc("tools/call", R"("name":"slow")")));
  test::RawClient plain = live.begin(modern("tools/call", R"("name":"slow")", "slow"));
  REQUIRE(running.wait(2));
  live.stop();
  CHECK(streamed.read_rest().find("\"result\"") != std::string::npos);
  CHECK(plain.read_rest().find("\"result\"") != std::string::npos);
}

TEST_CASE("live: a page from elsewhere is refused, and its connection ends") {
  Live live;
  test::RawClient client =
      live.begin(modern("tools/list").header("Origin", "http://evil.example.com"));
  const test::RawResponse response = client.read_response();
  CHECK(response.status == 403);
  CHECK(response.head.find("Access-Control") == std::string::npos);
  CHECK(client.is_closed());
  CHECK(live.send(modern("tools/list").header("Origin", "http://localhost:3000")).status == 200);
}

}  // namespace phasegate::mcp::http
