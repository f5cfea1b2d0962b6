#include <cstdint>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/hmac_key.h"
#include "base/ids.h"

using namespace phasegate::base;

TEST_CASE("clock: RFC 3339 there and back") {
  for (const std::int64_t ms :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{951'827'696'789},
        std::int64_t{1'800'000'000'000}, std::int64_t{253'402'300'799'999}}) {
    const std::string text = to_rfc3339({ms});
    CAPTURE(text);
    REQUIRE(from_rfc3339(text).has_value());
    CHECK(from_rfc3339(text)->ms == ms);
  }
  CHECK(to_rfc3339({951'827'696'789}) == "2000-02-29T12:34:56.789Z");
  CHECK(to_rfc3339({-1}) == "1969-12-31T23:59:59.999Z");
  CHECK(to_rfc3339({-62'167'219'200'000}) == "0000-01-01T00:00:00.000Z");
  CHECK(to_rfc3339({253'402'300'799'999}) == "9999-12-31T23:59:59.999Z");
  CHECK(to_rfc3339({INT64_MIN}) == "0000-01-01T00:00:00.000Z");
  CHECK(to_rfc3339({INT64_MAX}) == "9999-12-31T23:59:59.999Z");
}

TEST_CASE("clock: what is no time is refused") {
  for (const char* text :
       {"", "2000-02-29", "2001-02-29T00:00:00.000Z", "2000-13-01T00:00:00.000Z",
        "2000-01-01T24:00:00.000Z", "2000-01-01T00:60:00.000Z", "2000-01-01T00:00:00.000+",
        "2000-01-01T00:00:00.000z", "20x0-01-01T00:00:00.000Z", "2000-01-01T00:00:00Z"}) {
    CAPTURE(text);
    CHECK_FALSE(from_rfc3339(text).has_value());
  }
}

TEST_CASE("ids: random, well-formed, and repeatable where a test needs it") {
  SystemIdSource system;
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = system.new_id();
    CHECK(is_id(id));
    ids.insert(id);
  }
  CHECK(ids.size() == 1000);
  SeededIdSource one(7);
  SeededIdSource two(7);
  SeededIdSource other(8);
  const std::string first = one.new_id();
  CHECK(first == two.new_id());
  CHECK(first != one.new_id());
  CHECK(first != other.new_id());
  CHECK(is_id(first));
}

TEST_CASE("ids: what is no id") {
  const std::string good = "01234567-89ab-4def-8123-456789abcdef";
  REQUIRE(is_id(good));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == '-' ? '0' : '-';
    CAPTURE(bad);
    CHECK_FALSE(is_id(bad));
  }
  CHECK_FALSE(is_id("01234567-89ab-1def-8123-456789abcdef"));
  CHECK_FALSE(is_id("01234567-89AB-4def-8123-456789abcdef"));
  CHECK_FALSE(is_id(good + "0"));
  CHECK_FALSE(is_id(""));
}

TEST_CASE("hash: known digests, and that pieces do not run together") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const auto digest = [](std::initializer_list<std::string_view> pieces) {
    Digest d;
    for (const auto piece : pieces) d.add(piece);
    return d.hex();
  };
  CHECK(digest({"ab", "c"}) == digest({"ab", "c"}));
  CHECK(digest({"ab", "c"}) != digest({"a", "bc"}));
  CHECK(digest({"abc"}) != digest({"abc", ""}));
}

TEST_CASE("hash: a key that is used again gives what HMAC gives (RFC 4231)") {
  const std::string key(20, '\x0b');
  const phasegate::base::HmacKey kept(key);
  for (const std::string& text :
       {std::string(), std::string("Hi There"), std::string(1000, 'x'), std::string("\0\xff", 2)}) {
    CHECK(kept.sha256(text) == phasegate::base::hmac_sha256(key, text));
  }
  phasegate::base::HmacKey moved(std::string(32, 'k'));
  moved = phasegate::base::HmacKey(key);
  CHECK(moved.sha256("Hi There") == kept.sha256("Hi There"));
}
