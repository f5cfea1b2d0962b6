#include <doctest/doctest.h>

#include "mcp/http/listener.h"

using namespace phasegate;
using mcp::http::Address;

TEST_CASE("address: what is meant") {
  struct Row {
    const char* text;
    const char* canonical;
    bool loopback;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"127.0.0.1:8765", "127.0.0.1:8765", true},
           {"127.9.8.7:0", "127.9.8.7:0", true},
           {"localhost:8765", "127.0.0.1:8765", true},
           {"LocalHost:1", "127.0.0.1:1", true},
           {"[::1]:65535", "[::1]:65535", true},
           {"0.0.0.0:80", "0.0.0.0:80", false},
           {"[::]:80", "[::]:80", false},
           {"10.0.0.1:80", "10.0.0.1:80", false},
           {"[fe80::1]:80", "[fe80::1]:80", false},
           {"[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", false},
           {"unix:/run/a b.sock", "unix:/run/a b.sock", true},
           {"unix:rel:8", "unix:rel:8", true},
       }) {
    CAPTURE(row.text);
    const auto address = mcp::http::parse_address(row.text);
    REQUIRE(address.ok());
    CHECK(to_text(*address) == row.canonical);
    CHECK(is_loopback(*address) == row.loopback);
    const auto again = mcp::http::parse_address(to_text(*address));
    REQUIRE(again.ok());
    CHECK(to_text(*again) == row.canonical);
  }
}

TEST_CASE("address: what is unclear is refused with the forms there are") {
  for (const std::string& text : {std::string(""),
                                  std::string(":8765"),
                                  std::string("8765"),
                                  std::string("127.0.0.1"),
                                  std::string("127.0.0.1:"),
                                  std::string("127.0.0.1:x"),
                                  std::string("127.0.0.1:-1"),
                                  std::string("127.0.0.1:+1"),
                                  std::string("127.0.0.1:65536"),
                                  std::string("127.0.0.1: 1"),
                                  std::string("127.0.0.1:99999999999999"),
                                  std::string("127.1:80"),
                                  std::string("*:80"),
                                  std::string("example.com:80"),
                                  std::string("::1:80"),
                                  std::string("[::1]"),
                                  std::string("[]:80"),
                                  std::string("[127.0.0.1]:80"),
                                  std::string("[::1:80"),
                                  std::string("http://127.0.0.1:80"),
                                  std::string("unix:")}) {
    CAPTURE(text);
    const auto address = mcp::http::parse_address(text);
    REQUIRE_FALSE(address.ok());
    CHECK(address.error().code == "invalid_argument");
    CHECK(address.error().message.find('"' + text + '"') != std::string::npos);
    CHECK(address.error().hint.find("unix:PATH") != std::string::npos);
  }
}

TEST_CASE("address: the path of a Unix socket has its bounds") {
  CHECK(mcp::http::parse_address("unix:" + std::string(107, 'a')).ok());
  const auto longer = mcp::http::parse_address("unix:" + std::string(108, 'a'));
  REQUIRE_FALSE(longer.ok());
  CHECK(longer.error().message.find("107") != std::string::npos);
  CHECK_FALSE(mcp::http::parse_address(std::string("unix:a\0b", 8)).ok());
}
