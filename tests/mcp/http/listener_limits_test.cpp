#include <doctest/doctest.h>
#include <poll.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;
using mcp::http::Request;
using mcp::http::Response;
using std::chrono::milliseconds;
using test::ask;
using test::get;
using test::post;

namespace {

/// Asks until there is room.
int ask_until_served(const mcp::http::Address& address) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  int status = 0;
  while (std::chrono::steady_clock::now() < end) {
    status = ask(address, get("/", "Connection: close\r\n")).status;
    if (status != 503) break;
  }
  return status;
}

}  // namespace

TEST_CASE("listener: a head over its bytes or fields is refused, however it comes") {
  auto limits = mcp::http::default_limits();
  limits.head_bytes_max = 2000;
  limits.headers_max = 10;
  test::LiveListener server(limits);
  server.run();
  const std::string begin = "GET / HTTP/1.1\r\nHost: a\r\n";
  std::string eleven = begin;
  for (int i = 0; i < 10; ++i) eleven += "X: y\r\n";
  std::string endless = begin;
  for (int i = 0; i < 100; ++i) endless += "X: y\r\n";
  for (const std::string& request :
       {begin + "X: " + std::string(2000, 'a') + "\r\n\r\n", begin + "X: " + std::string(2000, 'a'),
        "GET /" + std::string(2000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", std::string(2001, 'G'),
        begin + "X: " + std::string(3 << 20, 'a'), eleven + "\r\n", endless}) {
    CAPTURE(request.substr(0, 100));
    test::RawClient client(server.address());
    client.send(request);
    const auto response = client.read_response();
    CHECK(response.status == 431);
    CHECK(response.body.find("2000 bytes and 10 fields") != std::string::npos);
    CHECK(client.is_closed());
  }
  CHECK(server.handler.asked == 0);
  const std::string full = begin + "X: " + std::string(2000 - begin.size() - 7, 'a') + "\r\n\r\n";
  REQUIRE(full.size() == 2000);
  CHECK(ask(server.address(), full).status == 200);
}

TEST_CASE("listener: a body over its limit is refused before it is kept") {
  auto limits = mcp::http::default_limits();
  limits.body_bytes_max = 1000;
  test::LiveListener server(limits);
  server.run();
  const std::string head = "POST /mcp HTTP/1.1\r\nHost: a\r\n";
  SUBCASE("announced, nothing sent") {
    const auto response = ask(server.address(), head + "Content-Length: 1001\r\n\r\n");
    CHECK(response.status == 413);
    CHECK(response.body.find("1000 bytes") != std::string::npos);
    CHECK(server.handler.asked == 0);
  }
  SUBCASE("announced and sent: the client can still read why") {
    test::RawClient client(server.address());
    client.send(post(std::string(4 << 20, 'x')));
    CHECK(client.read_response().status == 413);
    CHECK(client.is_closed());
  }
  SUBCASE("announced with an expectation: nothing is asked for") {
    CHECK(ask(server.address(), head + "Expect: 100-continue\r\nContent-Length: 1001\r\n\r\n")
              .status == 413);
  }
  SUBCASE("chunked") {
    test::RawClient client(server.address());
    std::string request = head + "Transfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 2000; ++i) request += "400\r\n" + std::string(1024, 'x') + "\r\n";
    client.send(request);
    CHECK(client.read_response().status == 413);
    CHECK(client.is_closed());
  }
  SUBCASE("chunked in small pieces") {
    std::string request = head + "Transfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 1001; ++i) request += "1\r\nx\r\n";
    CHECK(ask(server.address(), request).status == 413);
  }
  SUBCASE("at the limit it is taken") {
    test::RawClient client(server.address());
    client.send(post(std::string(1000, 'x')));
    CHECK(client.read_response().status == 200);
    client.send(head + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n" + std::string(1000, 'x') +
                "\r\n0\r\n\r\n");
    CHECK(client.read_response().body.size() == 1000 + std::string("POST /mcp ").size());
  }
}

TEST_CASE("listener: a head must arrive in time, also from a client that keeps sending") {
  auto limits = mcp::http::default_limits();
  limits.head_time = milliseconds(60);
  test::LiveListener server(limits);
  server.run();
  test::RawClient client(server.address());
  client.send("GET / HTTP/1.1\r\nHost: a\r\n");
  while (client.send("X: y\r\n") &&
         mcp::http::wait_until(client.fd(), POLLIN,
                               std::chrono::steady_clock::now() + milliseconds(2),
                               nullptr) == mcp::http::Ready::timeout) {
  }
  const auto response = client.read_response();
  CHECK(response.status == 408);
  CHECK(response.body.find("60 ms") != std::string::npos);
  CHECK(client.is_closed());
}

TEST_CASE("listener: a body must arrive in time, also from a client that keeps sending") {
  auto limits = mcp::http::default_limits();
  limits.body_time = milliseconds(60);
  test::LiveListener server(limits);
  server.run();
  for (const std::string framing : {"Content-Length: 100000", "Transfer-Encoding: chunked"}) {
    CAPTURE(framing);
    test::RawClient client(server.address());
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n\r\n");
    while (client.send("1\r\nx\r\n") &&
           mcp::http::wait_until(client.fd(), POLLIN,
                                 std::chrono::steady_clock::now() + milliseconds(2),
                                 nullptr) == mcp::http::Ready::timeout) {
    }
    CHECK(client.read_response().status == 408);
    CHECK(client.is_closed());
  }
  CHECK(server.handler.handled == 0);
}

TEST_CASE("listener: a body that ends before its end is no request") {
  test::LiveListener server;
  server.run();
  for (const std::string rest :
       {"Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
    test::RawClient client(server.address());
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest);
    client.close_writing();
    CHECK(client.read_response().status == 400);
  }
  CHECK(server.handler.handled == 0);
}

TEST_CASE("listener: a silent connection is closed") {
  auto limits = mcp::http::default_limits();
  limits.idle_time = milliseconds(20);
  SUBCASE("a short patience") {
    limits.idle_time = milliseconds(20);
  }
  SUBCASE("a longer one") {
    limits.idle_time = milliseconds(120);
  }
  test::LiveListener server(limits);
  server.run();
  test::RawClient fresh(server.address());
  CHECK(fresh.is_closed());
  test::RawClient used(server.address());
  used.send(get());
  CHECK(used.read_response().status == 200);
  CHECK(used.is_closed());
}

TEST_CASE("listener: an idle connection's next request is answered") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  for (int i = 0; i < 3; ++i) {
    client.send(get("/" + std::to_string(i)));
    CHECK(client.read_response().body == "GET /" + std::to_string(i) + " ");
    // Longer than a thread stays with a silent connection.
    CHECK(mcp::http::wait_until(client.fd(), POLLIN,
                                std::chrono::steady_clock::now() + milliseconds(80),
                                nullptr) == mcp::http::Ready::timeout);
  }
}

TEST_CASE("listener: a connection serves so many requests and then ends politely") {
  auto limits = mcp::http::default_limits();
  limits.requests_per_connection = 3;
  test::LiveListener server(limits);
  server.run();
  test::RawClient client(server.address());
  client.send(get() + get() + get() + get());
  CHECK(client.read_response().header("Connection") == "(none)");
  CHECK(client.read_response().header("Connection") == "(none)");
  CHECK(client.read_response().header("Connection") == "close");
  CHECK(client.is_closed());
  CHECK(server.handler.handled == 3);
}

TEST_CASE("listener: over its connections a client is told so at once") {
  auto limits = mcp::http::default_limits();
  limits.connections_max = 2;
  test::LiveListener server(limits);
  test::Latch begun;
  test::Latch go_on;
  server.handler.on_request = [&](const Request&) {
    begun.count();
    CHECK(go_on.wait());
    return test::ScriptedHandler::text("x");
  };
  server.run();
  test::RawClient first(server.address());
  test::RawClient second(server.address());
  first.send(get());
  second.send(get());
  REQUIRE(begun.wait(2));
  test::RawClient third(server.address());
  const auto response = third.read_response();
  CHECK(response.status == 503);
  CHECK(response.whole);
  CHECK(response.header("Connection") == "close");
  CHECK(response.header("Retry-After") == "1");
  third.close_writing();
  CHECK(third.is_closed());
  go_on.count();
  CHECK(first.read_response().status == 200);
  CHECK(second.read_response().status == 200);
  CHECK(ask_until_served(server.address()) == 200);
}

TEST_CASE("listener: an idle connection gives way to a new one") {
  auto limits = mcp::http::default_limits();
  limits.connections_max = 1;
  test::LiveListener server(limits);
  server.run();
  test::RawClient idle(server.address());
  idle.send(get());
  CHECK(idle.read_response().status == 200);
  CHECK(ask_until_served(server.address()) == 200);
  CHECK(idle.is_closed());
}

TEST_CASE("listener: a client that does not read its answer does not keep its place") {
  auto limits = mcp::http::default_limits();
  limits.connections_max = 1;
  limits.write_time = milliseconds(40);
  test::LiveListener server(limits);
  server.handler.on_request = [](const Request& request) {
    return test::ScriptedHandler::text(
        std::string(request.head.path == "/large" ? 64U << 20U : 1U, 'x'));
  };
  server.run();
  test::RawClient greedy(server.address());
  greedy.send(get("/large"));
  CHECK(ask_until_served(server.address()) == 200);
  CHECK_FALSE(greedy.read_response().whole);
}

TEST_CASE("listener: large answers arrive whole") {
  test::LiveListener server;
  const std::string large(5U << 20U, 'y');
  server.handler.on_request = [&](const Request&) { return test::ScriptedHandler::text(large); };
  server.run();
  test::RawClient client(server.address());
  client.send(get() + get());
  CHECK(client.read_response().body == large);
  CHECK(client.read_response().body == large);
}
