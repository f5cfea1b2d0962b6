#include <set>
#include <utility>

#include "base/base64.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "state/bundle.h"

namespace phasegate::state {
namespace {

using base::Error;
using base::Json;
using base::Result;

constexpr std::string_view kFormat = "phasegate-session";
constexpr int kVersion = 1;
constexpr std::size_t kDepthMax = 8;
constexpr base::JsonLimits kStateLimits{base::limits::kMessageBytesMax,
                                        base::limits::kMessageDepthMax};

Json bytes_json(const std::map<std::string, std::string>& bytes) {
  Json json = Json::object();
  for (const auto& [hash, content] : bytes) json[hash] = base::base64(content);
  return json;
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json journal_json(const std::vector<gating::engine::JournalRow>& journal) {
  Json rows = Json::array();
  for (const auto& [seq, entry] : journal) {
    rows.push_back({{"seq", seq},
                    {"kind", entry.kind},
                    {"phase", entry.phase},
                    {"visit", entry.visit},
                    {"attempt", entry.attempt},
                    {"actor", entry.actor},
                    {"data", entry.data},
                    {"at", entry.at.ms}});
  }
  return rows;
}

Json artifacts_json(const std::vector<gating::engine::ArtifactRow>& artifacts) {
  Json rows = Json::array();
  for (const gating::engine::ArtifactRow& one : artifacts) {
    rows.push_back({{"phase", one.artifact.phase},
                    {"visit", one.artifact.visit},
                    {"evidence", one.artifact.evidence},
                    {"digest", one.artifact.digest},
                    {"accepted_at", one.accepted_at.ms}});
  }
  return rows;
}

Json decisions_json(const std::vector<DecisionRecord>& decisions) {
  Json rows = Json::array();
  for (const DecisionRecord& one : decisions) {
    rows.push_back({{"id", one.id},
                    {"phase", one.phase},
                    {"visit", one.visit},
                    {"status", one.status},
                    {"question", one.question},
                    {"shown_digest", one.shown_digest},
                    {"created_at", one.created_at},
                    {"approver", optional_json(one.approver)},
                    {"channel", optional_json(one.channel)},
                    {"assurance", optional_json(one.assurance)},
                    {"choice", optional_json(one.choice)},
                    {"input", optional_json(one.input)},
                    {"decided_at", optional_json(one.decided_at)}});
  }
  return rows;
}

/// Reads members of one object; the first that is missing or of another type is remembered.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  [[nodiscard]] std::string text(const char* name) {
    const Json* value = find(name);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    sound_ = false;
    return "";
  }
  [[nodiscard]] std::int64_t number(const char* name) {
    const Json* value = find(name);
    const bool fits =
        value != nullptr && value->is_number_integer() &&
        (!value->is_number_unsigned() || std::in_range<std::int64_t>(value->get<std::uint64_t>()));
    if (fits) return value->get<std::int64_t>();
    sound_ = false;
    return 0;
  }
  [[nodiscard]] int small_number(const char* name) {
    const std::int64_t value = number(name);
    if (std::in_range<int>(value)) return static_cast<int>(value);
    sound_ = false;
    return 0;
  }
  [[nodiscard]] std::optional<std::string> maybe_text(const char* name) {
    const Json* value = find(name);
    if (value != nullptr && value->is_null()) return std::nullopt;
    return text(name);
  }
  [[nodiscard]] std::optional<std::int64_t> maybe_number(const char* name) {
    const Json* value = find(name);
    if (value != nullptr && value->is_null()) return std::nullopt;
    return number(name);
  }
  [[nodiscard]] const Json& array(const char* name) {
    static const Json kNone = Json::array();
    const Json* value = find(name);
    if (value != nullptr && value->is_array()) return *value;
    sound_ = false;
    return kNone;
  }
  /// Bytes by their SHA-256, which is verified.
  [[nodiscard]] std::map<std::string, std::string> bytes(const char* name) {
    std::map<std::string, std::string> found;
    const Json* value = find(name);
    if (value == nullptr || !value->is_object()) {
      sound_ = false;
      return found;
    }
    for (const auto& [hash, text] : value->items()) {
      auto content =
          text.is_string() ? base::from_base64(text.get_ref<const std::string&>()) : std::nullopt;
      if (!content || base::sha256_hex(*content) != hash) {
        sound_ = false;
        continue;
      }
      found.emplace(hash, *std::move(content));
    }
    return found;
  }
  [[nodiscard]] bool sound() const { return sound_; }

 private:
  [[nodiscard]] const Json* find(const char* name) const { return base::find_member(json_, name); }

  const Json& json_;
  bool sound_ = true;
};

Error not_a_bundle() {
  return {"not_a_bundle", "This is no session that phasegate has exported.",
          "`phasegate export SESSION --bundle FILE` makes one; nothing was taken in.", ""};
}

bool read_rows(Reader& reader, Bundle& bundle) {
  bool sound = true;
  // As the tables have it.
  static const std::set<std::string> kStatuses = {"open", "decided", "withdrawn"};
  std::set<std::pair<std::string, int>> visits;
  std::set<std::string> decisions;
  for (const Json& json : reader.array("journal")) {
    Reader row(json);
    gating::engine::JournalRow one;
    one.seq = row.number("seq");
    one.entry.kind = row.text("kind");
    one.entry.phase = row.text("phase");
    one.entry.visit = row.small_number("visit");
    one.entry.attempt = row.small_number("attempt");
    one.entry.actor = row.text("actor");
    one.entry.data = row.text("data");
    one.entry.at = {row.number("at")};
    bundle.journal.push_back(std::move(one));
    sound = sound && row.sound() &&
            bundle.journal.back().seq == static_cast<std::int64_t>(bundle.journal.size());
  }
  for (const Json& json : reader.array("artifacts")) {
    Reader row(json);
    gating::engine::ArtifactRow one;
    one.artifact.phase = row.text("phase");
    one.artifact.visit = row.small_number("visit");
    one.artifact.evidence = row.text("evidence");
    one.artifact.digest = row.text("digest");
    one.accepted_at = {row.number("accepted_at")};
    sound = sound && row.sound() && visits.emplace(one.artifact.phase, one.artifact.visit).second;
    bundle.artifacts.push_back(std::move(one));
  }
  for (const Json& json : reader.array("decisions")) {
    Reader row(json);
    DecisionRecord one;
    one.id = row.text("id");
    one.phase = row.text("phase");
    one.visit = row.number("visit");
    one.status = row.text("status");
    one.question = row.text("question");
    one.shown_digest = row.text("shown_digest");
    one.created_at = row.number("created_at");
    one.approver = row.maybe_text("approver");
    one.channel = row.maybe_text("channel");
    one.assurance = row.maybe_text("assurance");
    one.choice = row.maybe_text("choice");
    one.input = row.maybe_text("input");
    one.decided_at = row.maybe_number("decided_at");
    sound =
        sound && row.sound() && kStatuses.contains(one.status) && decisions.insert(one.id).second;
    bundle.decisions.push_back(std::move(one));
  }
  return sound;
}

}  // namespace

Error damaged_bundle(const std::string& what) {
  return {"damaged", "The document is not what was exported: " + what + ".",
          "Export the session again; nothing was taken in.", ""};
}

std::string to_text(const Bundle& bundle) {
  Json json = Json::object();
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["database_id"] = bundle.database_id;
  json["exported_by"] = base::to_utf8(bundle.exported_by);
  json["exported_at"] = bundle.exported_at.ms;
  json["session"] = base::dump(gating::to_json(bundle.run));
  json["definition"] = bundle.definition.hash;
  json["model_version"] = bundle.definition.model_version;
  json["model"] = bundle.definition.model;
  json["documents"] = bytes_json(bundle.definition.blobs);
  json["observations"] = bytes_json(bundle.observations);
  json["journal"] = journal_json(bundle.journal);
  json["artifacts"] = artifacts_json(bundle.artifacts);
  json["decisions"] = decisions_json(bundle.decisions);
  json["digest"] = base::sha256_hex(base::dump(json));
  return base::dump(json) + "\n";
}

Result<Bundle> parse_bundle(std::string_view text) {
  auto json = base::parse_json(text, {kBundleBytesMax, kDepthMax});
  if (!json || !json->is_object()) return not_a_bundle();
  Reader reader(*json);
  if (reader.text("format") != kFormat) return not_a_bundle();
  if (const std::int64_t version = reader.number("version"); version > kVersion) {
    return Error{"newer_version",
                 "The document has version " + std::to_string(version) +
                     ", this phasegate reads up to " + std::to_string(kVersion) + ".",
                 "Use the phasegate that wrote it, or a newer one; nothing was taken in.", ""};
  }
  Json rest = *json;
  rest.erase("digest");
  if (reader.text("digest") != base::sha256_hex(base::dump(rest))) {
    return damaged_bundle("its digest is another");
  }
  Bundle bundle;
  bundle.database_id = reader.text("database_id");
  bundle.exported_by = reader.text("exported_by");
  bundle.exported_at = {reader.number("exported_at")};
  bundle.definition.hash = reader.text("definition");
  bundle.definition.model_version = reader.small_number("model_version");
  bundle.definition.model = reader.text("model");
  bundle.definition.blobs = reader.bytes("documents");
  bundle.observations = reader.bytes("observations");
  if (!read_rows(reader, bundle)) return damaged_bundle("its rows are not whole");
  const auto state = base::parse_json(reader.text("session"), kStateLimits);
  if (!reader.sound() || !state) return damaged_bundle("parts of it are missing");
  auto run = gating::run_state_from_json(*state);
  if (!run) return damaged_bundle(run.error().message);
  bundle.run = *std::move(run);
  if (bundle.run.definition_hash != bundle.definition.hash) {
    return damaged_bundle("the session is pinned to another workflow");
  }
  return bundle;
}

}  // namespace phasegate::state
