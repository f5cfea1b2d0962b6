#include "app/cli/render_audit.h"

#include <algorithm>
#include <string>

#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "base/json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using state::AuditReport;

std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string looked_at(const AuditReport& report, std::string_view session) {
  std::string text = counted(report.sessions, "session", "sessions") + " with " +
                     counted(report.entries, "entry", "entries") + ", " +
                     counted(report.artifacts, "piece of evidence", "pieces of evidence") +
                     " and " + counted(report.decisions, "decision", "decisions");
  if (session.empty()) {
    text += "; " + counted(report.workflows, "workflow", "workflows") + ", " +
            counted(report.documents, "document", "documents");
  }
  return text;
}

std::string since_text(const AuditReport& report, const Page& page) {
  if (!report.mark) return "";
  std::string text = "Sealed since " + clock_time({report.mark->sealed_since}) + ", counter " +
                     std::to_string(report.mark->counter) + ".";
  if (report.mark->unsealed_until > 0) {
    text +=
        " What was written before is sealed as it was found then, and not vouched for: that is "
        "the beginning of the " +
        counted(report.mark->unsealed_until, "session", "sessions") + " begun until then.";
  }
  return wrapped(text, page.width, 0, 2);
}

std::string finding_text(const state::AuditFinding& finding, const Page& page) {
  std::string line = finding.session.empty() ? "the state" : "session " + shown(finding.session);
  if (finding.seq > 0) line += ", entry " + std::to_string(finding.seq);
  return page.in(Tone::bad, "differs") + "  " +
         wrapped(line + ": " + shown_value(finding.message), page.width, 0, 9);
}

Json acceptances_json(const AuditReport& report) {
  Json list = Json::array();
  for (const state::Acceptance& row : report.acceptances) {
    list.push_back({{"at", base::to_rfc3339(row.at)},
                    {"by", row.principal},
                    {"what", row.what},
                    {"counter", row.counter},
                    {"anchor", row.anchor ? Json(*row.anchor) : Json()},
                    {"sound", row.sound}});
  }
  return list;
}

}  // namespace

std::string audit_text(const AuditReport& report, std::string_view session, const Page& page) {
  std::string text;
  for (const state::AuditFinding& finding : report.findings) text += finding_text(finding, page);
  if (report.findings_left_out > 0) {
    text += "… and " + std::to_string(report.findings_left_out) + " more\n";
  }
  for (const state::Acceptance& row : report.acceptances) {
    // What nobody here has accepted is not to be read like what somebody has.
    const std::string mark =
        row.sound ? "" : page.in(Tone::bad, "not as it was written") + ", so nobody vouches for: ";
    text += wrapped(mark + "accepted " + clock_time(row.at) + " by " + shown_value(row.principal) +
                        ": " + shown_value(row.what),
                    page.width, 0, 2);
  }
  const bool frozen =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const state::AuditFinding& finding) { return !finding.session.empty(); });
  const auto count = static_cast<std::int64_t>(report.findings.size()) + report.findings_left_out;
  text += report.sound() ? page.in(Tone::good, "sound") + "    "
                         : page.in(Tone::bad, "not sound") + "  ";
  text += report.sound() ? "Everything is as it was written.\n"
                         : counted(count, "finding", "findings") + ".\n";
  if (frozen) {
    text += wrapped(
        "A session whose state does not verify is frozen: every call about it is refused. Where "
        "only earlier entries of its history differ, what reads those is.",
        page.width, 0, 2);
  }
  text += wrapped("Looked at: " + looked_at(report, session) + ".", page.width, 0, 2);
  return text + since_text(report, page);
}

Json audit_json(const AuditReport& report, std::string_view session) {
  Json findings = Json::array();
  for (const state::AuditFinding& finding : report.findings) {
    findings.push_back({{"session_id", finding.session.empty() ? Json() : Json(finding.session)},
                        {"seq", finding.seq > 0 ? Json(finding.seq) : Json()},
                        {"code", finding.code},
                        {"message", finding.message}});
  }
  Json json = {
      {"sound", report.sound()},
      {"session_id", session.empty() ? Json() : Json(session)},
      {"findings", std::move(findings)},
      {"findings_left_out", report.findings_left_out},
      {"looked_at",
       {{"sessions", report.sessions},
        {"entries", report.entries},
        {"artifacts", report.artifacts},
        {"decisions", report.decisions},
        {"workflows", report.workflows},
        {"documents", report.documents}}},
      {"counter", report.mark ? Json(report.mark->counter) : Json()},
      {"anchor", report.anchor ? Json(*report.anchor) : Json()},
      {"sealed_since", report.mark ? Json(base::to_rfc3339({report.mark->sealed_since})) : Json()},
      {"unsealed_sessions", report.mark ? Json(report.mark->unsealed_until) : Json()},
      {"acceptances", acceptances_json(report)},
      {"problem", Json()}};
  if (report.problem) {
    json["problem"] = {{"code", report.problem->code},
                       {"message", report.problem->message},
                       {"hint", report.problem->hint}};
  }
  return json;
}

}  // namespace phasegate::app::cli
