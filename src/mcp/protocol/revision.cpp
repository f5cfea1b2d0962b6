#include "mcp/protocol/revision.h"

#include <array>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

constexpr std::array<std::string_view, kRevisions> kNames{"2024-11-05", "2025-03-26", "2025-06-18",
                                                          "2025-11-25", "2026-07-28"};
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";

RpcError invalid(std::string message) {
  return {error_code::kInvalidParams, std::move(message), ""};
}

std::string key_error(std::string_view key, std::string_view wanted, const Json* got) {
  return "`_meta[\"" + std::string(key) + "\"]` must be " + std::string(wanted) + ", " +
         (got == nullptr ? "but is missing" : "not " + std::string(base::json_type_name(*got)));
}

std::optional<RpcError> unsupported(const std::string& requested) {
  const std::string_view served = revision_name(Revision::v2026_07_28);
  if (requested == served) return std::nullopt;
  Json data;
  data["supported"] = Json::array({served});
  data["requested"] = requested;
  return RpcError{error_code::kUnsupportedProtocolVersion,
                  "unsupported protocol version " +
                      base::in_quotes(base::shortened(requested, 64)) +
                      "; with `_meta` this server speaks " + std::string(served) +
                      ", with `initialize` the earlier ones",
                  base::dump(data)};
}

std::optional<RpcError> modern_error(const Json& meta) {
  const Json* version = base::find_member(meta, kVersionKey);
  if (version == nullptr || !version->is_string()) {
    return invalid(key_error(kVersionKey, "a string", version));
  }
  const Json* capabilities = base::find_member(meta, kCapabilitiesKey);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return invalid(key_error(kCapabilitiesKey, "an object", capabilities));
  }
  const Json* client = base::find_member(meta, kClientInfoKey);
  if (client != nullptr && !client->is_object()) {
    return invalid(key_error(kClientInfoKey, "an object", client));
  }
  const Json* level = base::find_member(meta, kLogLevelKey);
  if (level != nullptr &&
      (!level->is_string() || !log_level_of(level->get_ref<const std::string&>()))) {
    return invalid(key_error(kLogLevelKey, "one of debug … emergency", level));
  }
  return std::nullopt;
}

/// The same in every era. A legacy token that is ill-typed is passed over: those revisions do not
/// say that it is an error.
void read_progress_token(const Json& meta, Envelope& envelope) {
  const Json* token = base::find_member(meta, "progressToken");
  if (token == nullptr) return;
  if (token->is_string() || base::as_integer(*token)) {
    envelope.wishes.progress_token = base::dump(*token);
  } else if (envelope.modern && !envelope.malformed) {
    envelope.malformed = invalid(key_error("progressToken", "a string or a whole number", token));
  }
}

}  // namespace

std::string_view revision_name(Revision revision) {
  return kNames[static_cast<std::size_t>(revision)];
}

Revision negotiated_revision(std::string_view requested) {
  for (const Revision revision :
       {Revision::v2024_11_05, Revision::v2025_03_26, Revision::v2025_06_18}) {
    if (requested == revision_name(revision)) return revision;
  }
  return Revision::v2025_11_25;
}

Envelope read_envelope(const Json* params) {
  Envelope envelope;
  const Json* meta = params == nullptr ? nullptr : base::find_member(*params, "_meta");
  if (meta == nullptr || meta->is_null()) return envelope;
  if (!meta->is_object()) {
    envelope.malformed =
        invalid("`_meta` must be an object, not " + std::string(base::json_type_name(*meta)));
    return envelope;
  }
  // Any of the three keys marks a request of the modern era: a client that forgot one is told so
  // instead of being answered in the shape of another era.
  const Json* client = base::find_member(*meta, kClientInfoKey);
  const Json* version = base::find_member(*meta, kVersionKey);
  const Json* capabilities = base::find_member(*meta, kCapabilitiesKey);
  envelope.modern = client != nullptr || version != nullptr || capabilities != nullptr;
  if (envelope.modern) {
    envelope.malformed = modern_error(*meta);
    if (version != nullptr && version->is_string()) envelope.version = version->get<std::string>();
  }
  read_progress_token(*meta, envelope);
  if (!envelope.modern || envelope.malformed) return envelope;
  envelope.unsupported = unsupported(envelope.version);
  if (client != nullptr) envelope.client_name = base::string_member(*client, "name").value_or("");
  envelope.capabilities = read_capabilities(*capabilities);
  if (const auto level = base::string_member(*meta, kLogLevelKey)) {
    envelope.wishes.log_level = log_level_of(*level);
  }
  return envelope;
}

}  // namespace phasegate::mcp::protocol
