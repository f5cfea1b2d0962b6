#pragma once
#include <csignal>
#include <ctime>

namespace phasegate::app {

/// While it lives, Ctrl-C and a request to end (SIGINT, SIGTERM, SIGHUP) are noticed instead of
/// ending the process, and are delivered only within a wait. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Why a wait ended.
  enum class Woken { time_is_over, asked_to_end, reader_is_gone, may_write };

  /// Waits so long, or until the process is asked to end or nobody reads `descriptor` any more.
  [[nodiscard]] Woken wait_ms(int descriptor, int ms) const;

  /// Waits until a piece of PIPE_BUF bytes can be written to `descriptor` without waiting, so that
  /// a reader who stopped reading keeps nobody from ending the process.
  [[nodiscard]] Woken wait_to_write(int descriptor) const;

  /// True once the process was asked to end.
  [[nodiscard]] static bool asked();

 private:
  [[nodiscard]] Woken wait(int descriptor, short events, const timespec* time) const;

  sigset_t outside_{};  // the mask before, with our signals open: what holds within a wait
  struct sigaction before_int_{};
  struct sigaction before_term_{};
  struct sigaction before_hup_{};
};

}  // namespace phasegate::app
