// Any bytes as a .gitignore, and a path: judging must neither crash nor be slow, and what the last
// line says of exactly this path is what counts. The same bytes are looked through for secrets.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "rag/ignore_rules.h"
#include "rag/secret_files.h"

namespace {

using phasegate::rag::Ignored;
using phasegate::rag::IgnoreRules;

void require(bool holds) {
  if (!holds) std::abort();
}

/// A pattern of this path alone; empty: none can be written.
std::string pattern_of(std::string_view path) {
  constexpr std::size_t kPathBytesMax = 1000;
  if (path.empty() || path.size() > kPathBytesMax || path.front() == '/' || path.back() == '/') {
    return "";
  }
  std::string pattern = "/";
  for (const char c : path) {
    if (c == '\0' || c == '\n' || c == '\r') return "";
    if (c != '/') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// With as many steps as it takes.
Ignored judge(const IgnoreRules& rules, std::string_view path, bool is_folder) {
  std::size_t steps = std::numeric_limits<std::size_t>::max();
  return rules.judge(path, is_folder, steps);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)phasegate::rag::holds_secret(bytes);
  const std::size_t cut = bytes.find('\n');
  const std::string_view path = bytes.substr(0, cut);
  const std::string text(cut == std::string_view::npos ? std::string_view()
                                                       : bytes.substr(cut + 1));
  (void)phasegate::rag::has_secret_name(path);

  const IgnoreRules rules(text);
  const Ignored file = judge(rules, path, false);
  const Ignored folder = judge(rules, path, true);
  // A line that says nothing changes nothing.
  const IgnoreRules same(text + "\n# nothing\n\n");
  require(judge(same, path, false) == file && judge(same, path, true) == folder);

  const std::string pattern = pattern_of(path);
  if (pattern.empty()) return 0;
  const IgnoreRules ignored(text + "\n" + pattern + "\n");
  const IgnoreRules taken_back(text + "\n!" + pattern + "\n");
  const IgnoreRules folders(text + "\n" + pattern + "/\n");
  if (!ignored.sound()) return 0;
  require(judge(ignored, path, false) == Ignored::yes);
  require(judge(taken_back, path, true) == Ignored::no);
  require(judge(folders, path, true) == Ignored::yes && judge(folders, path, false) == file);
  return 0;
}
