#include <string>
#include <vector>

#include "tests/mcp/http/endpoint_fixture.h"

/// The requests that have been sent to real servers to see how they refuse, and more of the kind.
namespace phasegate::mcp::http {
namespace {

constexpr std::string_view kList = R"({"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}})";

std::string meta(std::string_view members) {
  return R"("_meta":{)" + std::string(members) + "}";
}

constexpr std::string_view kVersion = R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")";
constexpr std::string_view kCapabilities = R"("io.modelcontextprotocol/clientCapabilities":{})";

std::string whole_meta(std::string_view version) {
  return meta(R"("io.modelcontextprotocol/protocolVersion":")" + std::string(version) + R"(",)" +
              std::string(kCapabilities));
}

Ask versioned(std::string_view header, std::string_view body, const std::string& method) {
  return modern(method, "", "", whole_meta(body))
      .header("MCP-Protocol-Version", std::string(header));
}

Ask body_only(std::string body) {
  Ask ask = modern("tools/list");
  ask.request.body = std::move(body);
  return ask;
}

struct Row {
  std::string name;
  Ask ask;
  int status;
  int code;        ///< of the JSON-RPC error; 0: none
  std::string id;  ///< of the answer, as JSON; empty: none
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Fixture fixture;
    const Response response = fixture.send(row.ask);
    CAPTURE(response.body);
    CHECK(response.status == row.status);
    CHECK_FALSE(response.open);
    CHECK_FALSE(response.answer);
    if (row.status == 202) {
      CHECK(response.body.empty());
      CHECK(response.content_type.empty());
      continue;
    }
    REQUIRE(response.content_type == "application/json");
    const Json body = parsed(response.body);
    CHECK(body["jsonrpc"] == "2.0");
    CHECK(error_code_of(response) == row.code);
    CHECK((body.contains("id") ? base::dump(body["id"]) : "") == row.id);
    CHECK(header_of(response, "Mcp-Session-Id") == nullptr);
  }
}

}  // namespace

TEST_CASE("endpoint: modern requests, good and bad") {
  check({
      {"valid", modern("tools/list"), 200, 0, "7"},
      {"discover", modern("server/discover"), 200, 0, "7"},
      {"no metadata", Ask(modern("tools/list")).header("Mcp-Method", "tools/list"), 200, 0, "7"},
      {"headers but no _meta", body_only(std::string(kList)), 400, -32602, "7"},
      {"headers but no params", body_only(R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})"), 400,
       -32602, "7"},
      {"headers but an empty _meta", body_only(rpc("tools/list", R"("_meta":{})")), 400, -32602,
       "7"},
      {"headers but _meta null", body_only(rpc("tools/list", R"("_meta":null)")), 400, -32602, "7"},
      {"headers but _meta an array", body_only(rpc("tools/list", R"("_meta":[])")), 400, -32602,
       "7"},
      {"only a progress token", body_only(rpc("tools/list", R"("_meta":{"progressToken":1})")), 400,
       -32602, "7"},
      {"no capabilities", body_only(rpc("tools/list", meta(kVersion))), 400, -32602, "7"},
      {"no version", body_only(rpc("tools/list", meta(kCapabilities))), 400, -32602, "7"},
      {"no version and no header",
       body_only(rpc("tools/list", meta(kCapabilities))).without("MCP-Protocol-Version"), 400,
       -32602, "7"},
      {"capabilities ill-typed",
       body_only(rpc("tools/list", meta(std::string(kVersion) +
                                        R"(,"io.modelcontextprotocol/clientCapabilities":[])"))),
       400, -32602, "7"},
      {"version ill-typed",
       body_only(rpc("tools/list", meta(R"("io.modelcontextprotocol/protocolVersion":20260728,)" +
                                        std::string(kCapabilities)))),
       400, -32602, "7"},
      {"bad log level",
       modern("tools/list", "", "",
              meta(std::string(kVersion) + "," + std::string(kCapabilities) +
                   R"(,"io.modelcontextprotocol/logLevel":"loud")")),
       400, -32602, "7"},
      {"header missing", modern("tools/list").without("MCP-Protocol-Version"), 400, -32020, "7"},
      {"header empty", modern("tools/list").header("MCP-Protocol-Version", ""), 400, -32020, "7"},
      {"header twice", modern("tools/list").add("mcp-protocol-version", "2026-07-28"), 400, -32020,
       "7"},
      {"header of another version", versioned("2025-11-25", "2026-07-28", "tools/list"), 400,
       -32020, "7"},
      {"body of another version", versioned("2026-07-28", "2025-11-25", "tools/list"), 400, -32020,
       "7"},
      {"both say 2099-01-01", versioned("2099-01-01", "2099-01-01", "tools/list"), 400, -32022,
       "7"},
      {"both say v999.0.0", versioned("v999.0.0", "v999.0.0", "server/discover"), 400, -32022, "7"},
      {"both say 2025-11-25", versioned("2025-11-25", "2025-11-25", "tools/list"), 400, -32022,
       "7"},
      {"version before method",
       versioned("2099-01-01", "2099-01-01", "tools/list").header("Mcp-Method", "x"), 400, -32022,
       "7"},
      {"unknown method", modern("foo/bar"), 404, -32601, "7"},
      {"removed: ping", modern("ping"), 404, -32601, "7"},
      {"removed: logging/setLevel", modern("logging/setLevel"), 404, -32601, "7"},
      {"removed: resources/subscribe", modern("resources/subscribe"), 404, -32601, "7"},
      {"removed: initialize",
       modern(
           "initialize",
           R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"})"),
       404, -32601, "7"},
      {"not offered: completion", modern("completion/complete"), 404, -32601, "7"},
      {"handshake under a modern header",
       Ask(initialize()).header("MCP-Protocol-Version", "2026-07-28"), 400, -32020, "7"},
      {"no tool's name", modern("tools/call", R"("arguments":{})"), 200, -32602, "7"},
      {"tool's name ill-typed", modern("tools/call", R"("name":5)"), 200, -32602, "7"},
      {"unknown tool", modern("tools/call", R"("name":"nope")", "nope"), 200, -32602, "7"},
      {"unknown resource", modern("resources/read", R"("uri":"x://y")", "x://y"), 200, -32602, "7"},
      {"unknown prompt", modern("prompts/get", R"("name":"nope")", "nope"), 200, -32602, "7"},
      {"input from a client that has none", modern("tools/call", R"("name":"ask")", "ask"), 400,
       -32021, "7"},
      {"forged state",
       modern("tools/call", R"("name":"ask","requestState":"v1.x.y","inputResponses":{})", "ask"),
       200, -32602, "7"},
      {"Accept: JSON only", modern("tools/list").header("Accept", "application/json"), 200, 0, "7"},
      {"no Accept", modern("tools/list").without("Accept"), 200, 0, "7"},
      {"sessions are ignored",
       modern("tools/list").header("Mcp-Session-Id", "nope").header("Last-Event-ID", "3"), 200, 0,
       "7"},
      {"two sessions are ignored, too",
       modern("tools/list").add("Mcp-Session-Id", "a").add("Mcp-Session-Id", "b"), 200, 0, "7"},
      {"a session and a wrong version",
       versioned("2099-01-01", "2099-01-01", "tools/list").header("Mcp-Session-Id", "nope"), 400,
       -32022, "7"},
  });
}

TEST_CASE("endpoint: bodies that are no request") {
  const std::string whole = rpc("tools/list", kMeta);
  check({
      {"bad JSON", body_only(R"({"jsonrpc":)"), 400, -32700, ""},
      {"empty", body_only(""), 400, -32700, ""},
      {"blank", body_only(" \r\n"), 400, -32700, ""},
      {"two messages", body_only(whole + whole), 400, -32700, ""},
      {"not UTF-8", body_only("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}"), 400, -32700,
       ""},
      {"a NUL behind it", body_only(whole + std::string(1, '\0')), 400, -32700, ""},
      {"a string", body_only(R"("tools/list")"), 400, -32600, ""},
      {"null", body_only("null"), 400, -32600, ""},
      {"batch", body_only("[" + whole + "]"), 400, -32600, ""},
      {"empty batch", body_only("[]"), 400, -32600, ""},
      {"id null", body_only(rpc("tools/list", kMeta, "null")), 400, -32600, ""},
      {"id fractional", body_only(rpc("tools/list", kMeta, "1.5")), 400, -32600, ""},
      {"id true", body_only(rpc("tools/list", kMeta, "true")), 400, -32600, ""},
      {"id an object", body_only(rpc("tools/list", kMeta, "{}")), 400, -32600, ""},
      {"id an array", body_only(rpc("tools/list", kMeta, "[1]")), 400, -32600, ""},
      {"id negative", body_only(rpc("tools/list", kMeta, "-3")), 200, 0, "-3"},
      {"id text", body_only(rpc("tools/list", kMeta, R"("a\"b")")), 200, 0, R"("a\"b")"},
      {"id empty text", body_only(rpc("tools/list", kMeta, R"("")")), 200, 0, R"("")"},
      {"jsonrpc 1.0", body_only(R"({"jsonrpc":"1.0","id":1,"method":"tools/list","params":{}})"),
       400, -32600, "1"},
      {"no jsonrpc", body_only(R"({"id":1,"method":"tools/list"})"), 400, -32600, "1"},
      {"no method", body_only(R"({"jsonrpc":"2.0","id":1})"), 400, -32600, "1"},
      {"method a number", body_only(R"({"jsonrpc":"2.0","id":1,"method":5})"), 400, -32600, "1"},
      {"params an array",
       body_only(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]})"), 400, -32602,
       "1"},
      {"twice the same member",
       body_only(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"})"), 400, -32600, "1"},
      {"too deep",
       body_only(rpc("tools/list", R"("x":)" + std::string(100, '[') + std::string(100, ']'))), 400,
       -32600, "7"},
  });
}

TEST_CASE("endpoint: content that is not JSON") {
  for (const std::string type : {"text/plain", "application/x-www-form-urlencoded", "", "json"}) {
    CAPTURE(type);
    Fixture fixture;
    const Response response = fixture.send(modern("tools/list").header("Content-Type", type));
    CHECK(response.status == 415);
    CHECK(error_code_of(response) == -32600);
  }
  Fixture fixture;
  CHECK(fixture.send(modern("tools/list").without("Content-Type")).status == 415);
  CHECK(fixture.send(modern("tools/list").add("content-type", "application/json")).status == 415);
  CHECK(fixture.send(modern("tools/list").header("Content-Type", "Application/Json; charset=x"))
            .status == 200);
}

TEST_CASE("endpoint: notifications and responses without a session") {
  const auto note = [](std::string_view method) {
    return Ask("POST", R"({"jsonrpc":"2.0","method":")" + std::string(method) +
                           R"(","params":{"requestId":99}})");
  };
  const std::string result = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  check({
      {"modern cancelled",
       note("notifications/cancelled")
           .header("MCP-Protocol-Version", "2026-07-28")
           .header("Mcp-Method", "notifications/cancelled"),
       202, 0, ""},
      {"modern cancelled, without Mcp-Method",
       note("notifications/cancelled").header("MCP-Protocol-Version", "2026-07-28"), 202, 0, ""},
      {"modern, with a session that never was",
       note("notifications/cancelled")
           .header("MCP-Protocol-Version", "2026-07-28")
           .header("Mcp-Session-Id", "nope"),
       202, 0, ""},
      {"modern by its metadata",
       Ask("POST",
           R"({"jsonrpc":"2.0","method":"notifications/x","params":{)" + std::string(kMeta) + "}}")
           .header("Mcp-Session-Id", "nope"),
       202, 0, ""},
      {"no headers at all", note("notifications/foo"), 202, 0, ""},
      {"initialized without a session", note("notifications/initialized"), 202, 0, ""},
      {"params ill-typed", Ask("POST", R"({"jsonrpc":"2.0","method":"x","params":[]})"), 202, 0,
       ""},
      {"legacy, with a session that never was",
       note("notifications/initialized").header("Mcp-Session-Id", "nope"), 404, -32600, ""},
      {"modern response", Ask("POST", result).header("MCP-Protocol-Version", "2026-07-28"), 400,
       -32600, ""},
      {"response to nobody", Ask("POST", result), 400, -32600, ""},
      {"error to nobody",
       Ask("POST", R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}})"), 400, -32600,
       ""},
      {"response to a session that never was", Ask("POST", result).header("Mcp-Session-Id", "nope"),
       404, -32600, ""},
  });
}

TEST_CASE("endpoint: legacy requests without what they need") {
  check({
      {"nothing", Ask("POST", std::string(kList)), 400, -32600, "7"},
      {"only a legacy header",
       Ask("POST", std::string(kList)).header("MCP-Protocol-Version", "2025-11-25"), 400, -32600,
       "7"},
      {"unknown session", Ask("POST", std::string(kList)).header("Mcp-Session-Id", "nope"), 404,
       -32600, "7"},
      {"empty session", Ask("POST", std::string(kList)).header("Mcp-Session-Id", ""), 404, -32600,
       "7"},
      {"two sessions",
       Ask("POST", std::string(kList)).add("Mcp-Session-Id", "a").add("MCP-Session-Id", "b"), 400,
       -32600, "7"},
      {"a version that nobody knows",
       Ask("POST", std::string(kList)).header("MCP-Protocol-Version", "2099-01-01"), 400, -32022,
       "7"},
      {"a version that nobody knows, with a session",
       Ask("POST", std::string(kList))
           .header("MCP-Protocol-Version", "2099-01-01")
           .header("Mcp-Session-Id", "nope"),
       404, -32600, "7"},
      {"a handshake that names nothing", Ask("POST", rpc("initialize", "")), 200, -32602, "7"},
      {"GET without a session", Ask("GET").header("Accept", "text/event-stream"), 405, -32600, ""},
      {"DELETE without a session", Ask("DELETE"), 405, -32600, ""},
      {"modern GET", Ask("GET").header("MCP-Protocol-Version", "2026-07-28"), 405, -32600, ""},
      {"GET, unknown session", Ask("GET").header("Mcp-Session-Id", "nope"), 404, -32600, ""},
      {"DELETE, unknown session", Ask("DELETE").header("Mcp-Session-Id", "nope"), 404, -32600, ""},
  });
  Fixture fixture;
  for (const std::string verb : {"GET", "DELETE"}) {
    const Response response = fixture.send(Ask(verb));
    REQUIRE(header_of(response, "Allow") != nullptr);
    CHECK(*header_of(response, "Allow") == "POST");
  }
}

TEST_CASE("endpoint: errors say which versions are served") {
  Fixture fixture;
  const Response both = fixture.send(versioned("2099-01-01", "2099-01-01", "tools/list"));
  const Response header =
      fixture.send(Ask("POST", std::string(kList)).header("MCP-Protocol-Version", "2099-01-01"));
  for (const Response* response : {&both, &header}) {
    const Json data = parsed(response->body)["error"]["data"];
    CHECK(data["supported"] == Json::array({"2026-07-28"}));
    CHECK(data["requested"] == "2099-01-01");
  }
  const Response capability = fixture.send(modern("tools/call", R"("name":"ask")", "ask"));
  CHECK(parsed(capability.body)["error"]["data"]["requiredCapabilities"].contains("elicitation"));
}

}  // namespace phasegate::mcp::http
