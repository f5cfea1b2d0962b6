#include "rag/source_text.h"

#include "base/text.h"
#include "rag/secret_files.h"

namespace phasegate::rag {

std::optional<LeftOut> judge_text(std::string_view path, std::string_view bytes) {
  constexpr std::string_view kLittleEndian = "\xFF\xFE";
  constexpr std::string_view kBigEndian = "\xFE\xFF";
  const bool utf16 = bytes.starts_with(kLittleEndian) || bytes.starts_with(kBigEndian);
  if (utf16 || bytes.find('\0') != std::string_view::npos) return LeftOut::binary;
  if (!base::is_utf8(bytes)) return LeftOut::not_utf8;
  if (holds_secret(bytes) || (!is_markup(path) && holds_secret_field(bytes))) {
    return LeftOut::secret;
  }
  return std::nullopt;
}

bool may_hide_change(std::int64_t changed_ns, std::int64_t now_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kTick = 20'000'000;  // twice the coarsest tick of Linux
  const std::int64_t grain = changed_ns % kSecond == 0 ? 2 * kSecond : kTick;
  return now_ns - changed_ns < grain;
}

}  // namespace phasegate::rag
