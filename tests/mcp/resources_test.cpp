#include "mcp/tools/resources.h"

#include <set>
#include <variant>

#include "base/limits.h"
#include "mcp/tools/list_marks.h"
#include "tests/mcp/desk.h"
#include "tests/support/client_call.h"

namespace phasegate::mcp::tools {
namespace {

using base::Json;
using protocol::Page;
using protocol::ReadResult;
using protocol::Resource;
using protocol::RpcError;

struct Reader {
  explicit Reader(phases::LoadedWorkflow loaded = test::test_generation())
      : desk(std::move(loaded)) {}

  test::Desk desk;

  std::variant<ReadResult, RpcError> read(const std::string& uri) {
    test::ClientCall call;
    auto outcome = desk.house.service().read_resource(uri, call.context());
    if (auto* error = std::get_if<RpcError>(&outcome)) return std::move(*error);
    return std::get<ReadResult>(std::move(outcome));
  }
  std::string text(const std::string& uri) {
    CAPTURE(uri);
    const auto outcome = read(uri);
    if (const auto* error = std::get_if<RpcError>(&outcome)) FAIL(error->message);
    const ReadResult& result = std::get<ReadResult>(outcome);
    REQUIRE(result.contents.size() == 1);
    CHECK(result.contents[0].uri == uri);
    CHECK(result.contents[0].mime_type == "text/markdown");
    CHECK_FALSE(result.cache.shared);
    CHECK(result.contents[0].text.size() <= base::limits::kResourceBytesMax);
    return result.contents[0].text;
  }
  RpcError refused(const std::string& uri) {
    CAPTURE(uri.substr(0, 200));
    auto outcome = read(uri);
    REQUIRE(std::holds_alternative<RpcError>(outcome));
    const RpcError error = std::get<RpcError>(outcome);
    CHECK(error.code == protocol::resource_not_found("", "").code);
    CHECK(error.message.size() < 600);
    return error;
  }
  Page<Resource> list(const std::string& cursor) {
    test::ClientCall call;
    return std::get<Page<Resource>>(desk.house.service().resources(cursor, call.context()));
  }
  bool subscribable(const std::string& uri) {
    return desk.house.service().can_subscribe(uri, {"ada", "tester", {}});
  }
};

TEST_CASE("resources: workflows are listed and read as list_workflows shows them") {
  Reader reader;
  const auto page = reader.list("");
  REQUIRE(page.items.size() == 2);
  CHECK(page.items[0].uri == "phasegate://workflows");
  CHECK(page.items[1].uri == "phasegate://workflows/test_generation_v3");
  for (const Resource& resource : page.items) {
    CHECK_FALSE(resource.name.empty());
    CHECK_FALSE(resource.description.empty());
    const std::string text = reader.text(resource.uri);
    CHECK(text.find("- test_generation_v3: Title of test_generation_v3") != std::string::npos);
    CHECK(text.find("phases: 3") != std::string::npos);
    CHECK(text.find("Title of 1") == std::string::npos);
  }
  const RpcError error = reader.refused("phasegate://workflows/test_generation");
  CHECK(error.message.find("phasegate://workflows/test_generation_v3") != std::string::npos);
}

TEST_CASE("resources: pages hold every workflow once, and a strange cursor is refused") {
  Reader reader;
  for (int i = 0; i < 120; ++i) {
    reader.desk.workflows.put(
        test::workflow("w" + std::to_string(1000 + i), {test::phase("1", {test::boolean("x")})}));
  }
  std::set<std::string> uris;
  std::string cursor;
  std::string one_cursor;
  int pages = 0;
  do {
    const auto page = reader.list(cursor);
    CHECK(page.items.size() <= base::limits::kListItemsMax);
    for (const Resource& resource : page.items) CHECK(uris.insert(resource.uri).second);
    cursor = page.next_cursor;
    if (!cursor.empty()) one_cursor = cursor;
    ++pages;
  } while (!cursor.empty() && pages < 10);
  CHECK(pages == 3);
  CHECK(uris.size() == 122);
  // What lies behind a cursor stays, whatever is added or removed before it.
  reader.desk.workflows.remove("w1000");
  CHECK(reader.list(one_cursor).items.size() == 122 - 2 * base::limits::kListItemsMax);

  test::ClientCall call;
  auto& service = reader.desk.house.service();
  for (std::string bad : {std::string("x"), one_cursor + "x", one_cursor.substr(1),
                          std::string("1"), std::string(5000, 'a'), std::string(1, '\0'),
                          std::string("............."), "0" + one_cursor.substr(1)}) {
    CAPTURE(bad.substr(0, 60));
    if (bad == one_cursor) continue;
    const auto listed = service.resources(bad, call.context());
    REQUIRE(std::holds_alternative<RpcError>(listed));
    CHECK(std::get<RpcError>(listed).code == protocol::error_code::kInvalidParams);
    CHECK(std::holds_alternative<RpcError>(service.prompts(bad, call.context())));
    CHECK(std::holds_alternative<RpcError>(service.resource_templates(bad, call.context())));
  }
  // A cursor of one list is none of the other.
  CHECK(std::holds_alternative<RpcError>(service.prompts(one_cursor, call.context())));
}

TEST_CASE("resources: a session, its open phase and its tasks are read as the tools read them") {
  Reader reader;
  const std::string id = reader.desk.start("test_generation_v3");
  const std::string session = "phasegate://sessions/" + id;
  CHECK(reader.text(session) ==
        reader.desk.house.call("get_workflow_state", {{"session_id", id}}).text);
  CHECK(reader.text(session + "/phases/1") ==
        reader.desk.house.call("get_phase_content", {{"session_id", id}, {"phase", "1"}}).text);
  CHECK(
      reader.text(session + "/phases/1/tasks/1") ==
      reader.desk.house.call("get_task", {{"session_id", id}, {"phase", "1"}, {"task_number", "1"}})
          .text);
  CHECK(std::get<ReadResult>(reader.read(session)).cache.ttl_ms == 0);
}

TEST_CASE("resources: what a session has not reached is not there, and what is open is named") {
  Reader reader;
  const std::string id = reader.desk.start("test_generation_v3");
  const std::string session = "phasegate://sessions/" + id;
  for (const std::string& later : {session + "/phases/2", session + "/phases/3",
                                   session + "/phases/77", session + "/phases/2/tasks/1"}) {
    const RpcError error = reader.refused(later);
    CHECK(error.message.find(session + "/phases/1") != std::string::npos);
    CHECK(error.message.find("Title of 2") == std::string::npos);
    CHECK(error.message.find("Text of") == std::string::npos);
    CHECK_FALSE(reader.subscribable(later));
  }
  // A later phase and one that does not exist are refused in the same words.
  std::string later = reader.refused(session + "/phases/2").message;
  std::string none = reader.refused(session + "/phases/9").message;
  later.replace(later.find("Phase 2"), 7, "Phase N");
  none.replace(none.find("Phase 9"), 7, "Phase N");
  CHECK(later == none);

  reader.refused(session + "/phases/1/tasks/9");
  reader.refused("phasegate://sessions/00000000-0000-4000-8000-000000000000");
  reader.refused("phasegate://sessions/00000000-0000-4000-8000-000000000000/phases/1");
  for (const char* hostile : {"", "file:///etc/passwd", "phasegate://workflows/../../etc",
                              "PHASEGATE://workflows", "phasegate://workflows/%2e%2e"}) {
    reader.refused(hostile);
    CHECK_FALSE(reader.subscribable(hostile));
  }
  reader.refused("phasegate://workflows/" + std::string(100'000, 'a'));
  CHECK(reader.subscribable(session));
  CHECK(reader.subscribable(session + "/phases/1"));
  CHECK(reader.subscribable(session + "/phases/1/tasks/1"));
  CHECK_FALSE(reader.subscribable(session + "/phases/1/tasks/2"));
  CHECK_FALSE(reader.subscribable("phasegate://workflows"));
  CHECK_FALSE(reader.subscribable("phasegate://sessions/00000000-0000-4000-8000-000000000000"));
}

TEST_CASE("resources: a text over the limit ends with the call that continues it") {
  std::string text = "# Long\n\n";
  while (text.size() < 3 * base::limits::kResourceBytesMax) {
    text += "Line " + std::to_string(text.size()) + " of a long text, with \"quotes\".\n\n";
  }
  Reader reader(test::workflow("long", {test::phase("1", {test::boolean("x")})}, {{"1", text}}));
  const std::string id = reader.desk.start("long");
  std::string shown = reader.text("phasegate://sessions/" + id + "/phases/1");
  CHECK(shown.size() > base::limits::kPageBytesMax);
  const std::string call = "… continues: get_phase_content(phase=\"1\", cursor=\"";
  const auto at = shown.find(call);
  REQUIRE(at != std::string::npos);
  const std::string cursor =
      shown.substr(at + call.size(), shown.find('"', at + call.size()) - at - call.size());
  std::string whole = shown.substr(0, at);
  Json arguments{{"session_id", id}, {"phase", "1"}, {"cursor", cursor}};
  for (int pages = 0; pages < 100; ++pages) {
    const Json page = reader.desk.ok("get_phase_content", arguments)["phase_content"];
    whole += page["content"];
    if (!page.contains("next_cursor")) break;
    arguments["cursor"] = page["next_cursor"];
  }
  CHECK(whole.find(text) != std::string::npos);
}

TEST_CASE("resources: templates are level 1 and expand to what can be read") {
  Reader reader;
  test::ClientCall call;
  const auto page = std::get<Page<protocol::ResourceTemplate>>(
      reader.desk.house.service().resource_templates("", call.context()));
  REQUIRE(page.items.size() == 3);
  CHECK(page.next_cursor.empty());
  const std::string id = reader.desk.start("test_generation_v3");
  for (const auto& one : page.items) {
    std::string uri = one.uri_template;
    for (const auto& [name, value] : std::map<std::string, std::string>{
             {"{session_id}", id}, {"{phase}", "1"}, {"{task_number}", "1"}}) {
      if (const auto at = uri.find(name); at != std::string::npos) {
        uri.replace(at, name.size(), value);
      }
    }
    CHECK(uri.find('{') == std::string::npos);
    CHECK_FALSE(reader.text(uri).empty());
    CHECK_FALSE(one.description.empty());
  }
}

TEST_CASE("lists: a change is noticed where it shows, and only there") {
  Reader reader;
  auto& engine = reader.desk.house.engine();
  ListMarks marks;
  const auto look = [&] {
    const auto changed = marks.look(engine);
    return std::pair(changed.resources, changed.prompts);
  };
  CHECK(look() == std::pair(false, false));
  CHECK(look() == std::pair(false, false));
  reader.desk.workflows.put(test::workflow("other", {test::phase("1", {test::boolean("x")})}));
  CHECK(look() == std::pair(true, true));
  CHECK(look() == std::pair(false, false));
  // The text of a phase stands in no list.
  reader.desk.workflows.put(
      test::workflow("other", {test::phase("1", {test::boolean("x")})}, {{"1", "changed"}}));
  CHECK(look() == std::pair(false, false));
  auto broken = test::workflow("other", {test::phase("1", {test::boolean("x")})});
  broken.findings.push_back({phases::Severity::error, "broken", "it is", "", {}, ""});
  reader.desk.workflows.put(broken);
  CHECK(look() == std::pair(false, true));
  reader.desk.workflows.remove("other");
  CHECK(look() == std::pair(true, false));
}

}  // namespace
}  // namespace phasegate::mcp::tools
