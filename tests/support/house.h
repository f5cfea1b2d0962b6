#pragma once
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/ids.h"
#include "base/json.h"
#include "gating/engine/engine.h"
#include "mcp/protocol/local_call.h"
#include "mcp/tools/tools.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"

namespace phasegate::test {

/// One process's worth of the program without its transport: store, engine and tools over a folder.
/// Several of them on one folder are several processes; destroying and making one is a restart.
class House {
 public:
  House(const std::filesystem::path& state_folder, MemoryWorkflows& workflows, base::Clock& clock,
        base::IdSource& ids, gating::GatePolicy gates = gating::GatePolicy::strict)
      : store_(state::open_store(state_folder)),
        engine_({workflows, store_->runs(), clock, ids}, {gates}),
        tools_(mcp::tools::make_tools(
            engine_, {.root = "/project", .principal = "ada", .command_options = ""})) {}

  [[nodiscard]] gating::engine::Engine& engine() { return engine_; }
  [[nodiscard]] mcp::protocol::Service& service() { return *tools_; }

  [[nodiscard]] mcp::protocol::ToolResult call(const std::string& tool,
                                               const base::Json& arguments) {
    mcp::protocol::LocalCall call("ada", "test");
    auto outcome = tools_->call_tool(tool, arguments, call.context());
    return std::get<mcp::protocol::ToolResult>(std::move(outcome));
  }

 private:
  std::unique_ptr<state::Store> store_;
  gating::engine::Engine engine_;
  std::unique_ptr<mcp::protocol::Service> tools_;
};

}  // namespace phasegate::test
