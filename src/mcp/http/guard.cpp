#include "mcp/http/guard.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include <httplib.h>

#include "base/log.h"
#include "base/wipe.h"
#include "mcp/http/call_stream.h"
#include "mcp/http/turn.h"

namespace phasegate::mcp::http {
namespace {

/// The library calls back without saying for which connection: each is served by one thread.
thread_local Turn* current_turn = nullptr;

class CurrentTurn {
 public:
  explicit CurrentTurn(Turn& turn) { current_turn = &turn; }
  ~CurrentTurn() { current_turn = nullptr; }
  CurrentTurn(const CurrentTurn&) = delete;
  CurrentTurn& operator=(const CurrentTurn&) = delete;
};

/// What the library takes for the network. The set of virtual functions differs between its
/// versions, so none says `override`.
class GuardedStream final : public httplib::Stream {
 public:
  explicit GuardedStream(Turn& turn) : turn_(turn), head_(turn.plain_head()) {}

  bool is_readable() const { return true; }
  bool is_writable() const { return !turn_.connection.broken(); }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return !turn_.connection.broken(); }
  bool is_peer_alive() const { return !turn_.connection.broken(); }

  ssize_t read(char* to, std::size_t size) {
    const std::size_t part = std::min(size, head_.size() - read_);
    if (part > 0) {
      std::memcpy(to, head_.data() + read_, part);
      read_ += part;
      return static_cast<ssize_t>(part);
    }
    // A client that waits for "100 Continue" must have it before its body can be waited for.
    if (!turn_.connection.flush()) return -1;
    return turn_.body.read(to, size);
  }

  ssize_t write(const char* from, std::size_t size) {
    return turn_.connection.write({from, size}) ? static_cast<ssize_t>(size) : -1;
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const { hide(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const { hide(ip, port); }
  /// The library has no business with the socket itself.
  socket_t socket() const { return INVALID_SOCKET; }
  time_t duration() const { return 0; }

 private:
  static void hide(std::string& ip, int& port) {
    ip.clear();
    port = 0;
  }

  Turn& turn_;
  std::string head_;
  std::size_t read_ = 0;
};

}  // namespace

struct Guard::Library final : httplib::Server {
  Library(http::Handler& asked, const ListenerLimits& bounds, Admission admission)
      : handler(asked),
        limits(bounds),
        admit(std::move(admission)),
        keep_alive(
            "timeout=" +
            std::to_string(std::chrono::ceil<std::chrono::seconds>(bounds.idle_time).count())) {
    // Tells the library that it is not shutting down: it would cut streams off. It never listens
    // and has no socket.
    svr_sock_ = 0;
    set_payload_max_length(limits.body_bytes_max);
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& out) {
      Turn& turn = *current_turn;
      if (turn.wants_body()) return HandlerResponse::Unhandled;
      if (!turn.response) turn.response = handle(turn, {});
      put(turn, out);
      return HandlerResponse::Handled;
    });
    Post("/", [this](const httplib::Request&, httplib::Response& out,
                     const httplib::ContentReader& read) {
      Turn& turn = *current_turn;
      turn.response = handle_with_body(turn, read);
      put(turn, out);
    });
    set_exception_handler(
        [this](const httplib::Request&, httplib::Response& out, std::exception_ptr) {
          current_turn->response = internal_error();
          put(*current_turn, out);
        });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& out) {
      finish_headers(*current_turn, out);
    });
  }

  Response handle_with_body(Turn& turn, const httplib::ContentReader& read) {
    std::string body;
    body.reserve(turn.head.length);
    const bool whole = read([&body](const char* data, std::size_t size) {
      body.append(data, size);
      return true;
    });
    if (whole && turn.body.finished()) return handle(turn, std::move(body));
    return to_response(turn.body.failure().value_or(Refusal{400, "The body ended too early."}));
  }

  Response handle(Turn& turn, std::string body) {
    Request request{turn.head.head, std::move(body)};
    Response response;
    if (!call_handler([&] { response = handler.handle(request); })) response = internal_error();
    // A form may hold a person's secret.
    base::wipe(request.body.data(), request.body.size());
    return response;
  }

  std::optional<Response> refuse(const RequestHead& head) {
    std::optional<Response> response;
    if (!call_handler([&] { response = handler.refuse(head); })) response = internal_error();
    if (response) response->close = true;
    return response;
  }

  /// Gives the library the response to write.
  void put(Turn& turn, httplib::Response& out) {
    check(turn);
    const Response& response = *turn.response;
    if (response.close) turn.close = true;
    out.status = response.status;
    out.headers.clear();
    for (const auto& [name, value] : response.headers) out.set_header(name, value);
    if (response.answer || response.open) {
      put_stream(turn, out);
    } else if (!response.content_type.empty()) {
      out.set_content(response.body, response.content_type);
    }
  }

  /// Replaces a response that cannot be written, or that there is no place for.
  void check(Turn& turn) {
    Response& response = *turn.response;
    std::optional<Response> instead;
    if (!can_be_written(response)) {
      base::log_error("http.response_malformed");
      instead = internal_error();
    } else if (response.open) {
      auto admitted = admit(turn.head.head.remote);
      if (auto* refusal = std::get_if<Refusal>(&admitted)) {
        instead = to_response(*refusal);
      } else {
        turn.place = std::get<std::shared_ptr<void>>(std::move(admitted));
      }
    }
    if (!instead) return;
    if (response.gone) call_handler(response.gone);
    response = std::move(*instead);
  }

  void put_stream(Turn& turn, httplib::Response& out) {
    out.set_header("Cache-Control", "no-cache, no-transform");
    out.set_header("X-Accel-Buffering", "no");
    const auto write = [this, &turn](std::size_t, httplib::DataSink& sink) {
      return write_stream(turn, sink);
    };
    if (turn.head.http_1_0) {
      out.set_content_provider("text/event-stream", write);
    } else {
      out.set_chunked_content_provider("text/event-stream", write);
    }
  }

  bool write_stream(Turn& turn, httplib::DataSink& sink) {
    if (!turn.connection.flush()) return false;
    if (turn.response->open) {
      // The head is out and the rest is not the library's business: it takes this for a stream
      // that was broken off, and writes nothing more.
      turn.to_stream = true;
      return false;
    }
    ConnectionStream stream(turn.connection, limits.heartbeat, [&sink](std::string_view bytes) {
      return sink.write(bytes.data(), bytes.size());
    });
    if (!call_handler([&] { turn.response->answer(stream); })) return false;
    sink.done();
    turn.stream_ended = true;
    return true;
  }

  /// The last word about the head, after what the library adds by itself.
  void finish_headers(const Turn& turn, httplib::Response& out) const {
    for (const char* name : {"Connection", "Keep-Alive", "Accept-Ranges"}) out.headers.erase(name);
    if (out.status == 204 || out.status == 304) out.headers.erase("Content-Length");
    if (turn.ends_connection()) {
      out.set_header("Connection", "close");
    } else {
      out.set_header("Keep-Alive", keep_alive);
    }
  }

  /// The signature of process_request differs between the library's versions.
  template <typename Self>
  static void process(Self& self, httplib::Stream& stream) {
    bool closed = false;
    const std::function<void(httplib::Request&)> setup;
    if constexpr (requires { self.process_request(stream, false, closed, setup); }) {
      (void)self.process_request(stream, false, closed, setup);
    } else {
      (void)self.process_request(stream, std::string(), 0, std::string(), 0, false, closed, setup);
    }
  }

  http::Handler& handler;
  const ListenerLimits& limits;
  Admission admit;
  std::string keep_alive;
};

Guard::Guard(Handler& handler, const ListenerLimits& limits, Admission admit)
    : library_(std::make_unique<Library>(handler, limits, std::move(admit))) {}
Guard::~Guard() = default;

Guard::Outcome Guard::answer(Connection& connection, std::variant<ParsedHead, Refusal> head,
                             bool last) {
  std::optional<Response> early;
  ParsedHead parsed;
  if (const auto* refusal = std::get_if<Refusal>(&head)) {
    early = to_response(*refusal);
  } else {
    parsed = std::get<ParsedHead>(std::move(head));
    early = library_->refuse(parsed.head);
  }
  BodySource body(connection, parsed, library_->limits);
  const bool close = last || parsed.close || early;
  Turn turn{connection, std::move(parsed), std::move(body), close, std::move(early)};
  {
    const CurrentTurn current(turn);
    GuardedStream stream(turn);
    Library::process(*library_, stream);
  }
  if (turn.to_stream) {
    return {After::stream, std::move(*turn.response), !turn.head.http_1_0, std::move(turn.place)};
  }
  if (turn.response && turn.response->gone) call_handler(turn.response->gone);
  const bool cut = turn.response && turn.response->answer && !turn.stream_ended;
  if (!connection.flush()) return {After::close, {}, false, nullptr};
  if (!cut && !turn.ends_connection()) return {After::next, {}, false, nullptr};
  return {connection.has_unread() ? After::linger : After::close, {}, false, nullptr};
}

}  // namespace phasegate::mcp::http
