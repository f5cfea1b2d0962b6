#include "mcp/protocol/encoder.h"

#include <algorithm>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"
#include "mcp/protocol/content_json.h"
#include "mcp/protocol/notification.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

/// Nothing in these two answers depends on who asks or on what happened before.
constexpr CacheHint kConstant{3'600'000, true};

/// Room for what stands around the content of an answer.
constexpr std::size_t kFrameBytes = 256;

std::string json_string(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

/// The beginning of an answer's line, up to its content; a brace ends it.
void begin(std::string& line, std::string_view id, std::string_view kind) {
  line += R"({"jsonrpc":"2.0",)";
  if (!id.empty()) line.append(R"("id":)").append(id).append(",");
  line.append("\"").append(kind).append("\":");
}

std::string answer(std::string_view id, std::string_view kind, std::string_view content) {
  std::string line;
  line.reserve(content.size() + id.size() + kFrameBytes);
  begin(line, id, kind);
  return line.append(content).append("}");
}

/// A result with one list in it, up to its end.
template <typename T, typename Write>
std::string listed(std::string_view id, std::string_view name, const Page<T>& page,
                   const Write& write) {
  std::string line;
  begin(line, id, "result");
  line.append("{\"").append(name).append("\":[");
  bool first = true;
  for (const T& item : page.items) {
    if (!first) line += ',';
    first = false;
    line += base::dump(write(item));
  }
  line += ']';
  if (!page.next_cursor.empty()) {
    line += R"(,"nextCursor":)";
    base::append_json_string(line, page.next_cursor);
  }
  return line;
}

/// A capability with its flags.
void capability(std::string& object, std::string_view name, bool list_changed, bool subscribe) {
  if (object.size() > 1) object += ',';
  object.append("\"").append(name).append("\":{");
  if (subscribe) object += R"("subscribe":true)";
  if (subscribe && list_changed) object += ',';
  if (list_changed) object += R"("listChanged":true)";
  object += '}';
}

}  // namespace

Encoder::Encoder(const ServerInfo& info, const Offer& offer)
    : offer_(offer),
      server_(R"("name":)" + json_string(info.name) + R"(,"version":)" +
              json_string(info.version)) {
  if (!info.title.empty()) server_title_ = R"(,"title":)" + json_string(info.title);
  if (!info.instructions.empty())
    instructions_ = R"(,"instructions":)" + json_string(info.instructions);
  server_meta_ = R"("io.modelcontextprotocol/serverInfo":{)" + server_ + server_title_ + "}";
  modern_tail_ = R"(,"resultType":"complete","_meta":{)" + server_meta_ + "}}}";
}

std::string Encoder::capabilities(Revision revision) const {
  std::string object = "{";
  capability(object, "tools", offer_.tools_change, false);
  if (offer_.prompts) capability(object, "prompts", offer_.prompts_change, false);
  if (offer_.resources) {
    capability(object, "resources", offer_.resources_change, offer_.resources_subscribe);
  }
  if (offer_.completions && revision >= Revision::v2025_03_26) {
    capability(object, "completions", false, false);
  }
  if (offer_.logging) capability(object, "logging", false, false);
  return object + "}";
}

void Encoder::finish(std::string& line, Revision revision, const CacheHint* cache) const {
  if (revision < Revision::v2026_07_28) {
    line += "}}";
    return;
  }
  if (cache != nullptr) {
    line.append(R"(,"ttlMs":)").append(std::to_string(cache->ttl_ms));
    line.append(R"(,"cacheScope":)").append(cache->shared ? R"("public")" : R"("private")");
  }
  line += modern_tail_;
}

std::string Encoder::initialized(std::string_view id, Revision revision) const {
  std::string result = R"({"protocolVersion":")";
  result.append(revision_name(revision)).append(R"(","capabilities":)");
  result.append(capabilities(revision)).append(R"(,"serverInfo":{)").append(server_);
  if (revision >= Revision::v2025_06_18) result += server_title_;
  result.append("}").append(instructions_).append("}");
  return answer(id, "result", result);
}

std::string Encoder::discovered(std::string_view id) const {
  constexpr Revision kModern = Revision::v2026_07_28;
  std::string line;
  begin(line, id, "result");
  line.append(R"({"supportedVersions":[")").append(revision_name(kModern));
  line.append(R"("],"capabilities":)").append(capabilities(kModern)).append(instructions_);
  finish(line, kModern, &kConstant);
  return line;
}

std::string Encoder::tools(std::string_view id, Revision revision, std::string_view tools) const {
  std::string line;
  line.reserve(tools.size() + kFrameBytes + modern_tail_.size());
  begin(line, id, "result");
  line.append(R"({"tools":)").append(tools);
  // A list that may change is told of when it does.
  finish(line, revision, &kConstant);
  return line;
}

std::string Encoder::tool_result(std::string_view id, Revision revision,
                                 const ToolResult& result) const {
  // Written in place: an answer is mostly these two long parts.
  std::string line;
  line.reserve(2 * (result.text.size() + kFrameBytes) + modern_tail_.size());
  begin(line, id, "result");
  line += R"({"content":[)";
  if (!result.text.empty() || result.more.empty()) {
    line += R"({"type":"text","text":)";
    base::append_json_string(line, result.text);
    line += '}';
  }
  for (const Content& content : result.more) {
    if (!line.ends_with('[')) line += ',';
    base::append_dump(line, to_json(content, revision));
  }
  line += ']';
  if (result.structured != nullptr && revision >= Revision::v2025_06_18) {
    line += R"(,"structuredContent":)";
    base::append_dump(line, *result.structured);
  }
  if (result.is_error) line += R"(,"isError":true)";
  finish(line, revision, nullptr);
  return line;
}

std::string Encoder::resources(std::string_view id, Revision revision,
                               const Page<Resource>& page) const {
  std::string line = listed(id, "resources", page, [revision](const Resource& resource) {
    return to_json(resource, revision);
  });
  finish(line, revision, &page.cache);
  return line;
}

std::string Encoder::resource_templates(std::string_view id, Revision revision,
                                        const Page<ResourceTemplate>& page) const {
  std::string line =
      listed(id, "resourceTemplates", page,
             [revision](const ResourceTemplate& family) { return to_json(family, revision); });
  finish(line, revision, &page.cache);
  return line;
}

std::string Encoder::read(std::string_view id, Revision revision, const ReadResult& result) const {
  std::string line;
  begin(line, id, "result");
  line += R"({"contents":[)";
  for (const ResourceContents& contents : result.contents) {
    if (!line.ends_with('[')) line += ',';
    base::append_dump(line, to_json(contents));
  }
  line += ']';
  finish(line, revision, &result.cache);
  return line;
}

std::string Encoder::prompts(std::string_view id, Revision revision,
                             const Page<Prompt>& page) const {
  std::string line = listed(id, "prompts", page,
                            [revision](const Prompt& prompt) { return to_json(prompt, revision); });
  finish(line, revision, &page.cache);
  return line;
}

std::string Encoder::prompt(std::string_view id, Revision revision,
                            const PromptResult& result) const {
  std::string line;
  begin(line, id, "result");
  line += '{';
  if (!result.description.empty()) {
    line += R"("description":)";
    base::append_json_string(line, result.description);
    line += ',';
  }
  line += R"("messages":[)";
  for (const PromptMessage& message : result.messages) {
    if (!line.ends_with('[')) line += ',';
    line.append(R"({"role":)").append(message.by_user ? R"("user")" : R"("assistant")");
    line += R"(,"content":)";
    base::append_dump(line, to_json(message.content, revision));
    line += '}';
  }
  line += ']';
  finish(line, revision, nullptr);
  return line;
}

std::string Encoder::completion(std::string_view id, Revision revision,
                                const Completion& completion) const {
  const std::size_t sent = std::min(completion.values.size(), base::limits::kCompletionsMax);
  std::string line;
  begin(line, id, "result");
  line += R"({"completion":{"values":[)";
  for (std::size_t i = 0; i < sent; ++i) {
    if (i > 0) line += ',';
    base::append_json_string(line, completion.values[i]);
  }
  const bool more = completion.has_more || sent < completion.values.size();
  if (!more) line.append(R"(],"total":)").append(std::to_string(sent));
  line.append(more ? R"(],"hasMore":true})" : R"(,"hasMore":false})");
  finish(line, revision, nullptr);
  return line;
}

std::string Encoder::input_required(std::string_view id, const InputRequired& required,
                                    std::string_view request_state) const {
  std::string line;
  begin(line, id, "result");
  line += R"({"resultType":"input_required")";
  if (!required.requests.empty()) {
    line += R"(,"inputRequests":{)";
    for (const InputRequest& asked : required.requests) {
      if (!line.ends_with('{')) line += ',';
      base::append_json_string(line, asked.key);
      line.append(R"(:{"method":")").append(method_of(asked.kind)).append("\"");
      if (asked.params != nullptr) {
        line += R"(,"params":)";
        base::append_dump(line, *asked.params);
      }
      line += '}';
    }
    line += '}';
  }
  if (!request_state.empty()) {
    line += R"(,"requestState":)";
    base::append_json_string(line, request_state);
  }
  return line.append(R"(,"_meta":{)").append(server_meta_).append("}}}");
}

std::string Encoder::acknowledged(std::string_view id, const Wants& wants) const {
  Json honoured = Json::object();
  if (wants.tools) honoured["toolsListChanged"] = true;
  if (wants.prompts) honoured["promptsListChanged"] = true;
  if (wants.resources) honoured["resourcesListChanged"] = true;
  if (!wants.resource_uris.empty()) honoured["resourceSubscriptions"] = wants.resource_uris;
  std::string params = R"({"notifications":)";
  params.append(base::dump(honoured)).append(",").append(subscription_meta(id)).append("}");
  return notification("notifications/subscriptions/acknowledged", params);
}

std::string Encoder::listen_ended(std::string_view id) const {
  std::string result = R"({"resultType":"complete","_meta":{)";
  result.append(R"("io.modelcontextprotocol/subscriptionId":)").append(id).append(",");
  return answer(id, "result", result.append(server_meta_).append("}}"));
}

std::string Encoder::empty(std::string_view id) const {
  return answer(id, "result", "{}");
}

std::string Encoder::error(std::string_view id, const RpcError& error) const {
  std::string content =
      R"({"code":)" + std::to_string(error.code) + R"(,"message":)" + json_string(error.message);
  if (!error.data.empty()) content.append(R"(,"data":)").append(error.data);
  return answer(id, "error", content + '}');
}

std::string_view method_of(InputRequest::Kind kind) {
  switch (kind) {
    case InputRequest::Kind::elicitation_form:
    case InputRequest::Kind::elicitation_url:
      return "elicitation/create";
    case InputRequest::Kind::sampling:
      return "sampling/createMessage";
    case InputRequest::Kind::roots:
      break;
  }
  return "roots/list";
}

std::string required_capabilities(const std::vector<InputRequest>& requests,
                                  const ClientCapabilities& declared) {
  Json required = Json::object();
  for (const InputRequest& asked : requests) {
    switch (asked.kind) {
      case InputRequest::Kind::elicitation_form:
        if (!declared.elicitation_form) required["elicitation"]["form"] = Json::object();
        break;
      case InputRequest::Kind::elicitation_url:
        if (!declared.elicitation_url) required["elicitation"]["url"] = Json::object();
        break;
      case InputRequest::Kind::sampling:
        if (!declared.sampling) required["sampling"] = Json::object();
        break;
      case InputRequest::Kind::roots:
        if (!declared.roots) required["roots"] = Json::object();
        break;
    }
  }
  return required.empty() ? "" : base::dump(required);
}

}  // namespace phasegate::mcp::protocol
