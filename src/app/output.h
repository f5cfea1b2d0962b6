#pragma once
#include <string_view>

namespace phasegate::app {

enum class Written { all, reader_gone, failed };

/// Writes everything to a file descriptor, through short writes and interruptions. `reader_gone`:
/// the other end of a pipe was closed early, which is its right; needs SIGPIPE ignored.
/// `failed`: errno says why (disk full, …).
Written write_all(int descriptor, std::string_view text);

}  // namespace phasegate::app
