#include "phases/correction/apply.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "phases/correction/phase_corrector.h"
#include "phases/decision_ways.h"
#include "phases/native/report.h"

namespace phasegate::phases {
namespace {

std::vector<std::string> ids_of(const std::vector<Phase>& phases) {
  std::vector<std::string> ids;
  for (const Phase& phase : phases) ids.push_back(phase.id);
  return ids;
}

class Corrector {
 public:
  Corrector(const std::string& whole, std::vector<Phase>& phases, FindingList& findings)
      : whole_(whole), phases_(phases), findings_(findings) {}

  std::vector<Phase> apply(const Corrections& corrections) {
    for (const PhaseCorrection& correction : corrections.phases) {
      Phase* phase = find_phase(correction);
      if (phase == nullptr) continue;
      if (!corrected_.emplace(phase->id, correction.source).second) {
        findings_.error("corrected_twice",
                        "phase " + phase->id + " is corrected twice, first at " +
                            to_text(corrected_.at(phase->id)),
                        "keep one of the two", correction.source, phase->id);
      } else if (correction.drop) {
        drop(*phase, correction);
      } else {
        correct_phase(*phase, correction, NativeReport(corrections.file, findings_));
      }
    }
    return take_dropped();
  }

 private:
  Phase* find_phase(const PhaseCorrection& correction) {
    const auto by_id = [&](const std::string& id) {
      return std::find_if(phases_.begin(), phases_.end(),
                          [&](const Phase& phase) { return phase.id == id; });
    };
    auto found = by_id(correction.phase);
    if (found == phases_.end() && correction.phase == kWhole) {
      found = whole_.empty() ? phases_.end() : by_id(whole_);
      if (found == phases_.end()) {
        findings_.error("drift", "the workflow asks for nothing as a whole, only phase by phase",
                        "name the phase by its id", correction.source);
        return nullptr;
      }
      // What the work as a whole asks for stands in the last phase's gate, beside its own.
      if (correction.gate_none && phases_.size() > 1) {
        findings_.error("not_supported",
                        "gate: none for the work as a whole would leave out what phase " +
                            base::in_quotes(found->id) + " asks for by itself as well",
                        "drop each requirement of the whole by its name", correction.source);
        return nullptr;
      }
      if (correction.decision_none && phases_.size() > 1) {
        findings_.error("not_supported",
                        "decision: none for the work as a whole would leave out what phase " +
                            base::in_quotes(found->id) + " asks of a person by itself as well",
                        "write it for that phase, by its id", correction.source);
        return nullptr;
      }
    }
    if (found != phases_.end()) return &*found;
    const auto ids = ids_of(phases_);
    const auto nearest = base::nearest_name(correction.phase, ids);
    constexpr std::size_t kIdsShown = 20;
    findings_.error(
        "drift",
        "there is no phase " + base::in_quotes(base::shortened(correction.phase, 60)) +
            ": the document has changed since, or the id is wrong",
        nearest ? "did you mean " + *nearest + "?"
                : "phases: " +
                      base::joined(std::span(ids).first(std::min(ids.size(), kIdsShown)), ", "),
        correction.source);
    return nullptr;
  }

  void drop(Phase& phase, const PhaseCorrection& correction) {
    dropped_.push_back(phase.id);
    findings_.withdraw([&](const Finding& finding) {
      return finding.phase == phase.id && finding.severity != Severity::error;
    });
    findings_.info("dropped",
                   "phase " + phase.id + " (" + base::in_quotes(base::shortened(phase.title, 80)) +
                       ") is dropped: " + base::shortened(correction.because, 300),
                   "", correction.source, phase.id);
  }

  std::vector<Phase> take_dropped() {
    std::vector<Phase> taken;
    if (dropped_.empty()) return taken;
    if (dropped_.size() == phases_.size()) {
      findings_.error("nothing_left", "every phase is dropped", "keep at least one",
                      corrected_.at(dropped_.front()));
    }
    std::vector<Phase> kept;
    for (Phase& phase : phases_) {
      const bool gone = std::find(dropped_.begin(), dropped_.end(), phase.id) != dropped_.end();
      (gone ? taken : kept).push_back(std::move(phase));
    }
    phases_ = std::move(kept);
    return taken;
  }

  const std::string& whole_;
  std::vector<Phase>& phases_;
  FindingList& findings_;
  std::map<std::string, Source> corrected_;  ///< where, by phase
  std::vector<std::string> dropped_;
};

void compare_digests(const Corrections& corrections, const FolderSnapshot& files,
                     FindingList& findings) {
  for (const CorrectedDocument& document : corrections.documents) {
    const std::string shown = base::in_quotes(base::shortened(document.file, 200));
    const std::string* bytes = files.find(document.file);
    if (bytes == nullptr) {
      std::vector<std::string> names;
      for (const auto& [path, unused] : files.files) names.push_back(path);
      const auto nearest = base::nearest_name(document.file, names);
      findings.error(
          "drift", "document_sha256 names " + shown + ", which is not there",
          nearest ? "did you mean " + *nearest + "?" : "paths begin at the folder of this file",
          document.source);
    } else if (base::sha256_hex(*bytes) != document.sha256) {
      findings.warning("document_changed",
                       "the document " + shown + " changed since it was corrected",
                       "look whether the corrections still fit, then write its digest " +
                           base::sha256_hex(*bytes),
                       document.source);
    }
  }
}

/// A file that must be meant for this one, under a name that is not read.
bool is_almost(const std::string& path, const std::string& file) {
  const auto stem = [](const std::string& name) {
    std::string words = base::lowered(name.substr(0, name.rfind('.')));
    // `plan.md.phasegate.yaml`: the document's whole name instead of its name without the ending.
    for (const std::string_view ending : {".md", ".markdown"}) {
      const std::string tail = std::string(ending) + ".phasegate";
      if (words.ends_with(tail)) words.erase(words.size() - tail.size(), ending.size());
    }
    return words;
  };
  return path != file && is_corrections_name(path) && stem(path) == stem(file);
}

}  // namespace

std::vector<Phase> apply_corrections(const Corrections& corrections, const FolderSnapshot& files,
                                     const std::string& whole, std::vector<Phase>& phases,
                                     FindingList& findings) {
  compare_digests(corrections, files, findings);
  return Corrector(whole, phases, findings).apply(corrections);
}

namespace {

/// Reads the file of corrections and applies it, if it is there.
std::vector<Phase> corrected(const FolderSnapshot& files, const std::string& file,
                             const std::string& whole, std::vector<Phase>& phases,
                             FindingList& findings) {
  const auto note = [&](const std::string& path) {
    if (!is_almost(path, file)) return;
    findings.error("unread_corrections",
                   base::in_quotes(path) + " looks like a file of corrections, but is not read",
                   "rename it to " + file, {path, 0, 0});
  };
  for (const auto& [path, bytes] : files.files) note(path);
  for (const auto& [path, why] : files.unread) note(path);
  if (const auto unread = files.unread.find(file); unread != files.unread.end()) {
    findings.error("unreadable_corrections", "the corrections cannot be read: " + unread->second,
                   "put the file itself there, or remove it", {file, 0, 0});
    return {};
  }
  const std::string* text = files.find(file);
  if (text == nullptr) return {};
  return apply_corrections(read_corrections(*text, file, findings), files, whole, phases, findings);
}

}  // namespace

std::vector<Phase> correct_phases(const FolderSnapshot& files, const std::string& file,
                                  const std::string& whole, std::vector<Phase>& phases,
                                  FindingList& findings) {
  std::vector<Phase> dropped = corrected(files, file, whole, phases, findings);
  check_decision_ways(phases, {}, findings);
  return dropped;
}

}  // namespace phasegate::phases
