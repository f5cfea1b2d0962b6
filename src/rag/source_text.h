#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "rag/sources.h"

namespace phasegate::rag {

/// Why the text of a file cannot be searched (binary, not_utf8, secret); nullopt: it can. Linear.
[[nodiscard]] std::optional<LeftOut> judge_text(std::string_view path, std::string_view bytes);

/// True if a file that changed at `changed_ns` and was looked at at `now_ns` may have changed once
/// more without its times showing it: file systems count in ticks, old ones in seconds.
[[nodiscard]] bool may_hide_change(std::int64_t changed_ns, std::int64_t now_ns);

}  // namespace phasegate::rag
