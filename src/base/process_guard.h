#pragma once
#include <cstdint>
#include <span>

/// The small process between us and a program that we run. It is forked, not started from a file,
/// out of a process with many threads: its code may only call what is safe in a signal handler and
/// may not allocate. Its work comes through the channel (process_work.h), one program at a time.
namespace phasegate::base {

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
  std::int32_t again = 0;  ///< the guard waits for more work: it is as it was before this program
};

/// How long the guard tries to kill what cannot be killed (another user's, in the kernel).
inline constexpr int kGuardKillMs = 10'000;

/// The guard's life. To be called in a forked child in which all signals are blocked. `channel`:
/// its end of a SOCK_SEQPACKET pair, ≥ 3. `shown`: where `ps` finds a command line, to be written
/// over. Work from the channel: start it. A byte: end the program. The channel's end: kill
/// everything.
[[noreturn]] void guard_main(int channel, std::span<char> shown);

}  // namespace phasegate::base
