#pragma once
#include <functional>

/// Child processes that run a function of the test itself.
namespace phasegate::test {

/// Runs `body` in a child process that ends without destroying anything of the parent's, and that
/// does not outlive it. Exit code 0 if it returns true, 1 if false, 2 if it throws. Returns the
/// child's pid.
[[nodiscard]] int start_child(const std::function<bool()>& body);
/// Waits for a child: its exit code, or 128 + the signal that ended it.
[[nodiscard]] int wait_for_child(int pid);

/// A child that is killed and waited for at the end, unless somebody has waited before: for those
/// that pause until they are told to go on.
class HeldChild {
 public:
  explicit HeldChild(const std::function<bool()>& body) : pid_(start_child(body)) {}
  ~HeldChild();
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;

  void kill() const;
  /// Whether it has ended by itself or was killed; it is still to be waited for.
  [[nodiscard]] bool has_ended() const;
  /// As wait_for_child. Once.
  [[nodiscard]] int wait();

 private:
  int pid_;
};

/// One byte at a time from one process to another. Made before the child; each side closes the end
/// that is the other's, so that who waits for one that is gone is told.
class Signal {
 public:
  /// Throws std::runtime_error.
  Signal();
  ~Signal();
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  /// This process only gives, or only awaits, from now on.
  void only_give();
  void only_await();
  /// False if nobody can hear it any more.
  [[nodiscard]] bool give() const;
  /// False if nobody is left who could give it.
  [[nodiscard]] bool await() const;

 private:
  int read_ = -1;
  int write_ = -1;
};

}  // namespace phasegate::test
