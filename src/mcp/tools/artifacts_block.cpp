#include "mcp/tools/artifacts_block.h"

#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::ArtifactRow;

namespace {

constexpr std::size_t kPhasesShownMax = 20;
constexpr std::size_t kSmallestShare = 100;
constexpr base::JsonLimits kStoredEvidenceLimits{2 * base::limits::kEvidenceBytesMax,
                                                 base::limits::kMessageDepthMax};

/// The value with long texts cut and long lists ended early.
Json abridged(const Json& value, std::size_t text_max, std::size_t items_max) {
  if (value.is_string()) {
    return base::shortened(value.get_ref<const std::string&>(), text_max);
  }
  if (!value.is_structured()) return value;
  Json out = value.is_array() ? Json::array() : Json::object();
  std::size_t count = 0;
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (count++ == items_max) {
      const std::string more = "… " + std::to_string(value.size() - items_max) + " more";
      if (value.is_array()) {
        out.push_back(more);
      } else {
        out[more] = true;
      }
      break;
    }
    if (value.is_array()) {
      out.push_back(abridged(*item, text_max, items_max));
    } else {
      out[item.key()] = abridged(item.value(), text_max, items_max);
    }
  }
  return out;
}

/// The evidence within `bytes_max`: whole, abridged, or as the names of its fields.
Json within(const Json& evidence, std::size_t bytes_max, bool& cut) {
  if (base::dump(evidence).size() <= bytes_max) return evidence;
  cut = true;
  for (const auto& [text_max, items_max] : {std::pair{200, 20}, std::pair{60, 5}}) {
    Json shorter =
        abridged(evidence, static_cast<std::size_t>(text_max), static_cast<std::size_t>(items_max));
    if (base::dump(shorter).size() <= bytes_max) return shorter;
  }
  std::string names;
  for (const auto& member : evidence.items()) {
    names += (names.empty() ? "" : ", ") + member.key();
    if (names.size() > bytes_max) break;
  }
  return "fields: " + base::shortened(names, bytes_max);
}

}  // namespace

void add_artifacts(Answer& answer, std::string_view key,
                   const std::vector<ArtifactRow>& artifacts) {
  Json shown = Json::object();
  bool cut = false;
  const std::size_t first =
      artifacts.size() > kPhasesShownMax ? artifacts.size() - kPhasesShownMax : 0;
  const std::size_t share =
      std::max(kSmallestShare, base::limits::kArtifactBytesShownMax /
                                   std::max<std::size_t>(1, artifacts.size() - first));
  for (std::size_t i = first; i < artifacts.size(); ++i) {
    const auto evidence = base::parse_json(artifacts[i].artifact.evidence, kStoredEvidenceLimits);
    shown[artifacts[i].artifact.phase] =
        evidence ? within(*evidence, share, cut) : Json("unreadable");
  }
  cut = cut || first > 0;
  if (!shown.empty()) {
    answer.line("## Artifacts of completed phases");
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
