#include "app/secret_prompt.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include "app/output.h"
#include "base/descriptor.h"

namespace phasegate::app {
namespace {

using base::Error;
using base::Result;
using state::Secret;

constexpr std::array kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};

volatile std::sig_atomic_t caught = 0;

void note(int number) {
  caught = number;
}

/// While it lives, the signals that would end or stop the process are noticed instead, within a
/// wait only.
class Signals {
 public:
  Signals() {
    caught = 0;
    struct sigaction action{};
    action.sa_handler = note;
    ::sigemptyset(&action.sa_mask);
    sigset_t held;
    ::sigemptyset(&held);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &action, &before_.at(i));
      ::sigaddset(&held, kSignals.at(i));
    }
    ::pthread_sigmask(SIG_BLOCK, &held, &outside_);
    within_wait_ = outside_;
    for (const int number : kSignals) ::sigdelset(&within_wait_, number);
  }
  ~Signals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &before_.at(i), nullptr);
    }
    ::pthread_sigmask(SIG_SETMASK, &outside_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for input; false if a signal came first.
  [[nodiscard]] bool wait_for_input(int descriptor) const {
    pollfd input{descriptor, POLLIN, 0};
    while (caught == 0 && ::ppoll(&input, 1, nullptr, &within_wait_) < 0 && errno == EINTR) {
    }
    return caught == 0;
  }

 private:
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t outside_{};
  sigset_t within_wait_{};
};

/// While it lives, the terminal does not show what is typed.
class Unseen {
 public:
  explicit Unseen(int descriptor) : descriptor_(descriptor) {
    if (::tcgetattr(descriptor_, &before_) != 0) return;
    termios unseen = before_;
    unseen.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
    unseen.c_lflag |= static_cast<tcflag_t>(ICANON | ISIG);
    is_unseen_ = ::tcsetattr(descriptor_, TCSAFLUSH, &unseen) == 0;
  }
  ~Unseen() {
    if (is_unseen_) ::tcsetattr(descriptor_, TCSAFLUSH, &before_);
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
  [[nodiscard]] bool is_unseen() const { return is_unseen_; }

 private:
  int descriptor_;
  termios before_{};
  bool is_unseen_ = false;
};

Error terminal_needed() {
  return {"terminal_needed", "There is no terminal to ask a person on.",
          "Run the command in a terminal.", ""};
}

/// A line without its end. A signal that came first is left in `caught`.
Result<Secret> read_line(int terminal, const Signals& signals) {
  Secret line;
  bool fits = true;
  std::array<char, 256> part{};
  for (bool ended = false; !ended;) {
    if (!signals.wait_for_input(terminal)) return Error{"interrupted", "Interrupted.", "", ""};
    const ssize_t count = ::read(terminal, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    std::string_view text(part.data(), static_cast<std::size_t>(count));
    ended = text.back() == '\n';
    if (ended) text.remove_suffix(1);
    fits = line.add(text) && fits;
    state::wipe(part.data(), part.size());
  }
  if (!fits) {
    return Error{"too_long", "That has more than " + std::to_string(Secret::kBytesMax) + " bytes.",
                 "Nothing was changed.", ""};
  }
  if (line.view().empty()) {
    return Error{"nothing_given", "Nothing was given.", "Nothing was changed.", ""};
  }
  return line;
}

Result<Secret> ask_once(int terminal, const std::string& prompt, bool shown) {
  const Signals signals;
  std::optional<Unseen> unseen;
  if (!shown) {
    unseen.emplace(terminal);
    // What cannot be hidden is not asked for.
    if (!unseen->is_unseen()) return terminal_needed();
  }
  if (write_all(terminal, prompt) != Written::all) return terminal_needed();
  Result<Secret> line = read_line(terminal, signals);
  if (!shown) write_all(terminal, "\n");
  return line;
}

Result<Secret> ask(const std::string& prompt, bool shown) {
  const base::Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (terminal.get() < 0) return terminal_needed();
  for (;;) {
    Result<Secret> line = ask_once(terminal.get(), prompt, shown);
    const int number = std::exchange(caught, 0);
    if (number == 0) return line;
    // The terminal is as it was. The signal does now what it would have done without us.
    ::raise(number);
    // Gone on after Ctrl-Z: the question has to be asked again.
    if (number != SIGTSTP) return Error{"interrupted", "Interrupted.", "Nothing was changed.", ""};
  }
}

Result<Secret> ask_unseen(const std::string& prompt) {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return ask(prompt, false);
}

Result<std::string> ask_shown(const std::string& prompt) {
  Result<Secret> line = ask(prompt, true);
  if (!line) return std::move(line).error();
  return std::string(line->view());
}

}  // namespace

Prompts prompts_on_terminal() {
  return {ask_unseen, ask_shown};
}

}  // namespace phasegate::app
