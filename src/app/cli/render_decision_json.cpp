#include "app/cli/render_decision.h"
#include "app/cli/render_people.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/definition.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::DecisionView;
using world::ChangedFile;
using world::Changes;

Json value_json(const std::string& text) {
  auto value = base::parse_json(
      text, {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax + 2});
  return value ? std::move(value).value() : Json(nullptr);
}

std::string_view kind_text(ChangedFile::Kind kind) {
  switch (kind) {
    case ChangedFile::Kind::added:
      return "added";
    case ChangedFile::Kind::removed:
      return "removed";
    case ChangedFile::Kind::changed:
      break;
  }
  return "changed";
}

std::string_view since_text(Changes::Since since) {
  switch (since) {
    case Changes::Since::by_date:
      return "by_date";
    case Changes::Since::newest:
      return "newest";
    case Changes::Since::observed:
      break;
  }
  return "observed";
}

Json changes_json(const Changes& changes) {
  Json files = Json::array();
  for (const ChangedFile& file : changes.files) {
    Json row = {{"path", base::to_utf8(file.path)}, {"kind", kind_text(file.kind)}};
    row["lines_added"] = file.counted ? Json(file.lines_added) : Json(nullptr);
    row["lines_removed"] = file.counted ? Json(file.lines_removed) : Json(nullptr);
    files.push_back(std::move(row));
  }
  return {{"commit", changes.commit},
          {"since", since_text(changes.since)},
          {"lines_added", changes.lines_added},
          {"lines_removed", changes.lines_removed},
          {"files", std::move(files)}};
}

Json options_json(const DecisionView& view) {
  Json options = Json::array();
  for (const phases::DecisionOption& option : view.demand.options) {
    // What an assistant can obtain names no phase that the run has not reached.
    const bool reached = !option.phase.empty() && view.view.run.visits_of(option.phase) > 0;
    options.push_back({{"id", option.id},
                       {"label", option.label},
                       {"effect", phases::to_text(option.effect)},
                       {"phase", reached ? Json(option.phase) : Json(nullptr)},
                       {"input", phases::to_text(option.input)}});
  }
  return options;
}

}  // namespace

Json decision_json(const DecisionView& view, const base::Result<Changes>& changes) {
  const gating::RunState& run = view.view.run;
  Json json = Json::object();
  json["session_id"] = run.id;
  json["workflow"] = run.workflow;
  json["phase"] = run.current_phase;
  json["title"] = view.phase->title;
  json["visit"] = run.visit;
  json["decision"] = view.decision.id;
  json["prompt"] = view.demand.prompt;
  json["since"] = base::to_rfc3339(view.decision.opened_at);
  json["submitted"] = nullptr;
  if (!view.phase->by_person) {
    const gating::Pending& submission = view.decision.submission;
    json["submitted"] = {{"by", submission.actor},
                         {"at", base::to_rfc3339(submission.since)},
                         {"attempt", submission.attempt}};
  }
  json["shown"] = Json::array();
  for (const gating::engine::ShownValue& value : view.shown) {
    json["shown"].push_back(
        {{"name", value.name}, {"value", value_json(value.value)}, {"problem", value.problem}});
  }
  json["checks"] = Json::array();
  for (const auto& result : view.decision.checks) json["checks"].push_back(to_json(result));
  json["changed_since_checked"] = view.changed_files;
  json["changes"] = changes ? changes_json(*changes) : Json(nullptr);
  json["changes_problem"] = changes ? "" : changes.error().message;
  json["feedback"] = feedback_json(run);
  json["answers"] = Json::array();
  for (const gating::DecisionAnswer& answer : view.decision.answers) {
    json["answers"].push_back({{"approver", answer.approver},
                               {"option", answer.option},
                               {"input", answer.input},
                               {"at", base::to_rfc3339(answer.at)}});
  }
  json["needed"] = view.demand.count;
  json["role"] = view.demand.role;
  json["not_submitter"] = view.demand.not_submitter;
  json["options"] = options_json(view);
  json["digest"] = view.digest;
  return json;
}

}  // namespace phasegate::app::cli
