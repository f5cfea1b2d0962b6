#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/run.h"
#include "state/seal/audit.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"

namespace phasegate::state {
namespace {

constexpr base::JsonLimits kLimits{base::limits::kMessageBytesMax, base::limits::kMessageDepthMax};
constexpr std::int64_t kEntriesAtOnce = 64;

/// One session under audit.
class SessionAudit {
 public:
  SessionAudit(Db& db, Seal& seal, RunColumns run, AuditReport& report)
      : db_(db), seal_(seal), run_(std::move(run)), report_(report) {}

  void checkpoint(const std::string& mac, const std::string& state) {
    if (!seal_.holds(mac, run_text(seal_, run_))) {
      add(0, "checkpoint", "its checkpoint does not verify: the row was changed or put back");
    }
    if (base::sha256_hex(state) != run_.state_digest) {
      add(0, "checkpoint", "its state is not what was stored");
      return;
    }
    const auto json = base::parse_json(state, kLimits);
    auto parsed =
        json ? gating::run_state_from_json(*json) : base::Result<gating::RunState>(json.error());
    if (!parsed) {
      add(0, "checkpoint", "its state cannot be read: " + parsed.error().message);
      return;
    }
    state_ = *std::move(parsed);
    if (state_->id != run_.id || state_->version != run_.version ||
        state_->definition_hash != run_.definition) {
      add(0, "checkpoint", "its state contradicts its row");
    }
  }

  void journal() {
    std::string chain;
    std::int64_t seq = 0;
    bool broken = false;
    for (std::int64_t after = std::numeric_limits<std::int64_t>::min();;) {
      const auto page = read_chained(db_, run_.number, after, kEntriesAtOnce);
      if (page.empty()) break;
      for (const ChainedEntry& row : page) {
        ++report_.entries;
        note_decision(row.entry);
        // Only the first one is named: what follows it hangs on it.
        if (broken) continue;
        if (row.seq != seq + 1) {
          add(seq + 1, "journal", "entry " + std::to_string(seq + 1) + " is missing");
          broken = true;
        } else if (!seal_.holds(row.chain, journal_text(seal_, run_.number, run_.id, chain, row.seq,
                                                        row.entry))) {
          add(row.seq, "journal",
              "entry " + std::to_string(row.seq) + " (" + row.entry.kind +
                  ") is not what was written there");
          broken = true;
        }
        chain = row.chain;
        seq = row.seq;
      }
      after = page.back().seq;
    }
    if (broken) return;
    if (seq != run_.journal_head) {
      add(std::min(seq, run_.journal_head) + 1, "journal",
          "its journal ends with entry " + std::to_string(seq) + " instead of " +
              std::to_string(run_.journal_head));
    } else if (chain != run_.chain_head) {
      add(seq, "journal", "its journal ends otherwise than its checkpoint says");
    }
  }

  void artifacts() {
    std::map<std::pair<std::string, int>, gating::engine::ArtifactRow> kept;
    for (const std::int64_t number : numbers("SELECT number FROM artifact WHERE run = ?")) {
      const auto stored = read_artifact_row(db_, number);
      if (!stored) continue;
      ++report_.artifacts;
      const auto mark = from_hex(stored->digest);
      if (!mark || !seal_.holds(*mark, artifact_text(seal_, number, run_.number, stored->row))) {
        add(0, "evidence",
            "the evidence of phase " + quoted(stored->row.artifact.phase) + ", visit " +
                std::to_string(stored->row.artifact.visit) + ", is not what was stored");
      }
      auto row = stored->row;
      row.artifact.evidence.clear();
      kept.insert({{row.artifact.phase, row.artifact.visit}, std::move(row)});
    }
    if (!state_) return;
    for (const gating::AcceptedPhase& accepted : state_->accepted) {
      const auto found = kept.find({accepted.phase, accepted.visit});
      if (found == kept.end()) {
        add(0, "evidence",
            "the evidence of phase " + quoted(accepted.phase) + ", visit " +
                std::to_string(accepted.visit) + ", is missing");
      } else if (found->second.artifact.digest != accepted.evidence_digest) {
        add(0, "evidence",
            "the evidence of phase " + quoted(accepted.phase) + ", visit " +
                std::to_string(accepted.visit) + ", is not what was accepted");
      }
    }
    for (const std::string& blob : {state_->started, state_->entered}) {
      if (blob.empty()) continue;
      Statement row = db_.prepare("SELECT bytes FROM blob WHERE hash = ?");
      if (!row.bind_all(blob).step()) {
        add(0, "document", "what was observed when it began or entered its phase is missing");
      } else if (base::sha256_hex(row.text(0)) != blob) {
        add(0, "document",
            "what was observed when it began or entered its phase is not what was stored");
      }
    }
  }

  void decisions() {
    Statement rows = db_.prepare("SELECT id, status FROM decision WHERE run = ? ORDER BY id");
    rows.bind_all(run_.number);
    while (rows.step()) {
      ++report_.decisions;
      const std::string id = rows.text(0);
      const auto marks = read_decision_marks(db_, seal_, id);
      if (!marks || !seal_.holds(marks->mac, marks->text)) {
        add(0, "decision", "decision " + id + " is not what was written");
      } else if (asked_.erase(id) == 0) {
        add(0, "decision", "decision " + id + " is not in its journal");
      } else if (state_ &&
                 (rows.text(1) == "open") != (state_->decision && state_->decision->id == id)) {
        add(0, "decision", "decision " + id + " was put back to an earlier state");
      }
      asked_.erase(id);
    }
    for (const std::string& id : asked_) {
      add(0, "decision", "decision " + id + " of its journal is missing");
    }
  }

 private:
  void add(std::int64_t seq, const char* code, const std::string& message) {
    report_.add({run_.id, seq, code, message});
  }

  [[nodiscard]] static std::string quoted(const std::string& phase) {
    return base::in_quotes(base::shortened(phase, base::limits::kPhaseIdBytesMax));
  }

  void note_decision(const gating::JournalEntry& entry) {
    if (entry.kind != "decision_opened") return;
    const auto data = base::parse_json(entry.data, kLimits);
    if (data) asked_.insert(base::string_member(*data, "decision").value_or(""));
  }

  std::vector<std::int64_t> numbers(std::string_view sql) {
    std::vector<std::int64_t> list;
    Statement rows = db_.prepare(sql);
    rows.bind_all(run_.number);
    while (rows.step()) list.push_back(rows.integer(0));
    return list;
  }

  Db& db_;
  Seal& seal_;
  RunColumns run_;
  AuditReport& report_;
  std::optional<gating::RunState> state_;
  std::set<std::string> asked_;
};

}  // namespace

void audit_session(Db& db, Seal& seal, std::string_view session, AuditReport& report) {
  static const std::string kSql =
      "SELECT " + std::string(kRunColumns) + ", mac, state FROM run WHERE id = ?";
  Statement row = db.prepare(kSql);
  if (!row.bind_all(session).step()) {
    report.add({std::string(session), 0, "missing", "there is no such session"});
    return;
  }
  ++report.sessions;
  SessionAudit audit(db, seal, read_run_columns(row), report);
  audit.checkpoint(row.text(kRunColumnCount), row.text(kRunColumnCount + 1));
  audit.journal();
  audit.artifacts();
  audit.decisions();
}

}  // namespace phasegate::state
