#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "mcp/http/field_value.h"

namespace phasegate::mcp::http {

TEST_CASE("header values: the sentinel is decoded, half of one is literal, nonsense is refused") {
  struct Row {
    std::string value;
    std::optional<std::string> decoded;
  };
  const std::vector<Row> rows{
      {"us-west1", "us-west1"},
      {"", ""},
      {"two words", "two words"},
      {"tab\there", "tab\there"},
      {"=?base64?ZWNobw==?=", "echo"},
      {"=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"},
      {"=?base64?IHBhZGRlZCA=?=", " padded "},
      {"=?base64?bGluZTEKbGluZTI=?=", "line1\nline2"},
      {"=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="},
      {"=?base64?"
       "?=",
       ""},
      // Only one marker, or another spelling of it: as it is.
      {"=?base64?ZWNobw==", "=?base64?ZWNobw=="},
      {"ZWNobw==?=", "ZWNobw==?="},
      {"=?BASE64?ZWNobw==?=", "=?BASE64?ZWNobw==?="},
      {"=?Base64?ZWNobw==?=", "=?Base64?ZWNobw==?="},
      {"=?base64?=", "=?base64?="},
      {"=?utf-8?b?ZWNobw==?=", "=?utf-8?b?ZWNobw==?="},
      {"x=?base64?ZWNobw==?=", "x=?base64?ZWNobw==?="},
      // Base64 that no encoder writes.
      {"=?base64?SGVsbG8?=", std::nullopt},
      {"=?base64?SGVs!!!bG8=?=", std::nullopt},
      {"=?base64?ZWNobw===?=", std::nullopt},
      {"=?base64?ZWNobx==?=", std::nullopt},
      {"=?base64?ZWNo bw==?=", std::nullopt},
      {"=?base64? ZWNobw==?=", std::nullopt},
      {"=?base64?ZW==Nobw==?=", std::nullopt},
      {"=?base64?====?=", std::nullopt},
      {"=?base64?_-8=?=", std::nullopt},
      // Bytes that are no text.
      {"=?base64?//79?=", std::nullopt},
      {"=?base64?wK8=?=", std::nullopt},
      // Raw bytes that no header may hold.
      {"h\xC3\xA9", std::nullopt},
      {std::string("a\0b", 3), std::nullopt},
      {"a\nb", std::nullopt},
      {"a\rb", std::nullopt},
      {"\x7F", std::nullopt},
      {"\x1B[31m", std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK(decoded_value(row.value) == row.decoded);
  }
}

TEST_CASE("header values: application/json in any case and with parameters is JSON") {
  for (const std::string_view type :
       {"application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json;charset=\"utf-8\"", "  application/json  ", "application/json ;x=1"}) {
    CAPTURE(type);
    CHECK(is_json_type(type));
  }
  for (const std::string_view type :
       {"", "text/plain", "application/jsonp", "application/json-rpc", "application/x-json",
        "text/plain; application/json", "application/json, text/plain", "application",
        "application/ json", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    CAPTURE(type);
    CHECK_FALSE(is_json_type(type));
  }
}

TEST_CASE("header values: events are sent to those that name them") {
  for (const std::string_view accept :
       {"text/event-stream", "application/json, text/event-stream", "TEXT/EVENT-STREAM;q=0.5, */*",
        "application/json;q=1,text/event-stream;q=0.01"}) {
    CAPTURE(accept);
    CHECK(accepts_events(accept));
  }
  for (const std::string_view accept :
       {"", "application/json", "*/*", "text/*", "text/event-streams",
        "application/json, text/event-stream;q=0", "text/event-stream; q=0.000", ",,;",
        "text/event-stream;Q=0"}) {
    CAPTURE(accept);
    CHECK_FALSE(accepts_events(accept));
  }
}

TEST_CASE("header values: several Accept headers are one list") {
  Headers headers;
  CHECK_FALSE(accepts_events(headers));
  headers.add("Accept", "application/json");
  headers.add("Accept-Encoding", "text/event-stream");
  CHECK_FALSE(accepts_events(headers));
  headers.add("ACCEPT", "text/event-stream");
  CHECK(accepts_events(headers));
}

TEST_CASE("header values: a bearer token is what stands behind the scheme") {
  CHECK(bearer_token("Bearer abc") == "abc");
  CHECK(bearer_token("bearer abc") == "abc");
  CHECK(bearer_token("BEARER   abc  ") == "abc");
  CHECK(bearer_token("Bearer a b") == "a b");
  for (const std::string_view wrong :
       {"", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer:abc", "Bearerabc", " "}) {
    CAPTURE(wrong);
    CHECK(bearer_token(wrong).value_or("").empty());
  }
}

}  // namespace phasegate::mcp::http
