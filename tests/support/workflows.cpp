#include "tests/support/workflows.h"

#include "base/hash.h"
#include "base/json.h"
#include "phases/workflow_json.h"

namespace phasegate::test {
namespace {

phases::Requirement requirement(std::string name, phases::ValueType type) {
  phases::Requirement made;
  made.name = std::move(name);
  made.type = type;
  made.description = "about " + made.name;
  made.source = {"phases/1/gate-definition.yaml", 7, 0};
  return made;
}

void rehash(phases::LoadedWorkflow& loaded) {
  loaded.content_hash = base::sha256_hex(base::dump(phases::to_json(loaded.workflow)));
}

}  // namespace

phases::Requirement boolean(std::string name) {
  return requirement(std::move(name), phases::ValueType::boolean);
}

phases::Requirement integer(std::string name, double minimum) {
  auto made = requirement(std::move(name), phases::ValueType::integer);
  made.minimum = minimum;
  return made;
}

phases::Requirement text(std::string name) {
  return requirement(std::move(name), phases::ValueType::string);
}

phases::Requirement list(std::string name, std::int64_t min_items) {
  auto made = requirement(std::move(name), phases::ValueType::array);
  made.min_items = min_items;
  return made;
}

phases::Requirement optional(phases::Requirement made) {
  made.required = false;
  return made;
}

phases::Phase phase(std::string id, std::vector<phases::Requirement> requirements) {
  phases::Phase made;
  made.id = std::move(id);
  made.title = "Title of " + made.id;
  made.file = "phases/" + made.id + "/phase.md";
  made.source = {made.file, 1, 0};
  made.gate.requirements = std::move(requirements);
  made.gate.source = {"phases/" + made.id + "/gate-definition.yaml", 1, 0};
  phases::Task task;
  task.number = "1";
  task.name = "Task of " + made.id;
  task.file = "phases/" + made.id + "/task-1.md";
  made.tasks.push_back(std::move(task));
  return made;
}

void add_document(phases::LoadedWorkflow& loaded, const std::string& path, std::string text,
                  std::string phase_id, std::vector<std::string> links) {
  phases::Document document;
  document.path = path;
  document.hash = base::sha256_hex(text);
  document.bytes = text.size();
  document.phase = std::move(phase_id);
  document.links = std::move(links);
  loaded.blobs[document.hash] = std::move(text);
  loaded.workflow.documents[path] = std::move(document);
  rehash(loaded);
}

phases::LoadedWorkflow workflow(std::string id, std::vector<phases::Phase> phases,
                                std::map<std::string, std::string> texts) {
  phases::LoadedWorkflow loaded;
  loaded.workflow.id = std::move(id);
  loaded.workflow.title = "Title of " + loaded.workflow.id;
  loaded.workflow.version = "1.0.0";
  loaded.workflow.complete_message = "All phases complete";
  loaded.workflow.phases = std::move(phases);
  for (const phases::Phase& each : loaded.workflow.phases) {
    const auto given = texts.find(each.id);
    add_document(loaded, each.file,
                 given == texts.end() ? "# Phase " + each.id + "\n\nText of phase " + each.id + "\n"
                                      : given->second,
                 each.id);
    for (const phases::Task& task : each.tasks) {
      add_document(loaded, task.file, "Text of " + task.file + "\n", each.id);
    }
  }
  return loaded;
}

phases::LoadedWorkflow test_generation() {
  return workflow("test_generation_v3",
                  {phase("1", {integer("function_count", 1), integer("method_count", 0),
                               integer("branch_count", 0), text("ast_command_output"),
                               list("functions_list", 1)}),
                   phase("2", {integer("logger_call_count", 0)}), phase("3", {boolean("done")})});
}

void MemoryWorkflows::put(phases::LoadedWorkflow loaded) {
  gating::engine::FoundWorkflow found;
  found.id = loaded.workflow.id;
  found.place = "memory";
  found.loaded = std::make_shared<const phases::LoadedWorkflow>(std::move(loaded));
  by_id_[found.id] = found;
}

std::vector<gating::engine::FoundWorkflow> MemoryWorkflows::list() {
  std::vector<gating::engine::FoundWorkflow> all;
  for (const auto& [id, found] : by_id_) all.push_back(found);
  return all;
}

base::Result<gating::engine::FoundWorkflow> MemoryWorkflows::find(std::string_view id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) {
    return base::Error{"unknown_workflow", "no such workflow", "call list_workflows", ""};
  }
  return found->second;
}

}  // namespace phasegate::test
