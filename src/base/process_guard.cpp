#include "base/process_guard.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/process_conditions.h"
#include "base/process_work.h"

namespace phasegate::base {
namespace {

// Between two rounds of killing: what a killed process had started becomes ours only when it is
// gone.
constexpr int kKillRoundMs = 5;

void tell(int channel, const GuardReport& report) {
  static_cast<void>(::send(channel, &report, sizeof report, MSG_NOSIGNAL));
}

void close_between(int first, int last) {
  if (first <= last) {
    static_cast<void>(
        ::syscall(SYS_close_range, static_cast<unsigned>(first), static_cast<unsigned>(last), 0U));
  }
}

/// Closes everything but the channel. Another guard's channel that stayed open here would keep that
/// guard from noticing that we are gone. The standard files' numbers stay taken, so that no file of
/// a program gets one of them before its time.
void keep_only(int channel) {
  close_between(0, channel - 1);
  close_between(channel + 1, INT_MAX);
  for (int fd = 0; fd <= 2; ++fd) ::dup2(channel, fd);
}

void set_default_actions() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) ::sigaction(signal, &action, nullptr);
}

[[noreturn]] void refuse(int channel, GuardReport::Kind kind, int error) {
  tell(channel, {kind, error});
  ::_exit(127);
}

/// The program's side of the fork. Memory is shared with the guard, which waits meanwhile.
[[noreturn]] void become_program(int channel, const GuardWork& work, const WorkFiles& files) {
  ::setpgid(0, 0);
  // Should the program kill its guard, it goes too.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::fchdir(files.folder) != 0) refuse(channel, GuardReport::Kind::no_folder, errno);
  if (::dup2(files.input, 0) < 0 || ::dup2(files.output, 1) < 0 || ::dup2(files.error, 2) < 0) {
    refuse(channel, GuardReport::Kind::no_fork, errno);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  int error = ENOENT;
  for (const char* const* file = work.candidates; *file != nullptr; ++file) {
    // Whatever else is open here closes itself (O_CLOEXEC).
    ::execve(*file, work.argv, work.environment);
    if (errno == EACCES) {
      error = EACCES;
    } else if (errno != ENOENT && errno != ENOTDIR) {
      error = errno;
      break;
    }
  }
  refuse(channel, GuardReport::Kind::no_program, error);
}

std::int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Watches the program and everything that descends from it: orphans become the guard's own
/// children, so that there is nothing left once the guard has none.
class Watch {
 public:
  Watch(pid_t program, int channel, int signals)
      : program_(program), channel_(channel), signals_(signals) {}

  /// The last report on the program, once everything is gone.
  GuardReport run() {
    while (reap() && !given_up()) {
      act();
      wait();
      if (channel_ended_) kill_all();
    }
    // Who had to end anything (`left` too) is done: some of it may have been beyond being killed.
    return {GuardReport::Kind::ended, status_, asked_ ? 1 : 0, left_ ? 1 : 0, asking_ ? 0 : 1};
  }

 private:
  /// Takes away what has ended; false if nothing is left.
  bool reap() {
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid == 0) {
        // Whoever is still there when the program has just gone was left behind by it.
        if (program_gone_ && !asking_) {
          left_ = true;
          ask_all();
        }
        return true;
      }
      if (pid < 0) {
        if (errno == EINTR) continue;
        return false;
      }
      if (pid == program_) {
        program_gone_ = true;
        status_ = status;
      }
    }
  }

  [[nodiscard]] bool given_up() const { return killing_ && now_ms() > kill_from_ + kGuardKillMs; }

  void act() {
    if (asking_ && !killing_ && now_ms() >= kill_from_) killing_ = true;
    if (killing_) signal_all(SIGKILL);
  }

  void wait() {
    std::array<pollfd, 2> watched{{{signals_, POLLIN, 0}, {channel_, POLLIN, 0}}};
    // A channel that has ended stays readable for ever.
    const nfds_t count = channel_ended_ ? 1 : 2;
    int wait_ms = -1;
    if (killing_) {
      wait_ms = kKillRoundMs;
    } else if (asking_) {
      wait_ms = static_cast<int>(std::max<std::int64_t>(kill_from_ - now_ms(), 0));
    }
    if (::poll(watched.data(), count, wait_ms) <= 0) return;
    if (watched[0].revents != 0) {
      signalfd_siginfo info{};
      static_cast<void>(::read(signals_, &info, sizeof info));
    }
    if (count == 2 && watched[1].revents != 0) listen();
  }

  void listen() {
    char byte = 0;
    const ssize_t got = ::recv(channel_, &byte, 1, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      channel_ended_ = true;
    } else if (got == 1 && !asking_) {
      asked_ = true;
      ask_all();
    }
  }

  void ask_all() {
    asking_ = true;
    kill_from_ = now_ms() + limits::kStopCheckMs;
    signal_all(SIGTERM);
  }

  void kill_all() {
    if (killing_) return;
    asking_ = killing_ = true;
    kill_from_ = now_ms();
  }

  /// Signals the program's group and every child with its group: a group at once, so that it cannot
  /// fork away from the signal.
  void signal_all(int signal) const {
    // While the program is not reaped, no other group can have its number.
    if (!program_gone_) ::kill(-program_, signal);
    const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    std::array<char, 4096> text{};
    pid_t pid = 0;
    for (;;) {
      const ssize_t got = ::read(list, text.data(), text.size());
      if (got <= 0) break;
      for (ssize_t i = 0; i < got; ++i) {
        const char digit = text[static_cast<std::size_t>(i)];
        if (digit >= '0' && digit <= '9') {
          pid = pid * 10 + (digit - '0');
        } else if (pid > 0) {
          signal_one(pid, signal);
          pid = 0;
        }
      }
    }
    ::close(list);
  }

  void signal_one(pid_t pid, int signal) const {
    if (pid == program_ && !program_gone_) return;
    const pid_t group = ::getpgid(pid);
    if (group > 0 && group != ::getpid() && group != program_) ::kill(-group, signal);
    if (group == ::getpid() || group == program_) ::kill(pid, signal);
  }

  pid_t program_;
  int channel_;
  int signals_;
  int status_ = 0;
  bool program_gone_ = false;
  bool asked_ = false;   // by the channel
  bool asking_ = false;  // SIGTERM was sent
  bool killing_ = false;
  bool left_ = false;
  bool channel_ended_ = false;
  std::int64_t kill_from_ = 0;
};

/// Makes the guard what it is; programs inherit some of it. Returns where it hears of children.
int settle(int channel, std::span<char> shown) {
  keep_only(channel);
  constexpr std::string_view kName = "phasegate-guard";
  ::prctl(PR_SET_NAME, kName.data());
  std::fill(shown.begin(), shown.end(), '\0');
  if (shown.size() > kName.size()) std::copy(kName.begin(), kName.end(), shown.begin());
  // Neither its memory, which is a copy of ours, nor its channel is the program's to look into.
  ::prctl(PR_SET_DUMPABLE, 0);
  ::setsid();  // no terminal
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (::chdir("/") != 0) return -1;  // while it waits, it holds no folder
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  set_default_actions();  // an ignored SIGCHLD would also take the status away from us
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  return ::signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// A program's whole life. True if the guard is then as it was before, and was said to be.
bool guard_program(int channel, int signals, const Conditions& before, const GuardWork& work,
                   const WorkFiles& files) {
  const pid_t program = ::vfork();
  if (program == 0) become_program(channel, work, files);
  if (program < 0) refuse(channel, GuardReport::Kind::no_fork, errno);
  ::close(files.folder);
  ::close(files.input);
  GuardReport report = Watch(program, channel, signals).run();
  // What the program has done to its guard is not done to the next program.
  if (report.again != 0 && !same(conditions(), before)) report.again = 0;
  tell(channel, report);
  // Only now, or the server would be woken by their ends.
  ::close(files.output);
  ::close(files.error);
  return report.again != 0;
}

}  // namespace

void guard_main(int channel, std::span<char> shown) {
  const int signals = settle(channel, shown);
  if (signals < 0) refuse(channel, GuardReport::Kind::no_fork, errno);
  const Conditions before = conditions();
  GuardWork work;
  WorkFiles files;
  while (receive_work(channel, work, files) &&
         guard_program(channel, signals, before, work, files)) {
  }
  ::_exit(0);
}

}  // namespace phasegate::base
