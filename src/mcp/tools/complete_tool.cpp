#include "mcp/tools/complete_tool.h"

#include "mcp/tools/answer.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/complete_answers.h"
#include "mcp/tools/decision_question.h"
#include "mcp/tools/refusal_passages.h"

namespace phasegate::mcp::tools {

using gating::Reply;
using gating::engine::CompleteReply;

namespace {

using Result = protocol::Outcome<protocol::ToolResult>;

/// The client is told about once a second.
constexpr int kTicksPerProgress = 5;

/// True if the call has led to an open decision: by handing over what it is about, by entering a
/// step that is a person's own, or by calling for that step.
bool comes_to_decision(const CompleteReply& reply) {
  const bool handed_over =
      reply.reply.kind == Reply::Kind::waiting || reply.reply.kind == Reply::Kind::accepted;
  const bool called_for = reply.reply.refusal &&
                          reply.reply.refusal->kind == gating::RefusalKind::decision_required &&
                          reply.view.phase().by_person;
  return reply.view.run.decision && (handed_over || called_for);
}

}  // namespace

Result complete_phase(const Hands& hands, const Arguments& arguments,
                      protocol::CallContext& context) {
  const auto phase = arguments.phase();
  if (!phase) return error_result(phase.error());
  const std::string session = arguments.text("session_id");
  if (!context.round().first()) return after_question(hands, session, context);
  gating::engine::CompleteRequest request;
  request.run_id = session;
  request.phase = *phase;
  request.evidence = arguments.value("evidence");
  // The schema bounds both, so that neither can fall out of its type and be ignored.
  if (const auto visit = arguments.integer("visit")) request.visit = static_cast<int>(*visit);
  request.version = arguments.integer("state_version");
  request.actor = hands.principal;
  request.tick = [&, ticks = 0](const std::string& progress) mutable {
    if (++ticks % kTicksPerProgress == 0) {
      context.progress(ticks, 0, progress.empty() ? "checking" : "checking: " + progress);
    }
    return !context.cancelled();
  };
  auto reply = hands.engine.complete_phase(request);
  if (!reply) return error_result(reply.error());
  name_place(reply->reply.checks, hands.context.command_options);
  if (comes_to_decision(*reply)) {
    auto question = question_about(hands, reply->view.run, reply->reply.phase, context);
    if (question) return *std::move(question);
  }
  return complete_answer(*reply, passages_for(hands, *reply));
}

}  // namespace phasegate::mcp::tools
