#include "tests/conformance/pieces.h"

#include <stdexcept>
#include <utility>

#include "base/json.h"
#include "base/limits.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::InputRequest;
using mcp::protocol::Round;
using mcp::protocol::ToolDefinition;
using mcp::protocol::ToolResult;

ToolDefinition defined(std::string_view name, std::string_view description,
                       std::string_view schema) {
  ToolDefinition definition;
  definition.name = name;
  definition.description = description;
  definition.input_schema = schema;
  definition.read_only = true;
  definition.idempotent = true;
  return definition;
}

ToolDefinition defined_waiting(std::string_view name, std::string_view description,
                               std::string_view schema) {
  ToolDefinition definition = defined(name, description, schema);
  definition.waits = true;
  return definition;
}

ToolResult said(std::string text) {
  ToolResult result;
  result.text = std::move(text);
  return result;
}

ToolResult refused(std::string text) {
  ToolResult result = said(std::move(text));
  result.is_error = true;
  return result;
}

std::shared_ptr<const Json> document(std::string_view text) {
  auto parsed =
      base::parse_json(text, {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax});
  if (!parsed) throw std::invalid_argument(base::to_text(parsed.error()));
  return std::make_shared<const Json>(std::move(*parsed));
}

InputRequest form(std::string_view key, std::string_view message, std::string_view schema) {
  Json params = Json::object();
  params["message"] = message;
  params["requestedSchema"] = *document(schema);
  return {std::string(key), InputRequest::Kind::elicitation_form,
          std::make_shared<const Json>(std::move(params))};
}

InputRequest sampling(std::string_view key, std::string_view prompt, int tokens_max) {
  Json content = Json::object();
  content["type"] = "text";
  content["text"] = prompt;
  Json message = Json::object();
  message["role"] = "user";
  message["content"] = std::move(content);
  Json params = Json::object();
  params["messages"] = Json::array();
  params["messages"].push_back(std::move(message));
  params["maxTokens"] = tokens_max;
  return {std::string(key), InputRequest::Kind::sampling,
          std::make_shared<const Json>(std::move(params))};
}

InputRequest roots(std::string_view key) {
  return {std::string(key), InputRequest::Kind::roots,
          std::make_shared<const Json>(Json::object())};
}

const Json* answer_to(const Round& round, std::string_view key) {
  const Json* const answer =
      round.responses == nullptr ? nullptr : base::find_member(*round.responses, key);
  return answer != nullptr && answer->is_object() ? answer : nullptr;
}

const Json* accepted(const Round& round, std::string_view key, std::string_view member) {
  const Json* const answer = answer_to(round, key);
  if (answer == nullptr || base::string_member(*answer, "action") != "accept") return nullptr;
  const Json* const content = base::find_member(*answer, "content");
  return content == nullptr ? nullptr : base::find_member(*content, member);
}

std::string accepted_text(const Round& round, std::string_view key, std::string_view member) {
  const Json* const value = accepted(round, key, member);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

std::string sampled_text(const Json& answer) {
  const Json* const content = base::find_member(answer, "content");
  return content == nullptr ? "" : base::string_member(*content, "text").value_or("");
}

}  // namespace phasegate::conformance
