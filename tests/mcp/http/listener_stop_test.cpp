#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;
using mcp::http::CallStream;
using mcp::http::OpenStream;
using mcp::http::Request;
using mcp::http::Response;
using std::chrono::hours;
using test::ask;
using test::get;
using test::post;

namespace {

/// Nothing in it ends by itself.
mcp::http::ListenerLimits patient() {
  auto limits = mcp::http::default_limits();
  limits.head_time = limits.body_time = limits.idle_time = limits.write_time = limits.heartbeat =
      hours(1);
  limits.stream_bytes_max = 256U << 20U;
  return limits;
}

}  // namespace

TEST_CASE("listener stop: before it runs, and twice") {
  test::LiveListener server;
  server.listener().stop();
  server.listener().stop();
  server.run();
  server.stop();
  CHECK_THROWS(test::RawClient(server.address()));
}

TEST_CASE("listener stop: without ever running") {
  mcp::http::Address address;
  {
    test::LiveListener server;
    address = server.address();
  }
  CHECK_THROWS(test::RawClient{address});
}

TEST_CASE("listener stop: ends whatever clients are doing") {
  test::LiveListener server(patient());
  test::Latch busy;
  test::Latch gone;
  test::Latch ended;
  server.handler.on_request = [&](const Request& request) {
    Response response = test::ScriptedHandler::text("x");
    if (request.head.path == "/large") {
      response.body = std::string(64U << 20U, 'x');
      busy.count();
    } else if (request.head.path == "/call") {
      response.answer = [&](CallStream& out) {
        CHECK_FALSE(out.cancelled());
        busy.count();
        CHECK_FALSE(out.wait(hours(1)));
        CHECK(out.cancelled());
        out.finish("stopped");
        ended.count();
      };
    } else if (request.head.path == "/unread-call") {
      response.answer = [&](CallStream& out) {
        busy.count();
        while (out.send(std::string(1U << 20U, 'x'))) {
        }
        ended.count();
      };
    } else if (request.head.path == "/open" || request.head.path == "/unread") {
      response.open = [&, unread =
                              request.head.path == "/unread"](std::shared_ptr<OpenStream> stream) {
        CHECK(stream->send(unread ? std::string(64U << 20U, 'x') : "1"));
        busy.count();
      };
      response.gone = [&] { gone.count(); };
    }
    return response;
  };
  server.run();
  std::vector<std::unique_ptr<test::RawClient>> clients;
  const auto client = [&](const std::string& bytes) -> test::RawClient& {
    clients.push_back(std::make_unique<test::RawClient>(server.address()));
    clients.back()->send(bytes);
    return *clients.back();
  };
  client("");
  client("GET / HTT");
  client("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc");
  test::RawClient& idle = client(get());
  CHECK(idle.read_response().status == 200);
  client(get("/large"));
  client(get("/unread-call"));
  client(get("/unread"));
  test::RawClient& call = client(get("/call"));
  test::RawClient& open = client(get("/open"));
  REQUIRE(busy.wait(5));

  server.stop();

  CHECK(gone.value() == 2);
  CHECK(ended.value() == 2);
  CHECK(idle.is_closed());
  const auto answer = call.read_response();
  CHECK(answer.whole);
  CHECK(answer.body == "event: message\ndata: stopped\n\n");
  const auto stream = open.read_response();
  CHECK(stream.whole);
  CHECK(stream.body == "event: message\ndata: 1\n\n");
  for (const auto& each : clients) (void)each->read_rest();
}

TEST_CASE("listener stop: from the thread that answers, and its answer still arrives") {
  test::LiveListener server;
  server.handler.on_request = [&](const Request&) {
    server.listener().stop();
    return test::ScriptedHandler::text("bye");
  };
  server.run();
  CHECK(ask(server.address(), get()).body == "bye");
  server.stop();
}

TEST_CASE("listener: an address belongs to one server at a time, and is free afterwards") {
  test::LiveListener server;
  server.run();
  CHECK(ask(server.address(), get("/", "Connection: close\r\n")).status == 200);
  test::ScriptedHandler handler;
  {
    mcp::http::Listener second(handler, mcp::http::default_limits());
    const auto refused = second.bind(server.address());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == "address_in_use");
    CHECK(refused.error().message.find(to_text(server.address())) != std::string::npos);
  }
  server.stop();
  mcp::http::Listener third(handler, mcp::http::default_limits());
  CHECK(third.bind(server.address()).ok());
}

TEST_CASE("listener: addresses that cannot be listened on") {
  test::ScriptedHandler handler;
  mcp::http::Listener listener(handler, mcp::http::default_limits());
  mcp::http::Address address;
  address.host = "192.0.2.1";
  const auto elsewhere = listener.bind(address);
  REQUIRE_FALSE(elsewhere.ok());
  CHECK(elsewhere.error().code == "cannot_listen");
  CHECK(elsewhere.error().hint.find("not an address of this computer") != std::string::npos);
}

TEST_CASE("listener: IPv6") {
  const auto address = mcp::http::parse_address("[::1]:0");
  REQUIRE(address.ok());
  test::ScriptedHandler handler;
  mcp::http::Listener probe(handler, mcp::http::default_limits());
  if (!probe.bind(*address).ok()) {
    MESSAGE("skipped: this computer has no IPv6");
    return;
  }
  test::LiveListener server(mcp::http::default_limits(), "[::1]:0");
  server.handler.on_request = [](const Request& request) {
    return test::ScriptedHandler::text(request.head.remote);
  };
  server.run();
  CHECK(server.address().port > 0);
  CHECK(ask(server.address(), get()).body == "::1");
}
