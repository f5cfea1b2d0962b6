#include "gating/engine/engine.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/engine/dynamic_start.h"
#include "gating/engine/engine_state.h"
#include "gating/engine/start_input.h"
#include "phases/project_commands.h"
#include "phases/workflow_json.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kAlsoOpenMax = 5;
constexpr int kPagesSearchedMax = 20;

std::size_t depth_of(const Json& value, std::size_t stop_at) {
  if (stop_at == 0 || !value.is_structured()) return 1;
  std::size_t deepest = 0;
  for (const Json& child : value) deepest = std::max(deepest, depth_of(child, stop_at - 1));
  return deepest + 1;
}

}  // namespace

/// The cause may quote any phase's text, so it is for people only (invariant 1).
Error not_startable(const std::string& workflow_id) {
  return Error{
      "not_startable", base::in_quotes(workflow_id) + " cannot be started: its files have errors",
      "ask the person you work for to run `phasegate workflows`, which says why", "workflow_type"};
}

namespace {

Error not_trusted(const std::string& workflow_id) {
  return Error{"not_trusted",
               base::in_quotes(workflow_id) +
                   " runs programs on this machine, and no person has said yet that it may; "
                   "nothing was started",
               "stop, and ask the person you work for to look at what would run and to allow it: "
               "`phasegate trust " +
                   workflow_id + "`",
               "workflow_type"};
}

}  // namespace

std::shared_ptr<const Definition> Engine::State::definition_for(
    const phases::LoadedWorkflow& loaded) {
  if (!loaded.startable()) return nullptr;
  if (auto known = definitions.find(loaded.content_hash)) return known;
  auto made = definition_of(loaded);
  if (!made) return nullptr;
  definitions.remember(*made);
  return *made;
}

Engine::Engine(Ports ports, EngineOptions options)
    : state_(std::make_unique<State>(ports, options)) {}
Engine::~Engine() = default;

bool Engine::can_start(const FoundWorkflow& found) {
  return state_->definition_for(*found.loaded) != nullptr;
}

std::vector<FoundWorkflow> Engine::workflows() {
  return state_->ports.workflows.list();
}

namespace {

Result<std::string> bounded_json(const Json* value, const char* name, std::string none) {
  if (value == nullptr || value->is_null()) return none;
  std::string text = base::dump(*value);
  if (text.size() > base::limits::kOptionsBytesMax) {
    return Error{"too_large",
                 std::string(name) + " has " + std::to_string(text.size()) +
                     " bytes, the limit is " + std::to_string(base::limits::kOptionsBytesMax),
                 "pass paths instead of contents", name};
  }
  return text;
}

/// What makes two starts the same work: workflow, target, branch and everything that was asked for,
/// except the wish for a new run. Without a target nothing is ever the same work.
std::string resume_key_of(const StartRequest& request, const Json& input,
                          const std::string& workflow_id) {
  if (request.target.empty()) return "";
  Json options = request.options == nullptr ? Json::object() : *request.options;
  if (options.is_object()) options.erase("new");
  base::Digest digest;
  digest.add(workflow_id).add(request.scope).add(request.target).add(request.branch);
  digest.add(base::dump_canonical(input)).add(base::dump_canonical(options));
  return digest.hex();
}

}  // namespace

StoredDefinition stored(const phases::LoadedWorkflow& loaded) {
  StoredDefinition definition;
  definition.hash = loaded.content_hash;
  definition.model = base::dump(phases::to_json(loaded.workflow));
  definition.blobs = loaded.blobs;
  return definition;
}

Result<Pinned> Engine::State::pinned_for(const phases::LoadedWorkflow& loaded, Json& input) {
  Pinned pinned;
  if (!loaded.workflow.dynamic) {
    pinned.definition = definition_for(loaded);
    pinned.stored = stored(loaded);
    return pinned;
  }
  const auto expanded = with_document(loaded, ports.documents, input);
  if (!expanded) return expanded.error();
  pinned.definition = definition_for(*expanded);
  if (pinned.definition == nullptr) return unusable_document(*expanded);
  pinned.stored = stored(*expanded);
  return pinned;
}

std::optional<std::string> Engine::State::open_run(const std::string& workflow,
                                                   const std::string& resume_key) {
  RunQuery query;
  query.which = RunQuery::Which::open;
  query.workflow = workflow;
  query.limit = base::limits::kListItemsMax;
  for (int page = 0; page < kPagesSearchedMax; ++page) {
    const auto runs = ports.store.list(query);
    if (!runs) return std::nullopt;
    for (const RunSummary& row : runs->runs) {
      const auto run = ports.store.load(row.id);
      if (run && run->resume_key == resume_key) return row.id;
    }
    if (runs->next_cursor.empty()) return std::nullopt;
    query.cursor = runs->next_cursor;
  }
  return std::nullopt;
}

Result<StartReply> Engine::start(const StartRequest& request) {
  auto found = state_->ports.workflows.find(request.workflow);
  if (!found) return found.error();
  if (state_->definition_for(*found->loaded) == nullptr) return not_startable(found->id);
  const auto with_commands = state_->with_project(found->loaded);
  if (!with_commands) return with_commands.error();
  const phases::LoadedWorkflow& loaded = **with_commands;
  const auto definition = state_->definition_for(loaded);
  if (definition == nullptr) return not_startable(loaded.workflow.id);
  const bool needs_trust = phases::needs_trust(loaded.workflow);
  if (needs_trust &&
      (state_->ports.trust == nullptr || !state_->ports.trust->find(loaded.content_hash))) {
    return not_trusted(loaded.workflow.id);
  }
  if (request.options != nullptr && !request.options->is_object() && !request.options->is_null()) {
    return Error{"invalid_argument", "options must be an object", "for example {\"new\": true}",
                 "options"};
  }
  auto taken = taken_input(*definition, request.input, request.options, request.target);
  if (!taken) return taken.error();
  const auto pinned = state_->pinned_for(loaded, *taken);
  const auto input = bounded_json(&*taken, "input", "null");
  if (!input) return input.error();
  const auto options = bounded_json(request.options, "options", "{}");
  if (!options) return options.error();

  Start start;
  start.run_id = state_->ports.ids.new_id();
  start.decision_id = state_->decision_id_for(loaded.workflow);
  start.target = request.target;
  start.branch = request.branch;
  start.worktree = request.worktree;
  start.input = *input;
  start.options = *options;
  start.resume_key = resume_key_of(request, *taken, loaded.workflow.id);
  start.principal = request.principal;
  start.gates = state_->options.gates;
  if (needs_trust) start.trust = loaded.content_hash;
  const bool wants_new =
      request.options != nullptr && base::bool_member(*request.options, "new").value_or(false);
  const bool resume = !wants_new && !start.resume_key.empty();
  StartOutcome outcome;
  const bool looks = pinned && state_->ports.world != nullptr;
  std::optional<std::string> known;
  if (looks && resume && !loaded.workflow.protect.empty()) {
    known = state_->open_run(loaded.workflow.id, start.resume_key);
  }
  if (looks && !known) {
    World& world = *state_->ports.world;
    if (const auto copied = world.back_up(loaded.workflow, start.run_id); !copied) {
      return copied.error();
    }
    start.started = world.observe_start(loaded.workflow);
    Json scope = {{"input", *taken}, {"run", {{"id", start.run_id}, {"target", start.target}}}};
    start.entered = world.observe_entry(pinned->definition->workflow.phases.front(), scope);
  }
  if (known) {
    outcome = {*known, true};
  } else if (pinned) {
    const Transition first =
        state_->addressed(begin(*pinned->definition, start, state_->ports.clock.now()));
    outcome = state_->ports.store.create_run(pinned->stored, first, resume);
  } else {
    // Whatever has become of its document, an open run has its phases.
    const auto open =
        resume ? state_->open_run(loaded.workflow.id, start.resume_key) : std::nullopt;
    if (!open) return pinned.error();
    outcome = {*open, true};
  }

  const auto reading = state_->ports.store.begin_reading();
  auto view = state_->load(outcome.run_id);
  if (!view) return view.error();
  StartReply reply;
  reply.phase = state_->show_open(std::move(view).value());
  reply.resumed = outcome.resumed;
  if (!definition->workflow.input.empty()) {
    reply.extra_input = definition->input->judge(*taken).extra_fields;
  }
  RunQuery query;
  query.which = RunQuery::Which::open;
  query.workflow = loaded.workflow.id;
  query.limit = kAlsoOpenMax + 1;
  if (auto others = list(query)) {
    for (RunSummary& other : others->runs) {
      if (other.id != outcome.run_id && reply.also_open.size() < kAlsoOpenMax) {
        reply.also_open.push_back(std::move(other));
      }
    }
  }
  return reply;
}

Result<std::string> Engine::State::secret_key_for(const phases::Workflow& workflow) const {
  if (!has_secrets(workflow)) return std::string();
  std::string key = ports.secret_key ? ports.secret_key() : "";
  if (!key.empty()) return key;
  return Error{
      "no_secret_key",
      "the workflow asks for secret evidence, of which only a digest is kept, and there is "
      "no key to make it with",
      "stop, and ask a person to run `phasegate doctor`", ""};
}

Result<CompleteReply> Engine::complete_phase(const CompleteRequest& request) {
  auto view = state_->load(request.run_id);
  if (!view) return view.error();
  SubmitEvidence submit;
  submit.phase = request.phase;
  submit.evidence = request.evidence;
  submit.evidence_text = base::dump(*request.evidence);
  if (submit.evidence_text.size() > base::limits::kEvidenceBytesMax) {
    return Error{"too_large",
                 "the evidence has " + std::to_string(submit.evidence_text.size()) +
                     " bytes, the limit is " + std::to_string(base::limits::kEvidenceBytesMax),
                 "hand over paths, counts and short excerpts instead of whole files", "evidence"};
  }
  if (depth_of(*request.evidence, base::limits::kEvidenceDepthMax + 1) >
      base::limits::kEvidenceDepthMax) {
    return Error{"too_large",
                 "the evidence is nested deeper than " +
                     std::to_string(base::limits::kEvidenceDepthMax) + " levels",
                 "hand over flat fields with the names of evidence_schema", "evidence"};
  }
  submit.evidence_digest = base::sha256_hex(base::dump_canonical(*request.evidence));
  submit.visit = request.visit;
  submit.version = request.version;
  submit.actor = request.actor;
  submit.decision_id = state_->decision_id_for(view->workflow());

  const base::TimePoint now = state_->ports.clock.now();
  // A run that was pinned to a changed workflow meanwhile is judged by that.
  bool repinned_meanwhile = false;
  std::optional<Transition> done;
  do {
    if (repinned_meanwhile) {
      auto fresh = state_->load(request.run_id);
      if (!fresh) return fresh.error();
      view = std::move(fresh);
    }
    auto key = state_->secret_key_for(view->workflow());
    if (!key) return key.error();
    submit.secret_key = std::move(key).value();
    if (view->run.pending && state_->ports.outbox != nullptr &&
        !state_->ports.outbox->find(request.run_id, kRunChecks)) {
      submit.checks_lost = view->run.version;
    }
    done = state_->ports.store.transact(request.run_id, [&](const RunState& run) {
      repinned_meanwhile = run.definition_hash != view->definition->hash;
      return repinned_meanwhile ? Transition()
                                : state_->decided(*view->definition, run, submit, now);
    });
    if (!done) return unknown_session(request.run_id);
  } while (repinned_meanwhile);
  if (done->next) {
    view->run = std::move(*done->next);
  } else if (auto fresh = state_->ports.store.load(request.run_id)) {
    view->run = std::move(*fresh);
  }
  if (done->reply.kind == Reply::Kind::verifying && view->run.pending) {
    return state_->verified(request, view->run.pending->evidence_digest, std::move(done->reply));
  }
  return state_->answer(std::move(view).value(), std::move(done->reply));
}

Result<RunView> Engine::cancel(const CancelRequest& request) {
  auto view = state_->load(request.run_id);
  if (!view) return view.error();
  Cancel command;
  command.reason = base::shortened(request.reason, base::limits::kReasonBytesMax);
  command.actor = request.actor;
  command.channel = request.channel;
  command.version = request.version;
  RunStore& store = state_->ports.store;
  const base::TimePoint now = state_->ports.clock.now();
  const auto decide = [&](const RunState& run) {
    return state_->decided(*view->definition, run, command, now);
  };
  OnceOutcome done;
  if (request.once) {
    done = store.transact_once(request.run_id, *request.once, now, decide);
  } else {
    done.transition = store.transact(request.run_id, decide);
  }
  if (done.already_used) {
    return Error{"already_used", "This answer was given before and counts once",
                 "see get_workflow_state for what came of it", ""};
  }
  if (!done.transition) return unknown_session(request.run_id);
  if (const auto& refusal = done.transition->reply.refusal) {
    return Error{std::string(to_text(refusal->kind)), refusal->message, refusal->required_action,
                 "session_id"};
  }
  view->run = std::move(*done.transition->next);
  return view;
}

bool Engine::use_once(const Once& once) {
  return state_->ports.store.use_once(once, state_->ports.clock.now());
}

}  // namespace phasegate::gating::engine
