#pragma once
#include <cstddef>
#include <string>

namespace phasegate::mcp::protocol {

/// Writes lines to a descriptor without ever blocking on it, whatever it is. A blocking pipe must
/// not hold up the end of the process, and its flags are not ours to change: other processes may
/// share them.
class Output {
 public:
  enum class Status {
    done,    ///< everything is written
    full,    ///< the other end has to read first: poll for POLLOUT
    gone,    ///< nobody reads any more
    failed,  ///< the descriptor is broken; errno says why
  };

  explicit Output(int fd);

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool empty() const { return written_ == pending_.size(); }
  /// Takes a line without its newline; only when empty.
  void put(std::string line);
  /// Writes as much as fits now.
  [[nodiscard]] Status flush();

 private:
  [[nodiscard]] std::ptrdiff_t write_some();

  int fd_;
  bool is_pipe_ = false;
  bool is_socket_ = false;
  std::string pending_;
  std::size_t written_ = 0;
};

}  // namespace phasegate::mcp::protocol
