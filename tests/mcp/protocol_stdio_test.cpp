#include <array>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/protocol/message_reader.h"
#include "mcp/protocol/stdio.h"
#include "tests/mcp/ends.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_tools.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

/// Every line of `text` as JSON; fails on anything else, also on an unfinished last line.
std::vector<Json> json_lines(std::string_view text) {
  std::vector<Json> lines;
  while (!text.empty()) {
    const auto newline = text.find('\n');
    REQUIRE(newline != std::string_view::npos);
    auto json = base::parse_json(text.substr(0, newline), {64U << 20U, 100});
    REQUIRE_MESSAGE(json.ok(), text.substr(0, 200));
    lines.push_back(std::move(*json));
    text.remove_prefix(newline + 1);
  }
  return lines;
}

/// The server's answers to `input`, which ends with the end of file.
std::vector<Json> answers_to(std::string_view input, Channel channel, test::FakeTools& tools) {
  Ends in(channel);
  Ends out(channel);
  test::FakeServer fake(tools);
  int exit_code = -1;
  std::thread serving([&] {
    exit_code = serve_stdio(fake.server, "ada", in.read_end, out.write_end);
    out.close_write();
  });
  std::thread writing([&] {
    write_all(in.write_end, input);
    in.close_write();
  });
  const std::string output = read_all(out.read_end);
  writing.join();
  serving.join();
  CHECK(exit_code == 0);
  return json_lines(output);
}

std::vector<Json> answers_to(std::string_view input, Channel channel = Channel::pipe) {
  test::FakeTools tools;
  return answers_to(input, channel, tools);
}

std::string ping(std::string_view id) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})" + "\n";
}

std::string echo(std::string_view id, std::string_view text = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
         std::string(text) + "\"}}}\n";
}

std::string cancel(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::string(id) + "}}\n";
}

std::vector<std::string> ids(const std::vector<Json>& answers) {
  std::vector<std::string> result;
  result.reserve(answers.size());
  for (const Json& answer : answers) {
    result.push_back(answer.contains("id") ? base::dump(answer["id"]) : "");
  }
  return result;
}

using Ids = std::vector<std::string>;

TEST_CASE("stdio: line ends, blank lines, a byte order mark, and a last line without newline") {
  for (const Channel channel : kChannels) {
    CAPTURE(static_cast<int>(channel));
    CHECK(ids(answers_to("\xEF\xBB\xBF" + ping("1") + "\n\r\n  \t\n" + ping("2"), channel)) ==
          Ids{"1", "2"});
    CHECK(ids(answers_to("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\r\n", channel)) ==
          Ids{"3"});
    CHECK(ids(answers_to(R"({"jsonrpc":"2.0","id":4,"method":"ping"})", channel)) == Ids{"4"});
    CHECK(answers_to("", channel).empty());
    CHECK(answers_to("\xEF\xBB\xBF\n\n", channel).empty());
    CHECK(answers_to("\r", channel).empty());
  }
}

TEST_CASE("stdio: every way of cutting the stream gives the same messages") {
  const std::string text = "\xEF\xBB\xBF" + ping("1") + "\r\n" + ping("\"zwei\"") + "nonsense\n" +
                           R"({"jsonrpc":"2.0","id":3,"method":"ping"})";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CAPTURE(cut);
    Ends in(Channel::pipe);
    MessageReader reader;
    Ids found;
    const auto take = [&] {
      while (const auto next = reader.next()) found.push_back(next->message.id);
    };
    write_all(in.write_end, text.substr(0, cut));
    if (cut > 0) CHECK(reader.fill(in.read_end) == MessageReader::Status::open);
    take();
    write_all(in.write_end, text.substr(cut));
    if (cut < text.size()) CHECK(reader.fill(in.read_end) == MessageReader::Status::open);
    take();
    in.close_write();
    CHECK(reader.fill(in.read_end) == MessageReader::Status::ended);
    take();
    CHECK(found == Ids{"1", "\"zwei\"", "", "3"});
  }
}

TEST_CASE("stdio: malformed, deeply nested and oversized lines are answered, then it goes on") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const std::string filler(20U << 20U, 'x');
  const std::string head_id =
      R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":")" + filler + "\"}}\n";
  const std::string tail_id =
      R"({"method":"ping","params":{"a":")" + filler + "\"},\"jsonrpc\":\"2.0\",\"id\":8}\r\n";
  const auto answers = answers_to("garbage\n" + std::string(400'000, '[') + "\n" + deep + "\n" +
                                  R"({"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":)" +
                                  deep + "}}\n" + head_id + tail_id + filler + "\n" + ping("9"));
  REQUIRE(ids(answers) == Ids{"", "", "", "6", "7", "8", "", "9"});
  const std::array codes{-32700, -32700, -32600, -32600, -32600, -32600, -32600};
  for (std::size_t i = 0; i < codes.size(); ++i) CHECK(answers[i]["error"]["code"] == codes[i]);
  CHECK(answers.back()["result"] == Json::object());
}

TEST_CASE("stdio: an end of file inside a line is answered, with no id that may be half of one") {
  const auto answers = answers_to(ping("1") + R"({"jsonrpc":"2.0","method":"ping","id":12)");
  CHECK(ids(answers) == Ids{"1", ""});
  CHECK(answers[1]["error"]["code"] == -32700);
  const std::string filler(20U << 20U, 'x');
  const auto oversized =
      answers_to(R"({"method":"ping","params":{"a":")" + filler + R"(","id":5})");
  CHECK(ids(oversized) == Ids{""});
}

TEST_CASE("stdio: 5,000 requests in one burst are all answered, in order") {
  for (const Channel channel : kChannels) {
    std::string input;
    Ids expected;
    for (int i = 0; i < 5000; ++i) {
      input += echo(std::to_string(i));
      expected.push_back(std::to_string(i));
    }
    test::FakeTools tools;
    CHECK(ids(answers_to(input, channel, tools)) == expected);
    CHECK(tools.calls == 5000);
  }
}

TEST_CASE("stdio: an answer far larger than the pipe arrives whole") {
  const std::string text(3U << 20U, 'y');
  for (const Channel channel : kChannels) {
    const auto answers = answers_to(echo("1", text) + ping("2"), channel);
    REQUIRE(ids(answers) == Ids{"1", "2"});
    CHECK(base::parse_json(answers[0]["result"]["content"][0]["text"].get<std::string>(),
                           {64U << 20U, 10})
              ->at("echoed")
              .at("text") == text);
  }
}

TEST_CASE("stdio: notifications and responses write nothing") {
  CHECK(answers_to("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n" +
                   cancel("1") + "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
            .empty());
}

TEST_CASE("stdio: a request that is cancelled before its turn is neither run nor answered") {
  test::FakeTools tools;
  // One write of less than a page is read at once: all of it waits when the first turn comes.
  const auto answers =
      answers_to(echo("1") + echo("2") + echo("\"2\"") + cancel("2") + cancel("99") + echo("3"),
                 Channel::pipe, tools);
  CHECK(ids(answers) == Ids{"1", "\"2\"", "3"});
  CHECK(tools.calls == 3);
}

TEST_CASE("stdio: a cancellation that arrives during an earlier request is in time") {
  Ends in(Channel::pipe);
  Ends out(Channel::pipe);
  test::FakeTools tools;
  tools.during_call = [&] {
    if (tools.calls == 1) {
      write_all(in.write_end, cancel("2") + cancel("1"));
      in.close_write();
    }
  };
  test::FakeServer fake(tools);
  write_all(in.write_end, echo("1") + echo("2") + ping("3"));
  CHECK(serve_stdio(fake.server, "ada", in.read_end, out.write_end) == 0);
  out.close_write();
  CHECK(ids(json_lines(read_all(out.read_end))) == Ids{"1", "3"});
  CHECK(tools.calls == 1);
}

TEST_CASE("stdio: initialize cannot be cancelled") {
  const std::string initialize =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
  CHECK(ids(answers_to(initialize + "\n" + cancel("0"))) == Ids{"0"});
}

TEST_CASE("stdio: a signal during a request: it and all that was read is answered, then the end") {
  for (const int signal_number : {SIGTERM, SIGINT}) {
    for (const Channel channel : kChannels) {
      Ends in(channel);
      Ends out(channel);
      test::FakeTools tools;
      tools.during_call = [&] {
        if (tools.calls == 1) ::raise(signal_number);
      };
      test::FakeServer fake(tools);
      write_all(in.write_end, echo("1") + echo("2") + R"({"jsonrpc":"2.0","id":3,"meth)");
      // The input stays open: only the signal ends this.
      CHECK(serve_stdio(fake.server, "ada", in.read_end, out.write_end) == 0);
      out.close_write();
      CHECK(ids(json_lines(read_all(out.read_end))) == Ids{"1", "2"});
    }
  }
}

TEST_CASE("stdio: a signal while idle ends it") {
  Ends in(Channel::pipe);
  Ends out(Channel::pipe);
  test::FakeTools tools;
  test::FakeServer fake(tools);
  int exit_code = -1;
  std::thread serving(
      [&] { exit_code = serve_stdio(fake.server, "ada", in.read_end, out.write_end); });
  write_all(in.write_end, ping("1"));
  std::array<char, 256> answer{};
  CHECK(::read(out.read_end, answer.data(), answer.size()) > 0);
  ::kill(::getpid(), SIGTERM);
  serving.join();
  CHECK(exit_code == 0);
}

TEST_CASE("stdio: a signal ends it although nobody reads the answers") {
  for (const Channel channel : kChannels) {
    Ends in(channel);
    Ends out(channel);
    test::FakeTools tools;
    tools.during_call = [] { ::raise(SIGTERM); };
    test::FakeServer fake(tools);
    std::thread writing([&] { write_all(in.write_end, echo("1", std::string(1U << 20U, 'z'))); });
    CHECK(serve_stdio(fake.server, "ada", in.read_end, out.write_end) == 0);
    writing.join();
  }
}

TEST_CASE("stdio: a client that is gone is no error, and SIGPIPE does not end the process") {
  for (const Channel channel : kChannels) {
    Ends in(channel);
    Ends out(channel);
    out.close_read();
    test::FakeTools tools;
    test::FakeServer fake(tools);
    write_all(in.write_end, ping("1"));
    CHECK(serve_stdio(fake.server, "ada", in.read_end, out.write_end) == 0);
  }
}

TEST_CASE("stdio: a broken descriptor is an error, not a loop") {
  test::FakeTools tools;
  test::FakeServer fake(tools);
  Ends out(Channel::pipe);
  constexpr int kNeverOpen = 1'000'000;
  CHECK(serve_stdio(fake.server, "ada", kNeverOpen, out.write_end) == 1);
  Ends in(Channel::pipe);
  write_all(in.write_end, ping("1"));
  CHECK(serve_stdio(fake.server, "ada", in.read_end, in.read_end) == 1);
}

TEST_CASE("stdio: signals are as before afterwards, and the descriptors' flags untouched") {
  struct sigaction before{};
  ::sigaction(SIGTERM, nullptr, &before);
  Ends in(Channel::pipe);
  Ends out(Channel::pipe);
  in.close_write();
  test::FakeTools tools;
  test::FakeServer fake(tools);
  CHECK(serve_stdio(fake.server, "ada", in.read_end, out.write_end) == 0);
  struct sigaction after{};
  ::sigaction(SIGTERM, nullptr, &after);
  const bool same = before.sa_handler == after.sa_handler;
  CHECK(same);
  CHECK((::fcntl(out.write_end, F_GETFL) & O_NONBLOCK) == 0);
}

}  // namespace
}  // namespace phasegate::mcp::protocol
