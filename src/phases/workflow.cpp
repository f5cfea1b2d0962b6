#include "phases/workflow.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::phases {

std::string to_text(const Source& source) {
  if (source.line <= 0) return source.file;
  std::string text = source.file + ":" + std::to_string(source.line);
  if (source.column > 0) text += ":" + std::to_string(source.column);
  return text;
}

std::string_view to_text(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "info";
  }
  return "error";
}

std::string_view to_text(ValueType type) {
  switch (type) {
    case ValueType::boolean:
      return "boolean";
    case ValueType::integer:
      return "integer";
    case ValueType::number:
      return "number";
    case ValueType::string:
      return "string";
    case ValueType::array:
      return "array";
    case ValueType::object:
      return "object";
  }
  return "string";
}

std::optional<ValueType> value_type_from(std::string_view word) {
  const std::string name = base::lowered(base::trimmed(word));
  if (name == "boolean" || name == "bool") return ValueType::boolean;
  if (name == "integer" || name == "int") return ValueType::integer;
  if (name == "number" || name == "float" || name == "double") return ValueType::number;
  if (name == "string" || name == "str" || name == "text") return ValueType::string;
  if (name == "array" || name == "list") return ValueType::array;
  if (name == "object" || name == "dict" || name == "map") return ValueType::object;
  return std::nullopt;
}

std::string_view to_text(RequirementSource source) {
  switch (source) {
    case RequirementSource::native:
      return "workflow_file";
    case RequirementSource::correction:
      return "correction";
    case RequirementSource::gate_file:
      return "gate_file";
    case RequirementSource::front_matter:
      return "front_matter";
    case RequirementSource::typed_table:
      return "typed_table";
    case RequirementSource::checkbox:
      return "checkbox";
    case RequirementSource::field:
      return "field";
    case RequirementSource::bullet:
      return "bullet";
    case RequirementSource::table_row:
      return "table_row";
    case RequirementSource::command:
      return "command";
    case RequirementSource::prose:
      return "prose";
    case RequirementSource::sample_call:
      return "sample_call";
    case RequirementSource::metadata:
      return "metadata";
    case RequirementSource::synthetic:
      return "synthetic";
  }
  return "synthetic";
}

std::string_view to_text(Confidence confidence) {
  switch (confidence) {
    case Confidence::high:
      return "high";
    case Confidence::medium:
      return "medium";
    case Confidence::low:
      return "low";
  }
  return "low";
}

bool is_phase_number(std::string_view text) {
  constexpr std::size_t kLengthMax = 32;
  const bool joined_by_dots = text.find_first_of("-_") == std::string_view::npos;
  return text.size() <= kLengthMax && joined_by_dots && is_phase_id(text);
}

bool is_phase_id(std::string_view text) {
  if (text.size() > base::limits::kPhaseIdBytesMax) return false;
  bool joint = true;  // nothing precedes the first part
  for (const char c : text) {
    const bool was_joint = std::exchange(joint, c == '.' || c == '-' || c == '_');
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (joint ? was_joint : !plain) return false;
  }
  return !joint;
}

const Phase* Workflow::find_phase(std::string_view phase_id) const {
  const auto found = std::find_if(phases.begin(), phases.end(),
                                  [&](const Phase& phase) { return phase.id == phase_id; });
  return found == phases.end() ? nullptr : &*found;
}

std::optional<std::size_t> Workflow::phase_index(std::string_view phase_id) const {
  const Phase* phase = find_phase(phase_id);
  if (phase == nullptr) return std::nullopt;
  return static_cast<std::size_t>(phase - phases.data());
}

bool LoadedWorkflow::startable() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::error; });
}

}  // namespace phasegate::phases
