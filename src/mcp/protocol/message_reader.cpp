#include "mcp/protocol/message_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::mcp::protocol {
namespace {

constexpr std::size_t kReadBytes = 64U << 10U;
/// A larger buffer is given back when it is empty: one long line must not cost memory for ever.
constexpr std::size_t kKeptBytes = 1U << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void MessageReader::make_room() {
  if (begin_ == end_) {
    begin_ = scanned_ = end_ = 0;
    if (capacity_ > kKeptBytes) capacity_ = 0;
  }
  if (capacity_ - end_ >= kReadBytes / 2) return;
  const std::size_t held = end_ - begin_;
  if (held + kReadBytes > capacity_) {
    const std::size_t wanted = std::max(2 * held, held + kReadBytes);
    auto larger = std::make_unique_for_overwrite<char[]>(wanted);
    if (held > 0) std::memcpy(larger.get(), buffer_.get() + begin_, held);
    buffer_ = std::move(larger);
    capacity_ = wanted;
  } else {
    std::memmove(buffer_.get(), buffer_.get() + begin_, held);
  }
  scanned_ -= begin_;
  begin_ = 0;
  end_ = held;
}

MessageReader::Status MessageReader::fill(int fd) {
  make_room();
  const ssize_t got = ::read(fd, buffer_.get() + end_, capacity_ - end_);
  if (got > 0) {
    end_ += static_cast<std::size_t>(got);
    return Status::open;
  }
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return Status::open;
  ended_ = true;
  // A terminal or socket whose other end is gone is an end like any other.
  return got == 0 || errno == ECONNRESET || errno == EIO ? Status::ended : Status::failed;
}

std::optional<MessageReader::Next> MessageReader::finish(std::string_view line) {
  if (!std::exchange(started_, true) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (base::trimmed(line).empty()) return std::nullopt;
  return Next{parse_message(line), line.size()};
}

/// Passes over what is buffered of a line that is too long, keeping its beginning and its end.
void MessageReader::skip_buffered() {
  const std::string_view part(buffer_.get() + begin_, end_ - begin_);
  if (!std::exchange(skipping_, true)) {
    head_ = part.substr(0, kKeptOfOversized);
    tail_.clear();
    skipped_bytes_ = 0;
    started_ = true;
  }
  skipped_bytes_ += part.size();
  tail_ += part.substr(part.size() - std::min(part.size(), kKeptOfOversized));
  if (tail_.size() > kKeptOfOversized) tail_.erase(0, tail_.size() - kKeptOfOversized);
  begin_ = scanned_ = end_;
}

std::optional<MessageReader::Next> MessageReader::finish_skipped(bool complete) {
  skipping_ = false;
  // The line may have broken off anywhere: then its last bytes say nothing about its id.
  return Next{oversized_message(head_, complete ? std::string_view(tail_) : ""), head_.size()};
}

std::optional<MessageReader::Next> MessageReader::next() {
  while (true) {
    const char* newline = scanned_ == end_ ? nullptr
                                           : static_cast<const char*>(std::memchr(
                                                 buffer_.get() + scanned_, '\n', end_ - scanned_));
    if (newline == nullptr) {
      scanned_ = end_;
      if (skipping_ || end_ - begin_ > base::limits::kMessageBytesMax) skip_buffered();
      if (!ended_) return std::nullopt;
      if (skipping_) return finish_skipped(false);
      const std::string_view rest(buffer_.get() + begin_, end_ - begin_);
      begin_ = end_;
      return rest.empty() ? std::nullopt : finish(rest);
    }
    const auto at = static_cast<std::size_t>(newline - buffer_.get());
    std::optional<Next> message;
    if (skipping_) {
      const std::size_t behind = end_;
      end_ = at;
      skip_buffered();
      end_ = behind;
      message = finish_skipped(true);
    } else {
      message = finish({buffer_.get() + begin_, at - begin_});
    }
    begin_ = scanned_ = at + 1;
    if (message) return message;
  }
}

}  // namespace phasegate::mcp::protocol
