#include "mcp/protocol/revision.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

constexpr std::array<std::string_view, kRevisions> kNames{"2024-11-05", "2025-03-26", "2025-06-18",
                                                          "2025-11-25", "2026-07-28"};
constexpr std::array<std::string_view, 8> kLogLevels{"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

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

std::optional<RpcError> envelope_error(const Json& meta) {
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
      (!level->is_string() ||
       std::ranges::find(kLogLevels, level->get_ref<const std::string&>()) == kLogLevels.end())) {
    return invalid(key_error(kLogLevelKey, "one of debug … emergency", level));
  }
  const Json* token = base::find_member(meta, "progressToken");
  if (token != nullptr && !token->is_string() && !base::as_integer(*token)) {
    return invalid(key_error("progressToken", "a string or a whole number", token));
  }
  return unsupported(version->get_ref<const std::string&>());
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
    envelope.error =
        invalid("`_meta` must be an object, not " + std::string(base::json_type_name(*meta)));
    return envelope;
  }
  // Any of the three keys marks a request of the modern era: a client that forgot one is told so
  // instead of being answered in the shape of another era.
  const Json* client = base::find_member(*meta, kClientInfoKey);
  envelope.modern = client != nullptr || base::find_member(*meta, kVersionKey) != nullptr ||
                    base::find_member(*meta, kCapabilitiesKey) != nullptr;
  if (!envelope.modern) return envelope;
  envelope.error = envelope_error(*meta);
  if (client != nullptr) envelope.client_name = base::string_member(*client, "name").value_or("");
  return envelope;
}

}  // namespace phasegate::mcp::protocol
