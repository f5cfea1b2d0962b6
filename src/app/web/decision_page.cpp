#include "app/web/decision_page.h"

#include <algorithm>

#include "app/web/page_parts.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::web {
namespace {

using gating::Reply;
using gating::engine::DecideReply;
using gating::engine::DecisionView;
using phases::DecisionEffect;
using phases::DecisionInput;
using phases::DecisionOption;

/// A longer prompt is no heading any more, but a text.
constexpr std::size_t kHeadingBytesMax = 160;

const Problem* problem_with(const DecisionPage& page, std::string_view field) {
  const auto found = std::find_if(page.problems.begin(), page.problems.end(),
                                  [&](const Problem& problem) { return problem.field == field; });
  return found == page.problems.end() ? nullptr : &*found;
}

/// What choosing an option does; of phases that are to come nothing is said.
std::string effect_text(const DecisionView& view, const DecisionOption& option) {
  switch (option.effect) {
    case DecisionEffect::proceed:
      break;
    case DecisionEffect::go_to: {
      const auto& workflow = view.view.workflow();
      const auto there = workflow.phase_index(option.phase);
      if (!there || *there > view.view.phase_index()) break;
      if (option.phase == view.phase->id || view.view.run.visits_of(option.phase) > 0) {
        return "The work goes back to " + phase_text(workflow.phases[*there]) + ".";
      }
      return "The work goes back.";
    }
    case DecisionEffect::completed:
      return "The gate opens and the session ends as completed.";
    case DecisionEffect::rejected:
      return "The session ends as rejected; the gate stays shut.";
    case DecisionEffect::cancelled:
      return "The session ends as cancelled; the gate stays shut.";
  }
  const auto& workflow = view.view.workflow();
  const bool last = option.effect == DecisionEffect::proceed &&
                    view.view.phase_index() + 1 >= workflow.phases.size();
  const std::string what = last ? "the gate opens and the session is completed."
                                : "the gate opens and the session goes on.";
  if (view.demand.count > 1) {
    return "Once " + std::to_string(view.demand.count) + " have chosen it, " + what;
  }
  return "T" + what.substr(1);
}

std::string_view input_text(DecisionInput input) {
  switch (input) {
    case DecisionInput::required:
      return " Needs a comment.";
    case DecisionInput::none:
      return " Takes no comment.";
    case DecisionInput::optional:
      break;
  }
  return "";
}

void put_problems(Html& html, const DecisionPage& page) {
  if (page.problems.empty()) return;
  html.add("<div class=\"note bad\" role=\"alert\" aria-live=\"assertive\">")
      .add("<h2>Nothing was decided</h2><ul>");
  for (const Problem& problem : page.problems) {
    html.add("<li>");
    if (problem.field.empty()) {
      html.text(problem.message);
    } else {
      html.add("<a href=\"#").exact(problem.field).add("\">").text(problem.message).add("</a>");
    }
    html.add("</li>");
  }
  html.add("</ul></div>\n");
}

void put_options(Html& html, const DecisionPage& page) {
  html.add("<fieldset><legend id=\"option\" tabindex=\"-1\">Your decision</legend>");
  for (const DecisionOption& option : page.view.demand.options) {
    html.add("<label class=\"option\"><input type=\"radio\" name=\"option\" required value=\"")
        .exact(option.id)
        .add("\"");
    if (page.typed.option == option.id) html.add(" checked");
    html.add("><b>")
        .text(option.label)
        .add("</b><span class=\"hint\">")
        .text(effect_text(page.view, option))
        .text(input_text(option.input))
        .add("</span></label>");
  }
  html.add("</fieldset>\n");
}

/// The attributes that tie a field to what is wrong with it.
void put_invalid(Html& html, const DecisionPage& page, std::string_view field) {
  if (problem_with(page, field) != nullptr) html.add(" aria-invalid=\"true\"");
}

void put_input(Html& html, const DecisionPage& page) {
  const auto& options = page.view.demand.options;
  const bool taken = std::any_of(options.begin(), options.end(), [](const DecisionOption& option) {
    return option.input != DecisionInput::none;
  });
  if (!taken) return;
  html.add("<div class=\"field\"><label for=\"input\">Comment</label>")
      .add("<p class=\"hint\" id=\"about-input\">Kept with the decision. Whoever works on it ")
      .add("next reads it.</p><textarea id=\"input\" name=\"input\" rows=\"4\" ")
      .add("aria-describedby=\"about-input\"");
  put_invalid(html, page, "input");
  // The parser drops one line break behind the tag.
  html.add(">\n").exact(page.typed.input).add("</textarea></div>\n");
}

void put_person(Html& html, const DecisionPage& page) {
  html.add("<div class=\"pair\"><div class=\"field\"><label for=\"name\">Your name</label>")
      .add("<p class=\"hint\" id=\"about-name\">As it was enrolled.</p>")
      .add("<input id=\"name\" name=\"name\" required autocomplete=\"username\" ")
      .add("autocapitalize=\"none\" spellcheck=\"false\" aria-describedby=\"about-name\" value=\"")
      .exact(page.typed.name)
      .add("\"");
  put_invalid(html, page, "name");
  html.add("></div>\n<div class=\"field\"><label for=\"secret\">Your secret</label>")
      .add("<p class=\"hint\" id=\"about-secret\">It is what makes the decision count.</p>")
      .add("<input id=\"secret\" name=\"secret\" type=\"password\" required ")
      .add("autocomplete=\"current-password\" aria-describedby=\"about-secret\"");
  put_invalid(html, page, "secret");
  html.add("></div></div>\n");
}

void put_form(Html& html, const DecisionPage& page) {
  if (!page.approvers || *page.approvers == 0) {
    html.add("<div class=\"note warn\"><h2>It cannot be decided yet</h2><p>");
    if (page.approvers) {
      html.add("Nobody is enrolled who could. A person enrols on a terminal of their own: ")
          .add("<code>phasegate approvers add NAME</code></p></div>\n");
    } else {
      html.add(
          "Who may decide cannot be read. <code>phasegate doctor</code> says why.</p></div>\n");
    }
    return;
  }
  html.add("<form method=\"post\" accept-charset=\"utf-8\">\n")
      .add("<input type=\"hidden\" name=\"token\" value=\"")
      .exact(page.token)
      .add("\">\n");
  put_options(html, page);
  put_input(html, page);
  put_person(html, page);
  html.add("<button type=\"submit\">Decide</button></form>\n");
}

std::string outcome_text(const DecideReply& reply) {
  const gating::RunState& run = reply.view.run;
  const std::string now = phase_text(reply.view.phase());
  switch (reply.reply.kind) {
    case Reply::Kind::waiting:
      return "Your word is kept. Others are still to decide.";
    case Reply::Kind::sent_back:
      return "The session is back in " + now + ". The assistant is told what you said.";
    case Reply::Kind::rejected:
      return "The session has ended: rejected.";
    case Reply::Kind::cancelled:
      return "The session has ended: cancelled.";
    default:
      break;
  }
  if (run.status == gating::RunStatus::completed) {
    return run.partial ? "The gate is open and the session is completed, in part: some of it rests "
                         "on less than it should."
                       : "The gate is open and the session is completed.";
  }
  if (run.status == gating::RunStatus::waiting) {
    return "The gate is open. The session is in " + now + ". " + run.waiting.reason + ".";
  }
  return "The gate is open and the session goes on with " + now + ".";
}

}  // namespace

std::vector<Problem> problems_of(const DecisionView& view, const Typed& typed, bool secret_given) {
  std::vector<Problem> problems;
  const DecisionOption* option = view.demand.find_option(typed.option);
  const bool blank = base::is_blank(typed.input);
  if (typed.option.empty()) {
    problems.push_back({"option", "Choose what you decide."});
  } else if (option == nullptr) {
    problems.push_back({"option", "Choose one of the options that are offered."});
  } else if (option->input == DecisionInput::required && blank) {
    problems.push_back({"input", base::in_quotes(option->label) + " needs a comment."});
  } else if (option->input == DecisionInput::none && !blank) {
    problems.push_back({"input", base::in_quotes(option->label) +
                                     " takes no comment: leave it out, or choose another option."});
  }
  if (typed.input.size() > base::limits::kDecisionInputBytesMax) {
    problems.push_back(
        {"input", "The comment has " + std::to_string(typed.input.size()) + " bytes; at most " +
                      std::to_string(base::limits::kDecisionInputBytesMax) + " are taken."});
  }
  if (base::trimmed(typed.name).empty()) problems.push_back({"name", "Say who you are."});
  if (!secret_given) problems.push_back({"secret", "Give your secret."});
  return problems;
}

std::string decision_page(const DecisionPage& page) {
  const DecisionView& view = page.view;
  const std::string& prompt = view.demand.prompt;
  Html html;
  begin_page(html, page.problems.empty() ? "A decision waits" : "Nothing was decided",
             page.project);
  html.add("<p class=\"where\">")
      .text(view.view.run.workflow)
      .add(" · ")
      .text(phase_text(*view.phase))
      .add("</p>\n");
  if (prompt.size() <= kHeadingBytesMax) {
    html.add("<h1>").text(prompt).add("</h1>\n");
  } else {
    html.add("<h1 class=\"long\">").text(prompt).add("</h1>\n");
  }
  put_problems(html, page);
  put_facts(html, view);
  put_changed_files(html, view);
  put_feedback(html, view.view.run);
  put_values(html, view);
  put_checks(html, view);
  put_answers(html, view);
  put_form(html, page);
  html.add("</main>\n<footer>The address of this page decides nothing; your secret does. Give it ")
      .add(
          "only if the address bar shows the server that you or your team have started.</footer>\n")
      .add("</body></html>\n");
  return std::move(html).take();
}

std::string outcome_page(const DecideReply& reply, std::string_view project,
                         std::string_view option, std::string_view approver) {
  Html html;
  begin_page(html, "Decided", project);
  html.add("<p class=\"where\">").text(reply.view.run.workflow).add("</p>\n<h1>");
  html.text(option).add("</h1>\n<section role=\"status\"><p>");
  html.text(outcome_text(reply)).add("</p><p class=\"soft\">Decided by ").text(approver);
  html.add(", ").text(time_text(reply.view.run.updated_at)).add(". Session ");
  html.text(reply.view.run.id).add(".</p></section>\n");
  html.add("<p class=\"where\">You can close this page.</p>\n");
  end_page(html);
  return std::move(html).take();
}

std::string message_page(std::string_view title, std::string_view message, std::string_view kept) {
  Html html;
  begin_page(html, title, "");
  html.add("<h1>").text(title).add("</h1>\n<section role=\"status\"><p>");
  html.text(message).add("</p></section>\n");
  if (!kept.empty()) {
    html.add("<section><h2>What you had typed</h2><p class=\"said\">").text(kept);
    html.add("</p></section>\n");
  }
  end_page(html);
  return std::move(html).take();
}

}  // namespace phasegate::app::web
