#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "gating/engine/engine_state.h"
#include "gating/engine/export.h"
#include "gating/path.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kFilesNamedMax = 12;

Error invalid_session(std::string_view run_id) {
  return Error{"invalid_argument",
               base::in_quotes(base::shortened(run_id, 80)) + " is no session id",
               "session ids look like 6f9619ff-8b86-4011-b42d-00c04fc964ff; call list_sessions",
               "session_id"};
}

Error unknown_task(const phases::Phase& phase, std::string_view number) {
  std::vector<std::string> known;
  known.reserve(phase.tasks.size());
  for (const phases::Task& task : phase.tasks) known.push_back(task.number);
  const std::string hint = known.empty()
                               ? "this phase has no separate tasks; its content is all there is"
                               : "the tasks of this phase are " + base::joined(known, ", ");
  return Error{"not_found",
               "Phase " + phase.id + " has no task " + base::in_quotes(base::shortened(number, 40)),
               hint, "task_number"};
}

/// The task of this number; documents that number theirs `2.1`, `2.2` are asked for task 1 as well.
std::vector<phases::Task>::const_iterator find_task(const phases::Phase& phase,
                                                    std::string_view number) {
  const auto numbered = [&](const std::string& wanted) {
    return std::find_if(phase.tasks.begin(), phase.tasks.end(),
                        [&](const phases::Task& task) { return task.number == wanted; });
  };
  const auto exact = numbered(std::string(number));
  return exact != phase.tasks.end() ? exact : numbered(phase.id + "." + std::string(number));
}

/// Accepted evidence as later phases get it: without the fields that their author marked
/// `artifact: false`.
ArtifactRow handed_on(const phases::Workflow& workflow, ArtifactRow row) {
  const phases::Phase* phase = workflow.find_phase(row.artifact.phase);
  if (phase == nullptr) return row;
  const auto& asked = phase->gate.requirements;
  const auto kept_back = [](const phases::Requirement& field) { return !field.artifact; };
  if (std::none_of(asked.begin(), asked.end(), kept_back)) return row;
  constexpr base::JsonLimits kStored{2 * base::limits::kEvidenceBytesMax,
                                     base::limits::kMessageDepthMax};
  auto evidence = base::parse_json(row.artifact.evidence, kStored);
  if (!evidence || !evidence->is_object()) return row;
  for (const phases::Requirement& field : asked) {
    if (kept_back(field)) evidence->erase(field.name);
  }
  row.artifact.evidence = base::dump(*evidence);
  return row;
}

/// The folder part of a path, with its slash.
std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

Error unreachable_file(const phases::Workflow& workflow, const Visible& shown,
                       std::string_view file) {
  std::vector<std::string> known;
  for (const std::string& path : shown.documents()) {
    if (workflow.documents.at(path).phase.empty()) known.push_back(path);
  }
  const auto nearest = base::nearest_name(file, known);
  std::string hint;
  if (nearest) {
    hint = "did you mean " + *nearest + "?";
  } else if (known.empty()) {
    hint = "the text reached so far links to no further files";
  } else {
    if (known.size() > kFilesNamedMax) known.resize(kFilesNamedMax);
    hint = "files that can be read now: " + base::joined(known, ", ");
  }
  return Error{
      "not_found",
      "no text reached so far links to a file " + base::in_quotes(base::shortened(file, 120)),
      std::move(hint), "file"};
}

/// The visible document that `file` names: as written, or relative to one of the folders from
/// which documents write their links.
std::optional<std::string> resolve_file(const Visible& shown, std::string_view file,
                                        const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const auto path = base::normalised_relative(folder + std::string(file));
    if (path && shown.document(*path)) return *path;
  }
  return std::nullopt;
}

}  // namespace

Error unknown_session(std::string_view run_id) {
  return Error{"unknown_session", "Session " + std::string(run_id) + " not found",
               "call list_sessions for the sessions of this project", "session_id"};
}

std::size_t RunView::phase_index() const {
  return workflow().phase_index(run.current_phase).value_or(0);
}

const phases::Phase& RunView::phase() const {
  return workflow().phases[phase_index()];
}

namespace {

/// Its owner has died or fallen silent: nobody carries it out.
bool is_left(const OutboxRow& row, const Engine::Ports& ports) {
  if (!row.owner) return true;
  return row.lease_until.ms <= ports.clock.now().ms || (ports.gone && ports.gone(*row.owner));
}

}  // namespace

Result<RunView> Engine::State::load(std::string_view run_id) {
  if (!base::is_id(run_id)) return invalid_session(run_id);
  auto run = ports.store.load(run_id);
  if (!run) return unknown_session(run_id);
  auto definition = definitions.get(run->definition_hash);
  if (!definition->workflow.find_phase(run->current_phase)) {
    throw StoreFailure({"damaged",
                        "session " + std::string(run_id) + " is in a phase its workflow lacks",
                        "the session stays as it is; a person should run `phasegate doctor`", ""});
  }
  if (!gates_lead_here(definition->workflow, *run)) {
    // No step is skipped (invariant 2): a state that says so was not written by a transition.
    throw StoreFailure({"damaged",
                        "session " + std::string(run_id) +
                            " is in a phase whose gates before it were never passed",
                        "the session stays as it is; a person should run `phasegate doctor`", ""});
  }
  RunView view{std::move(*run), std::move(definition), {}};
  if (view.run.decision) view.approvers = approvers_enrolled();
  if (view.run.pending && ports.outbox != nullptr) {
    view.effect = ports.outbox->find(view.run.id, kRunChecks);
    if (view.effect && is_left(*view.effect, ports)) {
      view.effect->owner.reset();
      view.effect->progress.clear();
    }
    // Whoever touches a run whose checks nobody carries out any more sees to it that somebody does.
    if (ports.verifier != nullptr) ports.verifier->begin(view.run.id);
  }
  return view;
}

std::string Engine::State::text_of(const RunView& view, const std::string& path) {
  const auto found = view.workflow().documents.find(path);
  if (found == view.workflow().documents.end()) return "";
  const auto bytes = ports.store.blob(found->second.hash);
  if (!bytes) {
    throw StoreFailure({"damaged", "the stored text of " + base::in_quotes(path) + " is missing",
                        "a person should run `phasegate doctor`", ""});
  }
  return base::is_utf8(*bytes) ? *bytes : base::to_utf8(*bytes);
}

std::vector<std::string> Engine::State::shared_links(const RunView& view, const Visible& shown,
                                                     const std::string& path) {
  const auto& documents = view.workflow().documents;
  const auto document = documents.find(path);
  if (document == documents.end()) return {};
  std::vector<std::string> links;
  for (const std::string& link : document->second.links) {
    if (shown.document(link) && documents.at(link).phase.empty()) links.push_back(link);
  }
  return links;
}

PhaseView Engine::State::show(RunView view, std::size_t index, bool all_artifacts) {
  PhaseView shown;
  shown.index = index;
  shown.view = std::move(view);
  shown.phase = &shown.view.workflow().phases[index];
  shown.gate = &shown.view.definition->gates[index];
  shown.current = shown.phase->id == shown.view.run.current_phase &&
                  shown.view.run.find_accepted(shown.phase->id) == nullptr;
  const Visible seen = visible(shown.view.workflow(), shown.view.run);
  if (seen.document(shown.phase->file)) shown.content = text_of(shown.view, shown.phase->file);
  for (const phases::Task& task : shown.phase->tasks) {
    shown.tasks.push_back({task.number, task.name, !task.file.empty()});
  }
  shown.links = shared_links(shown.view, seen, shown.phase->file);
  std::vector<ArtifactRow> rows = ports.store.artifacts(shown.view.run.id);
  std::map<std::string, int> latest;  // of a phase that was entered again, the last one counts
  for (const ArtifactRow& row : rows) {
    latest[row.artifact.phase] = std::max(latest[row.artifact.phase], row.artifact.visit);
  }
  for (ArtifactRow& row : rows) {
    const AcceptedPhase* accepted = shown.view.run.find_accepted(row.artifact.phase);
    if (row.artifact.visit < latest[row.artifact.phase]) continue;
    row.stale = row.stale || accepted == nullptr || accepted->stale;
    const bool own = row.artifact.phase == shown.phase->id && !shown.current && !all_artifacts;
    if (own) {
      shown.artifacts.push_back(std::move(row));
    } else if (shown.current || all_artifacts) {
      shown.artifacts.push_back(handed_on(shown.view.workflow(), std::move(row)));
    }
  }
  return shown;
}

PhaseView Engine::State::show_open(RunView view) {
  const std::size_t index = view.phase_index();
  return show(std::move(view), index, true);
}

Result<RunView> Engine::view(std::string_view run_id) {
  const auto reading = state_->ports.store.begin_reading();
  return state_->load(run_id);
}

Result<PhaseView> Engine::current_phase(std::string_view run_id) {
  const auto reading = state_->ports.store.begin_reading();
  auto view = state_->load(run_id);
  if (!view) return view.error();
  return state_->show_open(std::move(view).value());
}

Result<std::variant<PhaseView, ReadRefused>> Engine::phase_content(std::string_view run_id,
                                                                   std::string_view phase) {
  using Answer = std::variant<PhaseView, ReadRefused>;
  const auto reading = state_->ports.store.begin_reading();
  auto view = state_->load(run_id);
  if (!view) return view.error();
  if (auto refusal = refuse_reading(*view->definition, view->run, phase)) {
    return Answer(ReadRefused{std::move(*refusal), state_->show_open(std::move(view).value())});
  }
  const auto index = view->workflow().phase_index(phase);
  return Answer(state_->show(std::move(view).value(), index.value_or(0)));
}

Result<std::variant<TaskView, ReadRefused>> Engine::task(std::string_view run_id,
                                                         std::string_view phase_id,
                                                         std::string_view task_number,
                                                         std::string_view file) {
  using Answer = std::variant<TaskView, ReadRefused>;
  const auto reading = state_->ports.store.begin_reading();
  auto loaded = state_->load(run_id);
  if (!loaded) return loaded.error();
  if (auto refusal = refuse_reading(*loaded->definition, loaded->run, phase_id)) {
    return Answer(ReadRefused{std::move(*refusal), state_->show_open(std::move(loaded).value())});
  }
  TaskView answer;
  answer.view = std::move(loaded).value();
  const phases::Workflow& workflow = answer.view.workflow();
  answer.phase = workflow.find_phase(phase_id);
  const auto& tasks = answer.phase->tasks;
  const auto task = find_task(*answer.phase, task_number);
  if (task == tasks.end() && (file.empty() || !task_number.empty())) {
    return unknown_task(*answer.phase, task_number);
  }
  const Visible shown = visible(workflow, answer.view.run);
  if (file.empty()) {
    if (task->file.empty() || !shown.document(task->file)) {
      return Error{"not_found",
                   "the text of task " + task->number + " of Phase " + answer.phase->id +
                       " is missing from the workflow's folder",
                   "work from the phase's content, and tell the person you work for",
                   "task_number"};
    }
    answer.task = &*task;
    answer.file = task->file;
  } else {
    std::vector<std::string> folders;
    if (task != tasks.end()) folders.push_back(folder_of(task->file));
    folders.insert(folders.end(), {folder_of(answer.phase->file), "", "phases/"});
    const auto path = resolve_file(shown, file, folders);
    if (!path) return unreachable_file(workflow, shown, file);
    answer.file = *path;
  }
  answer.content = state_->text_of(answer.view, answer.file);
  for (const std::string& link : workflow.documents.at(answer.file).links) {
    if (shown.document(link)) answer.links.push_back(link);
  }
  return Answer(std::move(answer));
}

Result<ReachedText> Engine::reached_text(std::string_view run_id, std::string_view known_digest) {
  const auto reading = state_->ports.store.begin_reading();
  auto loaded = state_->load(run_id);
  if (!loaded) return loaded.error();
  ReachedText reached;
  reached.view = std::move(loaded).value();
  const phases::Workflow& workflow = reached.view.workflow();
  const Visible shown = visible(workflow, reached.view.run);
  base::Digest digest;
  digest.add(reached.view.definition->hash);
  for (const std::string& path : shown.documents()) digest.add(path);
  reached.digest = digest.hex();
  if (reached.digest == known_digest) return reached;
  for (const std::string& path : shown.documents()) {
    reached.documents.push_back(
        {path, workflow.documents.at(path).phase, state_->text_of(reached.view, path)});
  }
  return reached;
}

Result<RunPage> Engine::list(const RunQuery& query) {
  const auto reading = state_->ports.store.begin_reading();
  return state_->ports.store.list(query);
}

Result<std::vector<JournalRow>> Engine::journal(std::string_view run_id, std::int64_t after,
                                                std::size_t limit) {
  if (!base::is_id(run_id)) return invalid_session(run_id);
  if (!state_->ports.store.load(run_id)) return unknown_session(run_id);
  return state_->ports.store.journal(run_id, after, limit);
}

Result<std::vector<JournalRow>> Engine::journal_end(std::string_view run_id, std::size_t limit) {
  if (!base::is_id(run_id)) return invalid_session(run_id);
  if (!state_->ports.store.load(run_id)) return unknown_session(run_id);
  return state_->ports.store.journal_end(run_id, limit);
}

Result<std::vector<JournalRow>> Engine::journal_of_people(std::string_view run_id,
                                                          std::int64_t after, std::size_t limit) {
  if (!base::is_id(run_id)) return invalid_session(run_id);
  if (!state_->ports.store.load(run_id)) return unknown_session(run_id);
  return state_->ports.store.journal_of_people(run_id, after, limit);
}

Result<std::vector<ArtifactRow>> Engine::artifacts(std::string_view run_id) {
  if (!base::is_id(run_id)) return invalid_session(run_id);
  if (!state_->ports.store.load(run_id)) return unknown_session(run_id);
  return state_->ports.store.artifacts(run_id);
}

Result<std::unique_ptr<Json>> Engine::export_session(std::string_view run_id) {
  auto view = state_->load(run_id);
  if (!view) return view.error();
  return std::make_unique<Json>(session_json(*view, state_->ports.store.artifacts(run_id)));
}

}  // namespace phasegate::gating::engine
