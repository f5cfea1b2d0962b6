#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "phases/workflow.h"
#include "world/web/url.h"

/// Who is told of what: the user's own file, never the project's, so that a project that somebody
/// else wrote starts no program and reaches no address by it.
namespace phasegate::world {

/// What people can be told of, in the order in which it can happen.
[[nodiscard]] const std::vector<std::string>& notify_events();

struct NotifyTarget {
  std::string name;
  std::set<std::string> events;      ///< never empty
  std::vector<std::string> command;  ///< program and arguments, with `{{…}}`; or:
  std::optional<Url> webhook;
  std::string secret_file;  ///< as written; empty: what is sent is not signed
  std::int64_t timeout_ms = base::limits::kNotifyMsMax;
};

struct NotifyConfig {
  bool there = false;  ///< false: there is no such file, and nobody is told of anything
  std::vector<NotifyTarget> targets;      ///< in the order of the file
  std::vector<phases::Finding> findings;  ///< errors: the targets that have none still count

  [[nodiscard]] const NotifyTarget* find(std::string_view name) const;
};

/// Reads the file's text. What is unknown or wrong is an error with line and column, and such a
/// target is left out. Total: any bytes give a result. Linear.
[[nodiscard]] NotifyConfig read_notify_config(std::string_view text);

/// Reads the file. One that is there and cannot be read is a finding.
[[nodiscard]] NotifyConfig read_notify_file(const std::filesystem::path& file);

/// The secret that requests are signed with: the file's bytes without a line break at the end, or
/// what follows `whsec_` in base64. `file`: relative to `folder`, or `~/…`. Errors
/// (`secret_unreadable`): not there, no regular file, readable by others, empty, too long.
[[nodiscard]] base::Result<std::string> read_notify_secret(const std::filesystem::path& folder,
                                                           const std::string& file);

}  // namespace phasegate::world
