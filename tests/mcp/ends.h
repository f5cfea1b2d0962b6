#pragma once
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <thread>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/// Both ends of the descriptors that the tests of the stdio transport talk through.
namespace phasegate::mcp::protocol {

enum class Channel { pipe, socket, nonblocking_pipe };
inline constexpr std::array kChannels{Channel::pipe, Channel::socket, Channel::nonblocking_pipe};

/// Two connected descriptors, closed with the object.
class Ends {
 public:
  explicit Ends(Channel channel) {
    std::array<int, 2> fds{};
    if (channel == Channel::socket) {
      REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds.data()) == 0);
    } else {
      REQUIRE(::pipe(fds.data()) == 0);
    }
    read_end = fds[0];
    write_end = fds[1];
    for (const int fd : fds) {
      if (channel == Channel::nonblocking_pipe) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
  }
  ~Ends() {
    close_read();
    close_write();
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;

  void close_read() { close(read_end); }
  void close_write() { close(write_end); }

  int read_end = -1;
  int write_end = -1;

 private:
  static void close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

/// The client's side: blocking, whatever the server's side is.
inline void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (errno == EAGAIN) {
      std::this_thread::yield();
    } else if (errno != EINTR) {
      return;
    }
  }
}

inline std::string read_all(int fd) {
  std::string all;
  std::array<char, 65536> part{};
  while (true) {
    const ssize_t got = ::read(fd, part.data(), part.size());
    if (got > 0) {
      all.append(part.data(), static_cast<std::size_t>(got));
    } else if (got < 0 && errno == EAGAIN) {
      std::this_thread::yield();
    } else if (got == 0 || errno != EINTR) {
      return all;
    }
  }
}

}  // namespace phasegate::mcp::protocol
