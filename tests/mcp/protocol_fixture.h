#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/protocol/server.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_tools.h"

/// What the protocol's tests share: a server over fake tools, and lines in both eras.
namespace phasegate::mcp::protocol {

using base::Json;

inline constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"REVISION",)"
    R"("capabilities":{},"clientInfo":{"name":"tester","version":"1"}}})";
inline constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

inline std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  for (auto at = result.find(what); at != std::string::npos; at = result.find(what, at)) {
    result.replace(at, what.size(), by);
    at += by.size();
  }
  return result;
}

inline std::string initialize(std::string_view revision) {
  return replaced(kInitialize, "REVISION", revision);
}

inline Json parsed(std::string_view text) {
  auto json = base::parse_json(text, {64U << 20U, 100});
  REQUIRE_MESSAGE(json.ok(), text.substr(0, 200));
  return *json;
}

/// One server with its tools and the answers as JSON.
struct Fixture {
  test::FakeTools tools;
  test::FakeServer server{tools};

  Json ask(std::string_view line) {
    const auto answer = server.answer(line);
    REQUIRE_MESSAGE(answer.has_value(), line.substr(0, 200));
    CHECK(answer->find('\n') == std::string::npos);
    return parsed(*answer);
  }
  void silent(std::string_view line) {
    CAPTURE(line);
    CHECK_FALSE(server.answer(line).has_value());
  }
};

/// A line and the error that it deserves. `id` is JSON text, empty where the answer has none.
struct ErrorRow {
  std::string_view line;
  int code;
  std::string_view id;
  std::string_view says;
};

inline void check_errors(Fixture& fixture, const std::vector<ErrorRow>& rows) {
  for (const ErrorRow& row : rows) {
    const std::string line = replaced(row.line, "META", kMeta);
    CAPTURE(line);
    const Json answer = fixture.ask(line);
    CHECK(answer["jsonrpc"] == "2.0");
    CHECK(answer.contains("id") == !row.id.empty());
    if (!row.id.empty()) CHECK(base::dump(answer["id"]) == row.id);
    REQUIRE(answer.contains("error"));
    CHECK_FALSE(answer.contains("result"));
    CHECK(answer["error"]["code"] == row.code);
    const auto message = answer["error"]["message"].get<std::string>();
    CHECK_MESSAGE(message.find(row.says) != std::string::npos, message);
    CHECK(message.size() < 500);
  }
}

}  // namespace phasegate::mcp::protocol
