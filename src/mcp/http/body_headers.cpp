#include "mcp/http/body_headers.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "mcp/http/field_value.h"

namespace phasegate::mcp::http {
namespace {

using base::Json;
using protocol::RpcError;

constexpr std::size_t kShownBytes = 200;

std::string shown(std::string_view text) {
  return base::shortened(base::to_utf8(text), kShownBytes);
}

/// The data names the header and both values as far as there are any, for whoever debugs a client.
RpcError mismatch(std::string_view header, const std::string* sent, const std::string* body,
                  const std::string& problem) {
  Json data;
  data["header"] = header;
  if (sent != nullptr) data["sent"] = shown(*sent);
  if (body != nullptr) data["body"] = shown(*body);
  return {protocol::error_code::kHeaderMismatch,
          "header mismatch: `" + std::string(header) + "` " + problem, base::dump(data)};
}

std::string differs(const std::string& sent, const std::string& body) {
  return "says " + base::in_quotes(shown(sent)) + ", the body says " + base::in_quotes(shown(body));
}

/// Compares a header with the body's text; null means that the body has none, and then the header
/// must not be there either: somebody may have routed the request by it.
template <typename Equal>
std::optional<RpcError> compare(const Headers& headers, std::string_view header,
                                const std::string* body, bool encoded, const Equal& equal) {
  const std::size_t count = headers.count(header);
  if (count > 1) return mismatch(header, nullptr, body, "is there more than once");
  if (count == 0) {
    if (body == nullptr) return std::nullopt;
    return mismatch(header, nullptr, body,
                    "is missing; the body says " + base::in_quotes(shown(*body)));
  }
  const std::string& sent = *headers.find(header);
  if (body == nullptr) {
    return mismatch(header, &sent, nullptr,
                    "says " + base::in_quotes(shown(sent)) + ", the body has no such value");
  }
  const std::optional<std::string> value =
      encoded ? decoded_value(sent) : std::optional<std::string>(sent);
  if (!value) {
    return mismatch(header, &sent, body,
                    "is malformed: a value is visible ASCII, or `=?base64?…?=` around the base64 "
                    "of UTF-8");
  }
  if (equal(*value)) return std::nullopt;
  return mismatch(header, &sent, body, differs(*value, *body));
}

std::optional<RpcError> compare(const Headers& headers, std::string_view header,
                                const std::string* body, bool encoded) {
  return compare(headers, header, body, encoded,
                 [body](const std::string& value) { return value == *body; });
}

/// The member of `params` that `Mcp-Name` repeats, or empty for other methods.
std::string_view named_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  return "";
}

/// The value at a path of member names, or null; JSON's null is no value (§Server Behavior for
/// Custom Headers).
const Json* value_at(const Json* value, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    if (value == nullptr) return nullptr;
    value = base::find_member(*value, name);
  }
  return value == nullptr || value->is_null() ? nullptr : value;
}

/// A text is itself; numbers and booleans are as JSON writes them. What else a client put there is
/// the tool's to refuse, but no header can say the same.
std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : base::dump(value);
}

bool same_number(const Json& body, const std::string& sent) {
  const auto wanted = base::as_integer(body);
  if (!wanted) return false;
  const base::Result<Json> number = base::parse_json(sent, {64, 1});
  return number.ok() && base::as_integer(*number) == wanted;
}

}  // namespace

std::optional<RpcError> version_mismatch(const Headers& headers,
                                         const protocol::Envelope& envelope) {
  return compare(headers, kVersionHeader, &envelope.version, false);
}

std::optional<RpcError> header_mismatch(const Headers& headers, const protocol::Message& request,
                                        const std::vector<protocol::HeaderParameter>& parameters) {
  if (auto error = compare(headers, "Mcp-Method", &request.method, false)) return error;
  const std::string_view member = named_member(request.method);
  if (!member.empty()) {
    const auto name =
        request.params == nullptr ? std::nullopt : base::string_member(*request.params, member);
    if (auto error = compare(headers, "Mcp-Name", name ? &*name : nullptr, true)) return error;
  }
  const Json* arguments =
      request.params == nullptr ? nullptr : base::find_member(*request.params, "arguments");
  for (const protocol::HeaderParameter& parameter : parameters) {
    const Json* value = value_at(arguments, parameter.path);
    const std::string text = value == nullptr ? "" : as_text(*value);
    auto error =
        compare(headers, "Mcp-Param-" + parameter.header, value == nullptr ? nullptr : &text, true,
                [&](const std::string& sent) { return sent == text || same_number(*value, sent); });
    if (error) return error;
  }
  return std::nullopt;
}

std::string called_tool(const protocol::Message& request) {
  if (request.method != "tools/call" || request.params == nullptr) return "";
  return base::string_member(*request.params, "name").value_or("");
}

RpcError handshake_mismatch(std::string_view version) {
  const std::string sent(version);
  return mismatch(kVersionHeader, &sent, nullptr,
                  "says " + std::string(version) +
                      ", which has no `initialize`; send it without this header, or use "
                      "`server/discover`");
}

}  // namespace phasegate::mcp::http
