#include "mcp/tools/list_marks.h"

#include "base/hash.h"
#include "mcp/tools/prompts.h"
#include "mcp/tools/resources.h"

namespace phasegate::mcp::tools {
namespace {

std::string digest_of(const std::vector<gating::engine::FoundWorkflow>& workflows) {
  base::Digest digest;
  for (const auto& found : workflows) {
    digest.add(found.id).add(found.place).add(found.loaded->content_hash);
    digest.add(found.loaded->startable() ? "startable" : "not startable");
  }
  return digest.hex();
}

void add(base::Digest& digest, const protocol::Resource& resource) {
  digest.add(resource.uri).add(resource.title).add(resource.description);
}

void add(base::Digest& digest, const protocol::Prompt& prompt) {
  digest.add(prompt.name).add(prompt.title).add(prompt.description);
  digest.add(std::to_string(prompt.arguments.size()));
  for (const auto& argument : prompt.arguments) {
    digest.add(argument.name).add(argument.description);
    digest.add(argument.required ? "required" : "optional");
  }
}

/// A whole list, as it is shown page by page.
template <typename List>
std::string digest_of_pages(const List& list) {
  base::Digest digest;
  std::string cursor;
  do {
    const auto listed = list(cursor);
    const auto* page = std::get_if<0>(&listed);
    // A cursor of ours that is refused: whatever comes of the rest, the list has changed.
    if (page == nullptr) break;
    for (const auto& item : page->items) add(digest, item);
    cursor = page->next_cursor;
  } while (!cursor.empty());
  return digest.hex();
}

}  // namespace

ListMarks::Changed ListMarks::look(gating::engine::Engine& engine) {
  std::string workflows = digest_of(engine.workflows());
  if (workflows == workflows_) return {};
  const bool first = workflows_.empty();
  workflows_ = std::move(workflows);
  const ToolContext context;
  const Hands hands{engine, context, ""};
  std::string resources =
      digest_of_pages([&](const std::string& cursor) { return list_resources(hands, cursor); });
  std::string prompts =
      digest_of_pages([&](const std::string& cursor) { return list_prompts(hands, cursor); });
  const Changed changed{!first && resources != resources_, !first && prompts != prompts_};
  resources_ = std::move(resources);
  prompts_ = std::move(prompts);
  return changed;
}

}  // namespace phasegate::mcp::tools
