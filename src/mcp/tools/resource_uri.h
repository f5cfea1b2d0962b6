#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::mcp::tools {

/// What a resource's URI names. Each thing has exactly one URI.
struct ResourceUri {
  enum class Kind { workflows, workflow, session, phase, task };

  Kind kind = Kind::workflows;
  std::string workflow;
  std::string session;  ///< a session id
  std::string phase;    ///< a phase id
  std::string task;     ///< a task number

  friend bool operator==(const ResourceUri&, const ResourceUri&) = default;
};

inline constexpr std::string_view kWorkflowsUri = "phasegate://workflows";
/// RFC 6570, level 1.
inline constexpr std::string_view kSessionTemplate = "phasegate://sessions/{session_id}";
inline constexpr std::string_view kPhaseTemplate =
    "phasegate://sessions/{session_id}/phases/{phase}";
inline constexpr std::string_view kTaskTemplate =
    "phasegate://sessions/{session_id}/phases/{phase}/tasks/{task_number}";

/// Reads a URI; nullopt for anything that to_text does not write: other schemes and paths, queries
/// and fragments, what is percent-encoded without need or in another way, ids that are none.
/// Whether the thing exists is not asked. O(n).
[[nodiscard]] std::optional<ResourceUri> parse_resource_uri(std::string_view text);

/// The URI. Everything but unreserved characters (RFC 3986) is percent-encoded, as a client that
/// expands a template does.
[[nodiscard]] std::string to_text(const ResourceUri& uri);

}  // namespace phasegate::mcp::tools
