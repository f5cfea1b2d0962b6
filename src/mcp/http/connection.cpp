#include "mcp/http/connection.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "base/wipe.h"

namespace phasegate::mcp::http {
namespace {

constexpr std::size_t kReadBytes = 16U << 10U;
/// Gathered before it is sent; also what a client must read within the time for writing.
constexpr std::size_t kPartBytes = 64U << 10U;

TimePoint in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

}  // namespace

Connection::Connection(Line line, const ListenerLimits& limits, const StopSignal& stop)
    : line_(std::move(line)), limits_(limits), stop_(stop), remote_(remote_address(fd())) {}

Connection::Input Connection::wait_for_request(TimePoint deadline) {
  if (!buffered().empty()) return stopping() ? Input::ended : Input::ready;
  switch (wait_until(fd(), POLLIN, deadline, &stop_)) {
    case Ready::yes:
      return Input::ready;
    case Ready::timeout:
      return Input::timeout;
    case Ready::stopped:
      break;
  }
  return Input::ended;
}

Connection::Input Connection::fill(TimePoint deadline) {
  forget_taken();
  while (true) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    const ssize_t got = ::recv(fd(), buffer_.data() + before, kReadBytes, 0);
    const int error = errno;
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got > 0) return Input::ready;
    if (got == 0) return Input::ended;
    if (error == EINTR) continue;
    if (error != EAGAIN && error != EWOULDBLOCK) return Input::ended;
    switch (wait_until(fd(), POLLIN, deadline, &stop_)) {
      case Ready::yes:
        break;
      case Ready::timeout:
        return Input::timeout;
      case Ready::stopped:
        return Input::ended;
    }
  }
}

void Connection::take(std::size_t bytes) {
  base::wipe(buffer_.data() + taken_, bytes);
  taken_ += bytes;
}

void Connection::rest() {
  buffer_ = std::string();
  taken_ = 0;
  out_ = std::string();
}

void Connection::forget_taken() {
  buffer_.erase(0, taken_);
  taken_ = 0;
}

std::variant<std::monostate, ParsedHead, Refusal> Connection::read_head() {
  ++requests;
  const TimePoint deadline = in(limits_.head_time);
  HeadEnd end;
  while (true) {
    auto found = end.look(buffered(), limits_);
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    if (const auto* length = std::get_if<std::size_t>(&found)) {
      auto parsed = parse_head(buffered().substr(0, *length), limits_);
      take(*length);
      if (auto* refusal = std::get_if<Refusal>(&parsed)) return std::move(*refusal);
      auto& head = std::get<ParsedHead>(parsed);
      head.head.remote = remote_;
      return std::move(head);
    }
    const TimePoint now = std::chrono::steady_clock::now();
    const Input input = now < deadline ? fill(deadline) : Input::timeout;
    if (input == Input::ended) return std::monostate{};
    if (input == Input::timeout) {
      return Refusal{408, "The request line and headers must arrive within " +
                              std::to_string(limits_.head_time.count()) + " ms."};
    }
  }
}

bool Connection::write(std::string_view bytes) {
  if (broken_) return false;
  if (out_.size() + bytes.size() < kPartBytes) {
    out_ += bytes;
    return true;
  }
  return flush() && send_all(bytes);
}

bool Connection::flush() {
  const bool sent = send_all(out_);
  out_.clear();
  return sent;
}

bool Connection::send_all(std::string_view bytes) {
  while (!broken_ && !bytes.empty()) {
    const std::string_view part = bytes.substr(0, kPartBytes);
    send_part(part);
    bytes.remove_prefix(part.size());
  }
  return !broken_;
}

void Connection::send_part(std::string_view part) {
  TimePoint deadline = in(limits_.write_time);
  const StopSignal* stop = &stop_;
  while (true) {
    const ssize_t sent = send_some(fd(), part.data(), part.size());
    if (sent < 0) break;
    part.remove_prefix(static_cast<std::size_t>(sent));
    if (part.empty()) return;
    const Ready ready = wait_until(fd(), POLLOUT, deadline, stop);
    if (ready == Ready::timeout) break;
    if (ready == Ready::stopped) {
      // A client that reads still gets its last answer; one that does not holds nobody up.
      stop = nullptr;
      deadline = std::min(deadline, stop_.write_end());
    }
  }
  broken_ = true;
}

bool Connection::abandoned() const {
  return broken_ || other_end_closed(fd()) || stopping();
}

bool Connection::wait(TimePoint until) {
  if (broken_) return false;
  return wait_until(fd(), POLLRDHUP, until, &stop_) == Ready::timeout;
}

}  // namespace phasegate::mcp::http
