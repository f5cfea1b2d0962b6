#pragma once
#include <string>
#include <string_view>

#include "mcp/http/http.h"

namespace phasegate::app::web {

/// A page with the headers that every page has: no script, nothing from elsewhere, not in a frame,
/// kept nowhere.
[[nodiscard]] mcp::http::Response html_response(int status, std::string page);

/// A refusal in one sentence, with the same headers.
[[nodiscard]] mcp::http::Response text_response(int status, std::string_view sentence);

}  // namespace phasegate::app::web
