#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::mcp::http {

/// The bearer tokens that are accepted, each under the name of whoever holds it. Only digests are
/// kept in memory.
class Tokens {
 public:
  /// Reads a tokens file: a line `NAME TOKEN` each, blank lines and lines that begin with `#` are
  /// passed over. A token has at least 32 visible ASCII characters. Errors (`invalid_tokens`, with
  /// the line): anything else, a name or token twice, no token at all, and a file that others than
  /// its owner may read.
  [[nodiscard]] static base::Result<std::shared_ptr<const Tokens>> read(const std::string& path);

  /// The name behind a token, or nullopt. Takes the same time for every token of one length.
  [[nodiscard]] std::optional<std::string> name_of(std::string_view token) const;

 private:
  struct Entry {
    std::string name;
    std::string digest;
  };
  std::vector<Entry> entries_;
};

}  // namespace phasegate::mcp::http
