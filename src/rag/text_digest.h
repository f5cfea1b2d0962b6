#pragma once
#include <string>
#include <string_view>

namespace phasegate::rag {

/// SHA-256 of a text without its byte order mark and with `\n` at the end of its lines: equal for
/// copies that another editor or system has saved. Linear.
[[nodiscard]] std::string plain_digest(std::string_view bytes);

}  // namespace phasegate::rag
