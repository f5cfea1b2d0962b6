#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"
#include "tests/support/files.h"

using namespace phasegate;
using mcp::http::Address;
using test::ask;
using test::get;

namespace {

Address at(const std::filesystem::path& path) {
  Address address;
  address.kind = Address::Kind::unix_socket;
  address.path = path.string();
  return address;
}

std::string error_of(const Address& address) {
  test::ScriptedHandler handler;
  mcp::http::Listener listener(handler, mcp::http::default_limits());
  const auto bound = listener.bind(address);
  return bound.ok() ? "none" : bound.error().code;
}

/// A socket file whose program is gone.
void leave_stale(const std::filesystem::path& path) {
  const base::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.string().copy(name.sun_path, sizeof name.sun_path - 1);
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
}

}  // namespace

TEST_CASE("listener unix: answers, for its owner alone, and cleans up") {
  const test::TempFolder folder;
  const auto path = folder.path() / "s";
  const mode_t mask = ::umask(0);
  {
    test::LiveListener server(mcp::http::default_limits(), "unix:" + path.string());
    struct stat about{};
    REQUIRE(::lstat(path.c_str(), &about) == 0);
    CHECK((about.st_mode & 07777U) == 0600);
    server.handler.on_request = [](const mcp::http::Request& request) {
      return test::ScriptedHandler::text(request.head.remote);
    };
    server.run();
    CHECK(ask(server.address(), get()).body == "unix");
    CHECK(error_of(at(path)) == "address_in_use");
    CHECK(ask(server.address(), get()).body == "unix");
  }
  ::umask(mask);
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("listener unix: a listener that never ran cleans up, too") {
  const test::TempFolder folder;
  {
    const test::LiveListener server(mcp::http::default_limits(),
                                    "unix:" + (folder.path() / "s").string());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("listener unix: what a dead server left is replaced") {
  const test::TempFolder folder;
  const auto path = folder.path() / "s";
  leave_stale(path);
  REQUIRE(std::filesystem::is_socket(path));
  test::LiveListener server(mcp::http::default_limits(), "unix:" + path.string());
  server.run();
  CHECK(ask(server.address(), get()).status == 200);
}

TEST_CASE("listener unix: nothing else is replaced") {
  const test::TempFolder folder;
  const auto file = folder.write("file", "precious");
  CHECK(error_of(at(file)) == "cannot_listen");
  CHECK(test::read_file(file) == "precious");
  std::filesystem::create_symlink("nowhere", folder.path() / "link");
  CHECK(error_of(at(folder.path() / "link")) == "cannot_listen");
  CHECK(std::filesystem::is_symlink(folder.path() / "link"));
  std::filesystem::create_directory(folder.path() / "folder");
  CHECK(error_of(at(folder.path() / "folder")) == "cannot_listen");
  CHECK(error_of(at(folder.path() / "none" / "s")) == "cannot_listen");
}

TEST_CASE("listener unix: a file that took the place of ours is not removed") {
  const test::TempFolder folder;
  const auto path = folder.path() / "s";
  {
    test::LiveListener server(mcp::http::default_limits(), "unix:" + path.string());
    server.run();
    std::filesystem::remove(path);
    test::write_file(path, "other");
  }
  CHECK(test::read_file(path) == "other");
}
