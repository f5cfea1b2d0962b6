#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;
using mcp::http::OpenStream;
using mcp::http::Request;
using mcp::http::Response;
using std::chrono::milliseconds;
using test::ask;
using test::get;
using test::post;

namespace {

/// A server whose GET opens a stream.
struct Streams {
  explicit Streams(mcp::http::ListenerLimits limits = mcp::http::default_limits())
      : server(limits) {
    server.handler.on_request = [this](const Request& request) {
      if (request.head.method == "POST") return test::ScriptedHandler::text("plain");
      Response response;
      response.open = [this](std::shared_ptr<OpenStream> stream) {
        if (on_open) on_open(*stream);
        {
          const std::lock_guard lock(mutex);
          all.push_back(std::move(stream));
        }
        opened.count();
      };
      response.gone = [this] { gone.count(); };
      return response;
    };
    server.run();
  }

  std::shared_ptr<OpenStream> last() {
    const std::lock_guard lock(mutex);
    return all.back();
  }

  test::Latch opened;
  test::Latch gone;
  std::function<void(OpenStream&)> on_open;
  std::mutex mutex;
  std::vector<std::shared_ptr<OpenStream>> all;
  test::LiveListener server;
};

std::string event(const std::string& line) {
  return "event: message\ndata: " + line + "\n\n";
}

std::size_t threads() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("open stream: what is sent before, while and after it is opened arrives in order") {
  Streams streams;
  streams.on_open = [](OpenStream& stream) {
    CHECK(stream.send("0"));
    std::jthread([&stream] { CHECK(stream.send("1")); }).join();
  };
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  std::string wanted = event("0") + event("1");
  for (int i = 2; i < 2000; ++i) {
    CHECK(streams.last()->send(std::to_string(i)));
    wanted += event(std::to_string(i));
  }
  streams.last()->close("last");
  wanted += event("last");
  const auto response = client.read_response();
  CHECK(response.status == 200);
  CHECK(response.header("Content-Type") == "text/event-stream");
  CHECK(response.header("Cache-Control") == "no-cache, no-transform");
  CHECK(response.header("X-Accel-Buffering") == "no");
  CHECK(response.header("Connection") == "close");
  CHECK(response.whole);
  CHECK(response.body == wanted);
  CHECK(client.is_closed());
  CHECK(streams.gone.wait());
}

TEST_CASE("open stream: closing ends it once, and nothing can follow") {
  Streams streams;
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  const auto stream = streams.last();
  stream->close("");
  stream->close("again");
  CHECK_FALSE(stream->send("late"));
  const auto response = client.read_response();
  CHECK(response.whole);
  CHECK(response.body.empty());
  CHECK(client.is_closed());
  CHECK(streams.gone.wait());
  streams.server.stop();
  CHECK(streams.gone.value() == 1);
}

TEST_CASE("open stream: an old client gets plain bytes") {
  Streams streams;
  streams.on_open = [](OpenStream& stream) {
    CHECK(stream.send("1"));
    stream.close("2");
  };
  test::RawClient client(streams.server.address());
  client.send("GET / HTTP/1.0\r\n\r\n");
  const auto response = client.read_response();
  CHECK(response.header("Transfer-Encoding") == "(none)");
  CHECK(response.body == event("1") + event("2"));
}

TEST_CASE("open stream: a client that leaves is noticed, once") {
  Streams streams;
  {
    test::RawClient client(streams.server.address());
    client.send(get());
    REQUIRE(streams.opened.wait());
  }
  CHECK(streams.gone.wait());
  CHECK_FALSE(streams.last()->send("late"));
  streams.last()->close("late");
  streams.server.stop();
  CHECK(streams.gone.value() == 1);
}

TEST_CASE("open stream: two hundred of them need no threads and hold up no request") {
  Streams streams;
  constexpr int kStreams = 200;
  CHECK(ask(streams.server.address(), post("x")).body == "plain");
  const std::size_t before = threads();
  std::vector<std::unique_ptr<test::RawClient>> clients;
  for (int i = 0; i < kStreams; ++i) {
    clients.push_back(std::make_unique<test::RawClient>(streams.server.address()));
    clients.back()->send(get());
    REQUIRE(streams.opened.wait(i + 1));
  }
  // A worker that has opened a stream may not be back in its pool yet when the next request comes,
  // so a few more than one are made, how many is the scheduler's choice; one for each is not.
  CHECK(threads() < before + kStreams / 2);
  CHECK(ask(streams.server.address(), post("x")).body == "plain");
  {
    const std::lock_guard lock(streams.mutex);
    for (const auto& stream : streams.all) CHECK(stream->send("hello"));
  }
  for (const auto& client : clients) {
    CHECK(client->read_until("data: hello\n\n").find("event: message") != std::string::npos);
  }
  clients.clear();
  CHECK(streams.gone.wait(kStreams));
}

TEST_CASE("open stream: silence is kept alive") {
  auto limits = mcp::http::default_limits();
  limits.heartbeat = milliseconds(10);
  Streams streams(limits);
  test::RawClient client(streams.server.address());
  client.send(get());
  for (int i = 0; i < 3; ++i) CHECK(client.read_until("3\r\n:\n\n\r\n").size() >= 8);
  REQUIRE(streams.opened.wait());
  CHECK(streams.last()->send("1"));
  CHECK(client.read_until("data: 1\n\n").find("event: message") != std::string::npos);
}

TEST_CASE("open stream: a client that does not read loses it, and nobody waits") {
  auto limits = mcp::http::default_limits();
  limits.stream_bytes_max = 100'000;
  Streams streams(limits);
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  const std::string line(10'000, 'x');
  int sent = 0;
  while (sent < 100'000 && streams.last()->send(line)) ++sent;
  CHECK(sent > 10);
  CHECK(sent < 100'000);
  CHECK_FALSE(streams.last()->send("1"));
  CHECK(streams.gone.wait());
  CHECK_FALSE(client.read_response().whole);
}

TEST_CASE("open stream: what a slow client has not read yet is not lost") {
  Streams streams;
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  const std::string line(200'000, 'x');
  std::string wanted;
  // More than the sockets take, less than may wait.
  while (wanted.size() < (4U << 20U) && streams.last()->send(line)) wanted += event(line);
  if (wanted.size() >= (4U << 20U)) streams.last()->close("end");
  const auto response = client.read_response();
  CHECK(response.body.size() > 200'000);
  CHECK(response.body.substr(0, wanted.size()) == wanted.substr(0, response.body.size()));
}

TEST_CASE("open stream: a slow client gets everything that may wait, to the last line") {
  auto limits = mcp::http::default_limits();
  limits.stream_bytes_max = 64U << 20U;
  Streams streams(limits);
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  const std::string line(1'000'000, 'x');
  for (int i = 0; i < 20; ++i) CHECK(streams.last()->send(line));
  streams.last()->close("end");
  const auto response = client.read_response();
  CHECK(response.whole);
  CHECK(response.body.size() == 20 * event(line).size() + event("end").size());
  CHECK(response.body.ends_with(event("end")));
  CHECK(streams.gone.wait());
}

TEST_CASE("open stream: the last words do not wait for ever") {
  auto limits = mcp::http::default_limits();
  limits.stream_bytes_max = 64U << 20U;
  limits.write_time = milliseconds(40);
  Streams streams(limits);
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  for (int i = 0; i < 20; ++i) CHECK(streams.last()->send(std::string(1'000'000, 'x')));
  streams.last()->close("end");
  CHECK(streams.gone.wait());
}

TEST_CASE("open stream: there is room for so many, of one client and of all") {
  auto limits = mcp::http::default_limits();
  SUBCASE("of one client") {
    limits.streams_per_client_max = 1;
  }
  SUBCASE("of all") {
    limits.streams_max = 1;
  }
  Streams streams(limits);
  test::RawClient client(streams.server.address());
  client.send(get());
  REQUIRE(streams.opened.wait());
  const auto refused = ask(streams.server.address(), get());
  CHECK(refused.status == (limits.streams_max == 1 ? 503 : 429));
  CHECK(refused.body.find("1 open stream") != std::string::npos);
  CHECK(streams.gone.wait());
  CHECK(ask(streams.server.address(), post("x")).body == "plain");
  client.close();
  REQUIRE(streams.gone.wait(2));
  test::RawClient again(streams.server.address());
  again.send(get());
  CHECK(again.read_until("\r\n\r\n").rfind("HTTP/1.1 200", 0) == 0);
}

TEST_CASE("open stream: one that never begins has ended all the same") {
  Streams streams;
  SUBCASE("HEAD has no body") {
    test::RawClient client(streams.server.address());
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(client.read_response(true).status == 200);
    CHECK(client.is_closed());
    CHECK(streams.gone.wait());
    CHECK(streams.opened.value() == 0);
  }
  SUBCASE("its handler fails") {
    streams.on_open = [](OpenStream&) { throw std::runtime_error("secret"); };
    test::RawClient client(streams.server.address());
    client.send(get());
    const auto response = client.read_response();
    CHECK(response.status == 200);
    CHECK_FALSE(response.whole);
    CHECK(streams.gone.wait());
  }
}

TEST_CASE("open stream: a handler may hold it longer than the listener lives") {
  std::shared_ptr<OpenStream> held;
  {
    Streams streams;
    test::RawClient client(streams.server.address());
    client.send(get());
    REQUIRE(streams.opened.wait());
    held = streams.last();
  }
  CHECK_FALSE(held->send("late"));
  held->close("late");
}
