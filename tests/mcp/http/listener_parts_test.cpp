#include <array>
#include <memory>

#include <doctest/doctest.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "mcp/http/chunked_body.h"
#include "mcp/http/events.h"
#include "mcp/http/request_head.h"
#include "mcp/http/watcher.h"
#include "mcp/http/workers.h"
#include "tests/mcp/http/live_listener.h"

using namespace phasegate;
using namespace phasegate::mcp::http;

namespace {

/// Says what happens to it.
class FakeWatched final : public Watched {
 public:
  FakeWatched(bool gives_way, test::Latch& woken, test::Latch& ended)
      : gives_way_(gives_way), woken_(woken), ended_(ended) {
    std::array<int, 2> both{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) == 0);
    ours_.reset(both[0]);
    theirs_.reset(both[1]);
  }
  ~FakeWatched() override { ended_.count(); }
  int fd() const override { return ours_.get(); }
  std::uint32_t events() const override { return EPOLLIN; }
  TimePoint due_at() const override { return TimePoint::max(); }
  bool ready(std::uint32_t events) override {
    woken_.count();
    return events == 0;
  }
  bool due() override { return true; }
  bool stop() override { return true; }
  bool may_give_way() const override { return gives_way_; }

 private:
  bool gives_way_;
  test::Latch& woken_;
  test::Latch& ended_;
  base::Descriptor ours_;
  base::Descriptor theirs_;
};

}  // namespace

TEST_CASE("watcher: the oldest that may give way goes first") {
  StopSignal stop;
  test::Latch woken;
  test::Latch stays;
  test::Latch old;
  test::Latch young;
  {
    Watcher watcher(stop);
    const std::uint64_t first = watcher.next_id();
    watcher.watch(first, std::make_unique<FakeWatched>(false, woken, stays));
    watcher.watch(watcher.next_id(), std::make_unique<FakeWatched>(true, woken, old));
    watcher.watch(watcher.next_id(), std::make_unique<FakeWatched>(true, woken, young));
    // Each is looked at once as soon as it is watched, and cannot give way meanwhile.
    REQUIRE(woken.wait(3));
    watcher.pokes()->poke(first);
    REQUIRE(woken.wait(4));
    CHECK(watcher.make_room());
    CHECK(old.value() == 1);
    CHECK(young.value() == 0);
    CHECK(watcher.make_room());
    CHECK(young.value() == 1);
    CHECK_FALSE(watcher.make_room());
    CHECK(stays.value() == 0);
    stop.raise();
  }
  CHECK(stays.value() == 1);
}

TEST_CASE("watcher: what is given to it after the stop ends at once") {
  StopSignal stop;
  stop.raise();
  test::Latch woken;
  test::Latch ended;
  {
    Watcher watcher(stop);
    while (ended.value() == 0) {
      watcher.watch(watcher.next_id(), std::make_unique<FakeWatched>(true, woken, ended));
    }
  }
  CHECK(ended.value() >= 1);
}

TEST_CASE("workers: threads are made when needed, used again, and end when idle") {
  test::Latch begun;
  test::Latch go_on;
  test::Latch done;
  const auto job = [&] {
    begun.count();
    CHECK(go_on.wait());
    done.count();
  };
  Workers workers(3, std::chrono::milliseconds(10));
  CHECK(workers.threads() == 0);
  for (int i = 0; i < 5; ++i) CHECK(workers.run(Workers::Job(job)));
  REQUIRE(begun.wait(3));
  CHECK(workers.threads() == 3);
  CHECK(begun.value() == 3);
  go_on.count();
  CHECK(done.wait(5));
  while (workers.threads() > 0) std::this_thread::yield();
  CHECK(workers.run(Workers::Job(job)));
  CHECK(done.wait(6));
  workers.finish();
  CHECK_FALSE(workers.run(Workers::Job(job)));
}

TEST_CASE("workers: what was taken is done before the end") {
  test::Latch done;
  {
    Workers workers(1, std::chrono::milliseconds(10));
    for (int i = 0; i < 50; ++i) CHECK(workers.run(Workers::Job([&] { done.count(); })));
  }
  CHECK(done.value() == 50);
}

TEST_CASE("chunked body: the plain form is the same however the bytes are cut") {
  const std::string raw = "5;x=1\r\nhello\r\n00000A\r\n0123456789\r\n0\r\nT: x\r\n\r\nNEXT";
  const std::string plain = "5\r\nhello\r\na\r\n0123456789\r\n0\r\n\r\n";
  for (std::size_t step = 1; step <= raw.size(); ++step) {
    CAPTURE(step);
    ChunkedBody body(100, 100);
    std::string out;
    std::size_t at = 0;
    while (at < raw.size() && body.state() == ChunkedBody::State::open) {
      const std::string_view part = std::string_view(raw).substr(at, step);
      at += body.take(part, out);
    }
    CHECK(body.state() == ChunkedBody::State::done);
    CHECK(out == plain);
    CHECK(raw.substr(at) == "NEXT");
  }
}

TEST_CASE("head: its end is found however the bytes are cut") {
  const auto limits = default_limits();
  const std::string head = "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t length = 0; length <= head.size() + 3; ++length) {
    CAPTURE(length);
    const std::string bytes = (head + "NEXT").substr(0, length);
    HeadEnd whole;
    const auto at_once = whole.look(bytes, limits);
    HeadEnd pieces;
    std::variant<std::monostate, std::size_t, Refusal> in_pieces;
    for (std::size_t i = 0; i <= length && std::holds_alternative<std::monostate>(in_pieces); ++i) {
      in_pieces = pieces.look(std::string_view(bytes).substr(0, i), limits);
    }
    CHECK(at_once.index() == in_pieces.index());
    CHECK(std::holds_alternative<std::size_t>(at_once) == (length >= head.size()));
    if (const auto* end = std::get_if<std::size_t>(&at_once)) CHECK(*end == head.size());
  }
}

TEST_CASE("events: the bytes of a stream") {
  CHECK(event_of("{}") == "event: message\ndata: {}\n\n");
  CHECK(chunk_of("0123456789abcdef") == "10\r\n0123456789abcdef\r\n");
  CHECK(chunk_of("") == "0\r\n\r\n");
}
