#include "tests/mcp/protocol_fixture.h"

namespace phasegate::mcp::protocol {
namespace {

TEST_CASE("JSON-RPC: what is no message gets the error and, where it can be read, the id") {
  Fixture fixture;
  check_errors(
      fixture,
      {
          {"garbage", -32700, "", "not valid JSON"},
          {"{", -32700, "", "not valid JSON"},
          {"{}{}", -32700, "", "not valid JSON"},
          {"\"\xff\"", -32700, "", "not valid JSON"},
          {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"a\":\"\xc3\x28\"}}",
           -32700, "7", "not valid JSON"},
          {R"({"jsonrpc":"2.0","id":7,"method":"ping")", -32700, "7", "not valid JSON"},
          {R"({"method":"ping","params":{"a":"\ud800"}, "jsonrpc":"2.0", "id": "x"})", -32700,
           R"("x")", "not valid JSON"},
          {R"({"method":"ping","params":{"a":"\ud800", "id": 5})", -32700, "", "not valid JSON"},
          {R"({"jsonrpc":"2.0","id":12)", -32700, "", "not valid JSON"},
          {"null", -32600, "", "not null"},
          {"42", -32600, "", "not integer"},
          {"\"text\"", -32600, "", "not string"},
          {"true", -32600, "", "not boolean"},
          {"{}", -32600, "", "jsonrpc"},
          {R"({"jsonrpc":"2.0"})", -32600, "", "method"},
          {R"({"jsonrpc":"2.0","id":1})", -32600, "1", "method"},
          {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600, "1", "jsonrpc"},
          {R"({"jsonrpc":2.0,"id":1,"method":"ping"})", -32600, "1", "jsonrpc"},
          {R"({"id":1,"method":"ping"})", -32600, "1", "jsonrpc"},
          {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":1e300,"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":[1],"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":true,"method":"ping"})", -32600, "", "`id`"},
          {R"({"jsonrpc":"2.0","id":1,"method":5})", -32600, "1", "`method`"},
          {R"({"jsonrpc":"2.0","id":1,"method":null})", -32600, "1", "`method`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", -32602, "1", "`params`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":5})", -32602, "1", "`params`"},
          {R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"})", -32600, "1", "twice"},
          {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", -32600, "", "batch"},
          {"[]", -32600, "", "batch"},
      });
  CHECK(fixture.ask(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")["result"] == Json::object());
}

TEST_CASE("JSON-RPC: ids come back as they were") {
  Fixture fixture;
  for (const std::string_view id :
       {"0", "1", "-5", "9223372036854775807", "18446744073709551615", R"("")", R"("1")",
        R"("server-discover-probe-1")", R"("ä\"\\ \n")"}) {
    CAPTURE(id);
    const auto answer =
        fixture.server.answer(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::string(id) + "}");
    CHECK(answer == R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})");
  }
}

TEST_CASE("JSON-RPC: nesting and size are limited, and the id is answered") {
  Fixture fixture;
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const Json too_deep = fixture.ask(
      R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"a":)" +
      deep + "}}}");
  CHECK(too_deep["id"] == 8);
  CHECK(too_deep["error"]["code"] == -32600);
  CHECK(too_deep["error"]["message"] ==
        "nested deeper than " + std::to_string(base::limits::kMessageDepthMax) + " levels");
  // 400 KB of brackets that never close are no JSON at all.
  CHECK(fixture.ask(std::string(400'000, '['))["error"]["code"] == -32700);

  const std::string filler(base::limits::kMessageBytesMax, 'x');
  for (const auto& line :
       {R"({"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":")" + filler + "\"}}",
        R"({"method":"ping","params":{"a":")" + filler + R"("},"jsonrpc":"2.0","id":9})"}) {
    const Json too_large = fixture.ask(line);
    CHECK(too_large["id"] == 9);
    CHECK(too_large["error"]["code"] == -32600);
    CHECK(too_large["error"]["message"].get<std::string>().find(
              std::to_string(base::limits::kMessageBytesMax)) != std::string::npos);
  }
  CHECK(fixture.tools.calls == 0);
}

TEST_CASE("JSON-RPC: notifications and responses are never answered") {
  Fixture fixture;
  for (const std::string_view line : {
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
           R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
           R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
           R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":[]})",
           R"({"jsonrpc":"2.0","method":"notifications/unheard/of"})",
           R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}})",
           R"({"jsonrpc":"2.0","id":1,"result":{}})",
           R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}})",
           R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})",
       }) {
    fixture.silent(line);
  }
  CHECK(fixture.tools.calls == 0);
}

TEST_CASE("a message of more values than allowed is refused before they are made, by its id") {
  const auto with = [](std::size_t values) {
    std::string line = R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[)";
    for (std::size_t i = 0; i < values; ++i) line += i == 0 ? "{}" : ",{}";
    return line + R"(]},"id2":1})";
  };
  CHECK(parse_message(with(1000)).kind == Message::Kind::request);
  const Message many = parse_message(with(kMessageValuesMax));
  REQUIRE(many.kind == Message::Kind::broken);
  CHECK(many.error->message.find("100000 values") != std::string::npos);
  CHECK(many.id == "7");
  // Commas and brackets in a text are no values.
  std::string text = R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":")";
  text.append(2 * kMessageValuesMax, ',');
  CHECK(parse_message(text + R"(\",[{"}})").kind == Message::Kind::request);
}

}  // namespace
}  // namespace phasegate::mcp::protocol
