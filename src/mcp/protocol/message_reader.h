#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/jsonrpc.h"

namespace phasegate::mcp::protocol {

/// Cuts a stream of bytes into lines and lines into messages (MCP §stdio). Lines end in LF or
/// CRLF, blank lines are passed over, a byte order mark at the start is ignored. Memory is bounded
/// by limits::kMessageBytesMax and given back after a long line.
class MessageReader {
 public:
  enum class Status {
    open,    ///< something came, or nothing for now
    ended,   ///< end of file
    failed,  ///< the descriptor is broken; errno says why
  };

  /// A message and the length of its line.
  struct Next {
    Message message;
    std::size_t bytes;
  };

  /// Reads what is there, at most one read(2).
  [[nodiscard]] Status fill(int fd);

  /// The next complete message of what was read; after the end of file also the unfinished line.
  /// Each byte is looked at once.
  [[nodiscard]] std::optional<Next> next();

 private:
  void make_room();
  void skip_buffered();
  [[nodiscard]] std::optional<Next> finish(std::string_view line);
  [[nodiscard]] std::optional<Next> finish_skipped(bool complete);

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;    ///< of the line at hand
  std::size_t scanned_ = 0;  ///< no newline before this
  std::size_t end_ = 0;      ///< of what was read
  bool ended_ = false;
  bool started_ = false;
  bool skipping_ = false;  ///< inside a line over the limit
  std::size_t skipped_bytes_ = 0;
  std::string head_;
  std::string tail_;
};

}  // namespace phasegate::mcp::protocol
