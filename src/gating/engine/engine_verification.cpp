#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/limits.h"
#include "gating/engine/check_runner.h"
#include "gating/engine/check_scope.h"
#include "gating/engine/engine.h"
#include "gating/engine/engine_state.h"
#include "gating/engine/looked_at_first.h"
#include "phases/project_commands.h"

namespace phasegate::gating::engine {

using base::Json;
using base::Result;

bool may_take_long(const RunView& view) {
  using phases::CheckKind;
  const auto& checks = view.phase().gate.checks;
  return std::any_of(checks.begin(), checks.end(), [&](const phases::Check& check) {
    // Whatever looks at the project may meet very much of it. An expression may call a named check.
    return check.kind != CheckKind::expr || !view.workflow().checks.empty();
  });
}

std::vector<std::string> Engine::State::files_of(const phases::Phase& phase, const Json& evidence) {
  std::vector<std::string> paths;
  for (const phases::Requirement& requirement : phase.gate.requirements) {
    if (requirement.format != phases::kProjectPath) continue;
    if (auto path = base::string_member(evidence, requirement.name)) paths.push_back(*path);
  }
  return paths;
}

std::vector<std::string> Engine::State::stale_phases(const RunState& run) {
  std::vector<std::string> stale;
  for (const AcceptedPhase& accepted : run.accepted) {
    if (accepted.files.empty()) continue;
    std::vector<std::string> paths;
    for (const FileDigest& file : accepted.files) paths.push_back(file.path);
    if (ports.world->digests(paths) != accepted.files) stale.push_back(accepted.phase);
  }
  return stale;
}

std::string Engine::State::next_entry(const RunView& view, const Json& scope) {
  const auto& phases = view.workflow().phases;
  const std::size_t next = view.phase_index() + 1;
  return next < phases.size() ? entry_into(view, phases[next].id, scope) : "";
}

std::string Engine::State::entry_into(const RunView& view, std::string_view phase,
                                      const Json& scope) {
  const phases::Phase* entered = view.workflow().find_phase(phase);
  if (entered == nullptr || ports.world == nullptr) return "";
  return ports.world->observe_entry(*entered, scope);
}

namespace {

/// One effect, from its claim to its commit.
class Verification {
 public:
  Verification(Engine::Ports& ports, const OutboxRow& row, const WorkWish& wish)
      : ports_(ports), row_(row), wish_(wish), beat_(ports.clock.now()) {}

  /// Asked by whatever takes long. Keeps the lease; false once the work is not ours any more.
  [[nodiscard]] bool go_on() {
    if (lost_ || failure_ != nullptr) return false;
    if (wish_.go_on && !wish_.go_on()) {
      stopped_ = true;
      return false;
    }
    const base::TimePoint now = ports_.clock.now();
    if (now.ms - beat_.ms < base::limits::kEffectHeartbeatMs) return true;
    return beat(now);
  }

  void say(std::string progress) {
    progress_ = std::move(progress);
    if (wish_.progress) wish_.progress(progress_);
  }

  /// The store's failure must not fly through what runs programs.
  bool beat(base::TimePoint now) {
    try {
      lost_ = !ports_.outbox->heartbeat(row_.id, ports_.owner, now, base::limits::kEffectLeaseMs,
                                        progress_);
    } catch (const StoreFailure&) {
      failure_ = std::current_exception();
    }
    beat_ = now;
    return !lost_ && failure_ == nullptr;
  }

  [[nodiscard]] bool ours() const { return !lost_ && !stopped_ && failure_ == nullptr; }

  /// Not finished: whoever comes next may take it at once.
  void give_back() {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    if (!lost_) (void)ports_.outbox->heartbeat(row_.id, ports_.owner, ports_.clock.now(), 0);
  }

 private:
  Engine::Ports& ports_;
  const OutboxRow& row_;
  const WorkWish& wish_;
  base::TimePoint beat_;
  std::string progress_;
  bool lost_ = false;
  bool stopped_ = false;
  std::exception_ptr failure_;
};

/// What was seen of the project then. Without it a check would fall back on weaker signs.
std::string observation(RunStore& store, const std::string& hash) {
  if (hash.empty()) return "";
  if (auto bytes = store.blob(hash)) return *std::move(bytes);
  throw StoreFailure(base::Error{
      "damaged", "what was seen of the project when the phase began is missing from the state",
      "run `phasegate audit`; put the newest copy back with `phasegate restore latest`, or begin "
      "the session again",
      ""});
}

/// The run with what is stale marked as of now, not as of the attempt before.
RunState as_it_is_now(RunState run, const std::vector<std::string>& stale) {
  for (AcceptedPhase& accepted : run.accepted) {
    accepted.stale = std::find(stale.begin(), stale.end(), accepted.phase) != stale.end();
  }
  return run;
}

/// A file that changed while its checks ran was not checked.
void fail_changed(std::vector<CheckResult>& results, const std::vector<FileDigest>& before,
                  const std::vector<FileDigest>& after) {
  if (before == after || results.empty()) return;
  CheckResult& last = results.back();
  last.outcome = CheckOutcome::failed;
  last.reason = "a file that the evidence names has changed while it was being checked";
  last.hint = "hand over evidence once the work on the files is done";
}

}  // namespace

Result<std::optional<WorkDone>> Engine::work(const WorkWish& wish) {
  return state_->work(wish);
}

Result<std::optional<WorkDone>> Engine::State::work(const WorkWish& wish) {
  if (ports.outbox == nullptr || ports.world == nullptr) return std::optional<WorkDone>();
  const auto row = ports.outbox->claim(ports.owner, ports.clock.now(), base::limits::kEffectLeaseMs,
                                       {wish.run_id, std::string(kRunChecks), ports.gone});
  if (!row) return std::optional<WorkDone>();
  auto view = load(row->run_id);
  if (!view) return view.error();

  WorkDone done;
  done.run_id = row->run_id;
  done.phase = row->effect.phase;
  done.deliveries = row->deliveries;
  Verification verification(ports, *row, wish);

  ChecksFinished command;
  command.phase = row->effect.phase;
  command.attempt = row->effect.attempt;
  const auto payload = base::parse_json(row->effect.payload, {base::limits::kCheckBytesMax, 8});
  if (payload) {
    command.visit = static_cast<int>(base::integer_member(*payload, "visit").value_or(0));
    command.evidence_digest = base::string_member(*payload, "evidence_digest").value_or("");
  }
  const RunState& run = view->run;
  const bool awaited = run.pending && run.current_phase == command.phase &&
                       run.pending->attempt == command.attempt &&
                       run.pending->evidence_digest == command.evidence_digest;
  if (awaited) {
    const auto parsed =
        base::parse_json(run.pending->evidence,
                         {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax});
    const Json evidence = parsed && parsed->is_object() ? *parsed : Json::object();
    const std::size_t index = view->phase_index();
    const phases::Phase& phase = view->phase();
    Json scope =
        check_scope(as_it_is_now(run, stale_phases(run)), evidence, ports.store.artifacts(run.id));
    const std::vector<std::string> paths = files_of(phase, evidence);
    const std::vector<FileDigest> before = ports.world->digests(paths);
    CheckRunner::Setting setting{
        view->workflow(),
        *ports.world,
        ports.clock,
        run.id,
        "",
        "",
        run.entered_at,
        "what this workflow runs is not trusted (any more), so nothing was "
        "run",
        {},
        {},
        nullptr,
        {}};
    if (auto record = trust_of(*view)) {
      setting.untrusted.clear();
      setting.environment = std::move(record->environment);
    } else if (phases::needs_trust(view->workflow())) {
      setting.how_to_trust = how_to_trust(*view);
    }
    setting.started = observation(ports.store, run.started);
    setting.entered = observation(ports.store, run.entered);
    setting.go_on = [&] { return verification.go_on(); };
    if (run.verified) setting.earlier = &run.verified->results;
    CheckRunner runner(setting, scope);
    const auto due = view->definition->checks[index].due(evidence);
    std::map<std::size_t, CheckResult> refused_ahead;
    for (const std::size_t i : looked_at_first(due, !view->workflow().checks.empty())) {
      if (!verification.ours()) break;
      CheckResult result = runner.look(*due[i]);
      if (result.outcome == CheckOutcome::failed || result.outcome == CheckOutcome::errored) {
        refused_ahead.emplace(i, std::move(result));
      }
    }
    for (std::size_t i = 0; i < due.size() && verification.ours(); ++i) {
      verification.say(due[i]->name + " (" + std::to_string(i + 1) + " of " +
                       std::to_string(due.size()) + ")");
      const auto refused = refused_ahead.find(i);
      command.results.push_back(refused == refused_ahead.end()
                                    ? runner.run(*due[i])
                                    : runner.found(std::move(refused->second)));
      (void)verification.go_on();
    }
    if (verification.ours()) {
      command.files = ports.world->digests(paths);
      fail_changed(command.results, before, command.files);
      command.stale = stale_phases(run);
      command.entered = next_entry(*view, scope);
    }
  }
  if (!verification.ours()) {
    verification.give_back();
    done.given_back = true;
    return std::optional(std::move(done));
  }
  command.told = wish.told && wish.told();
  command.decision_id = decision_id_for(view->workflow());
  const base::TimePoint now = ports.clock.now();
  auto transition_done =
      ports.store.transact_effect(row->run_id, row->id, ports.owner, [&](const RunState& current) {
        // A run that was pinned to another workflow meanwhile has nothing pending any more.
        return decided(*view->definition, current, command, now);
      });
  done.given_back = !transition_done;
  if (transition_done) done.reply = std::move(transition_done->reply);
  return std::optional(std::move(done));
}

namespace {

/// What has become of evidence that was being checked, from where the run is now.
Reply reply_from(const RunView& view, const std::string& phase, const std::string& digest) {
  const RunState& run = view.run;
  Reply reply;
  reply.phase = phase;
  const AcceptedPhase* accepted = run.find_accepted(phase);
  if (accepted != nullptr && accepted->evidence_digest == digest) {
    reply.kind = Reply::Kind::accepted;
    reply.accepted = *accepted;
    return reply;
  }
  if (run.pending && run.pending->evidence_digest == digest) {
    reply.kind = Reply::Kind::verifying;
    return reply;
  }
  if (run.decision && run.decision->submission.evidence_digest == digest) {
    reply.kind = Reply::Kind::waiting;
    reply.checks = run.decision->checks;
    return reply;
  }
  Refusal refusal;
  if (run.verified && run.verified->evidence_digest == digest) {
    refusal.kind = RefusalKind::checks_failed;
    refusal.message = "Not approved: the gate of Phase " + phase + " stays shut";
    refusal.reason = "Not all checks have passed";
    refusal.required_action = "Do what the checks ask for, then hand over evidence again";
    reply.checks = run.verified->results;
  } else if (!is_open(run.status)) {
    refusal.kind = RefusalKind::run_ended;
    refusal.message = "The session has ended: " + std::string(to_text(run.status));
    refusal.reason = run.end_reason;
    refusal.required_action = "Stop working on this session";
  } else if (!run.waiting.code.empty()) {
    refusal.kind = RefusalKind::decision_required;
    refusal.message = "Not approved: the gate of Phase " + phase + " stays shut";
    refusal.reason = run.waiting.reason;
    refusal.required_action =
        "Stop here and tell the person you work for that their decision is needed";
  } else {
    refusal.kind = RefusalKind::superseded;
    refusal.message = "Not approved: the evidence is not being checked any more";
    refusal.reason = "The session has changed meanwhile";
    refusal.required_action = "Call get_workflow_state, then decide again";
  }
  reply.refusal = std::move(refusal);
  return reply;
}

}  // namespace

CompleteReply Engine::State::answer(RunView view, Reply reply) {
  CompleteReply answer;
  answer.reply = std::move(reply);
  answer.view = std::move(view);
  if (answer.view.run.decision) answer.view.approvers = approvers_enrolled();
  try {
    const auto reading = ports.store.begin_reading();
    answer.phase = show_open(answer.view);
  } catch (const StoreFailure& failure) {
    // The transition is committed and must be told as what it is, whatever cannot be read now.
    answer.unreadable = failure.error();
  }
  return answer;
}

Result<CompleteReply> Engine::State::verified(const CompleteRequest& request,
                                              const std::string& digest, Reply reply) {
  std::optional<Reply> of_checks;
  if (ports.verifier != nullptr) {
    of_checks = ports.verifier->wait(request.run_id, base::limits::kVerifyWaitMs, request.tick);
  } else {
    WorkWish wish;
    wish.run_id = request.run_id;
    wish.told = [] { return true; };
    if (request.tick) {
      wish.go_on = [&] { return request.tick(""); };
    }
    const auto done = work(wish);
    if (!done) return done.error();
    if (*done && !(*done)->given_back) of_checks = std::move((*done)->reply);
  }
  auto view = load(request.run_id);
  if (!view) return view.error();
  const std::string phase = reply.phase;
  Reply now = reply_from(*view, phase, digest);
  // The reply of the checks tells more, if it is about this evidence.
  const bool same = of_checks && of_checks->kind == now.kind && of_checks->phase == phase &&
                    !(of_checks->refusal && of_checks->refusal->kind == RefusalKind::superseded);
  if (now.kind == Reply::Kind::verifying) now = std::move(reply);
  return answer(std::move(view).value(), same ? *std::move(of_checks) : std::move(now));
}

}  // namespace phasegate::gating::engine
