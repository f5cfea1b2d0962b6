#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/protocol/server_state.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

const Json& no_arguments() {
  static const Json kNone = Json::object();
  return kNone;
}

/// The `cursor` of a list, empty for the first page.
std::variant<std::string, RpcError> cursor_of(const Call& call) {
  const Json* cursor = call.param("cursor");
  if (cursor == nullptr) return std::string();
  if (!cursor->is_string()) return invalid_params(must_be("cursor", "a string", cursor));
  const std::size_t bytes = cursor->get_ref<const std::string&>().size();
  // None that we give out is empty, so an empty one is foreign like any other.
  if (bytes == 0 || bytes > base::limits::kCursorBytesMax) {
    return invalid_params("unknown `cursor`: give the nextCursor of the page before");
  }
  return cursor->get<std::string>();
}

/// The `arguments` of a call, an object.
std::variant<const Json*, RpcError> arguments_of(const Call& call) {
  const Json* arguments = call.param("arguments");
  if (arguments == nullptr) return &no_arguments();
  if (!arguments->is_object()) return invalid_params(must_be("arguments", "an object", arguments));
  return arguments;
}

/// One page of a list, written by `encode`.
template <typename List, typename Encode>
std::variant<std::string, RpcError> listed(const Call& call, const List& list,
                                           const Encode& encode) {
  const auto cursor = cursor_of(call);
  if (const auto* error = std::get_if<RpcError>(&cursor)) return *error;
  const Round first;
  CallContext context(call.peer, first, call.wishes, call.exchange);
  const auto page = list(std::get<std::string>(cursor), context);
  if (const auto* error = std::get_if<RpcError>(&page)) return *error;
  return encode(std::get<0>(page));
}

/// A handler's outcome as a step of its rounds.
template <typename T, typename Encode>
std::variant<std::string, InputRequired, RpcError> encoded(Outcome<T> outcome,
                                                           const Encode& encode) {
  if (auto* required = std::get_if<InputRequired>(&outcome)) return std::move(*required);
  if (auto* error = std::get_if<RpcError>(&outcome)) return std::move(*error);
  return encode(std::get<T>(outcome));
}

std::string unknown_tool(std::string_view name, const std::vector<ToolDefinition>& tools) {
  std::vector<std::string> names;
  for (const ToolDefinition& tool : tools) names.push_back(tool.name);
  std::string text = "unknown tool " + shown_name(name);
  if (const auto nearest = base::nearest_name(name, names)) {
    return text + ": did you mean " + base::in_quotes(*nearest) + "?";
  }
  return text + ": tools/list names those that exist";
}

/// What is to be completed, or what is wrong with the question.
std::variant<CompletionRequest, RpcError> completion_request(const Call& call) {
  CompletionRequest request;
  const Json* ref = call.param("ref");
  if (ref == nullptr || !ref->is_object()) return invalid_params(must_be("ref", "an object", ref));
  const std::string type = base::string_member(*ref, "type").value_or("");
  if (type != "ref/prompt" && type != "ref/resource") {
    return invalid_params("`ref.type` must be \"ref/prompt\" or \"ref/resource\"");
  }
  request.of =
      type == "ref/prompt" ? CompletionRequest::Of::prompt : CompletionRequest::Of::resource;
  const char* name = request.of == CompletionRequest::Of::prompt ? "name" : "uri";
  const Json* named = base::find_member(*ref, name);
  if (named == nullptr || !named->is_string()) {
    return invalid_params(must_be(std::string("ref.") + name, "a string", named));
  }
  request.ref = named->get<std::string>();

  const Json* argument = call.param("argument");
  if (argument == nullptr || !argument->is_object()) {
    return invalid_params(must_be("argument", "an object", argument));
  }
  const auto argument_name = base::string_member(*argument, "name");
  const auto value = base::string_member(*argument, "value");
  if (!argument_name || !value) {
    return invalid_params("`argument.name` and `argument.value` must be strings");
  }
  request.argument = *argument_name;
  request.value = *value;

  const Json* context = call.param("context");
  const Json* known = context == nullptr ? nullptr : base::find_member(*context, "arguments");
  if (known == nullptr || !known->is_object()) return request;
  for (const auto& [known_name, known_value] : known->items()) {
    if (known_value.is_string()) request.known.push_back({known_name, known_value});
  }
  return request;
}

}  // namespace

Answer Server::State::told(const Call& call, std::variant<std::string, RpcError> outcome) const {
  if (const auto* error = std::get_if<RpcError>(&outcome)) return refuse(call, *error);
  return {std::get<std::string>(std::move(outcome)), 0};
}

Answer Server::State::list_tools(const Call& call) {
  const auto cursor = cursor_of(call);
  if (const auto* error = std::get_if<RpcError>(&cursor)) return refuse(call, *error);
  if (!std::get<std::string>(cursor).empty()) {
    return refuse(call,
                  invalid_params("unknown `cursor`: the tools fit on one page, ask without it"));
  }
  return {encoder.tools(call.id(), call.revision, catalog()->list(call.revision)), 0};
}

Answer Server::State::call_tool(const Call& call) {
  const Json* name = call.param("name");
  if (name == nullptr || !name->is_string()) {
    return refuse(call, invalid_params(must_be("name", "a string", name)));
  }
  const auto& wanted = name->get_ref<const std::string&>();
  const auto tools = catalog();
  if (tools->find(wanted) == nullptr) {
    return refuse(call, invalid_params(unknown_tool(wanted, tools->tools())));
  }
  const auto arguments = arguments_of(call);
  if (const auto* error = std::get_if<RpcError>(&arguments)) return refuse(call, *error);
  return rounds.run(call, [&](CallContext& context) {
    return encoded<ToolResult>(
        ports.service.call_tool(wanted, *std::get<const Json*>(arguments), context),
        [&](const ToolResult& result) {
          return encoder.tool_result(call.id(), call.revision, result);
        });
  });
}

Answer Server::State::list_resources(const Call& call) {
  return told(call, listed(
                        call,
                        [&](std::string_view cursor, CallContext& context) {
                          return ports.service.resources(cursor, context);
                        },
                        [&](const auto& page) {
                          return encoder.resources(call.id(), call.revision, page);
                        }));
}

Answer Server::State::list_resource_templates(const Call& call) {
  return told(call, listed(
                        call,
                        [&](std::string_view cursor, CallContext& context) {
                          return ports.service.resource_templates(cursor, context);
                        },
                        [&](const auto& page) {
                          return encoder.resource_templates(call.id(), call.revision, page);
                        }));
}

Answer Server::State::list_prompts(const Call& call) {
  return told(
      call, listed(
                call,
                [&](std::string_view cursor, CallContext& context) {
                  return ports.service.prompts(cursor, context);
                },
                [&](const auto& page) { return encoder.prompts(call.id(), call.revision, page); }));
}

Answer Server::State::read_resource(const Call& call) {
  const auto uri = string_param(call, "uri");
  if (const auto* error = std::get_if<RpcError>(&uri)) return refuse(call, *error);
  const auto& text = std::get<std::string>(uri);
  if (text.empty() || text.size() > base::limits::kUriBytesMax) {
    return refuse(call,
                  invalid_params("a `uri` has 1 to " + std::to_string(base::limits::kUriBytesMax) +
                                 " bytes, not " + std::to_string(text.size())));
  }
  return rounds.run(call, [&](CallContext& context) {
    return encoded<ReadResult>(
        ports.service.read_resource(text, context),
        [&](const ReadResult& result) { return encoder.read(call.id(), call.revision, result); });
  });
}

Answer Server::State::get_prompt(const Call& call) {
  const auto name = string_param(call, "name");
  if (const auto* error = std::get_if<RpcError>(&name)) return refuse(call, *error);
  const auto arguments = arguments_of(call);
  if (const auto* error = std::get_if<RpcError>(&arguments)) return refuse(call, *error);
  const Json& given = *std::get<const Json*>(arguments);
  for (const auto& [key, value] : given.items()) {
    if (!value.is_string()) {
      return refuse(call,
                    invalid_params("a member of " + must_be("arguments", "a string", &value)));
    }
  }
  return rounds.run(call, [&](CallContext& context) {
    return encoded<PromptResult>(
        ports.service.get_prompt(std::get<std::string>(name), given, context),
        [&](const PromptResult& result) {
          return encoder.prompt(call.id(), call.revision, result);
        });
  });
}

Answer Server::State::complete(const Call& call) {
  const auto request = completion_request(call);
  if (const auto* error = std::get_if<RpcError>(&request)) return refuse(call, *error);
  Round first;
  CallContext context(call.peer, first, call.wishes, call.exchange);
  const auto completion = ports.service.complete(std::get<CompletionRequest>(request), context);
  if (const auto* error = std::get_if<RpcError>(&completion)) return refuse(call, *error);
  return {encoder.completion(call.id(), call.revision, std::get<Completion>(completion)), 0};
}

}  // namespace phasegate::mcp::protocol
