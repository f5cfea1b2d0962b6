#include "base/base64.h"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/ids.h"

namespace phasegate::base {
namespace {

TEST_CASE("base64: the test vectors of RFC 4648, in both alphabets") {
  struct Row {
    std::string_view bytes;
    std::string_view standard;
    std::string_view url;
  };
  const Row rows[] = {{"", "", ""},
                      {"f", "Zg==", "Zg"},
                      {"fo", "Zm8=", "Zm8"},
                      {"foo", "Zm9v", "Zm9v"},
                      {"foob", "Zm9vYg==", "Zm9vYg"},
                      {"fooba", "Zm9vYmE=", "Zm9vYmE"},
                      {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
                      {"\xfb\xff\xfe", "+//+", "-__-"},
                      {std::string_view("\0\0", 2), "AAA=", "AAA"}};
  for (const Row& row : rows) {
    CAPTURE(row.standard);
    CHECK(base64(row.bytes) == row.standard);
    CHECK(base64url(row.bytes) == row.url);
    CHECK(from_base64(row.standard) == std::string(row.bytes));
    CHECK(from_base64url(row.url) == std::string(row.bytes));
  }
}

TEST_CASE("base64: only the one text that stands for a value is read") {
  for (const std::string_view bad :
       {"Zg=", "Zg", "Z===", "====", "=", "Zg==\n",
        " Zg==", "Zh==", "Zm9=", "Zm9v=", "Zm9vZg==Zg==", "-__-", "Z\xc3\xa9=", "Zg=A", "Z=g="}) {
    CAPTURE(bad);
    CHECK_FALSE(from_base64(bad).has_value());
  }
  for (const std::string_view bad : {"Z", "Zg==", "Zh", "+//+", "Zg A", "Zm9v\n", "Zm9vY"}) {
    CAPTURE(bad);
    CHECK_FALSE(from_base64url(bad).has_value());
  }
  CHECK_FALSE(from_base64(std::string_view("Zg\0=", 4)).has_value());
}

TEST_CASE("hmac: a test vector of RFC 4231") {
  const std::string mac = hmac_sha256("Jefe", "what do ya want for nothing?");
  CHECK(base64(mac) == "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
  CHECK(hmac_sha256("", "").size() == 32);
}

TEST_CASE("comparing in constant time is comparing") {
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time("abc", "abc"));
  CHECK_FALSE(equal_in_constant_time("abc", "abd"));
  CHECK_FALSE(equal_in_constant_time("abc", "ab"));
}

TEST_CASE("random bytes are as many as wanted, and others every time") {
  CHECK(random_bytes(0).empty());
  CHECK(random_bytes(32).size() == 32);
  CHECK(random_bytes(32) != random_bytes(32));
}

}  // namespace
}  // namespace phasegate::base
