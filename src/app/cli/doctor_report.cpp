#include "app/cli/doctor_report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/cli/elsewhere.h"
#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using Level = Diagnosis::Level;
using base::Json;

std::string octal(unsigned mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04o", mode);
  return text.data();
}

std::string runs_text(const state::StoreReport& report) {
  std::string text = base::counted(static_cast<std::size_t>(report.runs), "session");
  std::vector<std::string> parts;
  parts.reserve(report.runs_by_status.size());
  for (const auto& [status, count] : report.runs_by_status) {
    parts.push_back(std::to_string(count) + " " + status);
  }
  if (!parts.empty()) text += " (" + base::joined(parts, ", ") + ")";
  return text;
}

void diagnose_contents(const state::StoreReport& report, std::vector<Diagnosis>& out) {
  out.push_back({Level::ok, "state",
                 "version " + std::to_string(report.schema_version) + ", " + runs_text(report) +
                     ", " + std::to_string(report.bytes) + " bytes and " +
                     std::to_string(report.log_bytes) + " in its log",
                 ""});
  if (!report.integrity.empty()) {
    out.push_back({Level::problem, "state", "the database is damaged: " + report.integrity,
                   "`phasegate restore FILE` puts a copy back and keeps what is here under another "
                   "name; `phasegate backup --list` shows the copies."});
  }
  for (const state::DamagedItem& item : report.damaged) {
    out.push_back({Level::problem, "state", item.message, ""});
  }
  if (report.damaged_left_out > 0) {
    out.push_back({Level::problem, "state",
                   "and " + std::to_string(report.damaged_left_out) + " more of that kind", ""});
  }
  if (!report.damaged.empty()) {
    out.back().hint =
        "The other sessions go on; `phasegate restore FILE` brings back what a copy has, "
        "`phasegate backup --list` shows the copies.";
  }
  if (!report.writable) {
    out.push_back({Level::problem, "state", "the state cannot be written by this user",
                   "Sessions can be read but cannot go on; give the user write permission."});
  }
  if (!report.private_to_owner) {
    out.push_back({Level::note, "state",
                   "other users can reach it (folder " + octal(report.folder_mode) + ", file " +
                       octal(report.file_mode) + ")",
                   "chmod 700 the folder and 600 the file, unless that is meant."});
  }
}

Tone tone_of(Level level) {
  if (level == Level::problem) return Tone::bad;
  return level == Level::note ? Tone::caution : Tone::good;
}

}  // namespace

std::string_view to_text(Diagnosis::Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::note:
      return "note";
    case Level::problem:
      return "problem";
  }
  return "problem";
}

std::vector<Diagnosis> diagnose_state(const Settings& settings, const state::StoreReport& report,
                                      bool parent_writable) {
  std::vector<Diagnosis> out;
  out.push_back({Level::ok, "state",
                 settings.state_folder.string() + " (from " + settings.state_from + ")", ""});
  if (report.problem) {
    out.push_back({Level::problem, "state", report.problem->message, report.problem->hint});
  } else if (!report.exists && parent_writable) {
    out.push_back({Level::ok, "state", "nothing is stored yet; the first session makes it", ""});
  } else if (!report.exists) {
    out.push_back({Level::problem, "state",
                   "nothing is stored yet, and the folder cannot be made or written",
                   "Name another one with --state DIR or PHASEGATE_STATE."});
  } else {
    diagnose_contents(report, out);
  }
  if (report.key_problem) {
    out.push_back({Level::problem, "state", report.key_problem->message, report.key_problem->hint});
  }
  if (report.seal_problem) {
    out.push_back(
        {Level::problem, "state", report.seal_problem->message, report.seal_problem->hint});
  }
  if (report.network) {
    out.push_back(
        {Level::problem, "state",
         "the folder lies on " + *report.network +
             ", a network's file system, where no state is kept",
         "Name a folder on a disk of this machine with --state DIR or PHASEGATE_STATE; "
         "`phasegate backup FILE` and then `phasegate restore FILE --state DIR` take the sessions "
         "along."});
  }
  for (const std::string& name : report.set_aside) {
    out.push_back({Level::note, "state", name + " could not be used and was set aside",
                   "Keep it until nothing in it is missed."});
  }
  for (const std::string& name : report.unfinished) {
    out.push_back({Level::note, "state", name + " was left behind by a process that was killed",
                   "It may be deleted; the program does so itself after an hour."});
  }
  if (!report.backups.empty()) {
    out.push_back({Level::ok, "state", "backups: " + base::joined(report.backups, ", "), ""});
  }
  return out;
}

Diagnosis diagnose_approvers(const Settings& settings,
                             const base::Result<std::vector<gating::engine::Approver>>& approvers) {
  if (!approvers) {
    return {Level::problem, "approvers",
            approvers.error().message + " It lies in " + settings.approvers_folder.string(),
            approvers.error().hint};
  }
  if (approvers->empty()) {
    return {Level::ok, "approvers", "nobody is enrolled: gates that ask for a person wait",
            "On a terminal: phasegate approvers add NAME" + settings.options_anywhere};
  }
  return {Level::ok, "approvers",
          std::to_string(approvers->size()) + " enrolled, in approvers.db in " +
              settings.approvers_folder.string(),
          ""};
}

std::vector<Diagnosis> diagnose_workflows(const Settings& settings,
                                          const std::vector<gating::engine::FoundWorkflow>& found,
                                          const std::vector<phases::Finding>& place_findings) {
  std::vector<Diagnosis> out;
  for (const phases::Place& place : settings.places) {
    const auto here = std::count_if(
        found.begin(), found.end(),
        [&](const gating::engine::FoundWorkflow& one) { return one.place == place.name; });
    std::error_code ignored;
    const bool exists = place.built_in || std::filesystem::exists(place.folder, ignored);
    std::string text = exists ? base::counted(static_cast<std::size_t>(here), "workflow")
                              : std::string("not there");
    if (place.built_in) text += ", which the program carries";
    out.push_back({Level::ok, "workflows", place.name + ": " + text, ""});
  }
  if (found.empty()) {
    out.push_back({Level::note, "workflows", "there is no workflow in any place",
                   "`phasegate new NAME` begins one in .phasegate/workflows of the project."});
  }
  if (const std::string elsewhere = workflows_elsewhere(settings); !elsewhere.empty()) {
    out.push_back({Level::note, "workflows", elsewhere, ""});
  }
  for (const auto& workflow : found) {
    if (const auto reason = why_not_startable(*workflow.loaded)) {
      out.push_back({Level::problem, "workflows",
                     workflow.id + " cannot be started: " + base::to_text(*reason),
                     "`phasegate validate " + workflow.id + "` shows everything about it."});
    }
  }
  for (const phases::Finding& finding : place_findings) {
    // What cannot be looked at may be anything, however mildly it is told.
    const bool problem =
        finding.severity == phases::Severity::error ||
        (finding.severity == phases::Severity::warning && finding.code.starts_with("unreadable"));
    out.push_back(
        {problem ? Level::problem : Level::note, "workflows", finding.message, finding.hint});
  }
  return out;
}

bool sound(const std::vector<Diagnosis>& diagnoses) {
  return std::none_of(diagnoses.begin(), diagnoses.end(),
                      [](const Diagnosis& diagnosis) { return diagnosis.level == Level::problem; });
}

std::string doctor_text(const std::vector<Diagnosis>& diagnoses, const Page& page) {
  constexpr std::size_t kAboutWidth = 9;  // `workflows`
  constexpr std::size_t kLevelWidth = 7;  // `problem`
  constexpr std::size_t kTextWidthMin = 30;
  constexpr std::size_t kBeside = kLevelWidth + kAboutWidth + 4;
  // Beside its two words a text needs room; without it, it stands below them.
  const std::size_t indent = page.width < kBeside + kTextWidthMin ? 2 : kBeside;
  std::string text;
  for (const Diagnosis& diagnosis : diagnoses) {
    const std::string_view level = to_text(diagnosis.level);
    std::string line = page.in(tone_of(diagnosis.level), level) +
                       std::string(kLevelWidth - level.size() + 2, ' ') + diagnosis.about;
    line.append(kAboutWidth - std::min(kAboutWidth, diagnosis.about.size()) + 2, ' ');
    text += wrapped(line + shown_value(diagnosis.text), page.width, 0, indent);
    text += wrapped(shown_value(diagnosis.hint), page.width, indent, indent);
  }
  const auto problems = static_cast<std::size_t>(
      std::count_if(diagnoses.begin(), diagnoses.end(),
                    [](const Diagnosis& diagnosis) { return diagnosis.level == Level::problem; }));
  return text +
         (problems == 0 ? std::string("All is sound.") : base::counted(problems, "problem") + ".") +
         "\n";
}

Json doctor_json(const Settings& settings, const Environment& environment,
                 const state::StoreReport& report, const std::vector<Diagnosis>& diagnoses) {
  Json json = Json::object();
  json["ok"] = sound(diagnoses);
  json["version"] = version();
  json["executable"] = environment.executable.string();
  json["root"] = settings.root.string();
  json["root_from"] = settings.root_from;
  json["project"] = Json{{"name", settings.project.name},
                         {"branch", settings.project.branch},
                         {"worktree", settings.project.worktree.string()}};
  Json store = Json::object();
  store["folder"] = settings.state_folder.string();
  store["from"] = settings.state_from;
  store["exists"] = report.exists;
  store["bytes"] = report.bytes;
  store["log_bytes"] = report.log_bytes;
  store["schema_version"] = report.schema_version;
  store["schema_version_known"] = report.schema_version_known;
  store["sessions"] = report.runs;
  store["sessions_by_status"] = Json::object();
  for (const auto& [status, count] : report.runs_by_status) {
    store["sessions_by_status"][status] = count;
  }
  store["writable"] = report.writable;
  store["private"] = report.private_to_owner;
  store["backups"] = report.backups;
  json["state"] = std::move(store);
  json["places"] = Json::array();
  for (const phases::Place& place : settings.places) {
    json["places"].push_back(
        {{"name", place.name}, {"folder", place.folder.string()}, {"built_in", place.built_in}});
  }
  json["diagnoses"] = Json::array();
  for (const Diagnosis& diagnosis : diagnoses) {
    json["diagnoses"].push_back({{"level", to_text(diagnosis.level)},
                                 {"about", diagnosis.about},
                                 {"text", diagnosis.text},
                                 {"hint", diagnosis.hint}});
  }
  return json;
}

}  // namespace phasegate::app::cli
