#include "mcp/protocol/tool_catalog.h"

#include <stdexcept>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

std::string json_string(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string hints_of(const ToolDefinition& tool) {
  if (tool.read_only) return R"("readOnlyHint":true)";
  std::string hints = R"("readOnlyHint":false,"destructiveHint":)";
  hints += tool.destructive ? "true" : "false";
  hints += R"(,"idempotentHint":)";
  hints += tool.idempotent ? "true" : "false";
  return hints;
}

Json schema_of(const ToolDefinition& tool) {
  auto schema = base::parse_json(
      tool.input_schema, {base::limits::kDocumentBytesMax, base::limits::kDocumentDepthMax});
  if (!schema || !schema->is_object()) {
    throw std::invalid_argument("the input schema of the tool " + tool.name +
                                " is not a JSON object");
  }
  return std::move(schema).value();
}

/// Parameters with `x-mcp-header`, which are reachable through `properties` only.
void collect_headers(const Json& schema, const std::vector<std::string>& path,
                     std::vector<HeaderParameter>& found) {
  const Json* properties = base::find_member(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (const auto& [name, property] : properties->items()) {
    std::vector<std::string> here = path;
    here.push_back(name);
    if (const auto header = base::string_member(property, "x-mcp-header")) {
      found.push_back({*header, here});
    }
    collect_headers(property, here, found);
  }
}

}  // namespace

ToolCatalog::ToolCatalog(std::shared_ptr<const std::vector<ToolDefinition>> tools)
    : tools_(std::move(tools)) {
  quoted_.reserve(tools_->size());
  for (const ToolDefinition& tool : *tools_) {
    const Json schema = schema_of(tool);
    Quoted quoted{json_string(tool.name),
                  tool.title.empty() ? "" : json_string(tool.title),
                  json_string(tool.description),
                  base::dump(schema),
                  hints_of(tool),
                  {}};
    collect_headers(schema, {}, quoted.headers);
    quoted_.push_back(std::move(quoted));
  }
}

const ToolDefinition* ToolCatalog::find(std::string_view name) const {
  for (const ToolDefinition& tool : *tools_) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::vector<HeaderParameter> ToolCatalog::header_parameters(std::string_view name) const {
  const ToolDefinition* tool = find(name);
  if (tool == nullptr) return {};
  return quoted_[static_cast<std::size_t>(tool - tools_->data())].headers;
}

std::string ToolCatalog::written(Revision revision) const {
  std::string list = "[";
  for (const Quoted& tool : quoted_) {
    if (&tool != &quoted_.front()) list += ',';
    list.append(R"({"name":)").append(tool.name);
    if (revision >= Revision::v2025_06_18 && !tool.title.empty()) {
      list.append(R"(,"title":)").append(tool.title);
    }
    list.append(R"(,"description":)").append(tool.description);
    list.append(R"(,"inputSchema":)").append(tool.input_schema);
    if (revision >= Revision::v2025_03_26) {
      list.append(R"(,"annotations":{)").append(tool.hints);
      // Before tools had a title of their own, the annotations carried it.
      if (revision == Revision::v2025_03_26 && !tool.title.empty()) {
        list.append(R"(,"title":)").append(tool.title);
      }
      list += '}';
    }
    list += '}';
  }
  return list + "]";
}

std::string_view ToolCatalog::list(Revision revision) const {
  const std::lock_guard lock(mutex_);
  std::string& list = lists_[static_cast<std::size_t>(revision)];
  if (list.empty()) list = written(revision);
  return list;
}

}  // namespace phasegate::mcp::protocol
