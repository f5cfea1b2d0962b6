#pragma once
#include <cstdint>

/// What the preloaded library writes down, one record after the other: a head, then the path, the
/// other path and the data, without padding. Read by power_cut.h on the same machine.
namespace phasegate::soak {

enum class RecordKind : std::uint32_t {
  made = 1,       ///< a file under a new name
  written,        ///< data at an offset
  truncated,      ///< to the length `offset`
  synced,         ///< a file
  folder_synced,  ///< the names in a folder
  linked,         ///< `path` also as `other`
  renamed,        ///< `path` to `other`
  unlinked,       ///< the name `path`
  said,           ///< data on standard output
};

struct RecordHead {
  std::uint32_t kind;
  std::uint32_t path_bytes;
  std::uint32_t other_bytes;
  std::uint32_t unused;
  std::uint64_t inode;
  std::int64_t offset;
  std::uint64_t data_bytes;
};

}  // namespace phasegate::soak
