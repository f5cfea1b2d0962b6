#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/native/reader.h"
#include "tests/phases/folder_fixture.h"

namespace phasegate::test {

/// Reads `text` as a file of this name.
inline phases::LoadedWorkflow native(std::string_view text, std::string_view name = "w.yaml") {
  return phases::read_native_text(name, text);
}

/// A sound step with this id and these further lines, each indented by four.
inline std::string step(const std::string& id, const std::string& more = "") {
  return "  - id: " + id + "\n    instructions: Do " + id + "\n" +
         (more.empty() ? "    evidence: {summary: string}\n" : more);
}

/// A workflow with these lines at the top and one sound step, or these steps.
inline std::string flow(const std::string& top = "", const std::string& steps = step("a")) {
  return "workflow: w\n" + top + "steps:\n" + steps;
}

/// A workflow of one step with this evidence, lines from 5 on, each indented by six.
inline std::string with_evidence(const std::string& lines) {
  return flow("", step("a", "    evidence:\n" + lines));
}

/// The errors as `code line:column`, in the order in which they are reported.
inline std::vector<std::string> errors_of(const phases::LoadedWorkflow& loaded) {
  std::vector<std::string> errors;
  for (const phases::Finding& finding : loaded.findings) {
    if (finding.severity != phases::Severity::error) continue;
    errors.push_back(finding.code + " " + std::to_string(finding.source.line) + ":" +
                     std::to_string(finding.source.column));
  }
  return errors;
}

/// Every finding on a line of its own, for the message of a failed check.
inline std::string all_findings(const phases::LoadedWorkflow& loaded) {
  std::string text;
  for (const phases::Finding& finding : loaded.findings) {
    text += std::string(to_text(finding.severity)) + " " + finding.code + " " +
            to_text(finding.source) + " " + finding.message + " – " + finding.hint + "\n";
  }
  return text;
}

}  // namespace phasegate::test
