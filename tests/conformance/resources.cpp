#include <string>
#include <string_view>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CacheHint;
using mcp::protocol::Outcome;
using mcp::protocol::ReadResult;
using mcp::protocol::Resource;
using mcp::protocol::ResourceContents;
using mcp::protocol::ResourceTemplate;

namespace {

constexpr std::string_view kText = "test://static-text";
constexpr std::string_view kBinary = "test://static-binary";
constexpr std::string_view kWatched = "test://watched-resource";
constexpr std::string_view kTemplateBegin = "test://template/";
constexpr std::string_view kTemplateEnd = "/data";

ReadResult of_text(std::string_view uri, std::string_view mime_type, std::string text) {
  ResourceContents contents;
  contents.uri = uri;
  contents.mime_type = mime_type;
  contents.text = std::move(text);
  return {{std::move(contents)}, CacheHint{}};
}

ReadResult picture() {
  ResourceContents contents;
  contents.uri = kBinary;
  contents.mime_type = "image/png";
  contents.data = kRedPixel;
  contents.is_binary = true;
  return {{std::move(contents)}, CacheHint{}};
}

/// The `{id}` of a URI of the template, or nothing.
std::string_view id_in(std::string_view uri) {
  if (!uri.starts_with(kTemplateBegin) || !uri.ends_with(kTemplateEnd)) return "";
  uri.remove_prefix(kTemplateBegin.size());
  if (uri.size() <= kTemplateEnd.size()) return "";
  uri.remove_suffix(kTemplateEnd.size());
  return uri.find('/') == std::string_view::npos ? uri : "";
}

std::string record_of(std::string_view id) {
  Json record = Json::object();
  record["id"] = id;
  record["templateTest"] = true;
  record["data"] = "Data for ID: " + std::string(id);
  return base::dump(record);
}

}  // namespace

std::vector<Resource> fixture_resources() {
  return {
      {std::string(kText), "static-text", "Static text", "A text that does not change.",
       "text/plain"},
      {std::string(kBinary), "static-binary", "Static picture", "A picture that does not change.",
       "image/png"},
      {std::string(kWatched), "watched-resource", "Watched text", "A text that can be watched.",
       "text/plain"},
  };
}

std::vector<ResourceTemplate> fixture_templates() {
  return {{"test://template/{id}/data", "template", "Records", "The record of an id.",
           "application/json"}};
}

Outcome<ReadResult> read_fixture(std::string_view uri) {
  if (uri == kText) {
    return of_text(uri, "text/plain", "This is the content of the static text resource.");
  }
  if (uri == kBinary) return picture();
  if (uri == kWatched) return of_text(uri, "text/plain", "This text can be watched.");
  if (const std::string_view id = id_in(uri); !id.empty()) {
    return of_text(uri, "application/json", record_of(id));
  }
  return mcp::protocol::resource_not_found(uri, "Resource not found");
}

}  // namespace phasegate::conformance
