#include "mcp/tools/resource_uri.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace phasegate::mcp::tools {
namespace {

const std::string kId = "00000000-0000-4000-8000-000000000001";
using Kind = ResourceUri::Kind;

TEST_CASE("resource URIs: each is read as what it was written from") {
  const std::vector<std::pair<std::string, ResourceUri>> cases = {
      {"phasegate://workflows", {}},
      {"phasegate://workflows/bakery", {Kind::workflow, "bakery", "", "", ""}},
      {"phasegate://workflows/with%20space%25", {Kind::workflow, "with space%", "", "", ""}},
      {"phasegate://workflows/h%C3%A4user", {Kind::workflow, "häuser", "", "", ""}},
      {"phasegate://sessions/" + kId, {Kind::session, "", kId, "", ""}},
      {"phasegate://sessions/" + kId + "/phases/0B", {Kind::phase, "", kId, "0B", ""}},
      {"phasegate://sessions/" + kId + "/phases/plan_b-1.2",
       {Kind::phase, "", kId, "plan_b-1.2", ""}},
      {"phasegate://sessions/" + kId + "/phases/1/tasks/12", {Kind::task, "", kId, "1", "12"}},
  };
  for (const auto& [text, uri] : cases) {
    CAPTURE(text);
    REQUIRE(parse_resource_uri(text).has_value());
    CHECK(*parse_resource_uri(text) == uri);
    CHECK(to_text(uri) == text);
  }
}

TEST_CASE("resource URIs: everything else is refused, also what would mean the same") {
  const std::string session = "phasegate://sessions/" + kId;
  const std::vector<std::string> bad = {"",
                                        "phasegate",
                                        "phasegate:",
                                        "phasegate://",
                                        "phasegate:///",
                                        "phasegate:/workflows",
                                        "PHASEGATE://workflows",
                                        "Phasegate://workflows",
                                        "phasegate://Workflows",
                                        "phasegate://WORKFLOWS",
                                        "file:///etc/passwd",
                                        "http://workflows",
                                        " phasegate://workflows",
                                        "phasegate://workflows ",
                                        "phasegate://workflows/",
                                        "phasegate://workflows//bakery",
                                        "phasegate://workflows/bakery/",
                                        "phasegate://workflows/a/b",
                                        "phasegate://workflows/.",
                                        "phasegate://workflows/..",
                                        "phasegate://workflows/%2E%2E",
                                        "phasegate://workflows/../x",
                                        "phasegate://workflows/a%2Fb",
                                        "phasegate://workflows/a%5Cb",
                                        "phasegate://workflows/a%00b",
                                        std::string("phasegate://workflows/a\0b", 25),
                                        "phasegate://workflows/%0A",
                                        "phasegate://workflows/%7F",
                                        "phasegate://workflows/%62akery",
                                        "phasegate://workflows/a%2",
                                        "phasegate://workflows/a%",
                                        "phasegate://workflows/a%zz",
                                        "phasegate://workflows/a%c3%a4",
                                        "phasegate://workflows/%C3",
                                        "phasegate://workflows/%ED%A0%80",
                                        "phasegate://workflows/%FF",
                                        "phasegate://workflows/häuser",
                                        "phasegate://workflows/a+b",
                                        "phasegate://workflows/a b",
                                        "phasegate://workflows/a?x",
                                        "phasegate://workflows?x=1",
                                        "phasegate://workflows#x",
                                        "phasegate://workflows/a#x",
                                        "phasegate://user@workflows",
                                        "phasegate://workflows:80",
                                        "phasegate://workflows/" + std::string(129, 'a'),
                                        "phasegate://workflows/" + std::string(5000, 'a'),
                                        "phasegate://sessions",
                                        "phasegate://sessions/",
                                        "phasegate://sessions/x",
                                        "phasegate://sessions/00000000-0000-4000-8000-00000000000A",
                                        session + "/",
                                        session + "/phases",
                                        session + "/phases/",
                                        session + "/phases/..",
                                        session + "/phases/%2E%2E",
                                        session + "/phases/a b",
                                        session + "/phases/1/",
                                        session + "/phases/1/tasks",
                                        session + "/phases/1/tasks/",
                                        session + "/phases/1/tasks/1/",
                                        session + "/phases/1/tasks/1/x",
                                        session + "/phases/1/task/1",
                                        session + "/phase/1",
                                        session + "/phases/1/tasks/..",
                                        session + "/phases/1/tasks/%00",
                                        session + "/../" + kId,
                                        session + "/phases/" + std::string(65, '1'),
                                        session + "/phases/1/tasks/" + std::string(65, '1'),
                                        "phasegate://templates",
                                        "phasegate://sessions/{session_id}"};
  for (const std::string& text : bad) {
    CAPTURE(text.substr(0, 100));
    CHECK_FALSE(parse_resource_uri(text).has_value());
  }
}

TEST_CASE("resource URIs: no byte put in or changed gives another reading of the same thing") {
  const std::string good = "phasegate://sessions/" + kId + "/phases/1/tasks/2";
  for (std::size_t at = 0; at <= good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = good;
      changed.insert(at, 1, static_cast<char>(byte));
      const auto read = parse_resource_uri(changed);
      if (read) CHECK(to_text(*read) == changed);
      if (at == good.size()) continue;
      changed = good;
      changed[at] = static_cast<char>(byte);
      const auto other = parse_resource_uri(changed);
      if (other) CHECK(to_text(*other) == changed);
    }
  }
}

}  // namespace
}  // namespace phasegate::mcp::tools
