#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/tool.h"

/// Pieces of which the tools are made.
namespace phasegate::conformance {

/// A red pixel as PNG, and a millisecond of silence as WAV; base64.
inline constexpr std::string_view kRedPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
inline constexpr std::string_view kSilence =
    "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

inline constexpr std::string_view kNoArguments =
    R"({"type":"object","properties":{},"additionalProperties":false})";

[[nodiscard]] mcp::protocol::ToolDefinition defined(std::string_view name,
                                                    std::string_view description,
                                                    std::string_view schema = kNoArguments);
/// The same for a tool that takes its time.
[[nodiscard]] mcp::protocol::ToolDefinition defined_waiting(std::string_view name,
                                                            std::string_view description,
                                                            std::string_view schema = kNoArguments);

[[nodiscard]] mcp::protocol::ToolResult said(std::string text);
[[nodiscard]] mcp::protocol::ToolResult refused(std::string text);

/// Our own JSON text as a document.
[[nodiscard]] std::shared_ptr<const base::Json> document(std::string_view text);

/// A form, as `elicitation/create` takes it, whose schema is `schema`.
[[nodiscard]] mcp::protocol::InputRequest form(std::string_view key, std::string_view message,
                                               std::string_view schema);
[[nodiscard]] mcp::protocol::InputRequest sampling(std::string_view key, std::string_view prompt,
                                                   int tokens_max);
[[nodiscard]] mcp::protocol::InputRequest roots(std::string_view key);

/// The answer under `key`, if it is an object; else null.
[[nodiscard]] const base::Json* answer_to(const mcp::protocol::Round& round, std::string_view key);
/// A member of the content of an accepted form, if it is there; else null.
[[nodiscard]] const base::Json* accepted(const mcp::protocol::Round& round, std::string_view key,
                                         std::string_view member);
/// The same as text; empty if it is not there or no text.
[[nodiscard]] std::string accepted_text(const mcp::protocol::Round& round, std::string_view key,
                                        std::string_view member);
/// The text that a model has answered with; empty if there is none.
[[nodiscard]] std::string sampled_text(const base::Json& answer);

}  // namespace phasegate::conformance
