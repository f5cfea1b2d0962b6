#include "mcp/protocol/server.h"

#include <array>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/protocol/encoder.h"
#include "mcp/protocol/revision.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

/// One request on its way to a method.
struct Request {
  const Message& message;
  Revision revision;
  std::string_view client_name;

  /// A member of the params, or null; JSON's null counts as absent, as some clients write it.
  [[nodiscard]] const Json* param(std::string_view name) const {
    if (message.params == nullptr) return nullptr;
    const Json* member = base::find_member(*message.params, name);
    return member != nullptr && member->is_null() ? nullptr : member;
  }
};

std::string shown(std::string_view name) {
  return base::in_quotes(base::shortened(name, 64));
}

std::string must_be(std::string_view name, std::string_view wanted, const Json* got) {
  std::string text = "`";
  text.append(name).append("` must be ").append(wanted);
  if (got == nullptr) return text.append(", but is missing");
  return text.append(", not ").append(base::json_type_name(*got));
}

/// What is told about a method that exists in the protocol but not here.
std::string_view undeclared_capability(std::string_view method) {
  struct Family {
    std::string_view prefix;
    std::string_view capability;
  };
  static constexpr std::array<Family, 5> kFamilies{{{"resources/", "resources"},
                                                    {"prompts/", "prompts"},
                                                    {"completion/", "completions"},
                                                    {"logging/", "logging"},
                                                    {"tasks/", "tasks"}}};
  for (const Family& family : kFamilies) {
    if (method.starts_with(family.prefix)) return family.capability;
  }
  return "";
}

}  // namespace

struct Server::State {
  using Handler = std::string (State::*)(const Request&);
  struct Method {
    std::string_view name;
    Handler handler;
  };
  static const std::array<Method, 3> kModern;
  static const std::array<Method, 4> kLegacy;

  State(const ServerInfo& info, ToolProvider& provider)
      : tools(provider), encoder(info, provider.tools()) {}

  std::optional<std::string> answer(const Message& message);
  std::optional<std::string> answer_batch(const Message& batch);
  std::string answer_request(const Message& message);
  std::string dispatch(std::span<const Method> methods, const Request& request);
  std::string method_not_found(std::span<const Method> methods, const Request& request) const;

  std::string initialize(const Request& request);
  std::string ping(const Request& request) { return encoder.empty(request.message.id); }
  std::string discover(const Request& request) { return encoder.discovered(request.message.id); }
  std::string list_tools(const Request& request);
  std::string call_tool(const Request& request);
  std::string unknown_tool(const Request& request, std::string_view name) const;

  std::string refuse(const Message& message, int code, std::string text) const {
    return encoder.error(message.id, {code, std::move(text), ""});
  }

  ToolProvider& tools;
  Encoder encoder;
  std::optional<Revision> negotiated;  ///< by `initialize` on this connection
  std::string legacy_client_name;
};

const std::array<Server::State::Method, 3> Server::State::kModern{{
    {"tools/call", &State::call_tool},
    {"tools/list", &State::list_tools},
    {"server/discover", &State::discover},
}};
const std::array<Server::State::Method, 4> Server::State::kLegacy{{
    {"tools/call", &State::call_tool},
    {"tools/list", &State::list_tools},
    {"initialize", &State::initialize},
    {"ping", &State::ping},
}};

std::string Server::State::initialize(const Request& request) {
  const Json* version = request.param("protocolVersion");
  if (version == nullptr || !version->is_string()) {
    return refuse(request.message, error_code::kInvalidParams,
                  must_be("protocolVersion", "a string such as 2025-11-25", version));
  }
  // The two others are required by the schema, but nothing here depends on them.
  for (const std::string_view name : {"capabilities", "clientInfo"}) {
    const Json* value = request.param(name);
    if (value != nullptr && !value->is_object()) {
      return refuse(request.message, error_code::kInvalidParams, must_be(name, "an object", value));
    }
  }
  const Json* client = request.param("clientInfo");
  legacy_client_name = client == nullptr ? "" : base::string_member(*client, "name").value_or("");
  negotiated = negotiated_revision(version->get_ref<const std::string&>());
  return encoder.initialized(request.message.id, *negotiated);
}

std::string Server::State::list_tools(const Request& request) {
  const Json* cursor = request.param("cursor");
  if (cursor == nullptr) return encoder.tools(request.message.id, request.revision);
  return refuse(request.message, error_code::kInvalidParams,
                cursor->is_string() ? "unknown `cursor`: the tools fit on one page, ask without it"
                                    : must_be("cursor", "a string", cursor));
}

std::string Server::State::unknown_tool(const Request& request, std::string_view name) const {
  std::vector<std::string> names;
  for (const ToolDefinition& tool : tools.tools()) names.push_back(tool.name);
  std::string text = "unknown tool " + shown(name);
  if (const auto nearest = base::nearest_name(name, names)) {
    text += ": did you mean " + base::in_quotes(*nearest) + "?";
  } else {
    text += ": tools/list names those that exist";
  }
  return refuse(request.message, error_code::kInvalidParams, std::move(text));
}

std::string Server::State::call_tool(const Request& request) {
  const Json* name = request.param("name");
  if (name == nullptr || !name->is_string()) {
    return refuse(request.message, error_code::kInvalidParams, must_be("name", "a string", name));
  }
  const auto& wanted = name->get_ref<const std::string&>();
  bool known = false;
  for (const ToolDefinition& tool : tools.tools()) known = known || tool.name == wanted;
  if (!known) return unknown_tool(request, wanted);

  const Json* arguments = request.param("arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    return refuse(request.message, error_code::kInvalidParams,
                  must_be("arguments", "an object", arguments));
  }
  static const Json kNone = Json::object();
  const ToolResult result = tools.call(wanted, arguments == nullptr ? kNone : *arguments,
                                       CallContext{std::string(request.client_name)});
  return encoder.tool_result(request.message.id, request.revision, result);
}

std::string Server::State::method_not_found(std::span<const Method> methods,
                                            const Request& request) const {
  const std::string& method = request.message.method;
  std::string text = "method " + shown(method) + " is not offered";
  std::vector<std::string> names;
  for (const Method& known : methods) names.emplace_back(known.name);
  if (const auto capability = undeclared_capability(method); !capability.empty()) {
    text += ": the capability `" + std::string(capability) + "` is not declared";
  } else if (request.revision >= Revision::v2026_07_28 &&
             (method == "initialize" || method == "ping")) {
    text += ": " + std::string(revision_name(request.revision)) + " removed it";
  } else if (method == "server/discover") {
    text +=
        " without `_meta`: it needs \"io.modelcontextprotocol/protocolVersion\" and "
        "\"io.modelcontextprotocol/clientCapabilities\" there";
  } else if (const auto nearest = base::nearest_name(method, names)) {
    text += ": did you mean " + base::in_quotes(*nearest) + "?";
  }
  return refuse(request.message, error_code::kMethodNotFound, std::move(text));
}

std::string Server::State::dispatch(std::span<const Method> methods, const Request& request) {
  for (const Method& method : methods) {
    if (method.name == request.message.method) return (this->*method.handler)(request);
  }
  return method_not_found(methods, request);
}

std::string Server::State::answer_request(const Message& message) {
  const Envelope envelope = read_envelope(message.params);
  if (envelope.error) return encoder.error(message.id, *envelope.error);
  if (envelope.modern) {
    return dispatch(kModern, {message, Revision::v2026_07_28, envelope.client_name});
  }
  // Without a handshake a client gets what the oldest revision with HTTP would get (MCP 2025-06-18
  // §Protocol version header): nothing that it might not know.
  return dispatch(kLegacy,
                  {message, negotiated.value_or(Revision::v2025_03_26), legacy_client_name});
}

std::optional<std::string> Server::State::answer_batch(const Message& batch) {
  if (negotiated != Revision::v2025_03_26) {
    return refuse(batch, error_code::kInvalidRequest,
                  "batches exist only in revision 2025-03-26: send one message per line");
  }
  const std::size_t size = batch_size(batch);
  if (size == 0) return refuse(batch, error_code::kInvalidRequest, "the batch is empty");
  if (size > base::limits::kMessagesQueuedMax) {
    return refuse(batch, error_code::kInvalidRequest,
                  "the batch has " + std::to_string(size) + " messages, the limit is " +
                      std::to_string(base::limits::kMessagesQueuedMax));
  }
  std::string answers;
  for (std::size_t i = 0; i < size; ++i) {
    const Message message = batch_element(batch, i);
    // MCP 2025-03-26 §Initialization: never part of a batch.
    std::optional<std::string> one =
        message.kind == Message::Kind::request && message.method == "initialize"
            ? refuse(message, error_code::kInvalidRequest,
                     "`initialize` may not be part of a batch")
            : answer(message);
    if (one) answers.append(answers.empty() ? "[" : ",").append(*one);
  }
  if (answers.empty()) return std::nullopt;
  return answers + "]";
}

std::optional<std::string> Server::State::answer(const Message& message) {
  switch (message.kind) {
    case Message::Kind::notification:
    case Message::Kind::response:
      return std::nullopt;
    case Message::Kind::broken:
      return encoder.error(message.id, *message.error);
    case Message::Kind::batch:
      return answer_batch(message);
    case Message::Kind::request:
      break;
  }
  try {
    return answer_request(message);
  } catch (const std::exception& problem) {
    // The text may name files and internals; the log is for the person who runs the server.
    base::log_error("request.failed",
                    {{"method", base::shortened(message.method, 64)}, {"problem", problem.what()}});
    return refuse(message, error_code::kInternalError,
                  "internal error; the server's log on standard error has the details");
  }
}

Server::Server(const ServerInfo& info, ToolProvider& tools)
    : state_(std::make_unique<State>(info, tools)) {}

Server::~Server() = default;

std::optional<std::string> Server::answer(const Message& message) {
  return state_->answer(message);
}

std::optional<std::string> Server::answer(std::string_view line) {
  return state_->answer(parse_message(line));
}

}  // namespace phasegate::mcp::protocol
