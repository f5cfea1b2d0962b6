// Tools whose definitions are what is tested.
#include <string>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::Outcome;
using mcp::protocol::ToolResult;

namespace {

/// Keywords of JSON Schema 2020-12 that a server has to leave as they are.
constexpr std::string_view kRichSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr std::string_view kHeaderSchema = R"({
  "type": "object",
  "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"},
    "shards": {"type": "integer", "x-mcp-header": "Shards"},
    "note": {"type": "string"}
  },
  "required": ["region"]
})";

Outcome<ToolResult> repeat(const Json& arguments, CallContext&) {
  return said(base::dump(arguments));
}

}  // namespace

std::vector<FixtureTool> special_tools() {
  return {
      {defined("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", kRichSchema),
       repeat},
      {defined("test_header_parameters", "Has parameters that HTTP repeats in headers.",
               kHeaderSchema),
       repeat},
  };
}

}  // namespace phasegate::conformance
