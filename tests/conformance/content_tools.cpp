// Results of each kind of content.
#include <string>
#include <utility>

#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::Content;
using mcp::protocol::ToolResult;

namespace {

Content image() {
  Content content;
  content.kind = Content::Kind::image;
  content.data = kRedPixel;
  content.mime_type = "image/png";
  return content;
}

Content audio() {
  Content content;
  content.kind = Content::Kind::audio;
  content.data = kSilence;
  content.mime_type = "audio/wav";
  return content;
}

Content embedded(std::string uri, std::string mime_type, std::string text) {
  Content content;
  content.kind = Content::Kind::resource;
  content.uri = std::move(uri);
  content.mime_type = std::move(mime_type);
  content.text = std::move(text);
  return content;
}

ToolResult of(std::vector<Content> blocks, std::string text = "") {
  ToolResult result = said(std::move(text));
  result.more = std::move(blocks);
  return result;
}

/// A tool that always answers the same.
FixtureTool constant(std::string_view name, std::string_view description, ToolResult result) {
  return {defined(name, description),
          [result = std::move(result)](const Json&, CallContext&) { return result; }};
}

}  // namespace

std::vector<FixtureTool> content_tools() {
  return {
      constant("test_simple_text", "Answers with a text.",
               said("This is a simple text response for testing.")),
      constant("test_image_content", "Answers with an image.", of({image()})),
      constant("test_audio_content", "Answers with a sound.", of({audio()})),
      constant("test_embedded_resource", "Answers with a resource.",
               of({embedded("test://embedded-resource", "text/plain",
                            "This is an embedded resource content.")})),
      constant("test_multiple_content_types", "Answers with a text, an image and a resource.",
               of({image(), embedded("test://mixed-content-resource", "application/json",
                                     R"({"test":"data","value":123})")},
                  "Multiple content types test:")),
      constant("test_error_handling", "Always refuses.",
               refused("This tool intentionally returns an error for testing")),
  };
}

}  // namespace phasegate::conformance
