#include "tests/mcp/http/raw_client.h"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "mcp/http/text.h"

namespace phasegate::test {
namespace {

using mcp::http::Address;
using mcp::http::Ready;

constexpr std::chrono::seconds kPatience{30};

mcp::http::TimePoint patience_end() {
  return std::chrono::steady_clock::now() + kPatience;
}

base::Descriptor connect_to(const Address& address) {
  sockaddr_storage storage{};
  socklen_t size = 0;
  if (address.kind == Address::Kind::unix_socket) {
    auto& name = reinterpret_cast<sockaddr_un&>(storage);
    name.sun_family = AF_UNIX;
    address.path.copy(name.sun_path, sizeof name.sun_path - 1);
    size = sizeof name;
  } else if (address.host.find(':') != std::string::npos) {
    auto& six = reinterpret_cast<sockaddr_in6&>(storage);
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(static_cast<std::uint16_t>(address.port));
    ::inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr);
    size = sizeof six;
  } else {
    auto& four = reinterpret_cast<sockaddr_in&>(storage);
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(address.port));
    ::inet_pton(AF_INET, address.host.c_str(), &four.sin_addr);
    size = sizeof four;
  }
  base::Descriptor socket(::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0) {
    throw std::runtime_error("cannot connect to " + to_text(address));
  }
  return socket;
}

}  // namespace

std::string RawResponse::header(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\r\n");
    if (end == std::string_view::npos) break;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos &&
        mcp::http::equal_without_case(line.substr(0, colon), name)) {
      return std::string(mcp::http::trimmed(line.substr(colon + 1)));
    }
  }
  return "(none)";
}

RawClient::RawClient(const Address& address) : socket_(connect_to(address)) {}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = mcp::http::send_some(fd(), bytes.data(), bytes.size());
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    if (sent == 0 && mcp::http::wait_until(fd(), POLLOUT, patience_end(), nullptr) != Ready::yes) {
      throw std::runtime_error("the server does not read");
    }
  }
  return true;
}

std::size_t RawClient::send_what_fits(std::string_view bytes) {
  std::size_t all = 0;
  while (all < bytes.size()) {
    const ssize_t sent = mcp::http::send_some(fd(), bytes.data() + all, bytes.size() - all);
    if (sent <= 0) break;
    all += static_cast<std::size_t>(sent);
  }
  return all;
}

bool RawClient::read_more() {
  if (ended_) return false;
  if (mcp::http::wait_until(fd(), POLLIN, patience_end(), nullptr) != Ready::yes) {
    throw std::runtime_error("the server says nothing");
  }
  std::array<char, 65536> part;
  const ssize_t got = ::recv(fd(), part.data(), part.size(), 0);
  if (got <= 0) {
    ended_ = true;
    return false;
  }
  buffer_.append(part.data(), static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::take(std::size_t bytes) {
  std::string taken = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return taken;
}

std::string RawClient::read_until(std::string_view text) {
  while (true) {
    const std::size_t at = buffer_.find(text);
    if (at != std::string::npos) return take(at + text.size());
    if (!read_more()) return take(buffer_.size());
  }
}

std::string RawClient::read_rest() {
  while (read_more()) {
  }
  return take(buffer_.size());
}

bool RawClient::read_chunks(std::string& body) {
  while (true) {
    const std::string line = read_until("\r\n");
    if (line.size() < 3) return false;
    const std::size_t size = std::strtoul(line.c_str(), nullptr, 16);
    while (buffer_.size() < size + 2) {
      if (!read_more()) return false;
    }
    const std::string chunk = take(size + 2);
    if (chunk.substr(size) != "\r\n") return false;
    if (size == 0) return true;
    body += chunk.substr(0, size);
  }
}

RawResponse RawClient::read_response(bool to_head_request) {
  RawResponse response;
  response.head = read_until("\r\n\r\n");
  if (response.head.rfind("HTTP/1.1 ", 0) != 0 || response.head.size() < 16) return response;
  response.status = std::atoi(response.head.c_str() + 9);
  if (to_head_request || response.status == 204 || response.status < 200) {
    response.whole = true;
  } else if (response.header("Transfer-Encoding") == "chunked") {
    response.whole = read_chunks(response.body);
  } else if (const std::string length = response.header("Content-Length"); length != "(none)") {
    const std::size_t size = std::strtoul(length.c_str(), nullptr, 10);
    while (buffer_.size() < size && read_more()) {
    }
    response.whole = buffer_.size() >= size;
    response.body = take(size);
  } else {
    response.body = read_rest();
    response.whole = true;
  }
  return response;
}

void RawClient::close_writing() {
  ::shutdown(fd(), SHUT_WR);
}

RawResponse ask(const Address& address, std::string_view bytes) {
  RawClient client(address);
  client.send(bytes);
  return client.read_response();
}

std::string post(std::string_view body, std::string_view headers, std::string_view path) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

std::string get(std::string_view path, std::string_view headers) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) +
         "\r\n";
}

}  // namespace phasegate::test
