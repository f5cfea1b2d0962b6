#include "rag/text_digest.h"

#include "base/hash.h"

namespace phasegate::rag {

std::string plain_digest(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  base::Sha256 digest;
  // A CR is left out only before an LF.
  for (std::size_t at = bytes.find("\r\n"); at != std::string_view::npos; at = bytes.find("\r\n")) {
    digest.add(bytes.substr(0, at));
    bytes.remove_prefix(at + 1);
  }
  return digest.add(bytes).hex();
}

}  // namespace phasegate::rag
