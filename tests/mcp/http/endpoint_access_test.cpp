#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "base/limits.h"
#include "mcp/http/tokens.h"
#include "tests/mcp/http/endpoint_fixture.h"
#include "tests/support/files.h"

namespace phasegate::mcp::http {
namespace {

namespace limits = base::limits;

const std::string kAlice(32, 'a');
const std::string kBob(32, 'b');

std::shared_ptr<const Tokens> two_tokens() {
  const test::TempFolder folder;
  const auto path = folder.write("tokens", "alice " + kAlice + "\nbob " + kBob + "\n");
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  auto tokens = Tokens::read(path.string());
  REQUIRE(tokens.ok());
  return *tokens;
}

Ask list() {
  return modern("tools/list");
}

/// Every refusal of the endpoint itself is a JSON-RPC error response without id.
void check_refusal(const Response& response) {
  CHECK(response.content_type == "application/json");
  const Json body = parsed(response.body);
  CHECK(body["jsonrpc"] == "2.0");
  CHECK_FALSE(body.contains("id"));
  CHECK(body["error"]["code"] == -32600);
  CHECK_FALSE(body["error"]["message"].get<std::string>().empty());
}

void check_no_cors(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    CHECK_MESSAGE(name.find("Access-Control") == std::string::npos, name);
  }
}

}  // namespace

TEST_CASE("access: only this server's names get in") {
  struct Row {
    std::string host;
    std::optional<std::string> origin;
    int status;
  };
  const std::vector<Row> rows{
      {"127.0.0.1:8765", std::nullopt, 200},
      {"localhost", std::nullopt, 200},
      {"[::1]:1", std::nullopt, 200},
      {"LocalHost:8765", "http://localhost:3000", 200},
      {"127.0.0.1", "https://127.0.0.1:9999", 200},
      {"127.0.0.1", "HTTP://LOCALHOST", 200},
      {"box.example", "https://box.example", 200},
      {"evil.example.com", std::nullopt, 403},
      {"evil.example.com", "http://evil.example.com", 403},
      {"127.0.0.1", "http://evil.example.com", 403},
      {"evil.example.com", "http://localhost", 403},
      {"localhost.evil.com", std::nullopt, 403},
      {"127.0.0.1:80@evil", std::nullopt, 403},
      {"[::1%lo]", std::nullopt, 403},
      {"127.0.0.1", "null", 403},
      {"127.0.0.1", "", 403},
      {"127.0.0.1", "http://localhost.evil", 403},
      {"127.0.0.1", "file://", 403},
      {"", std::nullopt, 403},
      {"a,b", std::nullopt, 403},
  };
  for (const Row& row : rows) {
    CAPTURE(row.host);
    CAPTURE(row.origin.value_or("(none)"));
    Fixture fixture({"/mcp", {"box.example"}, nullptr, "me", 0});
    Ask ask = list().header("Host", row.host);
    if (row.origin) ask.header("Origin", *row.origin);
    const Response response = fixture.send(ask);
    CHECK(response.status == row.status);
    check_no_cors(response);
    if (row.status != 200) check_refusal(response);
  }
}

TEST_CASE("access: Host is there once, and Origin at most once") {
  Fixture fixture;
  CHECK(fixture.send(list().without("Host")).status == 400);
  CHECK(fixture.send(list().add("Host", "127.0.0.1:8765")).status == 400);
  CHECK(fixture.send(list().add("host", "evil.example.com")).status == 400);
  CHECK(fixture.send(list().add("Origin", "http://localhost").add("ORIGIN", "http://localhost"))
            .status == 403);
}

TEST_CASE("access: over a Unix socket any Host will do, but no foreign page") {
  Fixture fixture;
  CHECK(fixture.send(list().remote("unix").header("Host", "whatever")).status == 200);
  CHECK(fixture.send(list().remote("unix").without("Host")).status == 200);
  CHECK(fixture.send(list().remote("unix").add("Host", "b")).status == 400);
  CHECK(fixture.send(list().remote("unix").header("Origin", "http://evil.example.com")).status ==
        403);
  CHECK(fixture.send(list().remote("unix").header("Origin", "null")).status == 403);
}

TEST_CASE("access: other addresses are told where the endpoint is") {
  Fixture fixture({"/mcp", {}, two_tokens(), "", 0});
  for (const std::string path : {"/", "", "/mcp/", "/MCP", "/mcp/x", "/sse", "/register",
                                 "/authorize", "/token", "//mcp", "/../mcp", "*"}) {
    CAPTURE(path);
    const Response response = fixture.send(list().path(path));
    CHECK(response.status == 404);
    const Json body = parsed(response.body);
    CHECK(body["message"].get<std::string>().find("/mcp") != std::string::npos);
    // Not to be taken for a method that does not exist.
    CHECK_FALSE(body.contains("jsonrpc"));
  }
}

TEST_CASE("access: there is no OAuth to be discovered, and no token is wanted for learning that") {
  Fixture fixture({"/mcp", {}, two_tokens(), "", 0});
  for (const std::string path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
        "/.well-known/", "/.well-known"}) {
    CAPTURE(path);
    const Response response = fixture.send(Ask("GET").path(path));
    CHECK(response.status == 404);
    CHECK(response.content_type == "application/json");
    const Json body = parsed(response.body);
    CHECK(body.size() == 1);
    CHECK(body.contains("message"));
    CHECK(header_of(response, "WWW-Authenticate") == nullptr);
  }
}

TEST_CASE("access: other verbs are refused with those that exist, and never with CORS") {
  Fixture fixture;
  for (const std::string verb :
       {"OPTIONS", "PUT", "PATCH", "HEAD", "TRACE", "CONNECT", "post", "POSTS", ""}) {
    CAPTURE(verb);
    Ask ask(verb);
    ask.header("Origin", "http://localhost:3000").header("Access-Control-Request-Method", "POST");
    const Response response = fixture.send(ask);
    CHECK(response.status == 405);
    REQUIRE(header_of(response, "Allow") != nullptr);
    CHECK(*header_of(response, "Allow") == "POST, GET, DELETE");
    check_refusal(response);
    check_no_cors(response);
  }
}

TEST_CASE("access: with tokens, only those who have one") {
  Fixture fixture({"/mcp", {}, two_tokens(), "nobody", 0});
  const auto call = [] { return modern("tools/call", R"("name":"echo")", "echo"); };
  struct Row {
    std::vector<std::string> authorization;
    int status;
    std::string wanted;  ///< in WWW-Authenticate, or who is answered
  };
  const std::vector<Row> rows{
      {{"Bearer " + kAlice}, 200, "for alice"},
      {{"bearer   " + kBob}, 200, "for bob"},
      {{}, 401, "Bearer"},
      {{""}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer"}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer " + kAlice + "a"}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer " + kAlice.substr(1)}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer alice"}, 401, "Bearer error=\"invalid_token\""},
      {{"Basic " + kAlice}, 401, "Bearer error=\"invalid_token\""},
      {{kAlice}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer " + kAlice + ", Bearer " + kBob}, 401, "Bearer error=\"invalid_token\""},
      {{"Bearer " + kAlice, "Bearer " + kAlice}, 401, "Bearer error=\"invalid_token\""},
  };
  for (const Row& row : rows) {
    Ask ask = call();
    for (const std::string& value : row.authorization) ask.add("Authorization", value);
    CAPTURE(row.wanted);
    const Response response = fixture.send(ask);
    REQUIRE(response.status == row.status);
    if (row.status == 200) {
      CHECK(response.body.find(row.wanted) != std::string::npos);
      continue;
    }
    check_refusal(response);
    REQUIRE(header_of(response, "WWW-Authenticate") != nullptr);
    CHECK(*header_of(response, "WWW-Authenticate") == row.wanted);
    CHECK(response.body.find(kAlice) == std::string::npos);
    // Nobody gets past by leaving out the first question.
    CHECK(fixture.endpoint.handle(ask.request).status == 401);
  }
}

TEST_CASE("access: a token is asked for after name, address and verb") {
  Fixture fixture({"/mcp", {}, two_tokens(), "", 0});
  CHECK(fixture.send(list().header("Host", "evil")).status == 403);
  CHECK(fixture.send(list().path("/x")).status == 404);
  CHECK(fixture.send(Ask("PUT")).status == 405);
  CHECK(fixture.send(Ask("GET")).status == 401);
  CHECK(fixture.send(list().header("Content-Type", "text/plain")).status == 401);
}

TEST_CASE("access: wrong tokens are limited by address, the right one always passes") {
  Fixture fixture({"/mcp", {}, two_tokens(), "", 0});
  const auto guess = [] { return list().header("Authorization", "Bearer x"); };
  for (std::size_t i = 0; i < limits::kHttpWrongTokensMax; ++i) {
    CHECK(fixture.send(guess()).status == 401);
  }
  const Response limited = fixture.send(guess());
  CHECK(limited.status == 429);
  REQUIRE(header_of(limited, "Retry-After") != nullptr);
  CHECK(*header_of(limited, "Retry-After") == "2");
  CHECK(fixture.send(list()).status == 429);
  CHECK(fixture.send(guess().remote("10.0.0.9")).status == 401);
  CHECK(fixture.send(list().header("Authorization", "Bearer " + kAlice)).status == 200);
  fixture.clock.advance_ms(2000);
  CHECK(fixture.send(guess()).status == 401);
  CHECK(fixture.send(guess()).status == 429);
}

TEST_CASE("access: requests are limited by who asks") {
  Fixture fixture({"/mcp", {}, two_tokens(), "", 5});
  const auto as = [](const std::string& token) {
    return list().header("Authorization", "Bearer " + token);
  };
  const int at_once = static_cast<int>(5 * limits::kHttpBurstSeconds);
  for (int i = 0; i < at_once; ++i) CHECK(fixture.send(as(kAlice)).status == 200);
  const Response limited = fixture.send(as(kAlice).remote("10.0.0.9"));
  CHECK(limited.status == 429);
  REQUIRE(header_of(limited, "Retry-After") != nullptr);
  CHECK(*header_of(limited, "Retry-After") == "1");
  CHECK(limited.body.find("5 requests a second") != std::string::npos);
  CHECK(fixture.send(as(kBob)).status == 200);
  fixture.clock.advance_ms(200);
  CHECK(fixture.send(as(kAlice)).status == 200);
  CHECK(fixture.send(as(kAlice)).status == 429);
}

}  // namespace phasegate::mcp::http
