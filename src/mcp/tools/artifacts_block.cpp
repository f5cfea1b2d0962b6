#include "mcp/tools/artifacts_block.h"

#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/tools/abridge.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::ArtifactRow;
using gating::engine::PhaseView;

namespace {

constexpr std::string_view kReviewKey = "accepted_evidence";
constexpr std::size_t kPhasesShownMax = 20;
constexpr std::size_t kSmallestShare = 100;
constexpr base::JsonLimits kStoredEvidenceLimits{2 * base::limits::kEvidenceBytesMax,
                                                 base::limits::kMessageDepthMax};

/// Takes away what the gate of this phase leaves no choice about.
void leave_out_fixed(Json& evidence, const gating::engine::RunView& view, std::string_view phase) {
  const auto index = view.workflow().phase_index(phase);
  if (!index || !evidence.is_object()) return;
  const Json& schema = view.definition->gates[*index].schema();
  for (const auto& [name, field] : schema.at("properties").items()) {
    const Json* fixed = base::find_member(field, "const");
    const Json* given = base::find_member(evidence, name);
    if (fixed != nullptr && given != nullptr && *fixed == *given) evidence.erase(name);
  }
}

/// A review shows what was accepted as it was.
bool is_review(const ArtifactRow& row, const PhaseView& phase) {
  return !phase.current && row.artifact.phase == phase.phase->id;
}

/// What an assistant is shown of one phase's evidence.
Json shown_of(const ArtifactRow& row, const PhaseView& phase, std::size_t bytes_max, bool& cut) {
  auto evidence = base::parse_json(row.artifact.evidence, kStoredEvidenceLimits);
  if (!evidence) return "unreadable";
  if (!is_review(row, phase)) {
    const bool had_fields = !evidence->empty();
    leave_out_fixed(*evidence, phase.view, row.artifact.phase);
    if (had_fields && evidence->empty()) return "as required";
  }
  return abridged(*evidence, bytes_max, cut);
}

}  // namespace

void add_artifacts(Answer& answer, std::string_view key, const PhaseView& phase,
                   std::size_t bytes_max) {
  const std::vector<ArtifactRow>& artifacts = phase.artifacts;
  Json shown = Json::object();
  bool cut = false;
  if (!artifacts.empty()) bytes_max = std::min(bytes_max, answer.room());
  const std::size_t count =
      std::min({artifacts.size(), kPhasesShownMax, bytes_max / kSmallestShare});
  const std::size_t first = artifacts.size() - count;
  const std::size_t share = bytes_max / std::max<std::size_t>(1, count);
  for (std::size_t i = first; i < artifacts.size(); ++i) {
    shown[artifacts[i].artifact.phase] = shown_of(artifacts[i], phase, share, cut);
  }
  cut = cut || first > 0;
  if (!shown.empty()) {
    answer.line(key == kReviewKey ? "## Accepted evidence" : "## Artifacts of completed phases");
    for (const auto& member : shown.items()) {
      answer.line("- phase " + member.key() + ": " + base::dump(member.value()));
    }
    if (cut) answer.line("(shortened; get_phase_content of a phase gives its evidence whole)");
  }
  Json& out = answer.structured();
  out[std::string(key)] = std::move(shown);
  if (cut) {
    out["artifacts_shortened"] = "get_phase_content of a completed phase gives its evidence whole";
  }
}

}  // namespace phasegate::mcp::tools
