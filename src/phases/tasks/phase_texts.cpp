#include "phases/tasks/phase_texts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "phases/tasks/templates.h"

namespace phasegate::phases {
namespace {

/// The lines `from` … of a piece, and none of what `without` covers.
std::string lines_of(std::string_view text, const LineSpan& piece, int from,
                     const LineSpan& without = {}) {
  std::string out;
  int line = piece.line;
  std::size_t at = piece.begin;
  while (at < piece.end) {
    const std::size_t stop = std::min<std::size_t>(text.find('\n', at), piece.end - 1) + 1;
    const bool left_out = without.line > 0 && line >= without.line && line <= without.line_end;
    if (line >= from && !left_out) out += text.substr(at, stop - at);
    at = stop;
    ++line;
  }
  return out;
}

std::string joined_pieces(std::string_view text, const std::vector<LineSpan>& pieces, int from) {
  std::string out;
  for (const LineSpan& piece : pieces) {
    const std::string said = without_indent(lines_of(text, piece, from));
    if (said.empty()) continue;
    out += (out.empty() ? "" : "\n\n") + said;
  }
  return out;
}

/// A rule that only kept a task apart from the next says nothing at an end.
std::string without_last_rule(std::string text) {
  while (true) {
    const auto last = text.rfind('\n');
    const std::string_view line =
        std::string_view(text).substr(last == std::string::npos ? 0 : last + 1);
    const bool rule =
        line.size() >= 3 && line.find_first_not_of("-*_ \t") == std::string_view::npos;
    if (!rule && !base::trimmed(line).empty()) return text;
    if (last == std::string::npos) return {};
    text.resize(last);
  }
}

/// Adds what a template had no place for.
void add_unused(FilledTemplate& filled, const TemplateValues& values,
                std::initializer_list<std::pair<const char*, const char*>> wanted) {
  for (const auto& [name, title] : wanted) {
    const auto value = values.find(std::string_view(name));
    if (value == values.end() || value->second.empty()) continue;
    if (std::find(filled.used.begin(), filled.used.end(), name) != filled.used.end()) continue;
    filled.text += (filled.text.ends_with('\n') ? "\n## " : "\n\n## ") + std::string(title) +
                   "\n\n" + value->second + "\n";
  }
}

std::string or_else(std::string text, const char* otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

std::string checklist(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) {
    out += (out.empty() ? "- [ ] " : "\n- [ ] ") + sentence;
  }
  return out;
}

std::string task_lines(const Phase& phase) {
  std::string out;
  for (const Task& task : phase.tasks) {
    out += "- Task " + task.number + (task.name.empty() ? "" : ": " + task.name) + "\n";
  }
  return out;
}

TemplateValues phase_values(const TextedPhase& whole) {
  TemplateValues values;
  values["PHASE_NUMBER"] = whole.phase.id;
  values["PHASE_NAME"] = whole.phase.title;
  values["ESTIMATED_DURATION"] = or_else(whole.read.estimate, "not given");
  values["TASK_COUNT"] = std::to_string(whole.read.tasks.size());
  values["NEXT_PHASE_NUMBER"] = or_else(whole.next_phase, "(none: this is the last one)");
  return values;
}

}  // namespace

std::string text_of_phase(const TextedPhase& whole, const PhaseTemplates& templates) {
  const std::string gate = without_last_rule(joined_pieces(whole.text, whole.read.gates, 0));
  if (templates.phase == nullptr) {
    std::string own = without_last_rule(joined_pieces(whole.text, whole.read.own, 0));
    if (!gate.empty()) own += (own.empty() ? "" : "\n\n") + gate;
    return own + "\n";
  }
  TemplateValues values = phase_values(whole);
  values["PHASE_DESCRIPTION"] =
      or_else(without_last_rule(joined_pieces(whole.text, whole.read.own, whole.read.body_line)),
              whole.phase.title.c_str());
  std::vector<std::string> asked;
  for (const Requirement& requirement : whole.phase.gate.requirements) {
    asked.push_back(requirement.description);
  }
  values["VALIDATION_GATE"] = gate.empty() ? checklist(asked) : gate;
  FilledTemplate filled = fill_template(*templates.phase, values, task_lines(whole.phase));
  add_unused(filled, values,
             {{"PHASE_DESCRIPTION", "Description"}, {"VALIDATION_GATE", "Validation Gate"}});
  return filled.text;
}

std::string text_of_task(const TextedPhase& whole, std::size_t index,
                         const PhaseTemplates& templates) {
  const ReadTask& task = whole.read.tasks[index];
  if (templates.task == nullptr) {
    return without_last_rule(without_indent(lines_of(whole.text, task.span, 0))) + "\n";
  }
  TemplateValues values = phase_values(whole);
  values["TASK_ID"] = task.number;
  values["TASK_NAME"] = or_else(task.name, task.number.c_str());
  values["ESTIMATED_TIME"] = or_else(task.estimate, "not given");
  values["DEPENDENCIES"] = or_else(task.dependencies_text, "None");
  values["TASK_STEPS"] = "As the objective above says.";
  values["NEXT_TASK_NUMBER"] = index + 1 < whole.read.tasks.size()
                                   ? whole.read.tasks[index + 1].number
                                   : "(none: this is the last one)";
  values["TASK_DESCRIPTION"] = or_else(
      without_last_rule(
          without_indent(lines_of(whole.text, task.span, task.body_line, task.acceptance_span))),
      values["TASK_NAME"].c_str());
  std::string criteria;
  if (task.acceptance_span.line > 0) {
    criteria =
        without_indent(lines_of(whole.text, task.span, task.acceptance_span.line + 1,
                                {task.acceptance_span.line_end + 1, task.span.line_end, 0, 0}));
  } else {
    std::vector<std::string> sentences;
    for (const TaskCriterion& criterion : task.acceptance) sentences.push_back(criterion.text);
    criteria = checklist(sentences);
  }
  values["ACCEPTANCE_CRITERIA"] = or_else(criteria, "(none are written)");
  FilledTemplate filled = fill_template(*templates.task, values, task_lines(whole.phase));
  add_unused(filled, values,
             {{"TASK_DESCRIPTION", "Task"}, {"ACCEPTANCE_CRITERIA", "Acceptance Criteria"}});
  return filled.text;
}

}  // namespace phasegate::phases
