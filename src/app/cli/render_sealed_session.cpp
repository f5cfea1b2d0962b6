#include <algorithm>
#include <string>

#include "app/cli/render_audit.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "state/seal/seal_text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using state::to_hex;

constexpr base::JsonLimits kLimits{base::limits::kMessageBytesMax, base::limits::kMessageDepthMax};

/// What this program has written is JSON; should it not be, its text stands for it.
Json parsed(const std::string& text) {
  auto value = base::parse_json(text, kLimits);
  return value ? *std::move(value) : Json(text);
}

std::string time_of(std::int64_t ms) {
  return base::to_rfc3339({ms});
}

Json journal_json(const state::SealedSession& session) {
  Json list = Json::array();
  for (const state::ChainedEntry& row : session.journal) {
    list.push_back({{"seq", row.seq},
                    {"at", time_of(row.entry.at.ms)},
                    {"kind", row.entry.kind},
                    {"phase", row.entry.phase},
                    {"visit", row.entry.visit},
                    {"attempt", row.entry.attempt},
                    {"actor", row.entry.actor},
                    {"data", parsed(row.entry.data)},
                    {"chain", to_hex(row.chain)}});
  }
  return list;
}

Json evidence_json(const state::SealedSession& session) {
  Json list = Json::array();
  for (const state::StoredArtifactRow& row : session.artifacts) {
    list.push_back({{"phase", row.row.artifact.phase},
                    {"visit", row.row.artifact.visit},
                    {"accepted_at", time_of(row.row.accepted_at.ms)},
                    {"evidence", parsed(row.row.artifact.evidence)},
                    {"evidence_digest", row.row.artifact.digest},
                    {"mark", row.digest}});
  }
  return list;
}

/// A text in the middle of a line of Markdown: nothing in it can become a heading, a link or a
/// cell.
std::string inline_code(const std::string& text) {
  std::string fence = "`";
  while (text.find(fence) != std::string::npos) fence += '`';
  const bool touches = text.starts_with('`') || text.ends_with('`') || text.empty();
  return touches ? fence + " " + text + " " + fence : fence + text + fence;
}

/// JSON as a block of Markdown that it cannot end.
std::string block(const Json& value) {
  const std::string text = base::dump_pretty(value);
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence + "json\n" + text + "\n" + fence + "\n\n";
}

std::string code(const Json& value) {
  return inline_code(shown(value.is_string() ? value.get<std::string>() : base::dump(value)));
}

}  // namespace

Json sealed_session_json(const state::SealedSession& session, const state::AuditReport& report,
                         base::TimePoint now) {
  Json decisions = Json::array();
  for (const auto& row : session.decisions) {
    Json decision = Json::object();
    for (const auto& [name, value] : row) decision[name] = value;
    decisions.push_back(std::move(decision));
  }
  const state::RunColumns& run = session.row;
  return {{"format", "phasegate audit report 1"},
          {"made_at", base::to_rfc3339(now)},
          {"database_id", session.database_id},
          {"project", session.project_root},
          {"session",
           {{"session_id", run.id},
            {"number", run.number},
            {"workflow", run.workflow},
            {"definition", run.definition},
            {"definition_mark", session.definition_mark},
            {"status", run.status},
            {"partial", run.partial != 0},
            {"current_phase", run.current_phase},
            {"target_file", run.target},
            {"branch", run.branch},
            {"created_at", time_of(run.created_at)},
            {"updated_at", time_of(run.updated_at)},
            {"version", run.version},
            {"journal_head", run.journal_head},
            {"chain_head", to_hex(run.chain_head)},
            {"state_digest", run.state_digest},
            {"mark", to_hex(session.mac)}}},
          {"state", parsed(session.state)},
          {"evidence", evidence_json(session)},
          {"decisions", std::move(decisions)},
          {"journal", journal_json(session)},
          {"audit", audit_json(report, run.id)}};
}

std::string sealed_session_markdown(const Json& document) {
  const Json& session = document["session"];
  const Json& audit = document["audit"];
  std::string text = "# Session " + shown(session["session_id"].get<std::string>()) + "\n\n";
  text += "Report of " + document["made_at"].get<std::string>() + ". " +
          (audit["sound"].get<bool>() ? "Everything in it is as it was written."
                                      : "**Something in it is not as it was written.**") +
          "\n\n";
  for (const Json& finding : audit["findings"]) {
    text += "- " + code(finding["code"]) +
            (finding["seq"].is_null() ? "" : ", entry " + base::dump(finding["seq"])) + ": " +
            code(finding["message"]) + "\n";
  }
  if (!audit["findings"].empty()) text += "\n";
  for (const auto& [name, value] : session.items()) text += "- " + name + ": " + code(value) + "\n";
  text += "- project: " + code(document["project"]) +
          "\n- database_id: " + code(document["database_id"]) + "\n";
  text += "\n## Evidence\n\n";
  for (const Json& row : document["evidence"]) {
    text += "### Phase " + code(row["phase"]) + ", visit " + base::dump(row["visit"]) + "\n\n";
    text += "Accepted " + row["accepted_at"].get<std::string>() + ", digest " +
            code(row["evidence_digest"]) + ", mark " + code(row["mark"]) + "\n\n";
    text += block(row["evidence"]);
  }
  text += "## Decisions\n\n";
  for (const Json& row : document["decisions"]) text += block(row);
  text += "## What happened\n\n";
  for (const Json& row : document["journal"]) {
    text += "### " + base::dump(row["seq"]) + ". " + code(row["kind"]) + " in phase " +
            code(row["phase"]) + "\n\n" + row["at"].get<std::string>() + ", by " +
            code(row["actor"]) + ", visit " + base::dump(row["visit"]) + ", attempt " +
            base::dump(row["attempt"]) + ", chain " + code(row["chain"]) + "\n\n" +
            block(row["data"]);
  }
  text += "## State\n\n" + block(document["state"]);
  text += "## Audit\n\n" + block(audit);
  return text;
}

}  // namespace phasegate::app::cli
