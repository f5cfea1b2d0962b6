#include <doctest/doctest.h>

#include "base/json.h"
#include "mcp/tools/tools.h"
#include "tests/mcp/desk.h"
#include "tests/mcp/small_workflows.h"

/// What is known to the assistant is not sent again, and nothing else is left out.
namespace phasegate::mcp::tools {
namespace {

using base::Json;
using test::Desk;

TEST_CASE("known_digest: what is known is not sent again, everything that moves the session is") {
  Desk desk(two_phases());
  const Json started = desk.ok("start_workflow", {{"workflow_type", "pair"}});
  const std::string session = started["session_id"];
  const std::string digest = started["content_digest"];
  CHECK(digest.size() == 16);
  for (const char* tool : {"get_current_phase", "get_phase_content"}) {
    CAPTURE(tool);
    Json arguments{{"session_id", session}, {"known_digest", digest}};
    if (std::string(tool) == "get_phase_content") arguments["phase"] = "1";
    const auto result = desk.house.call(tool, arguments);
    REQUIRE_FALSE(result.is_error);
    const Json& short_answer = *result.structured;
    CHECK(short_answer["unchanged"] == true);
    CHECK(short_answer["content_digest"] == digest);
    CHECK_FALSE(short_answer.contains("phase_content"));
    CHECK_FALSE(short_answer.contains("checkpoint_criteria"));
    CHECK(short_answer["session_id"] == session);
    CHECK(short_answer["current_phase"] == "1");
    CHECK(short_answer["next_call"].get<std::string>().find("complete_phase") == 0);
    CHECK(result.text.find("Unchanged") != std::string::npos);
    CHECK(result.text.find("Text of phase 1") == std::string::npos);
    CHECK(result.text.size() < 600);
  }
  desk.refused("complete_phase",
               {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}});
  CHECK(desk.ok("get_current_phase",
                {{"session_id", session}, {"known_digest", digest}})["missing"] ==
        Json::array({"done", "count"}));
}

TEST_CASE("known_digest: any other digest, and none, gives everything") {
  Desk desk(two_phases());
  const Json started = desk.ok("start_workflow", {{"workflow_type", "pair"}});
  const std::string session = started["session_id"];
  const std::string first = started["content_digest"];
  const Json passed = desk.ok(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", kFirstEvidence}});
  const std::string second = passed["content_digest"];
  CHECK(first != second);
  const Json task =
      desk.ok("get_task", {{"session_id", session}, {"phase", "2"}, {"task_number", "1"}});
  for (const std::string& stale :
       {first, std::string(), std::string("0000000000000000"), second.substr(0, 15),
        task["content_digest"].get<std::string>()}) {
    CAPTURE(stale);
    const Json whole =
        desk.ok("get_current_phase", {{"session_id", session}, {"known_digest", stale}});
    CHECK_FALSE(whole.contains("unchanged"));
    CHECK(whole["content_digest"] == second);
    CHECK(whole["phase_content"]["content"] == "# Phase 2\n\nText of phase 2\n");
    CHECK(whole.contains("checkpoint_criteria"));
  }
  // A review holds the accepted evidence, so the digest from before is stale.
  const Json review = desk.ok("get_phase_content",
                              {{"session_id", session}, {"phase", "1"}, {"known_digest", first}});
  CHECK_FALSE(review.contains("unchanged"));
  CHECK(review["accepted_evidence"]["1"] == kFirstEvidence);
  const Json again = desk.ok(
      "get_phase_content",
      {{"session_id", session}, {"phase", "1"}, {"known_digest", review["content_digest"]}});
  CHECK(again["unchanged"] == true);
  // A refused read is a refusal, whatever is known.
  CHECK(
      desk.refused("get_phase_content",
                   {{"session_id", session}, {"phase", "3"}, {"known_digest", second}})["error"] ==
      "phase_sequence_violation");
}

TEST_CASE("known_digest: another session's artifacts and a changed definition are other content") {
  Desk desk(two_phases());
  std::vector<std::string> digests;
  for (const int count : {1, 2}) {
    const std::string session = desk.start("pair");
    Json evidence = kFirstEvidence;
    evidence["count"] = count;
    digests.push_back(desk.ok(
        "complete_phase",
        {{"session_id", session}, {"phase", "1"}, {"evidence", evidence}})["content_digest"]);
  }
  CHECK(digests[0] != digests[1]);

  const std::string before =
      desk.ok("start_workflow", {{"workflow_type", "pair"}})["content_digest"];
  auto changed = two_phases();
  changed.workflow.phases[0].gate.requirements[1].minimum = 2;
  // The text is the same, what the gate asks for is not.
  test::add_document(changed, "core/none.md", "", "");
  desk.workflows.put(std::move(changed));
  CHECK(desk.ok("start_workflow", {{"workflow_type", "pair"}})["content_digest"] != before);
}

TEST_CASE("known_digest: only who was given all of it is given the digest") {
  std::string long_text = "# Phase 1\n\n";
  for (int i = 0; i < 400; ++i) long_text += "- line " + std::to_string(i) + " of many words\n\n";
  Desk desk(
      test::workflow("long", {test::phase("1", {test::boolean("done")})}, {{"1", long_text}}));
  const std::string session = desk.start("long");
  const Json plain = desk.ok("get_current_phase", {{"session_id", session}});
  const Json with_tasks =
      desk.ok("get_current_phase", {{"session_id", session}, {"include_tasks", true}});
  // More pages follow: the first one is not all of it.
  CHECK_FALSE(plain.contains("content_digest"));
  CHECK_FALSE(with_tasks.contains("content_digest"));
  const auto last_of = [&](Json page, bool tasks) {
    for (int i = 0; i < 20 && page["phase_content"].contains("next_cursor"); ++i) {
      page = desk.ok("get_current_phase", {{"session_id", session},
                                           {"include_tasks", tasks},
                                           {"cursor", page["phase_content"]["next_cursor"]}});
    }
    return page;
  };
  const Json digest = last_of(plain, false)["content_digest"];
  CHECK(digest.is_string());
  CHECK(digest != last_of(with_tasks, true)["content_digest"]);
  CHECK(desk.ok("get_current_phase", {{"session_id", session}, {"known_digest", digest}})
            .contains("unchanged"));
  CHECK_FALSE(desk.ok("get_current_phase",
                      {{"session_id", session}, {"include_tasks", true}, {"known_digest", digest}})
                  .contains("unchanged"));
  const Json page =
      desk.ok("get_current_phase", {{"session_id", session},
                                    {"known_digest", digest},
                                    {"cursor", plain["phase_content"]["next_cursor"]}});
  CHECK_FALSE(page.contains("unchanged"));
  CHECK_FALSE(page["phase_content"]["content"].get<std::string>().empty());

  const Json task{{"session_id", session}, {"phase", "1"}, {"task_number", "1"}};
  Json known = task;
  known["known_digest"] = desk.ok("get_task", task)["content_digest"];
  CHECK(desk.ok("get_task", known)["unchanged"] == true);
  CHECK_FALSE(desk.ok("get_task", known).contains("task"));
  known["known_digest"] = digest;
  CHECK(desk.ok("get_task", known)["task"]["content"] == "Text of phases/1/task-1.md\n");
}

TEST_CASE("known_digest: two sessions never share one, and shortened artifacts give none") {
  auto loaded = two_phases();
  loaded.workflow.phases[0].gate.requirements.push_back(test::text("log"));
  Desk desk(loaded);
  const std::string one = desk.start("pair");
  const std::string other = desk.ok(
      "start_workflow", {{"workflow_type", "pair"}, {"options", {{"new", true}}}})["session_id"];
  const auto digest_of = [&](const std::string& session) {
    return desk.ok("get_current_phase", {{"session_id", session}})["content_digest"];
  };
  CHECK(digest_of(one) != digest_of(other));
  Json evidence = kFirstEvidence;
  evidence["log"] = std::string(1500, 'x');
  const Json passed =
      desk.ok("complete_phase", {{"session_id", one}, {"phase", "1"}, {"evidence", evidence}});
  CHECK(passed.contains("artifacts_shortened"));
  CHECK_FALSE(passed.contains("content_digest"));
  CHECK(digest_of(one).is_string());
}

}  // namespace
}  // namespace phasegate::mcp::tools
