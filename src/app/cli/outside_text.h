#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "app/cli/page.h"

/// Text that others wrote, set apart from what the program says.
namespace phasegate::app::cli {

/// As many lines of one text as are shown where not everything was asked for.
inline constexpr std::size_t kLinesShown = 40;

/// `text` line by line, each behind `| ` and so never to be taken for the program's own words;
/// characters that are not seen or change how others are shown are escaped. Shortened to
/// kValueBytesShown and kLinesShown unless `full`; a last line then says how much there is. Ends
/// with a line break. O(text).
[[nodiscard]] std::string quoted_block(std::string_view text, std::size_t indent, bool full,
                                       const Page& page);

/// A named value: on one line where it is short, else as a block below its name. `json` is JSON
/// text; a text in it is shown as text.
[[nodiscard]] std::string named_value(std::string_view name, std::string_view json,
                                      std::size_t indent, bool full, const Page& page);

/// `approver:ada` → `ada`; `client` → `the assistant's client, which proves nothing`; others as
/// they are.
[[nodiscard]] std::string person_text(std::string_view actor);

}  // namespace phasegate::app::cli
