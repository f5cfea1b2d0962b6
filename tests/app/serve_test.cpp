#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "app/cli/serve_help.h"
#include "tests/app/project.h"
#include "tests/support/live_program.h"

namespace fs = std::filesystem;
using phasegate::app::cli::own_host;
using phasegate::app::cli::serving_line;
using phasegate::mcp::http::Address;
using phasegate::test::LiveProgram;
using phasegate::test::Project;

namespace {

/// Sends a request on a connected socket and reads the response to its end.
std::string exchange(int socket, const std::string& request) {
  std::string response;
  if (::send(socket, request.data(), request.size(), MSG_NOSIGNAL) ==
      static_cast<ssize_t>(request.size())) {
    char chunk[4096];
    for (ssize_t got = 0; (got = ::recv(socket, chunk, sizeof chunk, 0)) > 0;) {
      response.append(chunk, static_cast<std::size_t>(got));
    }
  }
  ::close(socket);
  return response;
}

int connected_to_port(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(fd >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

int connected_to_file(const fs::path& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(fd >= 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.string().size() < sizeof address.sun_path);
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

std::string initialize(const std::string& more_headers = "") {
  const std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})";
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\nConnection: close\r\n" +
         more_headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The port that the program says it has bound.
int port_in(LiveProgram& program) {
  REQUIRE_MESSAGE(program.wait_for("serving MCP at http://127.0.0.1:"), program.output());
  REQUIRE(program.wait_for("/mcp;"));
  const std::string head = "http://127.0.0.1:";
  const auto at = program.output().find(head) + head.size();
  return std::stoi(program.output().substr(at, program.output().find('/', at) - at));
}

}  // namespace

TEST_CASE("serve: answers over HTTP, says how to connect, and ends on a signal with exit code 0") {
  for (const int signal : {SIGTERM, SIGINT}) {
    const Project project;
    LiveProgram program(phasegate::test::phasegate_binary(),
                        project.to_run({"serve", "--listen", "127.0.0.1:0"}),
                        LiveProgram::Output::terminal, 200);
    const int port = port_in(program);
    CHECK(program.wait_for("claude mcp add --transport http phasegate http://127.0.0.1:"));
    const std::string answer = exchange(connected_to_port(port), initialize());
    CHECK(answer.find("HTTP/1.1 200") != std::string::npos);
    CHECK(answer.find("\"serverInfo\"") != std::string::npos);
    CHECK(answer.find("\"phasegate\"") != std::string::npos);
    CHECK_FALSE(fs::exists(project.state()));
    program.signal(signal);
    CHECK(program.wait_for_end() == 0);
  }
}

TEST_CASE("serve: a socket file is its owner's, and is taken away at the end") {
  const Project project;
  const fs::path socket = project.root() / "mcp.sock";
  LiveProgram program(phasegate::test::phasegate_binary(),
                      project.to_run({"serve", "--listen", "unix:" + socket.string()}),
                      LiveProgram::Output::terminal, 300);
  REQUIRE_MESSAGE(program.wait_for("curl --unix-socket"), program.output());
  REQUIRE(program.wait_for("/mcp"));
  struct stat status{};
  REQUIRE(::stat(socket.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(exchange(connected_to_file(socket), initialize()).find("\"serverInfo\"") !=
        std::string::npos);
  program.signal(SIGTERM);
  CHECK(program.wait_for_end() == 0);
}

TEST_CASE("serve: with tokens nobody is answered without one") {
  const Project project;
  const std::string token = "0123456789abcdef0123456789abcdef";
  const fs::path tokens = project.root() / "tokens";
  phasegate::test::write_file(tokens, "laptop " + token + "\n");
  fs::permissions(tokens, fs::perms::owner_read | fs::perms::owner_write);
  LiveProgram program(phasegate::test::phasegate_binary(),
                      project.to_run({"serve", "--listen", "127.0.0.1:0", "--tokens", "tokens"}),
                      LiveProgram::Output::terminal, 300);
  const int port = port_in(program);
  CHECK(program.wait_for("Authorization: Bearer TOKEN"));
  CHECK(exchange(connected_to_port(port), initialize()).find("HTTP/1.1 401") == 0);
  CHECK(exchange(connected_to_port(port), initialize("Authorization: Bearer " + token + "\r\n"))
            .find("HTTP/1.1 200") == 0);
  CHECK(program.output().find(token) == std::string::npos);
  program.signal(SIGTERM);
  CHECK(program.wait_for_end() == 0);
}

TEST_CASE("serve: an address that others can reach is refused without tokens, and says why") {
  const Project project;
  for (const char* address : {"0.0.0.0:0", "[::]:0", "192.0.2.1:8765"}) {
    CAPTURE(address);
    const auto ended = project.run({"serve", "--listen", address});
    CHECK(ended.code == 2);
    CHECK(ended.err.find("--tokens") != std::string::npos);
    CHECK(ended.err.find("no tokens are asked for") != std::string::npos);
  }
  CHECK_FALSE(fs::exists(project.state()));
}

TEST_CASE("serve: what cannot be used is refused before anything is served") {
  const Project project;
  for (const char* address : {"", ":8765", "localhost", "127.0.0.1:99999", "http://127.0.0.1:1",
                              "nowhere.example:1", "unix:"}) {
    CAPTURE(address);
    CHECK(project.run({"serve", "--listen", address}).code == 2);
  }
  CHECK(project.run({"serve", "--listen", "127.0.0.1:0", "--tokens", "missing"}).code == 3);
  for (const char* host : {"http://x", "x:80", "a/b", "", "[::1", "x y"}) {
    CAPTURE(host);
    CHECK(project.run({"serve", "--allow-host", host}).code == 2);
  }
  for (const char* rate : {"-1", "x", "1.5", "99999999"}) {
    CAPTURE(rate);
    CHECK(project.run({"serve", "--requests-per-second", rate}).code == 2);
  }
  CHECK(project.run({"mcp", "--listen", "127.0.0.1:0"}).code == 2);
}

TEST_CASE("serve: an address that is taken is an error of the environment") {
  const Project project;
  LiveProgram program(phasegate::test::phasegate_binary(),
                      project.to_run({"serve", "--listen", "127.0.0.1:0"}),
                      LiveProgram::Output::terminal, 200);
  const int port = port_in(program);
  const auto second = project.run({"serve", "--listen", "127.0.0.1:" + std::to_string(port)});
  CHECK(second.code == 3);
  CHECK_FALSE(second.err.empty());
  program.signal(SIGTERM);
  CHECK(program.wait_for_end() == 0);
}

TEST_CASE("serve: the line that says where is served, and the name that clients may use") {
  const Address loopback{Address::Kind::tcp, "127.0.0.1", 8765, ""};
  const Address particular{Address::Kind::tcp, "192.0.2.7", 80, ""};
  const Address every{Address::Kind::tcp, "0.0.0.0", 80, ""};
  const Address six{Address::Kind::tcp, "2001:db8::1", 80, ""};
  const Address file{Address::Kind::unix_socket, "", 0, "/run/a b.sock"};
  CHECK(serving_line(loopback, "/mcp", false) ==
        "phasegate: serving MCP at http://127.0.0.1:8765/mcp; connect: claude mcp add --transport "
        "http phasegate http://127.0.0.1:8765/mcp\n");
  CHECK(serving_line(loopback, "/mcp", true).find("--header") != std::string::npos);
  CHECK(serving_line(every, "/mcp", true).find("--allow-host") != std::string::npos);
  CHECK(serving_line(file, "/mcp", false).find("'/run/a b.sock'") != std::string::npos);
  CHECK_FALSE(own_host(loopback).has_value());
  CHECK_FALSE(own_host(every).has_value());
  CHECK_FALSE(own_host(file).has_value());
  CHECK(own_host(particular) == "192.0.2.7");
  CHECK(own_host(six) == "[2001:db8::1]");
}
