#include "app/cli/render_validate.h"

#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/requirement_text.h"
#include "app/cli/text.h"
#include "base/text.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "phases/requirement_words.h"

namespace phasegate::app::cli {
namespace {

using phases::Finding;
using phases::Phase;
using phases::Severity;

/// Name, type, rules and line of what is asked for.
std::string requirements_text(const std::vector<phases::Requirement>& requirements,
                              std::size_t indent, const Page& page) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const phases::Requirement& requirement : requirements) {
    const bool has_line = !requirement.source.file.empty();
    const std::string from = has_line ? shown_value(phases::to_text(requirement.source))
                                      : std::string(phases::to_text(requirement.kind));
    entries.emplace_back(shown_value(requirement.name),
                         shown_value(phases::type_and_rules(requirement)) + "  " +
                             page.in(Tone::faint, "(" + from + doubt_text(requirement) + ")"));
  }
  return definitions(entries, indent, page.width);
}

/// Name, kind, what it looks at, and its line.
std::string checks_text(const std::vector<phases::Check>& checks, std::size_t indent,
                        const Page& page) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const phases::Check& check : checks) {
    entries.emplace_back(
        shown_value(check.name),
        std::string(phases::to_text(check.kind)) + ": " + shown_value(phases::subject_of(check)) +
            "  " + page.in(Tone::faint, "(" + shown_value(phases::to_text(check.source)) + ")"));
  }
  return definitions(entries, indent, page.width);
}

/// What a person decides, and what each option does.
std::string decision_text(const phases::Workflow& workflow, const Phase& phase, const Page& page) {
  const std::string mark = decision_mark(phase);
  if (mark.empty()) return "";
  return wrapped(shown_value(mark), page.width, 4, 6) +
         definitions(decision_entries(workflow, phase), 6, page.width);
}

std::string phase_text(const phases::Workflow& workflow, const Phase& phase, const Page& page) {
  std::string head = "Phase " + shown_value(phase.id);
  if (!phase.title.empty()) head += "  " + shown_value(phase.title);
  std::string text = "\n" + wrapped(page.in(Tone::strong, head), page.width, 2, 4);
  if (phase.by_person && phase.file.empty()) {
    text += wrapped("nothing is to be done in it", page.width, 4, 6);
  } else {
    text +=
        wrapped("text: " + (phase.file.empty() ? std::string("missing") : shown_value(phase.file)) +
                    ", " + base::counted(phase.tasks.size(), "task"),
                page.width, 4, 6);
  }
  for (const std::string& mark : gate_marks(phase.gate)) {
    text += wrapped(shown_value(mark), page.width, 4, 6);
  }
  if (!phase.gate.requirements.empty()) {
    text += "    asks for:\n" + requirements_text(phase.gate.requirements, 6, page);
  }
  if (!phase.gate.checks.empty()) {
    text += "    looks itself at:\n" + checks_text(phase.gate.checks, 6, page);
  }
  text += decision_text(workflow, phase, page);
  if (phase.gate.none || !phase.gate.requirements.empty() || !phase.gate.checks.empty() ||
      phases::asks_a_person(phase)) {
    return text;
  }
  return text + wrapped("its gate cannot be read, so it is shut", page.width, 4, 6);
}

/// What is true of the workflow as a whole.
std::string whole_text(const phases::Workflow& workflow, const Page& page) {
  std::string text;
  if (!workflow.input.empty()) {
    text += "\n" + wrapped("To be given at the start:", page.width, 2, 4) +
            requirements_text(workflow.input, 4, page);
  }
  if (workflow.input_closed) {
    text +=
        (workflow.input.empty() ? "\n" : "") + wrapped("Other input is refused.", page.width, 2, 4);
  }
  if (workflow.outline) {
    text += "\n" +
            wrapped("The titles of later phases may be shown (outline: titles).", page.width, 2, 4);
  }
  return text;
}

/// `phases/1/phase.md:12` as to_text writes it; anything else is the file as a whole.
phases::Source source_from(const std::string& where) {
  const std::size_t colon = where.rfind(':');
  if (colon == std::string::npos || colon + 1 == where.size() || where.size() - colon > 9 ||
      where.find_first_not_of("0123456789", colon + 1) != std::string::npos) {
    return {where, 0, 0};
  }
  return {where.substr(0, colon), std::stoi(where.substr(colon + 1)), 0};
}

std::string verdict_text(const phases::LoadedWorkflow& loaded, const Page& page) {
  const std::string counts = base::counted(count(loaded.findings, Severity::error), "error") +
                             ", " +
                             base::counted(count(loaded.findings, Severity::warning), "warning") +
                             ", " + base::counted(count(loaded.findings, Severity::info), "note");
  return "\n" + wrapped(counts + ": " +
                            (loaded.startable() ? page.in(Tone::good, "can be started")
                                                : page.in(Tone::bad, "cannot be started")),
                        page.width, 2, 4);
}

}  // namespace

void add_gate_findings(phases::LoadedWorkflow& loaded) {
  if (loaded.workflow.phases.empty() && !loaded.startable()) return;
  bool broken = false;
  const auto check = [&](const phases::Gate& gate, const std::string& phase) {
    auto compiled = gating::EvidenceGate::compile(gate);
    if (compiled) return true;
    broken = true;
    const base::Error& error = compiled.error();
    const phases::Source source = source_from(error.where);
    // What the reader has said already about this line needs no second word.
    const bool said =
        std::any_of(loaded.findings.begin(), loaded.findings.end(), [&](const Finding& finding) {
          return finding.severity == Severity::error && finding.phase == phase &&
                 finding.source.file == source.file && finding.source.line == source.line;
        });
    if (!said) {
      loaded.findings.push_back(
          {Severity::error, error.code, error.message, error.hint, source, phase});
    }
    return false;
  };
  for (const Phase& phase : loaded.workflow.phases) {
    bool fields_sound = true;
    for (const phases::Requirement& requirement : phase.gate.requirements) {
      phases::Gate alone;
      alone.requirements.push_back(requirement);
      fields_sound = check(alone, phase.id) && fields_sound;
    }
    if (fields_sound) check(phase.gate, phase.id);
  }
  if (broken) return;
  // What concerns the definition as a whole, such as two phases with one id.
  auto made = gating::Definition::make(loaded.content_hash, loaded.workflow);
  if (made || !loaded.startable()) return;
  const base::Error& error = made.error();
  loaded.findings.push_back(
      {Severity::error, error.code, error.message, error.hint, source_from(error.where), ""});
}

std::string validate_text(const Validated& validated, const Page& page) {
  const phases::LoadedWorkflow& loaded = validated.loaded;
  const phases::Workflow& workflow = loaded.workflow;
  std::string head = page.in(Tone::strong, shown_value(workflow.id));
  if (!workflow.version.empty()) head += " " + shown_value(workflow.version);
  if (!workflow.title.empty() && workflow.title != workflow.id) {
    head += "  " + shown_value(workflow.title);
  }
  std::string text =
      wrapped(head + "  (" + shown_value(validated.shown_path) + ")", page.width, 0, 2);
  text += findings_text(loaded.findings, validated.folder, validated.line_of, page);
  text += whole_text(workflow, page);
  for (const Phase& phase : workflow.phases) text += phase_text(workflow, phase, page);
  if (workflow.dynamic) {
    const phases::DynamicPhases& dynamic = *workflow.dynamic;
    text +=
        "\n" + wrapped("Behind them come the phases of the " + shown_value(dynamic.file) +
                           " in the folder that a start names as " + shown_value(dynamic.input) +
                           ". They are read when a session starts, which keeps them.",
                       page.width, 2, 4);
  }
  if (!workflow.dynamic_reason.empty()) {
    text += "\n" + wrapped("After the last phase the session waits: " +
                               shown_value(workflow.dynamic_reason),
                           page.width, 2, 4);
  }
  if (!workflow.complete_message.empty() && loaded.startable()) {
    text += "\n" + wrapped("At the end it says: " + shown_value(workflow.complete_message),
                           page.width, 2, 4);
  }
  return text + verdict_text(loaded, page);
}

}  // namespace phasegate::app::cli
