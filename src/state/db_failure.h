#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::state {

/// What a result code of SQLite means for the reader of a message: an Error whose code is one of
/// StoreFailure's (`busy`, `read_only`, `disk_full`, `io_error`, `damaged`, `not_a_database`), or
/// an empty code where it means a mistake of ours. `file` is a name without folder.
[[nodiscard]] base::Error describe_sqlite(int extended_code, std::string_view file);

/// The same for an errno of the file system; `doing` completes "the state folder …".
[[nodiscard]] base::Error describe_errno(int error_number, std::string_view doing);

/// Throws the failure that `extended_code` stands for: StoreFailure, std::bad_alloc, or
/// std::logic_error with `detail` for a mistake of ours.
[[noreturn]] void throw_sqlite(int extended_code, std::string_view file, const std::string& detail);

/// Throws StoreFailure for an errno.
[[noreturn]] void throw_errno(int error_number, std::string_view doing);

}  // namespace phasegate::state
