#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "gating/engine/engine.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/service.h"

/// How assistants talk to the engine: the tools of ARCHITECTURE §7.
namespace phasegate::mcp::tools {

/// What the tools need to know beside the engine.
struct ToolContext {
  /// Canonical project root: targets are normalised against it, and branch and worktree are looked
  /// up from it whenever a session starts.
  std::string root;
  std::string principal;  ///< the operating system's user
  /// `--root … --state …` as a person has to type it, for instructions that name a command.
  std::string command_options;
};

/// The tools over one engine, which must outlive them. As the engine, for one thread at a time.
[[nodiscard]] std::unique_ptr<protocol::Service> make_tools(gating::engine::Engine& engine,
                                                            ToolContext context);

/// The server's `instructions`: the rule in the first 200 characters, under 2 KB.
[[nodiscard]] std::string_view instructions();

}  // namespace phasegate::mcp::tools
