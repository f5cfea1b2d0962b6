// The floor under a call over HTTP: one thread, no library, nothing read but the length of the
// body.
#include <charconv>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "echo_answer.h"

namespace bench {
namespace {

constexpr std::size_t kReadBytes = 65'536;

/// The length of the body whose head is given; the client of this folder writes the name like this.
std::size_t body_length(std::string_view head) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = head.find(kName);
  if (at == std::string_view::npos) return 0;
  const char* const begin = head.data() + at + kName.size();
  std::size_t length = 0;
  std::from_chars(begin, head.data() + head.size(), length);
  return length;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Answers every request that is complete. False if the other end is gone.
bool answer_all(int socket, std::string& input) {
  constexpr std::string_view kEndOfHead = "\r\n\r\n";
  while (true) {
    const std::size_t end = input.find(kEndOfHead);
    if (end == std::string::npos) return true;
    const std::size_t begin = end + kEndOfHead.size();
    const std::size_t length = body_length(std::string_view(input).substr(0, end));
    if (input.size() < begin + length) return true;
    const std::string body = answer_to(std::string_view(input).substr(begin, length));
    std::string response = body.empty() ? "HTTP/1.1 202 Accepted\r\n" : "HTTP/1.1 200 OK\r\n";
    if (!body.empty()) response += "Content-Type: application/json\r\n";
    response += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    if (!send_all(socket, response)) return false;
    input.erase(0, begin + length);
  }
}

int listening_socket() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || ::bind(listener, generic, size) != 0 || ::listen(listener, SOMAXCONN) != 0 ||
      ::getsockname(listener, generic, &size) != 0) {
    return -1;
  }
  std::cout << "listening on 127.0.0.1:" << ntohs(address.sin_port) << std::endl;
  return listener;
}

}  // namespace

int serve_http() {
  const int listener = listening_socket();
  if (listener < 0) return 1;
  std::vector<pollfd> sockets{{listener, POLLIN, 0}};
  std::vector<std::string> inputs(1);
  std::string part(kReadBytes, '\0');
  while (::poll(sockets.data(), sockets.size(), -1) > 0) {
    // Whoever is gone is replaced by the last one, which has been served by then.
    for (std::size_t i = sockets.size() - 1; i > 0; --i) {
      if (sockets[i].revents == 0) continue;
      const ssize_t got = ::recv(sockets[i].fd, part.data(), part.size(), 0);
      if (got > 0) inputs[i].append(part, 0, static_cast<std::size_t>(got));
      if (got > 0 && answer_all(sockets[i].fd, inputs[i])) continue;
      ::close(sockets[i].fd);
      sockets[i] = sockets.back();
      sockets.pop_back();
      inputs[i] = std::move(inputs.back());
      inputs.pop_back();
    }
    if (sockets.front().revents != 0) {
      const int accepted = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (accepted < 0) continue;
      const int on = 1;
      ::setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      sockets.push_back({accepted, POLLIN, 0});
      inputs.emplace_back();
    }
  }
  return 1;
}

}  // namespace bench
