#pragma once
#include <string>
#include <string_view>

namespace phasegate::app::web {

/// src/app/web/style.css: how the pages look, in light and in dark.
[[nodiscard]] std::string_view style();

/// The style sheet as a Content-Security-Policy names it: `'sha256-…'`.
[[nodiscard]] const std::string& style_source();

}  // namespace phasegate::app::web
