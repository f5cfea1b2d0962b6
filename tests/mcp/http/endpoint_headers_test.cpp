#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/mcp/http/endpoint_fixture.h"

namespace phasegate::mcp::http {
namespace {

using Field = std::pair<std::string, std::string>;

/// A request whose headers beside the version are exactly these.
Ask with_fields(const std::string& method, std::string_view members,
                const std::vector<Field>& fields) {
  Ask ask = modern(method, members).without("Mcp-Method");
  for (const auto& [name, value] : fields) ask.add(name, value);
  return ask;
}

}  // namespace

TEST_CASE("headers: method and name repeat what the body says") {
  struct Row {
    std::string method;
    std::string members;
    std::vector<Field> fields;
    bool matches;
  };
  const std::string echo = R"("name":"echo","arguments":{"text":"x"})";
  const std::vector<Row> rows{
      {"tools/list", "", {{"Mcp-Method", "tools/list"}}, true},
      {"tools/list", "", {{"mcp-method", "tools/list"}}, true},
      {"tools/list", "", {{"MCP-METHOD", "tools/list"}}, true},
      {"tools/list", "", {{"Mcp-Method", "  tools/list \t"}}, true},
      {"tools/list", "", {}, false},
      {"tools/list", "", {{"Mcp-Method", ""}}, false},
      {"tools/list", "", {{"Mcp-Method", "TOOLS/LIST"}}, false},
      {"tools/list", "", {{"Mcp-Method", "tools/call"}}, false},
      {"tools/list", "", {{"Mcp-Method", "tools/list"}, {"mcp-method", "tools/list"}}, false},
      // The method is plain by definition: no sentinel.
      {"tools/list", "", {{"Mcp-Method", "=?base64?dG9vbHMvbGlzdA==?="}}, false},
      // A name that nobody asked for belongs to nothing.
      {"tools/list", "", {{"Mcp-Method", "tools/list"}, {"Mcp-Name", "echo"}}, true},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "echo"}}, true},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}, {"MCP-NAME", "  echo  "}}, true},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?ZWNobw==?="}},
       true},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}}, false},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "Echo"}}, false},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "slow"}}, false},
      {"tools/call", echo, {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "ZWNobw=="}}, false},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?ZWNobw?="}},
       false},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?BASE64?ZWNobw==?="}},
       false},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?ZWNobw=="}},
       false},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "echo"}, {"mcp-name", "echo"}},
       false},
      {"tools/call",
       echo,
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "slow"}, {"mcp-name", "echo"}},
       false},
      // A header for what the body does not name.
      {"tools/call",
       R"("arguments":{})",
       {{"Mcp-Method", "tools/call"}, {"Mcp-Name", "echo"}},
       false},
      {"resources/read",
       R"("uri":"demo://é/ü")",
       {{"Mcp-Method", "resources/read"}, {"Mcp-Name", "=?base64?ZGVtbzovL8OpL8O8?="}},
       true},
      {"resources/read",
       R"("uri":"demo://é/ü")",
       {{"Mcp-Method", "resources/read"}, {"Mcp-Name", "demo://\xC3\xA9/\xC3\xBC"}},
       false},
      {"resources/read",
       R"("uri":"demo://a","name":"b")",
       {{"Mcp-Method", "resources/read"}, {"Mcp-Name", "b"}},
       false},
      {"resources/read",
       R"("uri":"=?base64?eA==?=")",
       {{"Mcp-Method", "resources/read"}, {"Mcp-Name", "=?base64?eA==?="}},
       false},
      {"resources/read",
       R"("uri":"=?base64?eA==?=")",
       {{"Mcp-Method", "resources/read"}, {"Mcp-Name", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="}},
       true},
      {"prompts/get",
       R"("name":" p ")",
       {{"Mcp-Method", "prompts/get"}, {"Mcp-Name", "=?base64?IHAg?="}},
       true},
      {"prompts/get",
       R"("name":" p ")",
       {{"Mcp-Method", "prompts/get"}, {"Mcp-Name", " p "}},
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.method);
    CAPTURE(row.members);
    for (const auto& [name, value] : row.fields) CAPTURE(name + ": " + value);
    Fixture fixture;
    const Response response = fixture.send(with_fields(row.method, row.members, row.fields));
    CAPTURE(response.body);
    CHECK((error_code_of(response) == -32020) == !row.matches);
    CHECK(response.status == (row.matches ? 200 : 400));
    if (!row.matches) CHECK(parsed(response.body)["id"] == 7);
  }
}

TEST_CASE("headers: a mismatch names the header and both values, cut to what one can read") {
  Fixture fixture;
  const std::string uri = "demo://" + std::string(10'000, 'x');
  const Response response =
      fixture.send(modern("resources/read", R"("uri":")" + uri + "\"", uri + "y"));
  CHECK(response.status == 400);
  CHECK(response.body.size() < 2000);
  const Json error = parsed(response.body)["error"];
  CHECK(error["code"] == -32020);
  CHECK(error["message"].get<std::string>().find("`Mcp-Name`") != std::string::npos);
  CHECK(error["data"]["header"] == "Mcp-Name");
  CHECK(error["data"]["sent"].get<std::string>().starts_with("demo://x"));
  CHECK(error["data"]["body"].get<std::string>().starts_with("demo://x"));
  const Response same = fixture.send(modern("resources/read", R"("uri":")" + uri + "\"", uri));
  CHECK(error_code_of(same) != -32020);

  const Json missing =
      parsed(fixture.send(modern("tools/list").without("Mcp-Method")).body)["error"];
  CHECK(missing["message"].get<std::string>().find("missing") != std::string::npos);
  CHECK_FALSE(missing["data"].contains("sent"));
  CHECK(missing["data"]["body"] == "tools/list");
}

TEST_CASE("headers: a tool's parameters that are repeated in headers say the same there") {
  struct Row {
    std::string arguments;
    std::vector<Field> fields;
    bool matches;
  };
  const std::vector<Row> rows{
      {R"({"region":"us-west1"})", {{"Mcp-Param-Region", "us-west1"}}, true},
      {R"({"region":"us-west1"})", {{"mcp-param-region", " us-west1 "}}, true},
      {R"({"region":"Hello"})", {{"Mcp-Param-Region", "=?base64?SGVsbG8=?="}}, true},
      {R"({"region":"Hello, 世界"})",
       {{"Mcp-Param-Region", "=?base64?SGVsbG8sIOS4lueVjA==?="}},
       true},
      {R"({"region":"Hello"})", {{"Mcp-Param-Region", "=?base64?SGVsbG8?="}}, false},
      {R"({"region":"Hello"})", {{"Mcp-Param-Region", "=?base64?SGVs!!!bG8=?="}}, false},
      {R"({"region":"SGVsbG8=?="})", {{"Mcp-Param-Region", "SGVsbG8=?="}}, true},
      {R"({"region":"=?base64?SGVsbG8="})", {{"Mcp-Param-Region", "=?base64?SGVsbG8="}}, true},
      {R"({"region":"Hello"})", {}, false},
      {R"({"region":"Hello"})", {{"Mcp-Param-Region", "hello"}}, false},
      {R"({"region":"Hello"})",
       {{"Mcp-Param-Region", "Hello"}, {"MCP-PARAM-REGION", "Hello"}},
       false},
      {R"({"region":""})", {{"Mcp-Param-Region", ""}}, true},
      {R"({"region":""})", {}, false},
      {R"({"region":null})", {}, true},
      {R"({"region":null})", {{"Mcp-Param-Region", "null"}}, false},
      {R"({})", {}, true},
      {R"({})", {{"Mcp-Param-Region", "us-west1"}}, false},
      {R"({})", {{"Mcp-Param-Nothing", "x"}}, true},
      {R"({"count":42})", {{"Mcp-Param-Count", "42"}}, true},
      {R"({"count":42})", {{"Mcp-Param-Count", "42.0"}}, true},
      {R"({"count":42.0})", {{"Mcp-Param-Count", "42"}}, true},
      {R"({"count":-7})", {{"Mcp-Param-Count", "-7"}}, true},
      {R"({"count":42})", {{"Mcp-Param-Count", "=?base64?NDI=?="}}, true},
      {R"({"count":42})", {{"Mcp-Param-Count", "43"}}, false},
      {R"({"count":42})", {{"Mcp-Param-Count", "042"}}, false},
      {R"({"count":42})", {{"Mcp-Param-Count", "+42"}}, false},
      {R"({"count":42})", {{"Mcp-Param-Count", "0x2a"}}, false},
      {R"({"count":42})", {{"Mcp-Param-Count", "42 43"}}, false},
      {R"({"count":42})", {{"Mcp-Param-Count", "true"}}, false},
      {R"({"count":1})", {{"Mcp-Param-Count", "true"}}, false},
      {R"({"count":9007199254740993})", {{"Mcp-Param-Count", "9007199254740992"}}, false},
      {R"({"dry":true})", {{"Mcp-Param-Dry", "true"}}, true},
      {R"({"dry":true})", {{"Mcp-Param-Dry", "True"}}, false},
      {R"({"dry":true})", {{"Mcp-Param-Dry", "1"}}, false},
      {R"({"dry":false})", {}, false},
      {R"({"deep":{"er":"x"}})", {{"Mcp-Param-Deeper", "x"}}, true},
      {R"({"deep":{"er":"x"}})", {}, false},
      {R"({"deep":{}})", {}, true},
      {R"({"deep":5})", {}, true},
      {R"({"deep":null})", {{"Mcp-Param-Deeper", "x"}}, false},
      {R"({"region":"a","count":1})", {{"Mcp-Param-Region", "a"}}, false},
      {R"({"region":"a","count":1})", {{"Mcp-Param-Region", "1"}, {"Mcp-Param-Count", "a"}}, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.arguments);
    for (const auto& [name, value] : row.fields) CAPTURE(name + ": " + value);
    Fixture fixture;
    Ask ask = modern("tools/call", R"("name":"routed","arguments":)" + row.arguments, "routed");
    for (const auto& [name, value] : row.fields) ask.add(name, value);
    const Response response = fixture.send(ask);
    CAPTURE(response.body);
    CHECK(response.status == (row.matches ? 200 : 400));
    CHECK(error_code_of(response) == (row.matches ? 0 : -32020));
  }
}

TEST_CASE("headers: of a legacy request none is compared") {
  Fixture fixture;
  const std::string session = fixture.session();
  const Response response = fixture.send(
      Fixture::legacy(session, rpc("tools/call", R"("name":"routed","arguments":{"region":"a"})"))
          .header("Mcp-Method", "nonsense")
          .header("Mcp-Name", "=?base64?!?=")
          .header("Mcp-Param-Region", "b"));
  CHECK(response.status == 200);
  CHECK(error_code_of(response) == 0);
}

}  // namespace phasegate::mcp::http
