#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"

/// What reading shows, whoever asks: the answers of the reading tools, and the text of resources.
namespace phasegate::mcp::tools {

/// How much of a text is wanted.
struct TextWish {
  std::string cursor;        ///< of the page before; empty: from the beginning
  std::string known_digest;  ///< content_digest of what the caller has; empty: nothing
  std::size_t bytes_max = base::limits::kPageBytesMax;
};

/// What is shown of a phase.
struct Content {
  std::string_view text;           ///< of the phase and what goes with it
  std::string_view artifacts_key;  ///< under which its artifacts stand
  std::string_view call;           ///< that gives the next page; see TextPages::add
  bool workflow = false;           ///< name the workflow and its input: a fresh context may ask
};

/// What was asked for of a phase's tasks; one of the two may be empty.
struct TaskAsked {
  std::string number;
  std::string file;
};

/// A run's state (`get_workflow_state`).
[[nodiscard]] protocol::ToolResult state_answer(const gating::engine::RunView& view);

/// A phase with `content`: the criteria and the artifacts stand on the first page, the text is
/// paged. Errors: a cursor of another text.
[[nodiscard]] protocol::ToolResult content_answer(const gating::engine::PhaseView& phase,
                                                  const Content& content, const TextWish& wish);

/// A phase by its id (`get_phase_content`): the open one with the artifacts of those before it, a
/// completed one with its evidence.
[[nodiscard]] protocol::ToolResult phase_answer(const gating::engine::PhaseView& phase,
                                                const TextWish& wish);

/// A task or a linked file (`get_task`).
[[nodiscard]] protocol::ToolResult task_answer(const gating::engine::TaskView& task,
                                               const TaskAsked& asked, const TextWish& wish);

}  // namespace phasegate::mcp::tools
