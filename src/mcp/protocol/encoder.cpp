#include "mcp/protocol/encoder.h"

#include <stdexcept>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

/// Nothing in these two answers depends on who asks or on what happened before.
constexpr std::string_view kCacheHints = R"(,"ttlMs":3600000,"cacheScope":"public")";
/// The list of tools is constant, hence no listChanged.
constexpr std::string_view kCapabilities = R"({"tools":{}})";

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

std::string hints_of(const ToolDefinition& tool) {
  if (tool.read_only) return R"("readOnlyHint":true)";
  std::string hints = R"("readOnlyHint":false,"destructiveHint":)";
  hints += tool.destructive ? "true" : "false";
  hints += R"(,"idempotentHint":)";
  hints += tool.idempotent ? "true" : "false";
  return hints;
}

std::string schema_of(const ToolDefinition& tool) {
  const auto schema = base::parse_json(
      tool.input_schema, {base::limits::kDocumentBytesMax, base::limits::kDocumentDepthMax});
  if (!schema || !schema->is_object()) {
    throw std::invalid_argument("the input schema of the tool " + tool.name +
                                " is not a JSON object");
  }
  return base::dump(*schema);
}

}  // namespace

Encoder::Encoder(const ServerInfo& info, const std::vector<ToolDefinition>& tools)
    : server_(R"("name":)" + json_string(info.name) + R"(,"version":)" +
              json_string(info.version)) {
  if (!info.title.empty()) server_title_ = R"(,"title":)" + json_string(info.title);
  if (!info.instructions.empty())
    instructions_ = R"(,"instructions":)" + json_string(info.instructions);
  modern_tail_ = R"(,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{)" +
                 server_ + server_title_ + "}}}";
  tools_.reserve(tools.size());
  for (const ToolDefinition& tool : tools) {
    tools_.push_back({json_string(tool.name), tool.title.empty() ? "" : json_string(tool.title),
                      json_string(tool.description), schema_of(tool), hints_of(tool)});
  }
}

std::string Encoder::initialized(std::string_view id, Revision revision) const {
  std::string result = R"({"protocolVersion":")";
  result.append(revision_name(revision)).append(R"(","capabilities":)").append(kCapabilities);
  result.append(R"(,"serverInfo":{)").append(server_);
  if (revision >= Revision::v2025_06_18) result += server_title_;
  result.append("}").append(instructions_).append("}");
  return answer(id, "result", result);
}

std::string Encoder::discovered(std::string_view id) const {
  std::string result = R"({"supportedVersions":[")";
  result.append(revision_name(Revision::v2026_07_28)).append(R"("],"capabilities":)");
  result.append(kCapabilities).append(instructions_).append(kCacheHints).append(modern_tail_);
  return answer(id, "result", result);
}

std::string Encoder::tool_list(Revision revision) const {
  std::string result = R"({"tools":[)";
  for (const Tool& tool : tools_) {
    if (&tool != &tools_.front()) result += ',';
    result.append(R"({"name":)").append(tool.name);
    if (revision >= Revision::v2025_06_18 && !tool.title.empty()) {
      result.append(R"(,"title":)").append(tool.title);
    }
    result.append(R"(,"description":)").append(tool.description);
    result.append(R"(,"inputSchema":)").append(tool.input_schema);
    if (revision >= Revision::v2025_03_26) {
      result.append(R"(,"annotations":{)").append(tool.hints);
      // Before tools had a title of their own, the annotations carried it.
      if (revision == Revision::v2025_03_26 && !tool.title.empty()) {
        result.append(R"(,"title":)").append(tool.title);
      }
      result += '}';
    }
    result += '}';
  }
  result += ']';
  if (revision >= Revision::v2026_07_28) return result.append(kCacheHints).append(modern_tail_);
  return result + '}';
}

std::string Encoder::tools(std::string_view id, Revision revision) {
  std::string& list = tool_lists_[static_cast<std::size_t>(revision)];
  if (list.empty()) list = tool_list(revision);
  return answer(id, "result", list);
}

std::string Encoder::tool_result(std::string_view id, Revision revision,
                                 const ToolResult& result) const {
  // Written in place: an answer is mostly these two long parts.
  std::string line;
  line.reserve(2 * (result.text.size() + kFrameBytes) + modern_tail_.size());
  begin(line, id, "result");
  line += R"({"content":[{"type":"text","text":)";
  base::append_json_string(line, result.text);
  line += "}]";
  if (result.structured != nullptr && revision >= Revision::v2025_06_18) {
    line += R"(,"structuredContent":)";
    base::append_dump(line, *result.structured);
  }
  if (result.is_error) line += R"(,"isError":true)";
  if (revision >= Revision::v2026_07_28) {
    line += modern_tail_;
  } else {
    line += '}';
  }
  line += '}';
  return line;
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

}  // namespace phasegate::mcp::protocol
