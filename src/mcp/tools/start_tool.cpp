#include "mcp/tools/start_tool.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/named_commands.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/decision_question.h"
#include "mcp/tools/input_block.h"
#include "mcp/tools/outline_block.h"
#include "mcp/tools/phase_block.h"
#include "mcp/tools/run_block.h"
#include "world/project.h"
#include "world/target.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

constexpr std::size_t kInputBytesShown = 400;
constexpr std::size_t kOtherTargetBytes = 80;

/// Branch and worktree as they are now: people switch branches while the server runs. A root that
/// is no git worktree has neither.
void describe_place(const std::string& root, gating::engine::StartRequest& request) {
  const auto project = world::find_project(root);
  if (!project || project->worktree.empty()) return;
  request.branch = project->branch;
  request.worktree = project->worktree.string();
  if (project->root != project->worktree) {
    request.scope = project->root.lexically_relative(project->worktree).generic_string();
  }
}

/// Other open sessions of the workflow, shortly: they may be what was meant.
void add_other_sessions(Answer& answer, const std::vector<gating::engine::RunSummary>& others) {
  if (others.empty()) return;
  Json also = Json::array();
  answer.line("Other open sessions of this workflow:");
  for (const auto& run : others) {
    const std::string target = base::shortened(run.target, kOtherTargetBytes);
    also.push_back({{"other_session_id", run.id},
                    {"target_file", target},
                    {"current_phase", run.current_phase}});
    answer.line("- " + run.id + ", phase " + run.current_phase +
                (target.empty() ? "" : ", target " + base::in_quotes(target)));
  }
  answer.structured()["also_open"] = std::move(also);
}

}  // namespace

protocol::Outcome<protocol::ToolResult> start_workflow(const Hands& hands,
                                                       const Arguments& arguments,
                                                       protocol::CallContext& context) {
  if (!context.round().first()) return after_question(hands, std::nullopt, context);
  gating::engine::StartRequest request;
  request.workflow = arguments.text("workflow_type");
  if (const std::string target = arguments.text("target_file"); !target.empty()) {
    auto normalised = world::normalise_target(hands.context.root, target);
    if (!normalised) return error_result(normalised.error());
    request.target = std::move(normalised).value();
  }
  describe_place(hands.context.root, request);
  request.input = arguments.value("input");
  request.options = arguments.value("options");
  request.principal = hands.principal;
  const auto started = hands.engine.start(request);
  if (!started) {
    base::Error error = started.error();
    error.hint = base::with_options(error.hint, hands.context.command_options);
    return error_result(error);
  }

  const auto& phase = started->phase;
  const gating::RunState& run = phase.view.run;
  if (auto question = question_about(hands, run, run.current_phase, context)) {
    return *std::move(question);
  }
  Answer answer;
  Json& out = answer.structured();
  answer.line(started->resumed
                  ? "Resumed the open session with the same workflow, target, branch and input."
                  : "Started a new session.");
  // The new session's id comes first in both representations: a reader takes the first it meets.
  add_run(answer, phase.view, {.workflow = true});
  out["resumed"] = started->resumed;
  if (const std::string& target = phase.view.run.target; !target.empty()) {
    out["target_file"] = target;
    answer.line("Target: " + base::in_quotes(target));
  }
  add_input(answer, phase.view.run, kInputBytesShown);
  add_extra_input(answer, phase.view.workflow(), started->extra_input);
  add_other_sessions(answer, started->also_open);
  if (phase.current) add_criteria(answer, phase);
  add_outline(answer, phase.view);
  add_artifacts(answer, "artifacts_available", phase);
  add_phase(answer, "phase_content", phase);
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
