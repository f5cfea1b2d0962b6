#include "gating/engine/dynamic_start.h"

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "gating/definition.h"
#include "phases/tasks/dynamic_phases.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kPlacesNamedMax = 5;
constexpr std::size_t kPathBytesShown = 200;

Error invalid_tasks(const std::string& document, const std::string& why) {
  return Error{"invalid_tasks",
               base::in_quotes(base::shortened(document, kPathBytesShown)) +
                   " cannot be used: " + why + "; nothing was started",
               "ask the person you work for to run `phasegate validate " +
                   base::shortened(document, kPathBytesShown) + "`, which says what is wrong",
               document};
}

/// `specs/x` of `specs/x/tasks.md`; `.` of `tasks.md`.
std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

Result<phases::LoadedWorkflow> with_document(const phases::LoadedWorkflow& loaded,
                                             ProjectDocuments* documents, Json& input) {
  const phases::DynamicPhases& dynamic = *loaded.workflow.dynamic;
  const std::string folder = base::string_member(input, dynamic.input).value_or("");
  if (documents == nullptr) {
    return Error{"not_found", "documents of the project cannot be read here", "", dynamic.input};
  }
  auto document = documents->read(folder, dynamic.file);
  if (!document) {
    Error error = document.error();
    error.where = dynamic.input;
    if (error.hint.empty() || error.code == "not_found") {
      error.hint = "name the folder of a spec that holds " + dynamic.file +
                   ", for example input {\"" + dynamic.input + "\": \"specs/my-feature\"}";
    }
    return error;
  }
  phases::LoadedWorkflow expanded =
      phases::with_dynamic_phases(loaded, document->text, document->path);
  if (!expanded.startable()) {
    std::vector<std::string> places;
    std::size_t errors = 0;
    for (const phases::Finding& finding : expanded.findings) {
      if (finding.severity != phases::Severity::error) continue;
      if (++errors > kPlacesNamedMax) continue;
      const int line = finding.source.line;
      places.push_back((line > 0 ? "line " + std::to_string(line) + ": " : std::string()) +
                       finding.code);
    }
    std::string why = base::joined(places, ", ");
    if (errors > kPlacesNamedMax) {
      why += " and " + std::to_string(errors - kPlacesNamedMax) + " more";
    }
    return invalid_tasks(document->path, why);
  }
  input[dynamic.input] = folder_of(document->path);
  return expanded;
}

Error unusable_document(const phases::LoadedWorkflow& expanded) {
  std::string where;
  if (const auto definition = definition_of(expanded); !definition) {
    where = definition.error().where;
  }
  const phases::Phase& last = expanded.workflow.phases.back();
  return invalid_tasks(last.source.file,
                       "the gate at " + (where.empty() ? "some phase" : where) + " cannot be used");
}

}  // namespace phasegate::gating::engine
