#include <array>
#include <string>
#include <string_view>
#include <thread>

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/json.h"
#include "mcp/protocol/stdio.h"
#include "tests/mcp/ends.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_service.h"
#include "tests/mcp/protocol_fixture.h"

/// Calls that wait, and streams, over stdio: MCP 2026-07-28 §stdio, §Cancellation.
namespace phasegate::mcp::protocol {
namespace {

/// A server on pipes, and the client's side of them.
class Live {
 public:
  Live() {
    thread_ = std::thread([this] {
      exit_code = serve_stdio(fake_.server, "ada", in_.read_end, out_.write_end);
      out_.close_write();
    });
  }
  ~Live() {
    end();
    if (thread_.joinable()) thread_.join();
  }

  void say(std::string_view line) { write_all(in_.write_end, std::string(line) + "\n"); }
  void end() { in_.close_write(); }
  /// The next line of the server's.
  Json next() {
    while (true) {
      const std::size_t newline = held_.find('\n');
      if (newline != std::string::npos) {
        Json line = parsed(std::string_view(held_).substr(0, newline));
        held_.erase(0, newline + 1);
        return line;
      }
      std::array<char, 4096> part{};
      const ssize_t got = ::read(out_.read_end, part.data(), part.size());
      REQUIRE(got > 0);
      held_.append(part.data(), static_cast<std::size_t>(got));
    }
  }
  /// Everything that still comes, up to the end.
  std::string rest() {
    std::string all = held_ + read_all(out_.read_end);
    thread_.join();
    return all;
  }

  test::FakeService service;
  int exit_code = -1;

  void announce(Subscriptions::Change change) { fake_.subscriptions.announce(change); }

 private:
  test::FakeServer fake_{service};
  Ends in_{Channel::pipe};
  Ends out_{Channel::pipe};
  std::string held_;
  std::thread thread_;
};

std::string call(std::string_view tool, std::string_view id, std::string_view meta = "") {
  std::string line = R"({"jsonrpc":"2.0","id":)" + std::string(id) +
                     R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + "\"";
  if (!meta.empty()) line += "," + std::string(meta);
  return line + "}}";
}

TEST_CASE("stdio: a call that waits holds nobody up, and ends with the input") {
  Live live;
  live.say(call("stall", "1"));
  live.say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  CHECK(live.next()["id"] == 2);
  live.end();
  const Json stopped = live.next();
  CHECK(stopped["id"] == 1);
  CHECK(stopped["result"]["content"][0]["text"] == "stopped");
  CHECK(live.rest().empty());
  CHECK(live.exit_code == 0);
}

TEST_CASE("stdio: a running call that is cancelled is told so and gets no answer") {
  Live live;
  live.say(call("stall", "\"s\"", kMeta));
  live.say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  CHECK(live.next()["id"] == 2);
  live.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}})");
  live.end();
  CHECK(live.rest().empty());
  CHECK(live.exit_code == 0);
}

TEST_CASE("stdio: too many calls at once are refused, not queued behind each other") {
  Live live;
  for (std::size_t i = 0; i <= base::limits::kCallsAtOnceMax; ++i) {
    live.say(call("stall", std::to_string(i)));
  }
  const Json refused = live.next();
  CHECK(refused["id"] == base::limits::kCallsAtOnceMax);
  CHECK(refused["error"]["message"].get<std::string>().find("32 calls") != std::string::npos);
}

TEST_CASE("stdio: a legacy client is asked on the pipe and its answer completes the call") {
  Live live;
  live.say(replaced(initialize("2025-06-18"), R"("capabilities":{})",
                    R"("capabilities":{"elicitation":{}})"));
  CHECK(live.next()["id"] == 0);
  live.say(call("ask", "7"));
  const Json asked = live.next();
  CHECK(asked["method"] == "elicitation/create");
  live.say(R"({"jsonrpc":"2.0","id":8,"method":"ping"})");
  CHECK(live.next()["id"] == 8);
  live.say(R"({"jsonrpc":"2.0","id":)" + base::dump(asked["id"]) +
           R"(,"result":{"action":"accept"}})");
  const Json done = live.next();
  CHECK(done["id"] == 7);
  CHECK(done["result"]["content"][0]["text"] == "yes: nothing");
}

TEST_CASE("stdio: a question that the input's end leaves open is no yes") {
  Live live;
  live.say(replaced(initialize("2025-06-18"), R"("capabilities":{})",
                    R"("capabilities":{"elicitation":{}})"));
  live.say(call("ask", "7"));
  CHECK(live.next()["id"] == 0);
  CHECK(live.next()["method"] == "elicitation/create");
  live.end();
  CHECK(live.next()["result"]["content"][0]["text"] == "no: nothing");
}

TEST_CASE("stdio: a listen stream's id is its own as long as it is open") {
  Live live;
  const std::string listen = R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",)"
                             R"("params":{"notifications":{"toolsListChanged":true},)" +
                             std::string(kMeta) + "}}";
  live.say(listen);
  live.say(listen);
  CHECK(live.next()["method"] == "notifications/subscriptions/acknowledged");
  CHECK(live.next()["error"]["code"] == -32602);
  live.announce(Subscriptions::Change::tools);
  CHECK(live.next()["method"] == "notifications/tools/list_changed");
}

TEST_CASE("stdio: progress comes before its answer") {
  Live live;
  live.say(call("work", "1", R"("_meta":{"progressToken":1})"));
  CHECK(live.next()["method"] == "notifications/progress");
  CHECK(live.next()["method"] == "notifications/message");
  CHECK(live.next()["id"] == 1);
}

TEST_CASE("stdio: listen streams share the pipe and end with it, each in order") {
  Live live;
  const auto listen = [](std::string_view id, std::string_view wants) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
           R"(,"method":"subscriptions/listen","params":{"notifications":{)" + std::string(wants) +
           "}," + std::string(kMeta) + "}}";
  };
  constexpr const char* kId = "io.modelcontextprotocol/subscriptionId";
  live.say(listen("1", R"("toolsListChanged":true)"));
  live.say(listen("\"two\"", R"("promptsListChanged":true)"));
  CHECK(live.next()["params"]["_meta"][kId] == 1);
  CHECK(live.next()["params"]["_meta"][kId] == "two");
  live.announce(Subscriptions::Change::prompts);
  CHECK(live.next()["params"]["_meta"][kId] == "two");
  live.announce(Subscriptions::Change::tools);
  CHECK(live.next()["params"]["_meta"][kId] == 1);

  live.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  live.say(R"({"jsonrpc":"2.0","id":9,"method":"ping"})");
  CHECK(live.next()["id"] == 9);
  live.announce(Subscriptions::Change::tools);
  live.end();
  const Json cancelled = live.next();
  CHECK(cancelled["method"] == "notifications/cancelled");
  CHECK(cancelled["params"]["requestId"] == "two");
  const Json ended = live.next();
  CHECK(ended["id"] == "two");
  CHECK(ended["result"]["_meta"][kId] == "two");
  CHECK(live.rest().empty());
}

}  // namespace
}  // namespace phasegate::mcp::protocol
