#include "tests/red_team/page.h"

#include <csignal>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace phasegate::red_team {

Page::Page(const Deciding& project)
    : server_(test::phasegate_binary(), project.to_run({"serve", "--listen", "127.0.0.1:0"}),
              test::LiveProgram::Output::terminal, 400) {
  const std::string head = "serving MCP at http://127.0.0.1:";
  REQUIRE_MESSAGE(server_.wait_for(head), server_.output());
  REQUIRE(server_.wait_for("/mcp;"));
  port_ = std::stoi(server_.output().substr(server_.output().find(head) + head.size()));
}

Page::~Page() {
  if (!stopped_) static_cast<void>(stop());
}

std::string Page::stop() {
  stopped_ = true;
  server_.signal(SIGTERM);
  CHECK(server_.wait_for_end() == 0);
  return server_.output();
}

WebAnswer Page::ask(const std::string& method, const std::string& path, const Headers& headers,
                    const std::string& body) const {
  std::string request = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n";
  bool has_host = false;
  for (const auto& [name, value] : headers) {
    request += name + ": " + value + "\r\n";
    has_host = has_host || name == "Host";
  }
  if (!has_host) request += "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
  request += "\r\n" + body;
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(fd >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  static_cast<void>(::send(fd, request.data(), request.size(), MSG_NOSIGNAL));
  std::string all;
  char part[4096];
  for (ssize_t got = 0; (got = ::recv(fd, part, sizeof part, 0)) > 0;) {
    all.append(part, static_cast<std::size_t>(got));
  }
  ::close(fd);
  const auto end = all.find("\r\n\r\n");
  REQUIRE_MESSAGE(end != std::string::npos, all);
  return {std::stoi(all.substr(all.find(' ') + 1)), all.substr(0, end + 2), all.substr(end + 4)};
}

WebAnswer Page::send(const std::string& path, const Fields& fields, Headers headers) const {
  const std::string body = encoded(fields);
  headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  headers.emplace_back("Content-Length", std::to_string(body.size()));
  return ask("POST", path, headers, body);
}

Fields Page::form(const std::string& path) const {
  const std::string page = ask("GET", path).body;
  const std::string before = "name=\"token\" value=\"";
  const auto from = page.find(before);
  REQUIRE_MESSAGE(from != std::string::npos, page);
  const auto start = from + before.size();
  return {{"token", page.substr(start, page.find('"', start) - start)},
          {"option", "approve"},
          {"input", ""},
          {"name", "ada"},
          {"secret", kSecret}};
}

Fields with(Fields fields, const std::string& name, const std::string& value) {
  for (auto& [field, content] : fields) {
    if (field == name) content = value;
  }
  return fields;
}

std::string encoded(const Fields& fields) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string body;
  for (const auto& [name, value] : fields) {
    body += (body.empty() ? "" : "&") + name + "=";
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      body += {'%', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return body;
}

}  // namespace phasegate::red_team
