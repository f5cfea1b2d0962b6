#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace phasegate::mcp::protocol {

/// A resource as `resources/list` shows it (MCP 2026-07-28 §Resources).
struct Resource {
  std::string uri;
  std::string name;
  std::string title;        ///< may be empty
  std::string description;  ///< one sentence
  std::string mime_type;    ///< may be empty
};

/// A family of resources, as `resources/templates/list` shows it.
struct ResourceTemplate {
  std::string uri_template;  ///< RFC 6570, level 1: `{name}` only
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
};

/// One content of a resource. `data` is base64 and stands in place of `text` if `is_binary`.
struct ResourceContents {
  std::string uri;
  std::string mime_type;
  std::string text;
  std::string data;
  bool is_binary = false;
};

/// How long, and by whom, an answer may be kept (MCP 2026-07-28 §Caching). Only the modern revision
/// is told.
struct CacheHint {
  std::int64_t ttl_ms = 0;  ///< 0: always stale
  bool shared = false;      ///< `public`: the same for everybody; else `private`
};

struct ReadResult {
  std::vector<ResourceContents> contents;  ///< never empty: what is missing is an error
  CacheHint cache;
};

}  // namespace phasegate::mcp::protocol
