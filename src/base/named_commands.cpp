#include "base/named_commands.h"

namespace phasegate::base {
namespace {

constexpr std::string_view kBegins = "`phasegate ";

bool names(std::string_view command, std::string_view option) {
  return command.find(option) != std::string_view::npos;
}

bool is_complete(std::string_view command, std::string_view options) {
  return names(command, " --root ") || names(command, " --state ") || names(command, options) ||
         command.starts_with("`phasegate help");
}

}  // namespace

std::string with_options(std::string_view text, std::string_view options) {
  std::string out;
  while (!options.empty()) {
    const auto start = text.find(kBegins);
    const auto end = start == std::string_view::npos ? start : text.find('`', start + 1);
    if (end == std::string_view::npos) break;
    out += text.substr(0, end);
    if (!is_complete(text.substr(start, end - start), options)) out += options;
    out += '`';
    text.remove_prefix(end + 1);
  }
  return out + std::string(text);
}

}  // namespace phasegate::base
