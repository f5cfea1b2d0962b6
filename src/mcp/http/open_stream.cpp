#include "mcp/http/open_stream.h"

#include <utility>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/log.h"
#include "mcp/http/events.h"
#include "mcp/http/turn.h"

namespace phasegate::mcp::http {
namespace {
TimePoint in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}
}  // namespace

StreamSender::StreamSender(base::Descriptor socket, Bounds bounds, std::uint64_t id,
                           std::shared_ptr<Pokes> pokes)
    : socket_(std::move(socket)),
      fd_(socket_.get()),
      bounds_(bounds),
      id_(id),
      pokes_(std::move(pokes)),
      due_at_(in(bounds.heartbeat)) {}

void StreamSender::add(std::string_view bytes) {
  pending_ += bounds_.chunked ? chunk_of(bytes) : std::string(bytes);
  due_at_ = in(bounds_.heartbeat);
}

bool StreamSender::flush_locked() {
  if (state_ == State::over) return false;
  while (sent_ < pending_.size()) {
    const ssize_t sent = send_some(fd_, pending_.data() + sent_, pending_.size() - sent_);
    if (sent < 0) state_ = State::over;
    if (sent <= 0) break;
    sent_ += static_cast<std::size_t>(sent);
  }
  if (sent_ == pending_.size()) {
    pending_.clear();
    sent_ = 0;
    if (state_ == State::closing) state_ = State::over;
  } else if (sent_ > pending_.size() / 2) {
    pending_.erase(0, sent_);
    sent_ = 0;
  }
  return state_ != State::over;
}

bool StreamSender::send(std::string line) {
  bool whole = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::open) return false;
    add(event_of(line));
    if (flush_locked() && pending_.size() - sent_ > bounds_.bytes_max) {
      base::log_warning("http.stream_unread", {{"bytes", std::to_string(pending_.size() - sent_)}});
      state_ = State::over;
    }
    if (state_ == State::open && pending_.empty()) return true;
    whole = state_ == State::open;
  }
  pokes_->poke(id_);
  return whole;
}

void StreamSender::close(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::open) return;
    if (!line.empty()) add(event_of(line));
    if (bounds_.chunked) pending_ += chunk_of({});
    state_ = State::closing;
    due_at_ = in(bounds_.end_time);
    (void)flush_locked();
  }
  pokes_->poke(id_);
}

bool StreamSender::flush() {
  const std::lock_guard lock(mutex_);
  return flush_locked();
}

bool StreamSender::waiting() const {
  const std::lock_guard lock(mutex_);
  return !pending_.empty();
}

TimePoint StreamSender::due_at() const {
  const std::lock_guard lock(mutex_);
  return due_at_;
}

bool StreamSender::due() {
  const std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() < due_at_) return state_ != State::over;
  if (state_ != State::open) return false;
  due_at_ = in(bounds_.heartbeat);
  // What waits already keeps the connection alive.
  if (pending_.empty()) add(kHeartbeat);
  return flush_locked();
}

void StreamSender::end() {
  const std::lock_guard lock(mutex_);
  state_ = State::over;
  pending_ = std::string();
  sent_ = 0;
  if (socket_.open()) ::shutdown(fd_, SHUT_WR);
  socket_.reset();
}

WatchedStream::~WatchedStream() {
  sender_->end();
  place_.reset();  // who is told that it is gone may open another
  if (gone_) call_handler(gone_);
}

std::uint32_t WatchedStream::events() const {
  return sender_->waiting() ? EPOLLRDHUP | EPOLLOUT : EPOLLRDHUP;
}

bool WatchedStream::ready(std::uint32_t events) {
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) return false;
  return sender_->flush();
}

bool WatchedStream::stop() {
  sender_->close({});
  return sender_->flush();
}

}  // namespace phasegate::mcp::http
