#include "mcp/protocol/jsonrpc.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/result.h"
#include "base/text.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;
namespace limits = base::limits;

constexpr base::JsonLimits kMessageLimits{limits::kMessageBytesMax, limits::kMessageDepthMax};

Message broken(std::string id, int code, std::string message) {
  Message result;
  result.id = std::move(id);
  result.error = RpcError{code, std::move(message), ""};
  return result;
}

/// The parser's words, cut: they quote what the line holds, which can be as long as the line.
std::string explained(const base::Error& error) {
  return base::shortened(base::to_utf8(error.message), 300);
}

/// The id as JSON text, or empty if it is none that a request may have: strings and whole numbers,
/// never null (MCP §Requests).
std::string id_text(const Json& id) {
  if (id.is_string() || id.is_number_integer()) return base::dump(id);
  if (id.is_number_float() && base::as_integer(id)) return base::dump(id);
  return "";
}

/// The id among the members of a document that broke off. A number that is the last thing read may
/// be the first digits of a longer one, so only a string counts there.
std::string id_of_fragment(const Json& fragment) {
  const Json* id = base::find_member(fragment, "id");
  if (id == nullptr) return "";
  const bool last = id == &fragment.get_ref<const Json::object_t&>().back().second;
  return last && !id->is_string() ? "" : id_text(*id);
}

/// True if the brackets outside of strings open with the first character and close with the last.
bool closes_at_end(std::string_view line) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return false;
      if (--depth == 0) return i + 1 == line.size();
    }
  }
  return false;
}

/// The id in `…,"id":7}` at the end of a message, where many clients write it. The last brace
/// closes the message, so the member in front of it is the message's own, whatever stands before.
std::string id_at_end(std::string_view tail) {
  tail = base::trimmed(tail);
  const auto at = tail.rfind("\"id\"");
  if (at == std::string_view::npos || !tail.ends_with('}')) return "";
  if (!base::trimmed(tail.substr(0, at)).ends_with(',')) return "";
  std::string alone = "{";
  alone += tail.substr(at);
  const base::Result<Json> member = base::parse_json(alone, kMessageLimits);
  if (!member || member->size() != 1) return "";
  return id_text(member->front());
}

/// True if more values than allowed would be made of the line: before they are. Every value but the
/// first of each object or list is behind a comma.
bool has_too_many_values(std::string_view line) {
  if (line.size() <= kMessageValuesMax) return false;
  std::size_t values = 1;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size() && values <= kMessageValuesMax; ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      // What is nested deeper than allowed is not kept; the parser has its own words for that.
      if (++depth <= kMessageLimits.depth_max) ++values;
    } else if (c == ',') {
      if (depth <= kMessageLimits.depth_max) ++values;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return values > kMessageValuesMax;
}

/// The id is looked for where it is in a line that is too long.
Message too_many_values(std::string_view line) {
  const std::size_t kept = std::min(line.size(), kKeptOfOversized);
  Message message = oversized_message(line.substr(0, kept), line.substr(line.size() - kept));
  message.error->message =
      "the message holds more than " + std::to_string(kMessageValuesMax) + " values, the limit";
  return message;
}

/// What a well-formed JSON value says as a JSON-RPC message.
Message interpret(std::shared_ptr<const Json> document) {
  if (!document->is_object()) {
    return broken(
        "", error_code::kInvalidRequest,
        "a message is a JSON object, not " + std::string(base::json_type_name(*document)));
  }
  const Json* id = base::find_member(*document, "id");
  std::string text = id == nullptr ? "" : id_text(*id);
  if (id != nullptr && text.empty()) {
    return broken(
        "", error_code::kInvalidRequest,
        "`id` must be a string or a whole number, not " + std::string(base::json_type_name(*id)));
  }
  const Json* version = base::find_member(*document, "jsonrpc");
  if (version == nullptr || !version->is_string() ||
      version->get_ref<const std::string&>() != "2.0") {
    return broken(std::move(text), error_code::kInvalidRequest, "`jsonrpc` must be \"2.0\"");
  }
  const Json* method = base::find_member(*document, "method");
  Message message;
  message.id = std::move(text);
  if (method == nullptr) {
    if (base::find_member(*document, "result") == nullptr &&
        base::find_member(*document, "error") == nullptr) {
      return broken(std::move(message.id), error_code::kInvalidRequest, "`method` is missing");
    }
    message.kind = Message::Kind::response;
    message.document = std::move(document);
    return message;
  }
  if (!method->is_string()) {
    return broken(std::move(message.id), error_code::kInvalidRequest,
                  "`method` must be a string, not " + std::string(base::json_type_name(*method)));
  }
  message.kind = id == nullptr ? Message::Kind::notification : Message::Kind::request;
  const Json* params = base::find_member(*document, "params");
  if (params != nullptr && !params->is_object() && !params->is_null()) {
    // A notification gets no answer, not even this one.
    if (message.kind == Message::Kind::notification) return message;
    return broken(std::move(message.id), error_code::kInvalidParams,
                  "`params` must be an object, not " + std::string(base::json_type_name(*params)));
  }
  message.method = method->get_ref<const std::string&>();
  message.params = params != nullptr && params->is_object() ? params : nullptr;
  message.document = std::move(document);
  return message;
}

}  // namespace

Message parse_message(std::string_view line) {
  if (line.size() > kMessageLimits.bytes_max) {
    return oversized_message(line.substr(0, kKeptOfOversized),
                             line.substr(line.size() - kKeptOfOversized));
  }
  if (has_too_many_values(line)) return too_many_values(line);
  base::ParsedJson parsed = base::parse_json_keeping(line, kMessageLimits);
  if (parsed.malformed) {
    std::string id = parsed.document ? id_of_fragment(*parsed.document) : "";
    if (id.empty() && closes_at_end(base::trimmed(line))) id = id_at_end(line);
    return broken(std::move(id), error_code::kParseError, explained(*parsed.error));
  }
  if (parsed.error) {
    const Json* id = parsed.document ? base::find_member(*parsed.document, "id") : nullptr;
    return broken(id == nullptr ? "" : id_text(*id), error_code::kInvalidRequest,
                  explained(*parsed.error));
  }
  auto document = std::make_shared<const Json>(std::move(*parsed.document));
  if (!document->is_array()) return interpret(std::move(document));
  Message batch;
  batch.kind = Message::Kind::batch;
  batch.document = std::move(document);
  return batch;
}

Message oversized_message(std::string_view head, std::string_view tail) {
  const base::ParsedJson begun = base::parse_json_keeping(head, kMessageLimits);
  std::string id = begun.document ? id_of_fragment(*begun.document) : "";
  if (id.empty()) id = id_at_end(tail);
  return broken(std::move(id), error_code::kInvalidRequest,
                "the message is longer than " + std::to_string(limits::kMessageBytesMax) +
                    " bytes, the limit for one line");
}

std::size_t batch_size(const Message& batch) {
  return batch.document->size();
}

Message batch_element(const Message& batch, std::size_t index) {
  // The element's document is a part of the batch's and keeps all of it alive.
  return interpret(std::shared_ptr<const Json>(batch.document, &(*batch.document)[index]));
}

std::string cancelled_id(const Message& notification) {
  if (notification.kind != Message::Kind::notification || notification.params == nullptr ||
      notification.method != "notifications/cancelled") {
    return "";
  }
  const Json* id = base::find_member(*notification.params, "requestId");
  return id == nullptr ? "" : id_text(*id);
}

bool cancels(const Message& notification, const Message& waiting) {
  if (waiting.kind != Message::Kind::request || waiting.method == "initialize") return false;
  return !waiting.id.empty() && cancelled_id(notification) == waiting.id;
}

}  // namespace phasegate::mcp::protocol
