#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/mcp/http/endpoint_fixture.h"

namespace phasegate::mcp::http {
namespace {

constexpr int kRounds = 40;

/// What one client does, over and over, while others do the same.
void one_client(Fixture& fixture, const std::string& shared, std::atomic<int>& wrong) {
  const auto expect = [&wrong](bool right) {
    if (!right) ++wrong;
  };
  for (int round = 0; round < kRounds; ++round) {
    const Response begun = fixture.endpoint.handle(initialize().request);
    const std::string* own = header_of(begun, "Mcp-Session-Id");
    expect(own != nullptr);
    if (own == nullptr) return;

    const Response stream = fixture.send(Ask("GET").header("Mcp-Session-Id", *own));
    const auto open = std::make_shared<FakeOpenStream>(stream.gone);
    stream.open(open);
    // All clients fight for the stream of one session.
    const Response contended = fixture.send(Ask("GET").header("Mcp-Session-Id", shared));
    const auto fought = std::make_shared<FakeOpenStream>(contended.gone);
    contended.open(fought);

    const Response listening = fixture.send(
        modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true})"));
    const auto listener = std::make_shared<FakeOpenStream>(listening.gone);
    listening.open(listener);
    fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
    expect(listener->lines().size() >= 2);

    FakeCallStream call;
    const Response slow =
        fixture.send(Fixture::legacy(shared, rpc("tools/call", R"("name":"slow")")));
    slow.answer(call);
    fixture.send(Fixture::legacy(
        shared,
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"));
    expect(fixture.send(Fixture::legacy(shared, rpc("tools/list", ""))).status == 200);
    expect(fixture.send(modern("tools/call", R"("name":"slow")", "slow")).status == 200);

    listener->leave();
    if (round % 2 == 0) open->leave();
    expect(fixture.send(Ask("DELETE").header("Mcp-Session-Id", *own)).status == 204);
    expect(open->ended());
    expect(fixture.send(Ask("DELETE").header("Mcp-Session-Id", *own)).status == 404);
    if (round % 2 == 0) fought->leave();
  }
}

}  // namespace

TEST_CASE("threads: sessions, streams and calls of many clients at once") {
  Fixture fixture({"/mcp", {}, nullptr, "me", 1e9});
  const std::string shared = fixture.session();
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 6; ++i) {
      clients.emplace_back([&] { one_client(fixture, shared, wrong); });
    }
  }
  CHECK(wrong == 0);
  fixture.endpoint.close_streams();
  CHECK(fixture.send(Ask("DELETE").header("Mcp-Session-Id", shared)).status == 204);
  CHECK_FALSE(fixture.subscriptions.wanted().tools);
}

TEST_CASE("threads: closing ends calls that wait and streams that are just opening") {
  Fixture fixture;
  const std::string session = fixture.session();
  std::atomic<int> waiting{0};
  std::atomic<int> given_up{0};
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    ++waiting;
    waiting.notify_all();
    if (!context.wait(std::chrono::hours(1))) ++given_up;
  };
  std::vector<std::jthread> calls;
  for (int i = 0; i < 4; ++i) {
    calls.emplace_back([&, i] {
      if (i % 2 == 0) {
        static_cast<void>(fixture.send(modern("tools/call", R"("name":"slow")", "slow")));
        return;
      }
      FakeCallStream stream;
      fixture.send(Fixture::legacy(session, rpc("tools/call", R"("name":"slow")"))).answer(stream);
    });
  }
  for (int seen = waiting; seen < 4; seen = waiting) waiting.wait(seen);
  std::vector<std::shared_ptr<FakeOpenStream>> opened(20);
  std::jthread opening([&] {
    for (auto& stream : opened) {
      const Response response = fixture.send(Ask("GET").header("Mcp-Session-Id", session));
      stream = std::make_shared<FakeOpenStream>(response.gone);
      response.open(stream);
    }
  });
  fixture.endpoint.close_streams();
  opening.join();
  calls.clear();
  CHECK(given_up == 4);
  for (const auto& stream : opened) CHECK(stream->ended());
}

}  // namespace phasegate::mcp::http
