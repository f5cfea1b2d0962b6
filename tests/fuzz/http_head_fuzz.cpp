// Any bytes from an HTTP client, over a real socket pair, through the guard and the library behind
// it: neither may crash; what the handler is given holds nothing that two readers could read
// differently, and every request is answered by exactly one response.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/socket.h>

#include "mcp/http/guard.h"
#include "mcp/http/text.h"

namespace {

using namespace phasegate::mcp::http;

constexpr std::size_t kInputBytesMax = 64U << 10U;
constexpr int kRequestsMax = 50;

void require(bool holds) {
  if (!holds) std::abort();
}

ListenerLimits small_limits() {
  ListenerLimits limits = default_limits();
  limits.head_bytes_max = 4096;
  limits.headers_max = 20;
  limits.body_bytes_max = 4096;
  return limits;
}

class CheckingHandler final : public Handler {
 public:
  std::optional<Response> refuse(const RequestHead& head) override {
    check(head);
    if (head.path == "/refuse") return to_response({403, "no"});
    return std::nullopt;
  }

  Response handle(const Request& request) override {
    check(request.head);
    require(request.body.size() <= small_limits().body_bytes_max);
    Response response;
    if (request.head.path == "/stream") {
      response.answer = [body = request.body](CallStream& out) {
        out.send("{}");
        out.finish(std::to_string(body.size()));
      };
      return response;
    }
    response.content_type = "application/octet-stream";
    response.body = request.body;
    return response;
  }

 private:
  static void check(const RequestHead& head) {
    require(is_token(head.method));
    require(!head.path.empty() && is_value(head.path));
    require(head.headers.all().size() <= small_limits().headers_max);
    for (const auto& [name, value] : head.headers.all()) {
      require(is_token(name) && is_value(value) && trimmed(value) == value);
    }
    require(head.headers.count("Host") <= 1);
    require(head.headers.count("Content-Length") + head.headers.count("Transfer-Encoding") <= 1);
  }
};

std::string drain(int fd) {
  std::string all;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t got = ::recv(fd, part.data(), part.size(), MSG_DONTWAIT);
    if (got <= 0) return all;
    all.append(part.data(), static_cast<std::size_t>(got));
  }
}

/// What was written for one request is one response, perhaps with "100 Continue" before it.
void check_response(std::string_view bytes) {
  constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  if (bytes.substr(0, go_on.size()) == go_on) bytes.remove_prefix(go_on.size());
  require(bytes.substr(0, 9) == "HTTP/1.1 " && bytes.substr(9, 3) >= "200" &&
          bytes.substr(9, 3) <= "599");
  const std::size_t end = bytes.find("\r\n\r\n");
  require(end != std::string_view::npos);
  const std::string_view head = bytes.substr(0, end);
  const std::string_view body = bytes.substr(end + 4);
  const std::size_t length = head.find("\r\nContent-Length: ");
  if (length == std::string_view::npos) return;
  const std::size_t size = std::strtoul(head.data() + length + 18, nullptr, 10);
  require(body.empty() || body.size() == size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ListenerLimits limits = small_limits();
  static StopSignal stop;
  static CheckingHandler handler;
  static Guard guard(handler, limits,
                     [](const std::string&) { return Refusal{503, "no open streams"}; });
  if (size > kInputBytesMax) return 0;
  std::array<int, 2> both{};
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both.data()) == 0);
  const phasegate::base::Descriptor client(both[0]);
  require(send_some(client.get(), reinterpret_cast<const char*>(data), size) ==
          static_cast<ssize_t>(size));
  ::shutdown(client.get(), SHUT_WR);

  std::atomic<std::size_t> connections = 0;
  Connection connection(Line{phasegate::base::Descriptor(both[1]), Slot(connections)}, limits,
                        stop);
  for (int i = 0; i < kRequestsMax; ++i) {
    auto read = connection.read_head();
    if (std::holds_alternative<std::monostate>(read)) break;
    std::variant<ParsedHead, Refusal> head = Refusal{};
    const bool refused = std::holds_alternative<Refusal>(read);
    if (refused) {
      head = std::get<Refusal>(std::move(read));
    } else {
      head = std::get<ParsedHead>(std::move(read));
    }
    const auto outcome = guard.answer(connection, std::move(head), false);
    require(!refused || outcome.after != Guard::After::next);
    check_response(drain(client.get()));
    if (outcome.after != Guard::After::next) break;
  }
  return 0;
}
