#include "mcp/tools/resources.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "gating/visibility.h"
#include "mcp/tools/list_cursor.h"
#include "mcp/tools/read_answers.h"
#include "mcp/tools/resource_uri.h"
#include "mcp/tools/workflow_row.h"

namespace phasegate::mcp::tools {

using gating::engine::FoundWorkflow;
using gating::engine::PhaseView;
using gating::engine::ReadRefused;
using gating::engine::RunView;
using gating::engine::TaskView;
using protocol::ReadResult;
using protocol::Resource;
using protocol::ResourceTemplate;

namespace {

using Read = protocol::Outcome<ReadResult>;
using Kind = ResourceUri::Kind;

constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::string_view kList = "resources";
constexpr std::size_t kUriBytesShown = 120;
constexpr std::int64_t kTemplatesFreshMs = 3'600'000;

Resource overview() {
  return {std::string(kWorkflowsUri), "workflows", "Workflows",
          "The workflows that can be started here, as list_workflows shows them.",
          std::string(kMarkdown)};
}

Resource as_resource(const FoundWorkflow& found) {
  const phases::Workflow& workflow = found.loaded->workflow;
  Resource resource;
  resource.uri = to_text({Kind::workflow, found.id, "", "", ""});
  resource.name = found.id;
  resource.title = title_line(workflow);
  resource.description = description_line(workflow);
  if (resource.description.empty()) resource.description = "A workflow; nothing of its phases.";
  resource.mime_type = kMarkdown;
  return resource;
}

ReadResult contents(std::string_view uri, std::string text, std::int64_t fresh_ms) {
  ReadResult result;
  result.contents.push_back({std::string(uri), std::string(kMarkdown), std::move(text), "", false});
  result.cache = {fresh_ms, false};
  return result;
}

/// Of a session: it may change at any moment.
ReadResult contents(std::string_view uri, std::string text) {
  return contents(uri, std::move(text), 0);
}

protocol::RpcError missing(std::string_view uri, const std::string& message,
                           const std::string& hint) {
  return protocol::resource_not_found(uri, hint.empty() ? message : message + "; " + hint);
}

protocol::RpcError no_such_uri(std::string_view uri) {
  return protocol::resource_not_found(
      uri, "There is no resource " + base::in_quotes(base::shortened(uri, kUriBytesShown)) +
               "; resources/list has the workflows, resources/templates/list the form of the rest");
}

/// What may be read instead, without a word about what was asked for.
protocol::RpcError not_reached(std::string_view uri, const ReadRefused& refused) {
  const gating::RunState& run = refused.open_phase.view.run;
  const std::string open = to_text({Kind::phase, "", run.id, run.current_phase, ""});
  return missing(uri, refused.refusal.message + ": " + refused.refusal.reason,
                 (is_open(run.status) ? "open now: " : "the last one reached: ") + open);
}

Read read_workflows(const Hands& hands, std::string_view uri) {
  std::string text = "# Workflows\n\n";
  std::size_t shown = 0;
  const auto all = hands.engine.workflows();
  for (const FoundWorkflow& found : all) {
    const std::string row =
        workflow_row(found, hands.engine.can_start(found), hands.context.command_options).text +
        "\n";
    if (text.size() + row.size() > base::limits::kResourceBytesMax - kUriBytesShown) break;
    text += row;
    ++shown;
  }
  if (shown < all.size()) {
    text += "… " + std::to_string(all.size() - shown) + " more: list_workflows";
  }
  if (all.empty()) text += "None was found.\n";
  return contents(uri, std::move(text), base::limits::kListFreshMs);
}

Read read_workflow(const Hands& hands, std::string_view uri, const std::string& id) {
  const auto all = hands.engine.workflows();
  std::vector<std::string> ids;
  for (const FoundWorkflow& found : all) {
    ids.push_back(found.id);
    if (found.id != id) continue;
    const WorkflowRow row =
        workflow_row(found, hands.engine.can_start(found), hands.context.command_options);
    return contents(uri, "# " + title_line(found.loaded->workflow) + "\n\n" + row.text + "\n",
                    base::limits::kListFreshMs);
  }
  const auto nearest = base::nearest_name(id, ids);
  return missing(
      uri, "There is no workflow " + base::in_quotes(id),
      nearest ? "did you mean " + to_text({Kind::workflow, *nearest, "", "", ""}) + "?" : "");
}

Read read_session(const Hands& hands, std::string_view uri, const std::string& session) {
  const auto view = hands.engine.view(session);
  if (!view) return missing(uri, view.error().message, view.error().hint);
  return contents(uri, state_answer(*view).text);
}

Read read_phase(const Hands& hands, std::string_view uri, const ResourceUri& asked) {
  const auto read = hands.engine.phase_content(asked.session, asked.phase);
  if (!read) return missing(uri, read.error().message, read.error().hint);
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) return not_reached(uri, *refused);
  const TextWish whole{"", "", base::limits::kResourceBytesMax};
  return contents(uri, phase_answer(std::get<PhaseView>(*read), whole).text);
}

Read read_task(const Hands& hands, std::string_view uri, const ResourceUri& asked) {
  const auto read = hands.engine.task(asked.session, asked.phase, asked.task, "");
  if (!read) return missing(uri, read.error().message, read.error().hint);
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) return not_reached(uri, *refused);
  const TextWish whole{"", "", base::limits::kResourceBytesMax};
  return contents(uri, task_answer(std::get<TaskView>(*read), {asked.task, ""}, whole).text);
}

}  // namespace

protocol::Listed<Resource> list_resources(const Hands& hands, std::string_view cursor) {
  protocol::Page<Resource> page;
  page.cache = {base::limits::kListFreshMs, false};
  std::string after;
  if (cursor.empty()) {
    page.items.push_back(overview());
  } else if (auto id = id_of_cursor(kList, cursor)) {
    after = *std::move(id);
  } else {
    return protocol::invalid_params("The cursor comes from no earlier page of resources/list");
  }
  for (const FoundWorkflow& found : hands.engine.workflows()) {
    if (found.id <= after) continue;
    if (page.items.size() == base::limits::kListItemsMax) {
      page.next_cursor = list_cursor(kList, page.items.back().name);
      break;
    }
    page.items.push_back(as_resource(found));
  }
  return page;
}

protocol::Listed<ResourceTemplate> list_resource_templates(std::string_view cursor) {
  if (!cursor.empty()) {
    return protocol::invalid_params("resources/templates/list has one page, and gave no cursor");
  }
  protocol::Page<ResourceTemplate> page;
  page.cache = {kTemplatesFreshMs, false};
  page.items = {
      {std::string(kSessionTemplate), "session", "Session",
       "How far a session is, and what it waits for.", std::string(kMarkdown)},
      {std::string(kPhaseTemplate), "phase", "Phase of a session",
       "The open phase with the evidence its gate requires, or a completed one with what was "
       "accepted.",
       std::string(kMarkdown)},
      {std::string(kTaskTemplate), "task", "Task of a phase",
       "A task of the open phase or of a completed one.", std::string(kMarkdown)}};
  return page;
}

Read read_resource(const Hands& hands, std::string_view uri) {
  const auto asked = parse_resource_uri(uri);
  if (!asked) return no_such_uri(uri);
  switch (asked->kind) {
    case Kind::workflows:
      return read_workflows(hands, uri);
    case Kind::workflow:
      return read_workflow(hands, uri, asked->workflow);
    case Kind::session:
      return read_session(hands, uri, asked->session);
    case Kind::phase:
      return read_phase(hands, uri, *asked);
    case Kind::task:
      return read_task(hands, uri, *asked);
  }
  return no_such_uri(uri);
}

bool is_session_resource(const Hands& hands, std::string_view uri) {
  const auto asked = parse_resource_uri(uri);
  if (!asked || asked->session.empty()) return false;
  const auto view = hands.engine.view(asked->session);
  if (!view) return false;
  if (asked->kind == Kind::session) return true;
  if (!gating::visible(view->workflow(), view->run).phase(asked->phase)) return false;
  if (asked->kind == Kind::phase) return true;
  const auto& tasks = view->workflow().find_phase(asked->phase)->tasks;
  return std::any_of(tasks.begin(), tasks.end(),
                     [&](const phases::Task& task) { return task.number == asked->task; });
}

}  // namespace phasegate::mcp::tools
