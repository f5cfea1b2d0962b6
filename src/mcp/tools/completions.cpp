#include "mcp/tools/completions.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "gating/visibility.h"
#include "mcp/tools/resource_uri.h"
#include "mcp/tools/startable.h"
#include "phases/workflow.h"

namespace phasegate::mcp::tools {

using gating::engine::RunQuery;
using protocol::Completion;
using protocol::CompletionRequest;

namespace {

using Completed = std::variant<Completion, protocol::RpcError>;

constexpr std::size_t kNameBytesShown = 80;

/// Takes values in, as far as they go on from what was typed.
class Values {
 public:
  explicit Values(std::string_view typed) : typed_(typed) {}
  void add(const std::string& value) {
    if (!std::string_view(value).starts_with(typed_)) return;
    if (out_.values.size() == base::limits::kCompletionsMax) {
      out_.has_more = true;
      return;
    }
    out_.values.push_back(value);
  }
  void there_are_more() { out_.has_more = true; }
  [[nodiscard]] bool full() const { return out_.has_more; }
  [[nodiscard]] Completion take() { return std::move(out_); }

 private:
  std::string_view typed_;
  Completion out_;
};

protocol::RpcError unknown(const std::string& what, std::string_view name,
                           const std::vector<std::string>& known) {
  const auto nearest = base::nearest_name(name, known);
  return protocol::invalid_params("There is no " + what + " " +
                                  base::in_quotes(base::shortened(name, kNameBytesShown)) +
                                  (nearest ? "; did you mean " + *nearest + "?" : ""));
}

std::string as_text(const phases::Scalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return base::number_text(*number);
  return std::get<std::string>(value);
}

Completed of_prompt(const Hands& hands, const CompletionRequest& request) {
  const auto found = find_startable(hands.engine, request.ref);
  if (!found) return unknown("prompt", request.ref, {});
  Values values(request.value);
  std::vector<std::string> names{std::string(kTargetArgument)};
  for (const phases::Requirement& input : found->loaded->workflow.input) {
    names.push_back(input.name);
    if (input.name != request.argument) continue;
    if (input.constant) {
      values.add(as_text(*input.constant));
    } else if (!input.one_of.empty()) {
      for (const phases::Scalar& value : input.one_of) values.add(as_text(value));
    } else if (input.type == phases::ValueType::boolean) {
      values.add("false");
      values.add("true");
    }
    return values.take();
  }
  if (request.argument == kTargetArgument) return values.take();
  return unknown("argument", request.argument, names);
}

/// As many of the newest open sessions as a bounded look finds.
Completion open_sessions(const Hands& hands, std::string_view typed) {
  Values values(typed);
  RunQuery query;
  query.which = RunQuery::Which::open;
  query.limit = base::limits::kListItemsMax;
  for (std::size_t seen = 0; seen < base::limits::kRunsCompletedMax && !values.full();
       seen += query.limit) {
    const auto page = hands.engine.list(query);
    if (!page) return values.take();
    for (const auto& run : page->runs) values.add(run.id);
    query.cursor = page->next_cursor;
    if (query.cursor.empty()) return values.take();
  }
  values.there_are_more();
  return values.take();
}

std::string known_value(const CompletionRequest& request, std::string_view name) {
  for (const auto& known : request.known) {
    if (known.name == name) return known.value;
  }
  return "";
}

/// What the session has reached, as gating::visible says. A session that does not exist has reached
/// nothing.
Completion reached(const Hands& hands, const CompletionRequest& request) {
  Values values(request.value);
  const auto view = hands.engine.view(known_value(request, "session_id"));
  if (!view) return values.take();
  const gating::Visible seen = gating::visible(view->workflow(), view->run);
  const bool wants_phase = request.argument == "phase";
  const std::string phase_id = known_value(request, "phase");
  for (const phases::Phase& phase : view->workflow().phases) {
    if (!seen.phase(phase.id)) continue;
    if (wants_phase) {
      values.add(phase.id);
    } else if (phase.id == phase_id) {
      for (const phases::Task& task : phase.tasks) values.add(task.number);
    }
  }
  return values.take();
}

Completed of_resource(const Hands& hands, const CompletionRequest& request) {
  const std::vector<std::string> templates = {
      std::string(kSessionTemplate), std::string(kPhaseTemplate), std::string(kTaskTemplate)};
  const auto at = std::find(templates.begin(), templates.end(), request.ref);
  if (at == templates.end()) return unknown("resource template", request.ref, templates);
  std::vector<std::string> variables = {"session_id", "phase", "task_number"};
  variables.resize(static_cast<std::size_t>(at - templates.begin()) + 1);
  if (std::find(variables.begin(), variables.end(), request.argument) == variables.end()) {
    return unknown("variable", request.argument, variables);
  }
  if (request.argument == "session_id") return open_sessions(hands, request.value);
  return reached(hands, request);
}

}  // namespace

Completed completion_of(const Hands& hands, const CompletionRequest& request) {
  return request.of == CompletionRequest::Of::prompt ? of_prompt(hands, request)
                                                     : of_resource(hands, request);
}

}  // namespace phasegate::mcp::tools
