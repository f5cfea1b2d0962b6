#pragma once
#include <utility>

namespace phasegate::base {

/// A file descriptor and its owner, which closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }
  /// Closes what it owns and takes `fd` in its place.
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

}  // namespace phasegate::base
