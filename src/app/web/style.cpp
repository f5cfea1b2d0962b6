#include "app/web/style.h"

#include "app/embedded.h"
#include "base/base64.h"
#include "base/hash.h"

namespace phasegate::app::web {
namespace {

std::string bytes_of(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

}  // namespace

std::string_view style() {
  return page_style();
}

const std::string& style_source() {
  static const std::string source =
      "'sha256-" + base::base64(bytes_of(base::sha256_hex(style()))) + "'";
  return source;
}

}  // namespace phasegate::app::web
