#include "mcp/http/listening_socket.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace phasegate::mcp::http {
namespace {

constexpr int kBacklog = 512;

base::Error bind_error(const Address& address, int error) {
  const std::string where = to_text(address);
  if (error == EADDRINUSE) {
    return {"address_in_use", "Another program listens on " + where + ".",
            "Stop it, or choose another port.", ""};
  }
  if (error == EACCES || error == EPERM) {
    return {"not_permitted", "Listening on " + where + " is not permitted.",
            "Choose a port above 1023.", ""};
  }
  return {"cannot_listen",
          "Cannot listen on " + where + ": " + std::string(std::strerror(error)) + ".",
          error == EADDRNOTAVAIL ? "It is not an address of this computer." : "", ""};
}

}  // namespace

base::Result<Address> ListeningSocket::bind(const Address& address) {
  if (address.kind == Address::Kind::tcp) return bind_tcp(address);
  auto socket = file_.bind(address, kBacklog);
  if (!socket) return std::move(socket).error();
  socket_ = std::move(socket).value();
  return address;
}

base::Result<Address> ListeningSocket::bind_tcp(const Address& address) {
  sockaddr_storage storage{};
  socklen_t size = 0;
  auto& four = reinterpret_cast<sockaddr_in&>(storage);
  auto& six = reinterpret_cast<sockaddr_in6&>(storage);
  const auto port = htons(static_cast<std::uint16_t>(address.port));
  if (::inet_pton(AF_INET, address.host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = port;
    size = sizeof four;
  } else if (::inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = port;
    size = sizeof six;
  } else {
    return bind_error(address, EADDRNOTAVAIL);
  }
  base::Descriptor socket(
      ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  // Not SO_REUSEPORT: a second server on the same port must fail.
  const bool ready =
      socket.open() &&
      ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      (storage.ss_family != AF_INET6 ||
       ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0) &&
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&storage), size) == 0 &&
      ::listen(socket.get(), kBacklog) == 0 &&
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &size) == 0;
  if (!ready) return bind_error(address, errno);
  socket_ = std::move(socket);
  Address bound = address;
  bound.port = ntohs(storage.ss_family == AF_INET ? four.sin_port : six.sin6_port);
  return bound;
}

void ListeningSocket::close() {
  file_.remove();
  socket_.reset();
}

}  // namespace phasegate::mcp::http
