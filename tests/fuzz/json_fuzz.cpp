// Any bytes as JSON: what is accepted is written as text that means the same, what is refused says
// why, and neither depends on how often it is asked.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/text.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = phasegate::base;
  constexpr base::JsonLimits kLimits{1U << 20U, 64};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = base::parse_json(text, kLimits);
  const base::ParsedJson kept = base::parse_json_keeping(text, kLimits);
  require(parsed.ok() == !kept.error.has_value());
  if (!parsed) {
    // It may quote the text, whatever that is; whoever shows it makes it fit to be shown.
    require(!parsed.error().message.empty());
    return 0;
  }
  for (const std::string& written : {base::dump(*parsed), base::dump_canonical(*parsed)}) {
    require(base::is_utf8(written) && written.find('\n') == std::string::npos);
    const auto again = base::parse_json(written, {16U << 20U, 64});
    require(again.ok());
    require(base::dump_canonical(*again) == base::dump_canonical(*parsed));
  }
  require(base::parse_json(base::dump_pretty(*parsed), {64U << 20U, 64}).ok());
  return 0;
}
