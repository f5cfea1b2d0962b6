#include <string>
#include <vector>

#include <sys/stat.h>

#include "base/limits.h"
#include "mcp/http/sessions.h"
#include "mcp/http/tokens.h"
#include "tests/mcp/http/endpoint_fixture.h"
#include "tests/support/files.h"

namespace phasegate::mcp::http {
namespace {

namespace limits = base::limits;

const std::string kList = rpc("tools/list", "");

/// A table for three sessions that end after a second.
struct Table {
  protocol::Subscriptions subscriptions;
  base::ManualClock clock;
  base::SeededIdSource ids{1};
  Sessions sessions{subscriptions, {3, 1000}, clock, ids};

  std::shared_ptr<Session> begin(const std::string& principal = "me") {
    auto session = sessions.make(principal);
    sessions.keep(session);
    clock.advance_ms(1);
    return session;
  }
  bool exists(const Session& session) {
    return sessions.find(session.id(), session.principal()) != nullptr;
  }
};

std::shared_ptr<FakeOpenStream> stream_of(Session& session) {
  auto stream = std::make_shared<FakeOpenStream>([] {});
  session.attach(stream);
  return stream;
}

}  // namespace

TEST_CASE("sessions: belong to whoever began them") {
  const test::TempFolder folder;
  const std::string alice(32, 'a');
  const std::string bob(32, 'b');
  const auto path = folder.write("tokens", "alice " + alice + "\nbob " + bob + "\n");
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  const auto tokens = Tokens::read(path.string());
  REQUIRE(tokens.ok());
  Fixture fixture({"/mcp", {}, *tokens, "", 0});
  const auto as = [](Ask ask, const std::string& token) {
    return ask.header("Authorization", "Bearer " + token);
  };
  const Response begun = fixture.send(as(initialize(), alice));
  const std::string* session = header_of(begun, "Mcp-Session-Id");
  REQUIRE(session != nullptr);
  const std::string response = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  for (const std::string& body : {kList, response, note, "[" + kList + "]"}) {
    CAPTURE(body);
    CHECK(fixture.send(as(Fixture::legacy(*session, body), bob)).status == 404);
  }
  for (const std::string verb : {"GET", "DELETE"}) {
    CHECK(fixture.send(as(Ask(verb).header("Mcp-Session-Id", *session), bob)).status == 404);
  }
  CHECK(fixture.send(Fixture::legacy(*session, kList)).status == 401);
  CHECK(fixture.send(as(Fixture::legacy(*session, kList), alice)).status == 200);
}

TEST_CASE("sessions: a failed handshake begins none") {
  Fixture fixture;
  const Response response = fixture.send(Ask("POST", rpc("initialize", "")));
  CHECK(header_of(response, "Mcp-Session-Id") == nullptr);
}

TEST_CASE("sessions: over the limit the longest unused ends") {
  Table table;
  const auto first = table.begin();
  const auto second = table.begin();
  const auto third = table.begin();
  CHECK(table.exists(*first));
  table.clock.advance_ms(1);
  const auto fourth = table.begin();
  CHECK_FALSE(table.exists(*second));
  CHECK(table.exists(*first));
  CHECK(table.exists(*third));
  CHECK(table.exists(*fourth));
}

TEST_CASE("sessions: one with a stream or a running call ends after those without") {
  Table table;
  const auto streaming = table.begin();
  const auto stream = stream_of(*streaming);
  const auto busy = table.begin();
  const auto call = busy->calls.add(protocol::parse_message(kList));
  const auto idle = table.begin();
  const auto fourth = table.begin();
  CHECK_FALSE(table.exists(*idle));
  const auto fifth = table.begin();
  CHECK_FALSE(table.exists(*fourth));
  CHECK(table.exists(*streaming));
  CHECK_FALSE(stream->ended());
  table.clock.advance_ms(1);
  // If all are busy, the longest unused of them ends, with its stream.
  const auto more = stream_of(*fifth);
  CHECK(table.exists(*busy));
  CHECK(table.exists(*fifth));
  const auto sixth = table.begin();
  CHECK_FALSE(table.exists(*streaming));
  CHECK(stream->ended());
  CHECK(call->ended() == RunningCall::Ended::no);
}

TEST_CASE("sessions: who opens too many loses his own") {
  Table table;
  const auto others = table.begin("other");
  const auto first = table.begin("greedy");
  const auto second = table.begin("greedy");
  const auto third = table.begin("greedy");
  CHECK(table.exists(*others));
  CHECK_FALSE(table.exists(*first));
  // Somebody who has none yet gets one all the same.
  const auto fresh = table.begin("fresh");
  CHECK(table.exists(*fresh));
}

TEST_CASE("sessions: end when they have not been used for long") {
  Table table;
  const auto session = table.begin();
  table.clock.advance_ms(999);
  CHECK(table.exists(*session));
  table.clock.advance_ms(1000);
  CHECK(table.exists(*session));
  table.clock.advance_ms(1001);
  CHECK_FALSE(table.exists(*session));
}

TEST_CASE("sessions: nobody is idle with a stream or a running call") {
  Table table;
  const auto streaming = table.begin();
  auto stream = stream_of(*streaming);
  const auto busy = table.begin();
  auto call = busy->calls.add(protocol::parse_message(kList));
  table.clock.advance_ms(10'000);
  CHECK(table.exists(*streaming));
  CHECK(table.exists(*busy));
  stream.reset();
  call.reset();
  table.clock.advance_ms(10'000);
  CHECK_FALSE(table.exists(*streaming));
  CHECK_FALSE(table.exists(*busy));
}

TEST_CASE("sessions: those that are idle make room when another begins") {
  Table table;
  const auto first = table.begin();
  const auto call = first->calls.add(protocol::parse_message(kList));
  const auto second = table.begin();
  table.clock.advance_ms(10'000);
  const auto third = table.begin();
  const auto fourth = table.begin();
  CHECK(table.exists(*first));
  CHECK_FALSE(table.exists(*second));
  CHECK(table.exists(*third));
  CHECK(table.exists(*fourth));
}

TEST_CASE("sessions: as many as the limit says, over the endpoint") {
  Fixture fixture;
  const std::string first = fixture.session();
  for (std::size_t i = 1; i < limits::kHttpSessionsMax; ++i) static_cast<void>(fixture.session());
  fixture.clock.advance_ms(1);
  CHECK(fixture.send(Fixture::legacy(first, kList)).status == 200);
  static_cast<void>(fixture.session());
  fixture.clock.advance_ms(limits::kHttpSessionIdleMs);
  CHECK(fixture.send(Fixture::legacy(first, kList)).status == 200);
  fixture.clock.advance_ms(limits::kHttpSessionIdleMs + 1);
  CHECK(fixture.send(Fixture::legacy(first, kList)).status == 404);
}

}  // namespace phasegate::mcp::http
