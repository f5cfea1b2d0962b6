#include "phases/tasks/phase_gate.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

/// The pieces as a text of their own, and where its lines stand in the document.
struct Slice {
  std::string text;
  std::vector<int> lines;  ///< by line of the slice from 0

  [[nodiscard]] int line_of(int line) const {
    if (line < 1 || lines.empty()) return line;
    return lines[std::min(static_cast<std::size_t>(line - 1), lines.size() - 1)];
  }
  void put_right(Source& source) const {
    source.line = line_of(source.line);
    if (source.line_end > 0) source.line_end = line_of(source.line_end);
  }
};

Slice slice_of(std::string_view text, const std::vector<LineSpan>& pieces) {
  Slice slice;
  for (const LineSpan& piece : pieces) {
    slice.text += text.substr(piece.begin, piece.end - piece.begin);
    if (!slice.text.empty() && slice.text.back() != '\n') slice.text += '\n';
    for (int line = piece.line; line <= piece.line_end; ++line) slice.lines.push_back(line);
    // What stood apart is not to run together.
    slice.text += '\n';
    slice.lines.push_back(piece.line_end);
  }
  return slice;
}

}  // namespace

ReadGate read_phase_gate(std::string_view text, std::string_view path, const std::string& phase,
                         const std::vector<LineSpan>& pieces) {
  const Slice slice = slice_of(text, pieces);
  ReadGate gate = PlainRequirementReader().read(slice.text, path, phase);
  slice.put_right(gate.source);
  slice.put_right(gate.human_approval_source);
  for (Requirement& requirement : gate.requirements) slice.put_right(requirement.source);
  for (Finding& finding : gate.findings) slice.put_right(finding.source);
  return gate;
}

std::vector<Requirement> requirements_of_tasks(const ReadTasksPhase& phase, std::string_view path) {
  std::vector<Requirement> requirements;
  std::set<std::string> names;
  for (const ReadTask& task : phase.tasks) {
    Requirement requirement;
    requirement.name = "task_" + base::joined(words_of(task.number), "_") + "_done";
    if (!names.insert(requirement.name).second) {
      requirement.name = name_with_hash(requirement.name, task.number);
      names.insert(requirement.name);
    }
    requirement.type = ValueType::boolean;
    requirement.description = task.name.empty() ? "Task " + task.number : task.name;
    requirement.kind = RequirementSource::checkbox;
    requirement.confidence = Confidence::medium;
    requirement.source = {std::string(path), task.span.line, 0};
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

}  // namespace phasegate::phases
