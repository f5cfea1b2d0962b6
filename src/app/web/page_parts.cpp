#include "app/web/page_parts.h"

#include <algorithm>

#include "app/web/style.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::web {
namespace {

using gating::CheckOutcome;
using gating::CheckResult;
using gating::engine::DecisionView;
using gating::engine::ShownValue;

/// As much of one value as a page holds; the rest is for the command line.
constexpr std::size_t kValueBytesShown = 64U << 10U;
constexpr std::size_t kFilesShown = 100;

void put_fact(Html& html, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  html.add("<dt>").text(name).add("</dt><dd>").text(value).add("</dd>");
}

std::string_view first_bytes(std::string_view text) {
  if (text.size() <= kValueBytesShown) return text;
  return text.substr(0, base::utf8_boundary(text, kValueBytesShown));
}

/// A list of short texts and numbers, which reads best as one.
bool is_plain_list(const base::Json& json) {
  constexpr std::size_t kItemsMax = 100;
  return json.is_array() && !json.empty() && json.size() <= kItemsMax &&
         std::all_of(json.begin(), json.end(), [](const base::Json& item) {
           return item.is_primitive() && base::dump(item).size() <= 500;
         });
}

std::string plain_text(const base::Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.is_structured() ? base::dump_pretty(json) : base::dump(json);
}

/// A text as it is, anything else as the lines of JSON.
void put_block(Html& html, std::string_view text, bool is_data) {
  const std::string_view shown = first_bytes(text);
  // In the order of the keyboard, so that a long value can be scrolled without a pointer.
  if (is_data) {
    html.add("<div class=\"value data\" tabindex=\"0\">");
  } else {
    html.add("<div class=\"value\" tabindex=\"0\">");
  }
  html.text(shown).add("</div>");
  if (text.empty()) html.add("<p class=\"hint\">(empty)</p>");
  if (shown.size() < text.size()) {
    html.add("<p class=\"hint\">")
        .text(std::to_string(text.size() - shown.size()))
        .add(" bytes more are not shown here. Look at them on the command line first.</p>");
  }
}

/// A value without the signs of JSON where that is clear.
void put_value(Html& html, const ShownValue& value) {
  if (!value.problem.empty()) {
    html.add("<p class=\"failed\"><span class=\"mark\">Cannot be told:</span>");
    html.text(value.problem).add("</p>");
    return;
  }
  const auto json = base::parse_json(value.value, {64U << 20U, 512});
  if (!json) return put_block(html, value.value, true);
  if (!is_plain_list(*json)) return put_block(html, plain_text(*json), json->is_structured());
  html.add("<ul>");
  for (const base::Json& item : *json) {
    html.add("<li class=\"said\">").text(plain_text(item)).add("</li>");
  }
  html.add("</ul>");
}

std::string_view mark_of(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::passed:
      return "✓ passed";
    case CheckOutcome::failed:
      return "✗ failed";
    case CheckOutcome::errored:
      return "✗ could not be carried out";
    case CheckOutcome::skipped:
      return "– skipped, as the author allows";
  }
  return "✗";
}

void put_check(Html& html, const CheckResult& result) {
  if (result.outcome == CheckOutcome::passed) {
    html.add("<li class=\"passed\">");
  } else {
    html.add("<li class=\"failed\">");
  }
  html.add("<span class=\"mark\">").text(mark_of(result.outcome)).add("</span> ");
  html.add("<b>").text(result.name).add("</b>");
  if (!result.subject.empty()) {
    html.add("<br><code>").text(base::shortened(result.subject, 2000)).add("</code>");
  }
  if (!result.reason.empty()) html.add("<br>").text(result.reason);
  if (!result.value.empty()) {
    html.add("<br><span class=\"soft\">found: </span><code class=\"found\">");
    html.text(base::shortened(result.value, 2000)).add("</code>");
  }
  if (result.reused)
    html.add("<br><span class=\"soft\">an earlier result that still counts</span>");
  if (!result.output_tail.empty()) {
    html.add("<details><summary>Last lines of its output</summary>");
    html.add("<div class=\"output data\" tabindex=\"0\">").text(result.output_tail);
    html.add("</div></details>");
  }
  html.add("</li>");
}

std::string wanted_of(const DecisionView& view) {
  std::string text = view.demand.count == 1
                         ? std::string("an approver")
                         : std::to_string(view.demand.count) + " approvers who choose the same";
  if (!view.demand.role.empty()) text += ", with the role " + base::in_quotes(view.demand.role);
  if (view.demand.not_submitter) text += ", but not who handed it over";
  return text;
}

}  // namespace

std::string time_text(base::TimePoint time) {
  std::string text = base::to_rfc3339(time).substr(0, 19) + " UTC";
  text[10] = ' ';
  return text;
}

std::string phase_text(const phases::Phase& phase) {
  return "Phase " + phase.id + (phase.title.empty() ? "" : ": " + phase.title);
}

void begin_page(Html& html, std::string_view title, std::string_view project) {
  html.add("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
      .add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
      .add("<title>")
      .text(title)
      .add(" – phasegate</title>")
      .style(style())
      .add("</head><body>\n<header><b>phasegate</b>");
  if (!project.empty()) html.add("<span>").text(project).add("</span>");
  html.add("</header>\n<main>\n");
}

void end_page(Html& html) {
  html.add("</main>\n</body></html>\n");
}

void put_facts(Html& html, const DecisionView& view) {
  const gating::RunState& run = view.view.run;
  const gating::Pending& handed_over = view.decision.submission;
  html.add("<dl class=\"facts\">");
  put_fact(html, "Session", run.id);
  put_fact(html, "Target", run.target);
  put_fact(html, "Branch", run.branch);
  put_fact(html, "Asked", time_text(view.decision.opened_at));
  if (!view.phase->by_person) {
    put_fact(html, "Handed over by",
             handed_over.actor + ", attempt " + std::to_string(handed_over.attempt));
  }
  if (run.visit > 1) put_fact(html, "Visit", std::to_string(run.visit) + " of this phase");
  put_fact(html, "Needed", wanted_of(view));
  html.add("</dl>\n");
}

void put_feedback(Html& html, const gating::RunState& run) {
  if (!run.feedback) return;
  const gating::Feedback& said = *run.feedback;
  html.add("<section><h2>Why this phase was open again</h2><p class=\"soft\">")
      .text(said.by)
      .add(", ")
      .text(time_text(said.at));
  if (!said.option.empty()) html.add(": ").text(said.option);
  html.add("</p>");
  if (!said.input.empty()) html.add("<p class=\"said\">").text(said.input).add("</p>");
  html.add("</section>\n");
}

void put_changed_files(Html& html, const DecisionView& view) {
  if (view.changed_files.empty()) return;
  html.add("<div class=\"note warn\"><h2>Changed since it was checked</h2>")
      .add("<p>These files are not any more what phasegate has looked at:</p><ul>");
  const std::size_t shown = std::min(view.changed_files.size(), kFilesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    html.add("<li><code>").text(view.changed_files[i]).add("</code></li>");
  }
  html.add("</ul>");
  if (shown < view.changed_files.size()) {
    html.add("<p>and ").text(std::to_string(view.changed_files.size() - shown)).add(" more</p>");
  }
  html.add("</div>\n");
}

void put_values(Html& html, const DecisionView& view) {
  if (view.shown.empty()) return;
  html.add("<section>");
  if (view.demand.show.empty()) {
    html.add("<h2>What was handed over</h2><p class=\"hint\">In the words of whoever did the ")
        .add("work. What phasegate has looked at itself stands below.</p>");
  } else {
    html.add("<h2>What you should know</h2>");
  }
  html.add("<dl class=\"values\">");
  for (const ShownValue& value : view.shown) {
    html.add("<dt>").text(value.name).add("</dt><dd>");
    put_value(html, value);
    html.add("</dd>");
  }
  html.add("</dl></section>\n");
}

void put_checks(Html& html, const DecisionView& view) {
  if (view.phase->by_person) return;
  html.add("<section><h2>What phasegate has looked at itself</h2>");
  if (view.decision.checks.empty()) {
    html.add("<p>Nothing: this gate has no checks. Everything above rests on the word of whoever ")
        .add("did the work.</p></section>\n");
    return;
  }
  html.add("<ul class=\"checks\">");
  for (const CheckResult& result : view.decision.checks) put_check(html, result);
  html.add("</ul></section>\n");
}

void put_answers(Html& html, const DecisionView& view) {
  if (view.demand.count < 2) return;
  html.add("<section><h2>")
      .text(std::to_string(view.decision.answers.size()) + " of " +
            std::to_string(view.demand.count) + " approvers have decided")
      .add("</h2>");
  if (!view.decision.answers.empty()) html.add("<ul>");
  for (const gating::DecisionAnswer& answer : view.decision.answers) {
    const auto* option = view.demand.find_option(answer.option);
    html.add("<li><b>")
        .text(answer.approver)
        .add("</b>, ")
        .text(time_text(answer.at))
        .add(": ")
        .text(option == nullptr ? answer.option : option->label);
    if (!answer.input.empty()) {
      html.add("<div class=\"said\">").text(answer.input).add("</div>");
    }
    html.add("</li>");
  }
  if (!view.decision.answers.empty()) html.add("</ul>");
  html.add("</section>\n");
}

}  // namespace phasegate::app::web
