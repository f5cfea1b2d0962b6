#include <stdexcept>

#include <doctest/doctest.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;
using mcp::http::CallStream;
using mcp::http::Request;
using mcp::http::Response;
using std::chrono::hours;
using std::chrono::milliseconds;
using test::get;
using test::post;

namespace {

Response stream(std::function<void(CallStream&)> answer) {
  Response response;
  response.headers = {{"Mcp-Session-Id", "s"}};
  response.answer = std::move(answer);
  return response;
}

}  // namespace

TEST_CASE("call stream: events, then the answer, then the connection's next request") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    if (request.head.method == "GET") return test::ScriptedHandler::text("plain");
    return stream([](CallStream& out) {
      CHECK(out.send("{\"n\":1}"));
      CHECK_FALSE(out.cancelled());
      CHECK(out.wait(milliseconds(1)));
      CHECK(out.send("{\"n\":2}"));
      out.finish("{\"n\":3}");
      CHECK_FALSE(out.send("{\"n\":4}"));
      out.finish("{\"n\":5}");
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x") + get());
  const auto response = client.read_response();
  CHECK(response.status == 200);
  CHECK(response.whole);
  CHECK(response.header("Content-Type") == "text/event-stream");
  CHECK(response.header("Cache-Control") == "no-cache, no-transform");
  CHECK(response.header("X-Accel-Buffering") == "no");
  CHECK(response.header("Mcp-Session-Id") == "s");
  CHECK(response.header("Content-Encoding") == "(none)");
  CHECK(response.body ==
        "event: message\ndata: {\"n\":1}\n\nevent: message\ndata: {\"n\":2}\n\n"
        "event: message\ndata: {\"n\":3}\n\n");
  CHECK(client.read_response().body == "plain");
}

TEST_CASE("call stream: head and events arrive while the answer is still being worked on") {
  test::LiveListener server;
  test::Latch head_seen;
  test::Latch event_seen;
  server.handler.on_request = [&](const Request&) {
    return stream([&](CallStream& out) {
      CHECK(head_seen.wait());
      CHECK(out.send("1"));
      CHECK(event_seen.wait());
      out.finish("2");
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x"));
  CHECK(client.read_until("\r\n\r\n").rfind("HTTP/1.1 200", 0) == 0);
  head_seen.count();
  CHECK(client.read_until("data: 1\n\n").find("event: message\n") != std::string::npos);
  event_seen.count();
  CHECK(client.read_until("data: 2\n\n").find("event: message\n") != std::string::npos);
  CHECK(client.read_until("0\r\n\r\n") == "\r\n0\r\n\r\n");
}

TEST_CASE("call stream: an old client gets plain bytes until the end of the connection") {
  test::LiveListener server;
  server.handler.on_request = [](const Request&) {
    return stream([](CallStream& out) {
      CHECK(out.send("1"));
      out.finish("2");
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send("GET / HTTP/1.0\r\n\r\n");
  const auto response = client.read_response();
  CHECK(response.header("Transfer-Encoding") == "(none)");
  CHECK(response.header("Connection") == "close");
  CHECK(response.body == "event: message\ndata: 1\n\nevent: message\ndata: 2\n\n");
}

TEST_CASE("call stream: a client that leaves ends a wait and cancels the call") {
  test::LiveListener server;
  test::Latch waiting;
  test::Latch done;
  server.handler.on_request = [&](const Request&) {
    return stream([&](CallStream& out) {
      CHECK(out.send("1"));
      waiting.count();
      CHECK_FALSE(out.wait(hours(1)));
      CHECK(out.cancelled());
      CHECK_FALSE(out.send("2"));
      done.count();
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x"));
  REQUIRE(waiting.wait());
  client.close();
  CHECK(done.wait());
}

TEST_CASE("call stream: what a client sends meanwhile does not end a wait") {
  test::LiveListener server;
  test::Latch waiting;
  test::Latch sent;
  server.handler.on_request = [&](const Request& request) {
    if (request.head.method == "GET") return test::ScriptedHandler::text("next");
    return stream([&](CallStream& out) {
      waiting.count();
      CHECK(sent.wait());
      CHECK(out.wait(milliseconds(5)));
      out.finish("1");
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x"));
  REQUIRE(waiting.wait());
  client.send(get());
  sent.count();
  CHECK(client.read_response().body == "event: message\ndata: 1\n\n");
  CHECK(client.read_response().body == "next");
}

TEST_CASE("call stream: a silent wait is kept alive") {
  auto limits = mcp::http::default_limits();
  limits.heartbeat = milliseconds(10);
  test::LiveListener server(limits);
  test::Latch alive;
  server.handler.on_request = [&](const Request&) {
    return stream([&](CallStream& out) {
      while (alive.value() == 0 && out.wait(milliseconds(50))) {
      }
      out.finish("1");
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x"));
  for (int i = 0; i < 3; ++i) CHECK(client.read_until(":\n\n").size() >= 3);
  alive.count();
  CHECK(client.read_until("data: 1\n\n").find("event: message") != std::string::npos);
}

TEST_CASE("call stream: a client that does not read is given up") {
  auto limits = mcp::http::default_limits();
  limits.write_time = milliseconds(40);
  test::LiveListener server(limits);
  test::Latch given_up;
  server.handler.on_request = [&](const Request&) {
    return stream([&](CallStream& out) {
      const std::string large(1U << 20U, 'x');
      while (out.send(large)) {
      }
      CHECK(out.cancelled());
      CHECK_FALSE(out.wait(hours(1)));
      given_up.count();
    });
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("x"));
  CHECK(given_up.wait());
  CHECK_FALSE(client.read_response().whole);
}

TEST_CASE("call stream: one that breaks is not taken for a whole one") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    return stream([other = request.head.path == "/other"](CallStream& out) {
      CHECK(out.send("1"));
      if (other) throw 1;
      throw std::runtime_error("secret");
    });
  };
  server.run();
  for (const char* path : {"/a", "/other"}) {
    test::RawClient client(server.address());
    client.send(post("x", "", path));
    const auto response = client.read_response();
    CHECK_FALSE(response.whole);
    CHECK(response.body == "event: message\ndata: 1\n\n");
    CHECK(response.body.find("secret") == std::string::npos);
    CHECK(client.is_closed());
  }
}

TEST_CASE("call stream: HEAD gets the head alone") {
  test::LiveListener server;
  test::Latch asked;
  server.handler.on_request = [&](const Request&) {
    return stream([&](CallStream&) { asked.count(); });
  };
  server.run();
  test::RawClient client(server.address());
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(client.read_response(true).header("Content-Type") == "text/event-stream");
  CHECK(client.is_closed());
  CHECK(asked.value() == 0);
}
