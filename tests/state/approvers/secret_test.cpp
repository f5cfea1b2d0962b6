#include "state/approvers/secret.h"

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "state/approvers/secret_hash.h"
#include "state/approvers/secret_rules.h"

namespace phasegate::state {
namespace {

constexpr HashCost kQuick{4, 8, 1};

std::string code_of(const base::Result<void>& result) {
  return result ? "" : result.error().code;
}

TEST_CASE("secret: what may be chosen as one (ARCHITECTURE §6)") {
  struct Case {
    const char* what;
    std::string secret;
    const char* says;  ///< a part of the refusal; empty: it is taken
  };
  const std::string smile = "\xF0\x9F\x98\x80";
  for (const Case& one : {
           Case{"words", "green kettle hums", ""},
           Case{"eight characters", "abcdefgh", ""},
           Case{"seven", "abcdefg", "fewer than 8"},
           Case{"empty", "", "fewer than 8"},
           Case{"eight characters of two bytes",
                "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F"
                "abcd",
                ""},
           Case{"seven characters in 28 bytes",
                smile + smile + smile + smile + smile + smile + smile, "fewer than 8"},
           Case{"one letter repeated", "aaaaaaaaaaaa", "one character repeated"},
           Case{"one emoji repeated", smile + smile + smile + smile + smile + smile + smile + smile,
                "one character"},
           Case{"two letters repeated", "abababababab", ""},
           Case{"the name", "Ada.Lovelace", "is the name"},
           Case{"the name in another case", "ada.LOVELACE", "is the name"},
           Case{"a line break", "green\nkettle", "control"},
           Case{"a tab", "green\tkettle", "control"},
           Case{"NUL", std::string("green\0kettle", 12), "control"},
           Case{"escape", "green\x1B[0mkettle", "control"},
           Case{"delete", "green\x7Fkettle", "control"},
           Case{"C1", "green\xC2\x9Bkettle", "control"},
           Case{"a no-break space is none", "green\xC2\xA0kettle", ""},
           Case{"not UTF-8", "green\xFFkettle", "not UTF-8"},
           Case{"cut short", "green kettle\xC3", "not UTF-8"},
           Case{"1024 bytes", std::string(1023, 'a') + "b", ""},
           Case{"1025 bytes", std::string(1024, 'a') + "b", "more than 1024"},
           Case{"10 MB", std::string(10'000'000, 'a') + "b", "more than 1024"},
       }) {
    CAPTURE(one.what);
    const auto taken = check_new_secret("Ada.Lovelace", one.secret);
    const std::string says(one.says);
    CHECK(code_of(taken) == (says.empty() ? "" : "weak_secret"));
    if (taken) continue;
    CHECK(taken.error().message.find(says) != std::string::npos);
    CHECK(taken.error().message.find("kettle") == std::string::npos);
  }
}

TEST_CASE("approvers: names and roles are plain, and compared without case") {
  struct Case {
    std::string name;
    const char* compared;  ///< empty: refused
  };
  for (const Case& one :
       {Case{"ada", "ada"}, Case{"Ada", "ada"}, Case{"a", "a"}, Case{"7.of_9-x", "7.of_9-x"},
        Case{"", ""}, Case{".ada", ""}, Case{"-ada", ""}, Case{"ada lovelace", ""},
        Case{"ada,bob", ""}, Case{"a/b", ""}, Case{"a\nb", ""},
        Case{"\xC3\xA4"
             "da",
             ""},
        Case{std::string("a\0b", 3), ""},
        Case{std::string(64, 'x'),
             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
        Case{std::string(65, 'x'), ""}}) {
    CAPTURE(one.name);
    const auto compared = compared_name("name", one.name);
    CHECK(compared.ok() == (*one.compared != '\0'));
    if (compared) CHECK(*compared == one.compared);
    if (!compared) CHECK(compared.error().code == "invalid_name");
  }
  CHECK(kept_roles({"QA", "dev", "qa"}).value() == std::vector<std::string>{"dev", "qa"});
  CHECK(kept_roles({"dev", "q a"}).error().code == "invalid_name");
  CHECK(kept_roles(std::vector<std::string>(17, "dev")).error().code == "too_many");
}

TEST_CASE("secret hash: salted, matched by its own secret only, and scrypt (RFC 7914)") {
  const SecretHash one = hash_secret("green kettle hums", kQuick);
  const SecretHash two = hash_secret("green kettle hums", kQuick);
  CHECK(one.salt != two.salt);
  CHECK(one.hash != two.hash);
  CHECK(is_sound(one));
  CHECK(matches("green kettle hums", one));
  CHECK(matches("green kettle hums", two));
  for (const char* wrong : {"", "green kettle hum", "Green kettle hums", "green kettle hums "}) {
    CHECK_FALSE(matches(wrong, one));
  }
  // The third vector of the RFC's section 12, cut to our 32 bytes: r 8, p 1, N 16384.
  const SecretHash known{{14, 8, 1},
                         "SodiumChloride",
                         "\x70\x23\xbd\xcb\x3a\xfd\x73\x48\x46\x1c\x06\xcd\x81\xfd\x38\xeb"
                         "\xfd\xa8\xfb\xba\x90\x4f\x8e\x3e\xa9\xb5\x43\xf6\x54\x5d\xa1\xf2"};
  CHECK(matches("pleaseletmein", known));
}

TEST_CASE("secret hash: what a file asks for is bounded") {
  const SecretHash good = hash_secret("green kettle hums", kQuick);
  const auto with = [&](const HashCost& cost) {
    SecretHash hash = good;
    hash.cost = cost;
    return hash;
  };
  CHECK(is_sound(with(HashCost{})));
  CHECK(is_sound(with({18, 8, 1})));
  for (const HashCost& cost :
       {HashCost{19, 8, 1}, HashCost{0, 8, 1}, HashCost{-1, 8, 1}, HashCost{15, 0, 1},
        HashCost{15, 8, 0}, HashCost{15, 33, 1}, HashCost{15, 8, 33}, HashCost{18, 8, 4},
        HashCost{20, 32, 32}, HashCost{1000, 1000, 1000}}) {
    CAPTURE(cost.n_log2);
    CAPTURE(cost.r);
    CAPTURE(cost.p);
    CHECK_FALSE(is_sound(with(cost)));
  }
  SecretHash cut = good;
  cut.hash.pop_back();
  CHECK_FALSE(is_sound(cut));
  cut = good;
  cut.salt += "x";
  CHECK_FALSE(is_sound(cut));
}

TEST_CASE("secret: it is not copied when it is passed on, and never grows beyond its room") {
  Secret secret;
  CHECK(secret.add("green "));
  const char* place = secret.view().data();
  CHECK(secret.add("kettle hums"));
  CHECK(secret.view().data() == place);
  Secret moved(std::move(secret));
  CHECK(moved.view() == "green kettle hums");
  CHECK(moved.view().data() == place);
  CHECK(secret.view().empty());  // NOLINT: that it is empty is what is looked at
  CHECK_FALSE(moved.add(std::string(Secret::kBytesMax, 'x')));
  CHECK(moved.view() == "green kettle hums");
  CHECK(secret.add("again"));
  moved = std::move(secret);
  CHECK(moved.view() == "again");
}

}  // namespace
}  // namespace phasegate::state
