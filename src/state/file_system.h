#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::state {

/// The name of the network's file system that `type` (statfs's f_type) stands for, such as `NFS`;
/// nullopt for one of this machine, or one that is not known. `subtype` is what a FUSE file system
/// calls itself (`fuse.sshfs` in /proc/self/mountinfo), and is not looked at for others. Pure.
///
/// What virtual machines and containers see of their host's disk (9p, virtiofs, overlay) counts as
/// of this machine: its locks are the host's, or nobody else can reach it.
[[nodiscard]] std::optional<std::string> network_file_system(std::uint32_t type,
                                                             std::string_view subtype);

/// What the mount that `device` (`major:minor`) belongs to calls itself in the text of
/// /proc/self/mountinfo: `ext4`, `fuse.sshfs`; empty: it is not there. Pure. O(text).
[[nodiscard]] std::string mounted_as(std::string_view mountinfo, std::string_view device);

/// The same for a folder as it is now; nullopt also if it cannot be told. A folder that does not
/// exist is asked of the one that it would be made in.
[[nodiscard]] std::optional<std::string> network_file_system_of(
    const std::filesystem::path& folder);

/// Why no database is opened on this network's file system, and what to do.
[[nodiscard]] base::Error network_refusal(const std::string& name);

}  // namespace phasegate::state
