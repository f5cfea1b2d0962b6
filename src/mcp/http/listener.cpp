#include "mcp/http/listener.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <optional>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/log.h"
#include "mcp/http/connection.h"
#include "mcp/http/guard.h"
#include "mcp/http/listening_socket.h"
#include "mcp/http/open_stream.h"
#include "mcp/http/stream_places.h"
#include "mcp/http/waiting.h"
#include "mcp/http/watcher.h"
#include "mcp/http/workers.h"

namespace phasegate::mcp::http {
namespace {

namespace bounds = base::limits;
using std::chrono::milliseconds;

/// How long nothing is accepted after the system could not give a descriptor.
constexpr milliseconds kNoDescriptorsPause{50};

TimePoint in(milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\n"
    "Content-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: 58\r\n"
    "Retry-After: 1\r\n"
    "Connection: close\r\n"
    "\r\n"
    "The server has too many connections. Try again in a while\n";

}  // namespace

ListenerLimits default_limits() {
  return {
      .connections_max = bounds::kHttpConnectionsMax,
      .streams_max = bounds::kHttpStreamsMax,
      .streams_per_client_max = bounds::kHttpStreamsPerClientMax,
      .head_bytes_max = bounds::kHttpHeadBytesMax,
      .headers_max = bounds::kHttpHeadersMax,
      .body_bytes_max = bounds::kHttpBodyBytesMax,
      .requests_per_connection = bounds::kHttpRequestsPerConnection,
      .head_time = milliseconds(bounds::kHttpHeadMs),
      .body_time = milliseconds(bounds::kHttpBodyMs),
      .idle_time = milliseconds(bounds::kHttpIdleMs),
      .write_time = milliseconds(bounds::kHttpWriteMs),
      .heartbeat = milliseconds(bounds::kHttpHeartbeatMs),
      .stream_bytes_max = bounds::kHttpStreamBytesMax,
  };
}

struct Listener::State {
  State(Handler& handler, ListenerLimits given)
      : limits(given),
        places(limits),
        guard(handler, limits, [this](const std::string& client) { return places.take(client); }) {}

  void accept_all();
  void accept_one(base::Descriptor socket);
  void refuse(base::Descriptor socket);
  void work_on(std::unique_ptr<Connection> connection);
  void serve(std::unique_ptr<Connection> connection);
  /// The connection if its next request may follow at once.
  [[nodiscard]] std::unique_ptr<Connection> serve_one(std::unique_ptr<Connection> connection);
  void linger(base::Descriptor socket);
  void open_stream(Line line, Guard::Outcome outcome);

  const ListenerLimits limits;
  StopSignal stop;
  StreamPlaces places;
  Guard guard;
  std::atomic<std::size_t> connections = 0;
  std::atomic<std::size_t> lingering = 0;
  ListeningSocket socket;
  // While run() runs.
  std::optional<Workers> workers;
  std::optional<Watcher> watcher;
};

Listener::Listener(Handler& handler, ListenerLimits limits)
    : state_(std::make_unique<State>(handler, limits)) {}
Listener::~Listener() = default;

base::Result<Address> Listener::bind(const Address& address) {
  return state_->socket.bind(address);
}

void Listener::stop() {
  state_->stop.raise();
}

void Listener::run() {
  State& state = *state_;
  state.workers.emplace(state.limits.connections_max, milliseconds(bounds::kHttpThreadIdleMs));
  state.watcher.emplace(state.stop);
  state.accept_all();
  state.socket.close();
  state.stop.raise();
  state.workers->finish();
  state.watcher.reset();
  state.workers.reset();
}

void Listener::State::accept_all() {
  while (wait_until(socket.fd(), POLLIN, TimePoint::max(), &stop) == Ready::yes) {
    base::Descriptor accepted(
        ::accept4(socket.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (accepted.open()) {
      accept_one(std::move(accepted));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      if (watcher->make_room()) continue;
      base::log_warning("http.no_descriptors");
      (void)wait_until(-1, 0, in(kNoDescriptorsPause), &stop);
    }
    // Anything else concerns the one connection, which has already gone.
  }
}

void Listener::State::accept_one(base::Descriptor accepted) {
  const int yes = 1;
  (void)::setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connections >= limits.connections_max && !watcher->make_room()) {
    refuse(std::move(accepted));
    return;
  }
  work_on(std::make_unique<Connection>(Line{std::move(accepted), Slot(connections)}, limits, stop));
}

void Listener::State::refuse(base::Descriptor accepted) {
  base::log_warning("http.too_many_connections");
  (void)send_some(accepted.get(), kFull.data(), kFull.size());
  linger(std::move(accepted));
}

void Listener::State::work_on(std::unique_ptr<Connection> connection) {
  (void)workers->run(
      Workers::Job([this, held = std::move(connection)]() mutable { serve(std::move(held)); }));
}

void Listener::State::serve(std::unique_ptr<Connection> connection) {
  try {
    while (connection) connection = serve_one(std::move(connection));
  } catch (const std::exception& error) {
    base::log_error("http.connection_failed", {{"error", error.what()}});
  }
}

std::unique_ptr<Connection> Listener::State::serve_one(std::unique_ptr<Connection> connection) {
  const milliseconds patience = std::min(milliseconds(bounds::kHttpPatienceMs), limits.idle_time);
  const auto input = connection->wait_for_request(in(patience));
  if (input == Connection::Input::ended) return nullptr;
  if (input == Connection::Input::timeout) {
    watcher->watch(watcher->next_id(),
                   std::make_unique<IdleConnection>(
                       std::move(connection), limits.idle_time,
                       [this](std::unique_ptr<Connection> held) { work_on(std::move(held)); }));
    return nullptr;
  }
  auto read = connection->read_head();
  std::variant<ParsedHead, Refusal> head = Refusal{};
  if (std::holds_alternative<std::monostate>(read)) return nullptr;
  if (auto* refusal = std::get_if<Refusal>(&read)) {
    head = std::move(*refusal);
  } else {
    head = std::get<ParsedHead>(std::move(read));
  }
  const bool last = connection->requests >= limits.requests_per_connection || stop.raised();
  Guard::Outcome outcome = guard.answer(*connection, std::move(head), last);
  switch (outcome.after) {
    case Guard::After::next:
      return connection;
    case Guard::After::close:
      break;
    case Guard::After::linger:
      linger(std::move(connection->release().socket));
      break;
    case Guard::After::stream:
      open_stream(connection->release(), std::move(outcome));
      break;
  }
  return nullptr;
}

void Listener::State::linger(base::Descriptor finished) {
  if (lingering >= bounds::kHttpLingersMax) return;
  watcher->watch(watcher->next_id(),
                 std::make_unique<LingeringConnection>(std::move(finished), Slot(lingering)));
}

void Listener::State::open_stream(Line line, Guard::Outcome outcome) {
  const std::uint64_t id = watcher->next_id();
  auto sender =
      std::make_shared<StreamSender>(std::move(line.socket),
                                     StreamSender::Bounds{outcome.chunked, limits.stream_bytes_max,
                                                          limits.heartbeat, limits.write_time},
                                     id, watcher->pokes());
  auto watched = std::make_unique<WatchedStream>(
      sender, std::move(line.slot), std::move(outcome.place), std::move(outcome.stream.gone));
  outcome.stream.open(sender);
  watcher->watch(id, std::move(watched));
}

}  // namespace phasegate::mcp::http
