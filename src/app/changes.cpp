#include "app/changes.h"

#include <algorithm>

#include "mcp/tools/resource_uri.h"

namespace phasegate::app {

using mcp::protocol::Wants;

namespace {

/// The version of a session that could not be read: whatever is read later is another.
constexpr std::int64_t kUnknown = -1;

std::string session_of(const std::string& uri) {
  const auto parsed = mcp::tools::parse_resource_uri(uri);
  return parsed ? parsed->session : "";
}

}  // namespace

void Changes::expect(const Wants& wants) {
  const auto& uris = wants.resource_uris;
  std::erase_if(versions_, [&](const auto& known) {
    return !std::binary_search(uris.begin(), uris.end(), known.first);
  });
  for (const std::string& uri : uris) {
    if (versions_.contains(uri)) continue;
    versions_[uri] = sights_.version(session_of(uri)).value_or(kUnknown);
  }
}

Changes::News Changes::look(const Wants& wants, bool at_once) {
  News news;
  if (wants.resources || wants.prompts) {
    const auto lists = sights_.lists();
    news.resources = lists.resources && wants.resources;
    news.prompts = lists.prompts && wants.prompts;
  }
  expect(wants);
  if (versions_.empty() || !(sights_.sessions_may_have_changed() || at_once)) return news;
  for (auto& [uri, known] : versions_) {
    const auto now = sights_.version(session_of(uri));
    if (!now || *now == known) continue;
    known = *now;
    news.uris.push_back(uri);
  }
  return news;
}

}  // namespace phasegate::app
