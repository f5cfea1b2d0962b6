#include "base/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/limits.h"
#include "base/process_files.h"
#include "base/process_guard.h"
#include "base/process_output.h"
#include "base/process_program.h"

namespace phasegate::base {
namespace {

using Clock = std::chrono::steady_clock;
using End = ProcessResult::End;
using Kind = GuardReport::Kind;

constexpr std::int64_t kAskMs = 200;             // between two questions to go_on
constexpr std::size_t kChunkBytes = 64U << 10U;  // a pipe's worth

std::int64_t ms_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

/// Kills the processes of a session whose leader is not reaped, so that its number is its own.
void kill_session(pid_t leader) {
  std::error_code failed;
  for (std::filesystem::directory_iterator entry("/proc", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const auto pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    if (pid > 0 && pid != leader && ::getsid(pid) == leader) ::kill(pid, SIGKILL);
  }
}

/// A running guard; nothing of it is left when this is gone.
class Guard {
 public:
  Guard(pid_t pid, Descriptor channel) : pid_(pid), channel_(std::move(channel)) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    channel_.reset();  // if it is still at work, it kills everything now
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  [[nodiscard]] int channel() const { return channel_.get(); }

  /// Asks it to end the program.
  void ask() const {
    static_cast<void>(::send(channel_.get(), "", 1, MSG_NOSIGNAL));
    ::kill(pid_, SIGCONT);  // in case the program has stopped it
  }
  /// For a guard that does not answer.
  void kill() const { ::kill(pid_, SIGKILL); }

  /// After its death: kills what is left of its session.
  void sweep() const { kill_session(pid_); }

  /// The next report, or nullopt if there will be none.
  [[nodiscard]] std::optional<GuardReport> report() const {
    GuardReport report;
    ssize_t got = 0;
    do {
      got = ::recv(channel_.get(), &report, sizeof report, 0);
    } while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof report)) return std::nullopt;
    return report;
  }

 private:
  pid_t pid_;
  Descriptor channel_;
};

pid_t fork_guard(const GuardPlan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // None of our handlers may run in the guard.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) guard_main(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

/// One of the program's outputs, read as it comes.
class Reader {
 public:
  Reader(Descriptor pipe, std::size_t kept_max) : pipe_(std::move(pipe)), kept_(kept_max) {}

  [[nodiscard]] int fd() const { return pipe_.get(); }  // poll passes over -1
  /// Reads once; false if there is nothing now, or nothing more.
  bool read(std::string& buffer) {
    if (!pipe_.open()) return false;
    const ssize_t got = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (got > 0) {
      kept_.add({buffer.data(), static_cast<std::size_t>(got)});
      return true;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    pipe_.reset();
    return false;
  }
  [[nodiscard]] OutputKeeper& kept() { return kept_; }

 private:
  Descriptor pipe_;
  OutputKeeper kept_;
};

/// Accompanies a program from its start to its end.
class Attendance {
 public:
  Attendance(const ProcessRequest& request, const Guard& guard, Descriptor out, Descriptor err,
             int folder)
      : request_(request),
        guard_(guard),
        out_(std::move(out), request.output_max),
        err_(std::move(err), request.output_max),
        folder_(folder),
        buffer_(kChunkBytes, '\0') {}

  ProcessResult run() {
    while (!over_) {
      std::array<pollfd, 3> watched{
          {{guard_.channel(), POLLIN, 0}, {out_.fd(), POLLIN, 0}, {err_.fd(), POLLIN, 0}}};
      const int ready = ::poll(watched.data(), watched.size(), wait_ms());
      if (ready > 0) {
        if (watched[1].revents != 0) out_.read(buffer_);
        if (watched[2].revents != 0) err_.read(buffer_);
        if (watched[0].revents != 0) hear();
      }
      if (!over_) look_at_time();
    }
    // What was printed before the end is in the pipes; whoever holds them open is not waited for.
    while (out_.read(buffer_)) {
    }
    while (err_.read(buffer_)) {
    }
    result_.out = out_.kept().output();
    result_.err = err_.kept().output();
    if (result_.end != End::not_started) {
      result_.digest = Digest().add(out_.kept().digest()).add(err_.kept().digest()).hex();
    }
    result_.duration_ms = ms_since(start_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] int wait_ms() const {
    if (asked_) return static_cast<int>(kAskMs);
    std::int64_t wait = request_.timeout_ms - ms_since(start_);
    if (request_.go_on) wait = std::min(wait, asked_at_ms_ + kAskMs - ms_since(start_));
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, 60'000));
  }

  void hear() {
    const auto report = guard_.report();
    if (!report) {
      over_ = true;
      if (result_.problem.empty()) {
        // The verdict is not the program's to prevent.
        refuse("the program's guard was ended from outside, so nothing is known of the program");
        guard_.sweep();
      }
      return;
    }
    switch (report->kind) {
      case Kind::no_fork:
        refuse("no process can be started: " + reason_of(report->value));
        return;
      case Kind::no_folder:
        refuse("the working folder cannot be entered: " + reason_of(report->value));
        return;
      case Kind::no_program:
        refuse(problem_of_program(request_, folder_, report->value));
        return;
      case Kind::ended:
        over_ = true;
        conclude(*report);
        return;
    }
  }

  void refuse(std::string problem) {
    result_.end = End::not_started;
    result_.problem = std::move(problem);
  }

  void conclude(const GuardReport& report) {
    if (!result_.problem.empty()) return;
    result_.left_processes = report.left != 0;
    if (report.asked != 0) {
      result_.end = why_asked_;
    } else if (WIFSIGNALED(report.value)) {
      result_.end = End::signalled;
      result_.code = WTERMSIG(report.value);
    } else {
      result_.end = End::exited;
      result_.code = WEXITSTATUS(report.value);
    }
  }

  void look_at_time() {
    const std::int64_t now = ms_since(start_);
    if (asked_) {
      if (now > asked_at_ms_ + limits::kStopCheckMs + 2 * kGuardKillMs) guard_.kill();
      return;
    }
    if (now >= request_.timeout_ms) {
      ask(End::timed_out, now);
    } else if (request_.go_on && now >= asked_at_ms_ + kAskMs) {
      asked_at_ms_ = now;
      if (!goes_on()) ask(End::stopped, now);
    }
  }

  [[nodiscard]] bool goes_on() const {
    try {
      return request_.go_on();
    } catch (...) {
      return false;
    }
  }

  void ask(End why, std::int64_t now) {
    asked_ = true;
    asked_at_ms_ = now;
    why_asked_ = why;
    guard_.ask();
  }

  const ProcessRequest& request_;
  const Guard& guard_;
  Reader out_;
  Reader err_;
  int folder_;
  std::string buffer_;
  ProcessResult result_;
  Clock::time_point start_ = Clock::now();
  std::int64_t asked_at_ms_ = 0;  // go_on, or the guard to end it
  bool asked_ = false;
  bool over_ = false;
  End why_asked_ = End::timed_out;
};

ProcessResult not_started(std::string problem) {
  ProcessResult result;
  result.problem = std::move(problem);
  return result;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  if (std::string problem = problem_of_request(request); !problem.empty()) {
    return not_started(std::move(problem));
  }
  const Descriptor folder = owned(::open(request.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.open()) {
    return not_started("the working folder cannot be entered: " + reason_of(errno));
  }
  const Descriptor input = input_file(request.input);
  auto out = output_pipe();
  auto err = output_pipe();
  auto channel = guard_channel();
  if (!input.open() || !out || !err || !channel) {
    return not_started("no pipes for the program can be opened: " + reason_of(errno));
  }

  const std::vector<std::string> places = places_of(request);
  const std::vector<char*> candidates = pointers(places);
  const std::vector<char*> argv = pointers(request.argv);
  const std::vector<char*> environment = pointers(request.environment);
  GuardPlan plan;
  plan.candidates = candidates.data();
  plan.argv = argv.data();
  plan.environment = environment.data();
  plan.folder = folder.get();
  plan.input = input.get();
  plan.output = out->theirs.get();
  plan.error = err->theirs.get();
  plan.channel = channel->theirs.get();
  const pid_t pid = fork_guard(plan);
  if (pid < 0) return not_started("no process can be started: " + reason_of(errno));
  const Guard guard(pid, std::move(channel->ours));
  channel->theirs.reset();
  out->theirs.reset();
  err->theirs.reset();
  return Attendance(request, guard, std::move(out->ours), std::move(err->ours), folder.get()).run();
}

}  // namespace phasegate::base
