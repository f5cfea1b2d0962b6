#pragma once
#include <atomic>
#include <string>
#include <string_view>
#include <thread>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"

namespace phasegate::test {

/// A service on loopback that gives everybody the same answer and keeps the last request.
class Service {
 public:
  /// With an empty answer nothing is ever said.
  explicit Service(std::string answer) : answer_(std::move(answer)) {
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(listener_.get(), 8) == 0);
    REQUIRE(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  ~Service() {
    thread_.request_stop();
    ::shutdown(listener_.get(), SHUT_RDWR);  // wakes accept
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] const std::string& port() const { return port_; }
  [[nodiscard]] int calls() const { return calls_; }
  /// Whole, once the answer has come.
  [[nodiscard]] std::string request() const { return request_; }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const base::Descriptor client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!client.open()) return;
      request_.clear();
      char byte = 0;
      while (!request_.ends_with("\r\n\r\n") && ::recv(client.get(), &byte, 1, 0) == 1) {
        request_ += byte;
      }
      read_body(client.get());
      ++calls_;
      static_cast<void>(::send(client.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL));
      if (!answer_.empty()) continue;
      while (::recv(client.get(), &byte, 1, 0) == 1) {
      }
    }
  }

  void read_body(int client) {
    static constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t at = request_.find(kLength);
    if (at == std::string::npos) return;
    const std::size_t length = std::stoul(request_.substr(at + kLength.size()));
    const std::size_t whole = request_.size() + length;
    char byte = 0;
    while (request_.size() < whole && ::recv(client, &byte, 1, 0) == 1) request_ += byte;
  }

  std::string answer_;
  base::Descriptor listener_;
  std::string port_;
  std::atomic<int> calls_ = 0;
  std::string request_;
  std::jthread thread_;
};

/// The bytes of an answer.
inline std::string answer(const std::string& status, const std::string& body,
                          const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         more + "Connection: close\r\n\r\n" + body;
}

}  // namespace phasegate::test
