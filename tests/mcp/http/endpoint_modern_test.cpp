#include <string>

#include "tests/mcp/http/endpoint_fixture.h"

namespace phasegate::mcp::http {
namespace {

Ask slow(std::string_view meta = kMetaProgress) {
  return modern("tools/call", R"("name":"slow")", "slow", meta);
}

Ask listen(std::string_view wants, std::string_view id = R"("L")") {
  Ask ask = modern("subscriptions/listen");
  ask.request.body = rpc("subscriptions/listen",
                         R"("notifications":)" + std::string(wants) + "," + std::string(kMeta), id);
  return ask;
}

}  // namespace

TEST_CASE("modern: a call that waits and may report is answered as a stream") {
  Fixture fixture;
  fixture.service.during = [](std::string_view, protocol::CallContext& context) {
    context.progress(1, 2, "half");
    CHECK(context.wait(std::chrono::milliseconds(0)));
  };
  const Response response = fixture.send(slow());
  CHECK(response.status == 200);
  REQUIRE(response.answer);
  FakeCallStream stream;
  response.answer(stream);
  REQUIRE(stream.sent.size() == 1);
  CHECK(parsed(stream.sent[0])["method"] == "notifications/progress");
  REQUIRE(stream.finished.size() == 1);
  CHECK(parsed(stream.finished[0])["id"] == 7);
  CHECK(parsed(stream.finished[0])["result"]["resultType"] == "complete");
}

TEST_CASE("modern: without anything to report, or for who takes no stream, it is one body") {
  Fixture fixture;
  int cancelled = 0;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    context.progress(1, 2, "half");
    if (context.cancelled()) ++cancelled;
  };
  for (const Ask& ask : {slow(kMeta), slow().header("Accept", "application/json"),
                         slow().without("Accept"), slow().header("Accept", "*/*")}) {
    const Json body = fixture.answer(ask);
    CHECK(body["result"]["resultType"] == "complete");
  }
  CHECK(cancelled == 0);
  // What does not wait is a body in any case.
  CHECK(fixture.answer(modern("tools/call", R"("name":"echo")", "echo", kMetaProgress))
            .contains("result"));
}

TEST_CASE("modern: a client that closes its stream has cancelled the call") {
  Fixture fixture;
  FakeCallStream stream;
  bool noticed = false;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    CHECK_FALSE(context.cancelled());
    stream.gone = true;
    noticed = context.cancelled() && !context.wait(std::chrono::milliseconds(0));
  };
  fixture.send(slow()).answer(stream);
  CHECK(noticed);
}

TEST_CASE("modern: the question of a call is an answer, and its retry another request") {
  Fixture fixture;
  const std::string meta =
      std::string(kMeta).replace(kMeta.find("{}}"), 2, R"({"elicitation":{}})");
  const Json question =
      fixture.answer(modern("tools/call", R"("name":"ask")", "ask", meta))["result"];
  CHECK(question["resultType"] == "input_required");
  CHECK(question["inputRequests"]["go"]["method"] == "elicitation/create");
  const Json done = fixture.answer(
      modern("tools/call", R"("name":"ask","inputResponses":{"go":{"action":"accept"}})", "ask",
             meta))["result"];
  CHECK(done["resultType"] == "complete");
}

TEST_CASE(
    "modern: a listen is acknowledged first, told what it asked for, and ended with a result") {
  Fixture fixture;
  const Response response = fixture.send(listen(R"({"toolsListChanged":true})"));
  CHECK(response.status == 200);
  CHECK(response.headers.empty());
  const auto stream = Fixture::open(response);
  fixture.subscriptions.announce(protocol::Subscriptions::Change::tools);
  fixture.subscriptions.announce(protocol::Subscriptions::Change::resources);
  fixture.endpoint.close_streams();
  CHECK(stream->ended());
  const auto lines = stream->lines();
  REQUIRE(lines.size() == 3);
  const Json acknowledged = parsed(lines[0]);
  CHECK(acknowledged["method"] == "notifications/subscriptions/acknowledged");
  CHECK(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "L");
  const Json changed = parsed(lines[1]);
  CHECK(changed["method"] == "notifications/tools/list_changed");
  CHECK(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "L");
  const Json ended = parsed(lines[2]);
  CHECK(ended["id"] == "L");
  CHECK(ended["result"]["resultType"] == "complete");
  // A second time there is nothing left to end.
  fixture.endpoint.close_streams();
  CHECK(stream->lines().size() == 3);
}

TEST_CASE("modern: a listen whose client leaves is forgotten") {
  Fixture fixture;
  const auto kept =
      Fixture::open(fixture.send(listen(R"({"resourceSubscriptions":["a://1"]})", "1")));
  std::weak_ptr<FakeOpenStream> left;
  {
    const auto stream =
        Fixture::open(fixture.send(listen(R"({"resourceSubscriptions":["a://2"]})", "2")));
    left = stream;
    CHECK(fixture.subscriptions.wanted().resource_uris.size() == 2);
    stream->leave();
  }
  CHECK(left.expired());
  CHECK(fixture.subscriptions.wanted().resource_uris == std::vector<std::string>{"a://1"});
  fixture.subscriptions.announce_resource("a://1");
  CHECK(kept->lines().size() == 2);
  kept->leave();
}

TEST_CASE("modern: a client that leaves before its stream is open leaves nothing behind") {
  Fixture fixture;
  const Response response = fixture.send(listen(R"({"toolsListChanged":true})"));
  response.gone();
  auto stream = std::make_shared<FakeOpenStream>([] {});
  response.open(stream);
  CHECK(stream->ended());
  CHECK_FALSE(fixture.subscriptions.wanted().tools);
}

TEST_CASE("modern: a stream that fails at its first line leaves nothing behind") {
  Fixture fixture;
  const Response response = fixture.send(listen(R"({"toolsListChanged":true})"));
  // Its end is told while it is being opened.
  class Failing final : public OpenStream {
   public:
    explicit Failing(std::function<void()> gone) : gone_(std::move(gone)) {}
    bool send(std::string) override {
      if (gone_) std::exchange(gone_, nullptr)();
      return false;
    }
    void close(std::string) override {}

   private:
    std::function<void()> gone_;
  };
  auto stream = std::make_shared<Failing>(response.gone);
  response.open(stream);
  CHECK_FALSE(fixture.subscriptions.wanted().tools);
  CHECK(stream.use_count() == 1);
}

TEST_CASE("modern: once the server is closing, a stream ends as soon as it is open") {
  Fixture fixture;
  const Response response = fixture.send(listen(R"({"toolsListChanged":true})"));
  fixture.endpoint.close_streams();
  const auto stream = Fixture::open(response);
  CHECK(stream->ended());
  REQUIRE(stream->lines().size() == 1);
  CHECK(parsed(stream->lines()[0])["result"]["resultType"] == "complete");
  CHECK_FALSE(fixture.subscriptions.wanted().tools);
}

TEST_CASE("modern: a listen that is malformed is an answer, not a stream") {
  Fixture fixture;
  for (const std::string_view wants :
       {R"([])", R"({"toolsListChanged":5})", R"({"resourceSubscriptions":"a://1"})"}) {
    CAPTURE(wants);
    const Response response = fixture.send(listen(wants));
    CHECK_FALSE(response.open);
    CHECK(error_code_of(response) == -32602);
  }
}

TEST_CASE("modern: calls whose clients cannot be seen to leave end when the server closes") {
  Fixture fixture;
  bool given_up = false;
  fixture.service.during = [&](std::string_view, protocol::CallContext& context) {
    fixture.endpoint.close_streams();
    given_up = context.cancelled() && !context.wait(std::chrono::hours(1));
  };
  CHECK(fixture.send(slow(kMeta)).status == 200);
  CHECK(given_up);
}

}  // namespace phasegate::mcp::http
