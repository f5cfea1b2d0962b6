#include "mcp/protocol/stdio.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "mcp/protocol/call_threads.h"
#include "mcp/protocol/end_watch.h"
#include "mcp/protocol/line_queue.h"
#include "mcp/protocol/message_reader.h"
#include "mcp/protocol/notification.h"
#include "mcp/protocol/output.h"
#include "mcp/protocol/stop_signals.h"

namespace phasegate::mcp::protocol {
namespace {

using MonotonicTime = std::chrono::steady_clock::time_point;

class StdioLoop {
 public:
  StdioLoop(Server& server, const std::string& principal, int in_fd, int out_fd)
      : server_(server),
        principal_(principal),
        in_fd_(in_fd),
        output_(out_fd),
        end_watch_(in_fd, stop_.fd()),
        session_(server.subscriptions(), principal) {
    session_.set_stream(lines_);
  }

  int run();

 private:
  using Waiting = MessageReader::Next;
  /// A listen stream: what ends it, and its subscription.
  struct Listen {
    std::string ended;
    Subscriptions::Handle handle;
  };

  [[nodiscard]] bool has_room() const {
    return queue_.size() < base::limits::kMessagesQueuedMax &&
           queued_bytes_ < base::limits::kQueuedBytesMax;
  }
  void take_messages();
  void notified(const Message& notification);
  void answer_next();
  [[nodiscard]] std::optional<Answer> answer(const Message& message);
  [[nodiscard]] std::optional<Answer> answer_request(const Message& message);
  [[nodiscard]] std::optional<Answer> carry_out(const Message& message, const Envelope& envelope,
                                                Exchange& exchange);
  [[nodiscard]] std::optional<Answer> begin_listen(const Message& message,
                                                   const Envelope& envelope);
  [[nodiscard]] std::optional<Answer> run_aside(Message message, Envelope envelope);
  void write_lines();
  void read_input();
  void begin_end();
  [[nodiscard]] int leave(int exit_code);
  void end_listens();
  [[nodiscard]] int wait_ms() const;
  [[nodiscard]] bool wait();

  Server& server_;
  const std::string& principal_;
  int in_fd_;
  Output output_;
  StopSignals stop_;
  EndWatch end_watch_;
  MessageReader reader_;
  std::shared_ptr<LineQueue> lines_ = std::make_shared<LineQueue>();
  LegacySession session_;
  std::map<std::string, Listen, std::less<>> listens_;  ///< by the request's id
  CallThreads calls_{*lines_};
  std::deque<Waiting> queue_;
  std::size_t queued_bytes_ = 0;
  bool reading_ = true;                   ///< neither end of file nor a signal yet
  bool stopped_ = false;                  ///< by a signal
  std::optional<MonotonicTime> give_up_;  ///< when to leave behind what still waits
  int exit_code_ = 0;
};

/// What a notification says takes effect here, before the turn of the request that it names.
void StdioLoop::notified(const Message& notification) {
  std::erase_if(queue_, [&](const Waiting& waiting) {
    if (!cancels(notification, waiting.message)) return false;
    queued_bytes_ -= waiting.bytes;
    return true;
  });
  const auto id = cancelled_id(notification);
  if (id.empty()) return;
  calls_.cancel(id);
  listens_.erase(std::string(id));
}

/// Parses what was read, as far as the queue has room. The answers to our own requests are waited
/// for by calls that run already, so they do not queue.
void StdioLoop::take_messages() {
  while (has_room()) {
    std::optional<Waiting> next = reader_.next();
    if (!next) return;
    if (next->message.kind == Message::Kind::notification) {
      notified(next->message);
    } else if (next->message.kind == Message::Kind::response) {
      session_.responded(next->message);
    } else {
      queued_bytes_ += next->bytes;
      queue_.push_back(std::move(*next));
    }
  }
}

std::optional<Answer> StdioLoop::carry_out(const Message& message, const Envelope& envelope,
                                           Exchange& exchange) {
  if (message.kind == Message::Kind::batch) {
    return server_.legacy_batch(message, session_, exchange);
  }
  if (envelope.modern) return server_.modern(message, envelope, principal_, exchange);
  return server_.legacy(message, session_, exchange);
}

std::optional<Answer> StdioLoop::begin_listen(const Message& message, const Envelope& envelope) {
  auto accepted = server_.listen(message, envelope, principal_);
  if (auto* refused = std::get_if<Answer>(&accepted)) return std::move(*refused);
  auto& listening = std::get<Listening>(accepted);
  if (listens_.contains(listening.id)) {
    return server_.refused(message,
                           invalid_params("a listen stream with this `id` is open already: "
                                          "cancel it first, or choose another id"));
  }
  if (listens_.size() >= base::limits::kSubscriptionsMax) {
    return server_.refused(message, invalid_params("there are too many listen streams already"));
  }
  listens_.insert_or_assign(
      listening.id, Listen{std::move(listening.ended),
                           server_.subscriptions().add(std::move(listening.wants), listening.id,
                                                       lines_, std::move(listening.acknowledged))});
  return std::nullopt;
}

/// Gives a request a thread of its own.
std::optional<Answer> StdioLoop::run_aside(Message message, Envelope envelope) {
  if (calls_.full()) {
    return server_.refused(message, {error_code::kInternalError,
                                     std::to_string(base::limits::kCallsAtOnceMax) +
                                         " calls run already: try again when one has been answered",
                                     ""});
  }
  std::string id = message.id;
  calls_.start(std::move(id),
               [this, message = std::move(message), envelope = std::move(envelope)](
                   Exchange& exchange) { return carry_out(message, envelope, exchange); });
  return std::nullopt;
}

std::optional<Answer> StdioLoop::answer_request(const Message& message) {
  Envelope envelope = read_envelope(message.params);
  if (envelope.malformed) return server_.refused(message, *envelope.malformed);
  if (envelope.unsupported) return server_.refused(message, *envelope.unsupported);
  if (envelope.modern && message.method == "subscriptions/listen") {
    return begin_listen(message, envelope);
  }
  if (server_.waits(message, envelope.modern ? nullptr : &session_))
    return run_aside(message, std::move(envelope));
  NoExchange inline_call;
  return carry_out(message, envelope, inline_call);
}

std::optional<Answer> StdioLoop::answer(const Message& message) {
  switch (message.kind) {
    case Message::Kind::broken:
      return server_.refused(message, *message.error);
    case Message::Kind::batch:
      // What is in it may wait, and holds nobody up there.
      return run_aside(message, Envelope{});
    case Message::Kind::request:
      return answer_request(message);
    case Message::Kind::notification:
    case Message::Kind::response:
      break;
  }
  return std::nullopt;
}

void StdioLoop::answer_next() {
  while (output_.empty() && !queue_.empty()) {
    const Waiting waiting = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= waiting.bytes;
    end_watch_.begin();
    auto answered = answer(waiting.message);
    end_watch_.end();
    write_lines();
    if (!answered) continue;
    if (output_.empty()) {
      output_.put(std::move(answered->line));
    } else {
      lines_->put(std::move(answered->line));
    }
  }
}

/// What other threads and listen streams have to say, before anything newer.
void StdioLoop::write_lines() {
  if (!output_.empty()) return;
  if (auto line = lines_->take()) output_.put(std::move(*line));
}

void StdioLoop::begin_end() {
  if (give_up_) return;
  give_up_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(base::limits::kStopGraceMs);
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

/// The end of every listen stream, in both ways that the specification names for it (MCP 2026-07-28
/// §Cancellation, §Subscriptions).
void StdioLoop::end_listens() {
  for (auto& [id, listen] : listens_) {
    lines_->put(notification("notifications/cancelled", R"({"requestId":)" + id + "}"));
    lines_->put(std::move(listen.ended));
  }
  listens_.clear();
}

/// How long poll may sleep: until something happens, but not at all while requests wait, and at the
/// end only as long as is still granted.
int StdioLoop::wait_ms() const {
  if (!give_up_) return output_.empty() && !queue_.empty() ? 0 : -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*give_up_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

/// Waits for input, for room in the output, for lines of others, or for a signal. False if
/// everything was granted enough time.
bool StdioLoop::wait() {
  constexpr int kUnused = -1;
  std::array<pollfd, 4> fds{{
      {stopped_ ? kUnused : stop_.fd(), POLLIN, 0},
      {reading_ && has_room() ? in_fd_ : kUnused, POLLIN, 0},
      {output_.empty() ? kUnused : output_.fd(), POLLOUT, 0},
      {lines_->fd(), POLLIN, 0},
  }};
  const int ready = ::poll(fds.data(), fds.size(), wait_ms());
  if (ready < 0) return true;
  if (ready == 0) return !give_up_ || std::chrono::steady_clock::now() < *give_up_;
  if (fds[3].revents != 0) lines_->drain();
  // What the client sent before it asked for the end still counts, as far as one read brings it.
  if (fds[1].revents != 0) read_input();
  if (fds[0].revents != 0) {
    reading_ = false;
    stopped_ = true;
    begin_end();
  }
  return true;
}

/// Ends although something is left: nobody reads, or everybody was given enough time.
int StdioLoop::leave(int exit_code) {
  begin_end();
  calls_.stop();
  for (calls_.collect(); !calls_.empty(); calls_.collect()) {
    pollfd ended{lines_->fd(), POLLIN, 0};
    // A thread that does not come back cannot be joined; see EndWatch for why this loses nothing.
    if (::poll(&ended, 1, wait_ms()) == 0) ::_exit(exit_code);
    lines_->drain();
  }
  return exit_code;
}

int StdioLoop::run() {
  while (true) {
    take_messages();
    write_lines();
    answer_next();
    switch (output_.flush()) {
      case Output::Status::done:
      case Output::Status::full:
        break;
      case Output::Status::gone:
        return leave(exit_code_);
      case Output::Status::failed:
        base::log_error("stdio.write_failed", {{"reason", std::strerror(errno)}});
        return leave(1);
    }
    calls_.collect();
    if (!output_.empty()) {
      if (wait()) continue;
      break;
    }
    if (auto line = lines_->take()) {
      output_.put(std::move(*line));
      continue;
    }
    if (reading_ || !queue_.empty()) {
      if (wait()) continue;
      break;
    }
    take_messages();
    if (!queue_.empty()) continue;
    if (!calls_.empty()) {
      // Nothing more can be asked of the client: what still runs has to end.
      calls_.stop();
      begin_end();
      if (wait()) continue;
      break;
    }
    if (listens_.empty()) return exit_code_;
    end_listens();
  }
  base::log_warning("stdio.left_behind", {});
  return leave(exit_code_);
}

}  // namespace

int serve_stdio(Server& server, const std::string& principal, int in_fd, int out_fd) {
  return StdioLoop(server, principal, in_fd, out_fd).run();
}

}  // namespace phasegate::mcp::protocol
