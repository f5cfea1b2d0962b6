#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/service.h"

/// How assistants talk to the engine: the tools of ARCHITECTURE §7, and the same as resources,
/// prompts and completion.
///
/// - handlers.h, cancel_tool.h   the tools
/// - resources.h, prompts.h, completions.h   what people pick in their client
/// - read_answers.h, *_block.h, answer.h     what answers are made of
/// - document_search.h   what search_standards asks
/// - list_marks.h    whether a list has become another
namespace phasegate::mcp::tools {

class DocumentSearch;

/// What the tools need to know beside the engine.
struct ToolContext {
  /// Canonical project root: targets are normalised against it, and branch and worktree are looked
  /// up from it whenever a session starts.
  std::string root;
  std::string principal;  ///< where the transport names nobody: the operating system's user
  /// `--root … --state …` as a person has to type it, for instructions that name a command.
  std::string command_options;
  /// Where this server shows a person a decision, but for the decision's id at the end; empty: it
  /// shows none.
  std::string decision_page = {};
  /// What search_standards searches; it must outlive the tools. Null: nothing.
  DocumentSearch* search = nullptr;
};

/// All of it over one engine, which must outlive it. As the engine, for one thread at a time.
[[nodiscard]] std::unique_ptr<protocol::Service> make_tools(gating::engine::Engine& engine,
                                                            ToolContext context);

/// What that service offers and its tools, without an engine.
[[nodiscard]] protocol::Offer offered();
[[nodiscard]] std::shared_ptr<const std::vector<protocol::ToolDefinition>> offered_tools();

/// The server's `instructions`: the rule in the first 200 characters, under 2 KB.
[[nodiscard]] std::string_view instructions();

}  // namespace phasegate::mcp::tools
