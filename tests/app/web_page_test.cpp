#include <string>

#include <doctest/doctest.h>

#include "app/web/decision_form.h"
#include "app/web/decision_page.h"
#include "app/web/html.h"
#include "app/web/style.h"
#include "tests/app/project.h"
#include "tests/support/workflows.h"

namespace phasegate::app::web {
namespace {

using gating::engine::DecisionView;
using phases::DecisionEffect;
using phases::DecisionInput;
using test::contains;

/// A decision about the second of three phases, made by two approvers.
DecisionView a_view() {
  auto loaded = test::workflow(
      "release", {test::phase("1", {test::text("plan")}), test::phase("2", {test::text("notes")}),
                  test::phase("3", {test::text("canary")})});
  auto& phases = loaded.workflow.phases;
  phases[0].title = "Plan";
  phases[1].title = "Notes";
  phases[2].title = "Canary of the last phase";
  phases::DecisionDemand demand;
  demand.prompt = "Ship it?";
  demand.count = 2;
  demand.role = "qa";
  demand.options = {{"ship", "Ship", DecisionEffect::proceed, "", DecisionInput::none},
                    {"skip", "Jump ahead", DecisionEffect::go_to, "3", DecisionInput::optional},
                    {"back", "Plan again", DecisionEffect::go_to, "1", DecisionInput::required},
                    {"stop", "Stop", DecisionEffect::rejected, "", DecisionInput::optional}};
  phases[1].gate.decision = demand;
  DecisionView view;
  view.view.definition = *gating::definition_of(loaded);
  view.view.run.id = "00000000-0000-4000-8000-000000000001";
  view.view.run.workflow = "release";
  view.view.run.current_phase = "2";
  view.view.run.visits = {{"1", 1}};
  view.phase = &view.view.phase();
  view.demand = demand;
  view.decision.id = "00000000-0000-4000-8000-000000000002";
  view.decision.submission.actor = "root";
  return view;
}

std::string text_of(std::string_view text) {
  Html html;
  html.text(text);
  return std::move(html).take();
}

}  // namespace

TEST_CASE("html: no text becomes markup, and what cannot be seen is made visible") {
  CHECK(text_of("a<b>&\"'c") == "a&lt;b&gt;&amp;&quot;&#39;c");
  CHECK(text_of("\tone\ntwo") == "\tone\ntwo");
  CHECK(text_of("grüße 你好 🎉") == "grüße 你好 🎉");
  struct Row {
    const char* text;
    const char* code;
  };
  for (const Row& row : {Row{"\x1B", "U+001B"}, Row{"\r", "U+000D"}, Row{"\x7F", "U+007F"},
                         Row{"\xC2\x85", "U+0085"}, Row{"\xE2\x80\xAE", "U+202E"},
                         Row{"\xE2\x81\xA6", "U+2066"}, Row{"\xE2\x80\xA8", "U+2028"},
                         Row{"\xE2\x80\x8B", "U+200B"}, Row{"\xF3\xA0\x81\x81", "U+E0041"}}) {
    CHECK(text_of(row.text) == "<span class=\"hidden\">" + std::string(row.code) + "</span>");
  }
  CHECK(text_of("\xFF") == "\xEF\xBF\xBD");
  Html exact;
  exact.exact("\"><script>\xE2\x80\xAE");
  CHECK(std::move(exact).take() == "&quot;&gt;&lt;script&gt;\xE2\x80\xAE");
}

TEST_CASE("decide page: options say what they do, and nothing of phases to come (invariant 1)") {
  const DecisionView view = a_view();
  const std::string page = decision_page({view, "shop", "TOKEN", 1, {}, {}});
  CHECK(contains(page, "Phase 2: Notes"));
  CHECK(contains(page, "The work goes back to Phase 1: Plan. Needs a comment."));
  CHECK(contains(
      page, "Once 2 have chosen it, the gate opens and the session goes on. Takes no comment."));
  CHECK(contains(page, "ends as rejected"));
  CHECK(contains(page, "0 of 2 approvers have decided"));
  CHECK(contains(page, "with the role &quot;qa&quot;"));
  CHECK(contains(page, "this gate has no checks"));
  CHECK_FALSE(contains(page, "Canary"));
  CHECK_FALSE(contains(page, "role=\"alert\""));
  for (const char* wanted :
       {"<fieldset><legend", "<label for=\"input\">", "<label for=\"name\">",
        "<label for=\"secret\">", "method=\"post\"", "value=\"TOKEN\"", "name=\"viewport\""}) {
    CHECK_MESSAGE(contains(page, wanted), wanted);
  }
}

TEST_CASE("decide page: values, checks, changed files, earlier answers and why it is open again") {
  DecisionView view = a_view();
  view.shown = {{"notes", R"("first\nsecond <b>")", ""},
                {"list", R"(["a","b"])", ""},
                {"map", R"({"a":[1]})", ""},
                {"lost", "", "there is no such field"},
                {"empty", R"("")", ""},
                {"long", "\"" + std::string(70'000, 'x') + "\"", ""}};
  gating::CheckResult failed;
  failed.name = "tests";
  failed.outcome = gating::CheckOutcome::skipped;
  failed.subject = "make test <all>";
  failed.output_tail = "42 passed\n";
  view.decision.checks = {failed};
  view.decision.answers = {{"ship", "", "ada", "f", "web", "d", {}}};
  view.changed_files = {"src/a<b>.cpp"};
  view.view.run.feedback = gating::Feedback{"2", "Rework", "Name the risks.", "approver:ada", {}};
  const std::string page = decision_page({view, "shop", "TOKEN", 2, {}, {}});
  for (const char* wanted :
       {"first\nsecond &lt;b&gt;", "<ul><li class=\"said\">a</li>", "{\n  &quot;a&quot;: [",
        "there is no such field", "(empty)", "bytes more are not shown here",
        "make test &lt;all&gt;", "skipped, as the author allows", "42 passed",
        "1 of 2 approvers have decided", "src/a&lt;b&gt;.cpp", "Name the risks."}) {
    CHECK_MESSAGE(contains(page, wanted), wanted);
  }
  CHECK(page.size() < 100'000);
}

TEST_CASE("decide page: what was typed comes back but for the secret, with what is wrong") {
  const DecisionView view = a_view();
  const Typed typed{"back", "\n two\nlines \"&", "a\"b"};
  const std::string page =
      decision_page({view, "shop", "TOKEN", 1, typed, {{"secret", "Not right."}, {"", "Late."}}});
  CHECK(contains(page, "value=\"back\" checked"));
  CHECK(contains(page, ">\n\n two\nlines &quot;&amp;</textarea>"));
  CHECK(contains(page, "value=\"a&quot;b\""));
  CHECK(contains(page, "<li><a href=\"#secret\">Not right.</a></li><li>Late.</li>"));
  CHECK(contains(page, "role=\"alert\""));
  CHECK(contains(page, "aria-describedby=\"about-secret\" aria-invalid=\"true\""));
}

TEST_CASE("decide page: problems are found before a secret is looked at") {
  const DecisionView view = a_view();
  const auto fields = [&](const Typed& typed, bool secret) {
    std::string found;
    for (const Problem& problem : problems_of(view, typed, secret)) found += problem.field + " ";
    return found;
  };
  CHECK(fields({"ship", "", "ada"}, true).empty());
  CHECK(fields({"ship", " \n", "ada"}, true).empty());
  CHECK(fields({"ship", "x", "ada"}, true) == "input ");
  CHECK(fields({"back", "\xE2\x80\x8B", "ada"}, true) == "input ");
  CHECK(fields({"back", "x", "ada"}, true).empty());
  CHECK(fields({"", "", ""}, false) == "option name secret ");
  CHECK(fields({"stop", std::string(8001, 'x'), "ada"}, true) == "input ");
}

TEST_CASE("decide form: fields are decoded, and what is odd is refused without repeating it") {
  const auto form =
      read_decision_form("token=a%2Eb&option=x&input=1%0D%0A2+%C3%BC&name=&secret=p%26q");
  REQUIRE(form.ok());
  CHECK(form->token == "a.b");
  CHECK(form->input == "1\n2 ü");
  CHECK(form->name.empty());
  CHECK(form->secret.view() == "p&q");
  CHECK(read_decision_form("").ok());
  CHECK(read_decision_form("&&name=x&").ok());
  for (const char* bad : {"name=1&name=2", "secret=1&secret=1", "other=1", "=", "name=%", "name=%4",
                          "name=%g0", "name=%00", "name=%C3", "secret=%FF", "Name=x"}) {
    CAPTURE(bad);
    const auto refused = read_decision_form(bad);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == "invalid_form");
  }
  CHECK(read_decision_form("secret=" + std::string(1024, 's')).ok());
  CHECK_FALSE(read_decision_form("secret=" + std::string(1025, 's')).ok());
}

TEST_CASE("decide page: the style is small and is what the policy names") {
  CHECK(style().size() < 6000);
  CHECK_FALSE(contains(std::string(style()), "</"));
  CHECK_FALSE(contains(std::string(style()), "url("));
  CHECK(style_source().size() == std::string_view("'sha256-'").size() + 44);
}

}  // namespace phasegate::app::web
