#include "mcp/tools/answer.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/decision_block.h"
#include "mcp/tools/handlers.h"
#include "mcp/tools/phase_block.h"
#include "mcp/tools/read_answers.h"

namespace phasegate::mcp::tools {

using gating::engine::PhaseView;
using gating::engine::ReadRefused;
using gating::engine::TaskView;

namespace {

TextWish wish_of(const Arguments& arguments) {
  return {arguments.text("cursor"), arguments.text("known_digest")};
}

/// The phase's text followed by the text of each of its tasks.
base::Result<std::string> with_tasks(const Hands& hands, const PhaseView& phase) {
  std::string text = feedback_text(phase.view.run) + phase.content;
  for (const phases::Task& task : phase.phase->tasks) {
    if (task.file.empty()) continue;
    auto read = hands.engine.task(phase.view.run.id, phase.phase->id, task.number, "");
    if (!read) return read.error();
    if (const auto* view = std::get_if<TaskView>(&*read)) {
      text += "\n\n---\n\n<!-- task " + task.number + " -->\n\n" + view->content;
    }
  }
  return text;
}

}  // namespace

protocol::ToolResult get_workflow_state(const Hands& hands, const Arguments& arguments) {
  auto view = hands.engine.view(arguments.text("session_id"));
  if (!view) return error_result(view.error());
  if (view->run.verified) {
    name_place(view->run.verified->results, hands.context.command_options);
  }
  return state_answer(*view);
}

protocol::ToolResult get_current_phase(const Hands& hands, const Arguments& arguments) {
  const auto phase = hands.engine.current_phase(arguments.text("session_id"));
  if (!phase) return error_result(phase.error());
  const std::string own = feedback_text(phase->view.run) + phase->content;
  Content content{own, "artifacts_available", "get_current_phase(", true};
  if (!phase->current || !arguments.flag("include_tasks")) {
    return content_answer(*phase, content, wish_of(arguments));
  }
  const auto text = with_tasks(hands, *phase);
  if (!text) return error_result(text.error());
  content.text = *text;
  content.call = "get_current_phase(include_tasks=true";
  return content_answer(*phase, content, wish_of(arguments));
}

protocol::ToolResult get_phase_content(const Hands& hands, const Arguments& arguments) {
  const auto id = arguments.phase();
  if (!id) return error_result(id.error());
  const auto read = hands.engine.phase_content(arguments.text("session_id"), *id);
  if (!read) return error_result(read.error());
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) {
    return violation(refused->refusal, refused->open_phase, *id);
  }
  return phase_answer(std::get<PhaseView>(*read), wish_of(arguments));
}

protocol::ToolResult get_task(const Hands& hands, const Arguments& arguments) {
  const auto id = arguments.phase();
  if (!id) return error_result(id.error());
  const auto number = arguments.task_number();
  if (!number) return error_result(number.error());
  const TaskAsked asked{*number, arguments.text("file")};
  if (asked.number.empty() && asked.file.empty()) {
    return error_result({"invalid_argument", "neither task_number nor file was given",
                         "give the task_number that the phase's content lists", "task_number"});
  }
  const auto read = hands.engine.task(arguments.text("session_id"), *id, asked.number, asked.file);
  if (!read) return error_result(read.error());
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) {
    return violation(refused->refusal, refused->open_phase, *id);
  }
  return task_answer(std::get<TaskView>(*read), asked, wish_of(arguments));
}

}  // namespace phasegate::mcp::tools
