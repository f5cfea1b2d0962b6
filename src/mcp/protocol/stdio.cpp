#include "mcp/protocol/stdio.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include <poll.h>

#include "base/limits.h"
#include "base/log.h"
#include "mcp/protocol/message_reader.h"
#include "mcp/protocol/output.h"
#include "mcp/protocol/stop_signals.h"

namespace phasegate::mcp::protocol {
namespace {

using MonotonicTime = std::chrono::steady_clock::time_point;

class StdioLoop {
 public:
  StdioLoop(Server& server, int in_fd, int out_fd)
      : server_(server), in_fd_(in_fd), output_(out_fd) {}

  int run();

 private:
  using Waiting = MessageReader::Next;

  [[nodiscard]] bool has_room() const {
    return queue_.size() < base::limits::kMessagesQueuedMax &&
           queued_bytes_ < base::limits::kQueuedBytesMax;
  }
  void take_messages();
  void answer_next();
  void read_input();
  [[nodiscard]] int wait_ms() const;
  [[nodiscard]] bool wait();

  Server& server_;
  int in_fd_;
  Output output_;
  StopSignals stop_;
  MessageReader reader_;
  std::deque<Waiting> queue_;
  std::size_t queued_bytes_ = 0;
  bool reading_ = true;                   ///< neither end of file nor a signal yet
  std::optional<MonotonicTime> give_up_;  ///< set by a signal
  int exit_code_ = 0;
};

/// Parses what was read, as far as the queue has room. A cancellation takes effect here, before
/// the turn of the request it names.
void StdioLoop::take_messages() {
  while (has_room()) {
    std::optional<Waiting> next = reader_.next();
    if (!next) return;
    if (next->message.kind == Message::Kind::notification) {
      std::erase_if(queue_, [&](const Waiting& waiting) {
        if (!cancels(next->message, waiting.message)) return false;
        queued_bytes_ -= waiting.bytes;
        return true;
      });
      continue;
    }
    queued_bytes_ += next->bytes;
    queue_.push_back(std::move(*next));
  }
}

void StdioLoop::answer_next() {
  while (output_.empty() && !queue_.empty()) {
    const Waiting waiting = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= waiting.bytes;
    if (auto line = server_.answer(waiting.message)) output_.put(std::move(*line));
  }
}

void StdioLoop::read_input() {
  switch (reader_.fill(in_fd_)) {
    case MessageReader::Status::open:
      return;
    case MessageReader::Status::failed:
      base::log_error("stdio.read_failed", {{"reason", std::strerror(errno)}});
      exit_code_ = 1;
      break;
    case MessageReader::Status::ended:
      break;
  }
  reading_ = false;
}

/// How long poll may sleep: until something happens, but not at all while requests wait, and
/// after a signal only as long as the client is still granted time to read.
int StdioLoop::wait_ms() const {
  if (output_.empty()) return queue_.empty() ? -1 : 0;
  if (!give_up_) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*give_up_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

/// Waits for input, for room in the output, or for a signal. False if the client was given enough
/// time to read its last answers.
bool StdioLoop::wait() {
  constexpr int kUnused = -1;
  std::array<pollfd, 3> fds{{
      {give_up_ ? kUnused : stop_.fd(), POLLIN, 0},
      {reading_ && has_room() ? in_fd_ : kUnused, POLLIN, 0},
      {output_.empty() ? kUnused : output_.fd(), POLLOUT, 0},
  }};
  const int ready = ::poll(fds.data(), fds.size(), wait_ms());
  if (ready < 0) return true;
  if (ready == 0) return output_.empty() || !give_up_;
  // What the client sent before it asked for the end still counts, as far as one read brings it.
  if (fds[1].revents != 0) read_input();
  if (fds[0].revents != 0) {
    reading_ = false;
    give_up_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(base::limits::kStopGraceMs);
  }
  return true;
}

int StdioLoop::run() {
  while (true) {
    take_messages();
    answer_next();
    switch (output_.flush()) {
      case Output::Status::done:
      case Output::Status::full:
        break;
      case Output::Status::gone:
        return exit_code_;
      case Output::Status::failed:
        base::log_error("stdio.write_failed", {{"reason", std::strerror(errno)}});
        return 1;
    }
    const bool idle = queue_.empty() && output_.empty();
    if (idle && !reading_) {
      take_messages();
      if (queue_.empty()) return exit_code_;
    } else if (!wait()) {
      base::log_warning("stdio.answers_unread", {});
      return exit_code_;
    }
  }
}

}  // namespace

int serve_stdio(Server& server, int in_fd, int out_fd) {
  return StdioLoop(server, in_fd, out_fd).run();
}

}  // namespace phasegate::mcp::protocol
