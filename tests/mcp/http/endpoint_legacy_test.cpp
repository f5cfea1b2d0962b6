#include <string>
#include <vector>

#include "base/ids.h"
#include "tests/mcp/http/endpoint_fixture.h"

namespace phasegate::mcp::http {
namespace {

const std::string kSlow = rpc("tools/call", R"("name":"slow")");
const std::string kList = rpc("tools/list", "");

std::string cancelled(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::string(id) + "}}";
}

}  // namespace

TEST_CASE("legacy: a handshake begins a session, which is then wanted") {
  Fixture fixture;
  for (const std::string_view revision : {"2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05"}) {
    CAPTURE(revision);
    const Response response = fixture.send(initialize(revision));
    CHECK(response.status == 200);
    CHECK(parsed(response.body)["result"]["protocolVersion"] == revision);
    const std::string* id = header_of(response, "Mcp-Session-Id");
    REQUIRE(id != nullptr);
    CHECK(base::is_id(*id));
    CHECK(fixture.answer(Fixture::legacy(*id, kList))["result"].contains("tools"));
    CHECK(
        fixture
            .send(Fixture::legacy(*id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})")
                      .header("MCP-Protocol-Version", std::string(revision)))
            .status == 202);
  }
  // Never a version that has no handshake.
  for (const std::string_view revision : {"2026-07-28", "1999-01-01"}) {
    const Response response = fixture.send(initialize(revision));
    CHECK(parsed(response.body)["result"]["protocolVersion"] == "2025-11-25");
  }
}

TEST_CASE("legacy: each handshake begins a session of its own") {
  Fixture fixture;
  const std::string first = fixture.session();
  const Response again = fixture.send(initialize().header("Mcp-Session-Id", first));
  REQUIRE(header_of(again, "Mcp-Session-Id") != nullptr);
  CHECK(*header_of(again, "Mcp-Session-Id") != first);
  CHECK(fixture.send(Fixture::legacy(first, kList)).status == 200);
  CHECK(fixture.send(initialize().header("Mcp-Session-Id", "gone")).status == 200);
}

TEST_CASE("legacy: the version header may be left out, but not be wrong") {
  Fixture fixture;
  const std::string session = fixture.session();
  struct Row {
    std::vector<std::string> versions;
    int status;
  };
  const std::vector<Row> rows{{{}, 200},
                              {{"2025-11-25"}, 200},
                              {{"2025-06-18"}, 200},
                              {{"2024-11-05"}, 200},
                              {{"2099-01-01"}, 400},
                              {{""}, 400},
                              {{"2025-11-25 x"}, 400},
                              {{"2026-07-28"}, 400},
                              {{"2025-11-25", "2025-11-25"}, 400}};
  for (const Row& row : rows) {
    Ask ask = Fixture::legacy(session, kList);
    for (const std::string& version : row.versions) {
      ask.add("MCP-Protocol-Version", version);
      CAPTURE(version);
    }
    CHECK(fixture.send(ask).status == row.status);
  }
  for (const std::string verb : {"GET", "DELETE"}) {
    CHECK(fixture
              .send(Ask(verb)
                        .header("Mcp-Session-Id", session)
                        .header("MCP-Protocol-Version", "2099-01-01"))
              .status == 400);
  }
  // Modern requests have no session, and only one verb.
  for (const std::string verb : {"GET", "DELETE"}) {
    CHECK(fixture
              .send(Ask(verb)
                        .header("Mcp-Session-Id", session)
                        .header("MCP-Protocol-Version", "2026-07-28"))
              .status == 405);
  }
  CHECK(fixture.send(Fixture::legacy(session, kList)).status == 200);
}

TEST_CASE("legacy: errors about what is asked for are answers like any other") {
  Fixture fixture;
  const std::string session = fixture.session();
  const auto code = [&](std::string_view method, std::string_view members) {
    const Response response = fixture.send(Fixture::legacy(session, rpc(method, members)));
    CHECK(response.status == 200);
    return error_code_of(response);
  };
  CHECK(code("foo/bar", "") == -32601);
  CHECK(code("server/discover", "") == -32601);
  CHECK(code("tools/call", R"("name":"nope")") == -32602);
  CHECK(code("ping", "") == 0);
  CHECK(code("logging/setLevel", R"("level":"debug")") == 0);
}

TEST_CASE("legacy: a modern request in the middle of a session is modern, and changes nothing") {
  Fixture fixture;
  const std::string session = fixture.session();
  const Json modern_list =
      fixture.answer(modern("tools/list").header("Mcp-Session-Id", session))["result"];
  CHECK(modern_list["resultType"] == "complete");
  CHECK(fixture.send(modern("ping").header("Mcp-Session-Id", session)).status == 404);
  const Json legacy_list = fixture.answer(Fixture::legacy(session, kList))["result"];
  CHECK_FALSE(legacy_list.contains("resultType"));
  // Under a modern header it is a modern request without its metadata, whatever session it names.
  const Response mixed =
      fixture.send(Fixture::legacy(session, kList).header("MCP-Protocol-Version", "2026-07-28"));
  CHECK(mixed.status == 400);
  CHECK(error_code_of(mixed) == -32602);
}

TEST_CASE("legacy: a session ends with DELETE, and is then as if it had never been") {
  Fixture fixture;
  const std::string session = fixture.session();
  const auto stream = Fixture::open(fixture.send(Ask("GET").header("Mcp-Session-Id", session)));
  const Response ended = fixture.send(Ask("DELETE").header("Mcp-Session-Id", session));
  CHECK(ended.status == 204);
  CHECK(ended.body.empty());
  CHECK(stream->ended());
  CHECK(fixture.send(Fixture::legacy(session, kList)).status == 404);
  CHECK(fixture.send(Ask("DELETE").header("Mcp-Session-Id", session)).status == 404);
  CHECK(fixture.send(Ask("GET").header("Mcp-Session-Id", session)).status == 404);
}

TEST_CASE("legacy: the stream of a session is told what belongs to no request") {
  Fixture fixture;
  const std::string session = fixture.session();
  const Response response = fixture.send(Ask("GET").header("Mcp-Session-Id", session));
  const auto first = Fixture::open(response);
  fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  REQUIRE(first->lines().size() == 1);
  CHECK(parsed(first->lines()[0])["method"] == "notifications/tools/list_changed");

  // The newer stream takes over: the older one may be a connection that is long dead.
  const auto second = Fixture::open(fixture.send(Ask("GET").header("Mcp-Session-Id", session)));
  CHECK(first->ended());
  CHECK_FALSE(second->ended());
  fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  CHECK(first->lines().size() == 1);
  CHECK(second->lines().size() == 1);

  // When that one is gone there is none, until there is one again.
  second->leave();
  fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  CHECK(second->lines().size() == 1);
  const auto third = Fixture::open(fixture.send(Ask("GET").header("Mcp-Session-Id", session)));
  fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  CHECK(third->lines().size() == 1);

  fixture.endpoint.close_streams();
  CHECK(third->ended());
  // Nothing is owed to it at the end.
  CHECK(third->lines().size() == 1);
}

TEST_CASE("legacy: a stream of a session that has ended meanwhile ends at once") {
  Fixture fixture;
  const std::string session = fixture.session();
  const Response response = fixture.send(Ask("GET").header("Mcp-Session-Id", session));
  CHECK(fixture.send(Ask("DELETE").header("Mcp-Session-Id", session)).status == 204);
  CHECK(Fixture::open(response)->ended());
}

TEST_CASE("legacy: a call that waits is a stream, for who takes one") {
  Fixture fixture;
  const std::string session = fixture.session();
  fixture.service.during = [](std::string_view, protocol::CallContext& context) {
    context.progress(1, 2, "half");
  };
  const std::string call = rpc("tools/call", R"("name":"slow","_meta":{"progressToken":3})");
  const Response response = fixture.send(Fixture::legacy(session, call));
  REQUIRE(response.answer);
  FakeCallStream stream;
  response.answer(stream);
  REQUIRE(stream.sent.size() == 1);
  CHECK(parsed(stream.sent[0])["params"]["progressToken"] == 3);
  REQUIRE(stream.finished.size() == 1);
  CHECK_FALSE(parsed(stream.finished[0])["result"].contains("resultType"));
  CHECK(fixture.answer(Fixture::legacy(session, call).header("Accept", "application/json"))
            .contains("result"));
}

TEST_CASE("legacy: a client that is gone has not cancelled") {
  Fixture fixture;
  const std::string session = fixture.session();
  FakeCallStream stream;
  bool cancelled = true;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    stream.gone = true;
    cancelled = context.cancelled() || !context.wait(std::chrono::milliseconds(0));
  };
  fixture.send(Fixture::legacy(session, kSlow)).answer(stream);
  CHECK_FALSE(cancelled);
  CHECK(stream.finished.size() == 1);
}

TEST_CASE("legacy: a call waits on its stream, which stays alive by it, until it is given up") {
  Fixture fixture;
  const std::string session = fixture.session();
  bool whole = false;
  bool waited_on = true;
  FakeCallStream stream;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    whole = context.wait(std::chrono::milliseconds(1));
    CHECK(stream.waited.count() > 0);
    stream.on_wait = [&] {
      CHECK(fixture.send(Fixture::legacy(session, cancelled("7"))).status == 202);
    };
    waited_on = context.wait(std::chrono::hours(1));
  };
  fixture.send(Fixture::legacy(session, kSlow)).answer(stream);
  CHECK(whole);
  CHECK_FALSE(waited_on);
  CHECK(stream.finished.empty());
}

TEST_CASE("legacy: what is cancelled by a notification stops and gets no answer") {
  struct Row {
    std::string id;     ///< of the call
    std::string named;  ///< by the notification
    bool own_session;   ///< that it comes from
    bool stops;
  };
  const std::vector<Row> rows{{"7", "7", true, true},       {R"("a")", R"("a")", true, true},
                              {"7", "8", true, false},      {"7", R"("7")", true, false},
                              {R"("7")", "7", true, false}, {"7", "null", true, false},
                              {"7", "{}", true, false},     {"7", "7", false, false}};
  for (const Row& row : rows) {
    CAPTURE(row.id);
    CAPTURE(row.named);
    Fixture fixture;
    const std::string session = fixture.session();
    const std::string other = fixture.session();
    bool stopped = false;
    fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
      CHECK(fixture.send(Fixture::legacy(row.own_session ? session : other, cancelled(row.named)))
                .status == 202);
      stopped = context.cancelled();
    };
    FakeCallStream stream;
    fixture.send(Fixture::legacy(session, rpc("tools/call", R"("name":"slow")", row.id)))
        .answer(stream);
    CHECK(stopped == row.stops);
    CHECK(stream.finished.size() == (row.stops ? 0 : 1));
  }
}

TEST_CASE("legacy: a call can be cancelled before its stream is open") {
  Fixture fixture;
  const std::string session = fixture.session();
  bool stopped = false;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    stopped = context.cancelled();
  };
  const Response response = fixture.send(Fixture::legacy(session, kSlow));
  CHECK(fixture.send(Fixture::legacy(session, cancelled("7"))).status == 202);
  FakeCallStream stream;
  response.answer(stream);
  CHECK(stopped);
  CHECK(stream.finished.empty());
}

TEST_CASE("legacy: what runs stops with its session, and with the server") {
  for (const bool whole_server : {false, true}) {
    CAPTURE(whole_server);
    Fixture fixture;
    const std::string session = fixture.session();
    bool stopped = false;
    fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
      if (whole_server) {
        fixture.endpoint.close_streams();
      } else {
        CHECK(fixture.send(Ask("DELETE").header("Mcp-Session-Id", session)).status == 204);
      }
      stopped = context.cancelled() && !context.wait(std::chrono::hours(1));
    };
    FakeCallStream stream;
    fixture.send(Fixture::legacy(session, kSlow)).answer(stream);
    CHECK(stopped);
    // Nobody withdrew it, so it is answered.
    CHECK(stream.finished.size() == 1);
  }
}

TEST_CASE("legacy: a question goes out on the call's stream, its answer comes in by another POST") {
  Fixture fixture;
  const std::string session = fixture.session();
  FakeCallStream stream;
  stream.on_send = [&](const std::string& line) {
    const Json request = parsed(line);
    if (!request.contains("id")) return;
    CHECK(request["method"] == "elicitation/create");
    const std::string answer = R"({"jsonrpc":"2.0","id":)" + base::dump(request["id"]) +
                               R"(,"result":{"action":"accept","content":{"ok":true}}})";
    // A stranger's answer counts for nothing.
    CHECK(fixture.send(Fixture::legacy("nope", answer)).status == 404);
    CHECK(fixture.send(Fixture::legacy(session, answer)).status == 202);
    CHECK(fixture.send(Fixture::legacy(session, answer)).status == 202);
  };
  const Response response =
      fixture.send(Fixture::legacy(session, rpc("tools/call", R"("name":"ask")")));
  REQUIRE(response.answer);
  response.answer(stream);
  REQUIRE(stream.finished.size() == 1);
  CHECK(stream.finished[0].find("accept") != std::string::npos);
}

TEST_CASE("legacy: only a session of 2025-03-26 may send a batch") {
  const std::string batch = "[" + rpc("ping", "", "1") +
                            R"(,{"jsonrpc":"2.0","method":"notifications/initialized"},)" +
                            rpc("tools/list", "", "2") + "]";
  Fixture fixture;
  const std::string old = fixture.session("2025-03-26");
  const Json answers = fixture.answer(Fixture::legacy(old, batch));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["id"] == 1);
  CHECK(answers[1]["id"] == 2);
  CHECK(
      fixture
          .send(Fixture::legacy(old, R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])"))
          .status == 202);
  CHECK(fixture.send(Fixture::legacy(old, "[]")).status == 400);
  CHECK(fixture.send(Fixture::legacy(old, batch).header("MCP-Protocol-Version", "2026-07-28"))
            .status == 400);
  for (const std::string_view revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    CAPTURE(revision);
    const Response response = fixture.send(Fixture::legacy(fixture.session(revision), batch));
    CHECK(response.status == 400);
    CHECK(error_code_of(response) == -32600);
  }
  CHECK(fixture.send(Fixture::legacy("nope", batch)).status == 404);
}

}  // namespace phasegate::mcp::http
