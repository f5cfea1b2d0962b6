#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "base/descriptor.h"

/// The system's calls about files as the room makes them: again where a signal has interrupted one,
/// as it may on a file system behind a network, and on where one has done less than it was asked.
/// What fails says so by its result and errno.
namespace phasegate::state {

/// Opens a file; `flags` and `mode` as open(2) has them, O_CLOEXEC is added. Not open if it failed.
[[nodiscard]] base::Descriptor open_file(const std::filesystem::path& file, int flags,
                                         mode_t mode = 0);

/// Writes all bytes where the file's position is. A disk that takes nothing is full (ENOSPC).
[[nodiscard]] bool write_whole(int fd, std::string_view bytes);
/// Writes all bytes from `at` bytes behind the file's beginning on.
[[nodiscard]] bool write_whole_at(int fd, std::string_view bytes, off_t at);
/// Reads up to `bytes.size()` bytes from `at` on; how many there were, or -1.
[[nodiscard]] ssize_t read_up_to_at(int fd, std::string& bytes, off_t at);

/// Waits until the disk has the file with all that is known of it, or its bytes alone.
[[nodiscard]] bool sync_file(int fd);
[[nodiscard]] bool sync_bytes(int fd);

}  // namespace phasegate::state
