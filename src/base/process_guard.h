#pragma once
#include <cstdint>

/// The small process between us and a program that we run. It is forked, not started from a file,
/// out of a process with many threads: its code may only call what is safe in a signal handler and
/// may not allocate. Everything it needs is made ready before the fork.
namespace phasegate::base {

/// What the guard is to start. Whatever it points to lives until the fork.
struct GuardPlan {
  const char* const* candidates = nullptr;  ///< files to try in this order, then a null pointer
  char* const* argv = nullptr;
  char* const* environment = nullptr;
  int folder = -1;   ///< working folder
  int input = -1;    ///< the program's three standard files
  int output = -1;   //
  int error = -1;    //
  int channel = -1;  ///< the guard's end of a SOCK_SEQPACKET pair; all of them are ≥ 3
};

/// What the guard tells through the channel, one message each.
struct GuardReport {
  enum class Kind : std::int32_t {
    no_fork,    ///< `value` is errno; nothing was started
    no_folder,  ///< likewise
    no_program,
    ended,  ///< `value` is the status as waitpid gives it; everything is gone; the last message
  };
  Kind kind = Kind::ended;
  std::int32_t value = 0;
  std::int32_t asked = 0;  ///< we had asked it to end the program before the program ended
  std::int32_t left = 0;   ///< the program had left processes behind when it ended
};

/// How long the guard tries to kill what cannot be killed (another user's, in the kernel).
inline constexpr int kGuardKillMs = 10'000;

/// The guard's life. To be called in a forked child in which all signals are blocked. A byte from
/// the channel: end the program. The channel's end: kill everything.
[[noreturn]] void guard_main(const GuardPlan& plan);

}  // namespace phasegate::base
