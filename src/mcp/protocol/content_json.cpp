#include "mcp/protocol/content_json.h"

#include "base/json.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

void put(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

/// `title` is a member of everything that has a name since 2025-06-18.
void put_title(Json& object, const std::string& title, Revision revision) {
  if (revision >= Revision::v2025_06_18) put(object, "title", title);
}

Json text_block(std::string text) {
  Json block = Json::object();
  block["type"] = "text";
  block["text"] = std::move(text);
  return block;
}

Json media_block(const char* type, const Content& content) {
  Json block = Json::object();
  block["type"] = type;
  block["data"] = content.data;
  block["mimeType"] = content.mime_type;
  return block;
}

}  // namespace

Json to_json(const Content& content, Revision revision) {
  switch (content.kind) {
    case Content::Kind::text:
      return text_block(content.text);
    case Content::Kind::image:
      return media_block("image", content);
    case Content::Kind::audio:
      if (revision >= Revision::v2025_03_26) return media_block("audio", content);
      return text_block("[audio, " + content.mime_type + ": not known to this protocol revision]");
    case Content::Kind::resource: {
      Json block = Json::object();
      block["type"] = "resource";
      block["resource"] = to_json(ResourceContents{content.uri, content.mime_type, content.text,
                                                   content.data, !content.data.empty()});
      return block;
    }
    case Content::Kind::resource_link:
      break;
  }
  if (revision < Revision::v2025_06_18) return text_block(content.name + ": " + content.uri);
  Json block = Json::object();
  block["type"] = "resource_link";
  block["uri"] = content.uri;
  block["name"] = content.name;
  put(block, "mimeType", content.mime_type);
  return block;
}

Json to_json(const Resource& resource, Revision revision) {
  Json object = Json::object();
  object["uri"] = resource.uri;
  object["name"] = resource.name;
  put_title(object, resource.title, revision);
  put(object, "description", resource.description);
  put(object, "mimeType", resource.mime_type);
  return object;
}

Json to_json(const ResourceTemplate& family, Revision revision) {
  Json object = Json::object();
  object["uriTemplate"] = family.uri_template;
  object["name"] = family.name;
  put_title(object, family.title, revision);
  put(object, "description", family.description);
  put(object, "mimeType", family.mime_type);
  return object;
}

Json to_json(const ResourceContents& contents) {
  Json object = Json::object();
  object["uri"] = contents.uri;
  put(object, "mimeType", contents.mime_type);
  object[contents.is_binary ? "blob" : "text"] = contents.is_binary ? contents.data : contents.text;
  return object;
}

Json to_json(const Prompt& prompt, Revision revision) {
  Json object = Json::object();
  object["name"] = prompt.name;
  put_title(object, prompt.title, revision);
  put(object, "description", prompt.description);
  if (prompt.arguments.empty()) return object;
  Json arguments = Json::array();
  for (const PromptArgument& argument : prompt.arguments) {
    Json one = Json::object();
    one["name"] = argument.name;
    put_title(one, argument.title, revision);
    put(one, "description", argument.description);
    if (argument.required) one["required"] = true;
    arguments.push_back(std::move(one));
  }
  object["arguments"] = std::move(arguments);
  return object;
}

}  // namespace phasegate::mcp::protocol
