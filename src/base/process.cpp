#include "base/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/limits.h"
#include "base/process_files.h"
#include "base/process_guards.h"
#include "base/process_output.h"
#include "base/process_program.h"
#include "base/process_work.h"

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

/// One of the program's outputs, read as it comes.
class Reader {
 public:
  Reader(Descriptor pipe, std::size_t kept_max) : pipe_(std::move(pipe)), kept_(kept_max) {}

  [[nodiscard]] int fd() const { return pipe_.get(); }  // poll passes over -1
  /// Reads once; false if there is nothing now, or nothing more. `buffer`: kChunkBytes.
  bool read(char* buffer) {
    if (!pipe_.open()) return false;
    const ssize_t got = ::read(pipe_.get(), buffer, kChunkBytes);
    if (got > 0) {
      kept_.add({buffer, static_cast<std::size_t>(got)});
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
        buffer_(std::make_unique_for_overwrite<char[]>(kChunkBytes)) {}

  ProcessResult run() {
    while (!over_) {
      std::array<pollfd, 3> watched{
          {{guard_.channel(), POLLIN, 0}, {out_.fd(), POLLIN, 0}, {err_.fd(), POLLIN, 0}}};
      const int ready = ::poll(watched.data(), watched.size(), wait_ms());
      if (ready > 0) {
        if (watched[1].revents != 0) out_.read(buffer_.get());
        if (watched[2].revents != 0) err_.read(buffer_.get());
        if (watched[0].revents != 0) hear();
      }
      if (!over_) look_at_time();
    }
    // What was printed before the end is in the pipes; whoever holds them open is not waited for.
    while (out_.read(buffer_.get())) {
    }
    while (err_.read(buffer_.get())) {
    }
    result_.out = out_.kept().output();
    result_.err = err_.kept().output();
    if (result_.end != End::not_started) {
      result_.digest = Digest().add(out_.kept().digest()).add(err_.kept().digest()).hex();
    }
    result_.duration_ms = ms_since(start_);
    return std::move(result_);
  }

  /// After run: the guard is as good as a new one, and we have asked nothing of it.
  [[nodiscard]] bool guard_is_free() const { return free_ && !asked_; }

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
        free_ = report->again != 0;
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
  std::unique_ptr<char[]> buffer_;
  ProcessResult result_;
  Clock::time_point start_ = Clock::now();
  std::int64_t asked_at_ms_ = 0;  // go_on, or the guard to end it
  bool asked_ = false;
  bool over_ = false;
  bool free_ = false;
  End why_asked_ = End::timed_out;
};

ProcessResult not_started(std::string problem) {
  ProcessResult result;
  result.problem = std::move(problem);
  return result;
}

/// A guard that has this work: an idle one, or a new one. nullptr leaves errno set. What a guard
/// was given once is given to no other, so nothing is started twice.
std::unique_ptr<Guard> engaged(GuardPool& pool, const WorkTexts& texts, const WorkFiles& files) {
  const std::size_t bytes = Workspace::bytes_of(texts);
  while (std::unique_ptr<Guard> guard = pool.take(bytes)) {
    if (guard->give(texts, files)) return guard;  // else it was ended while it was idle
  }
  std::unique_ptr<Guard> guard = Guard::start(bytes);
  if (guard && !guard->give(texts, files)) {
    const int error = errno;
    guard.reset();
    errno = error;
  }
  return guard;
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  return run_process(request, idle_guards());
}

ProcessResult run_process(const ProcessRequest& request, GuardPool& pool) {
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
  if (!input.open() || !out || !err) {
    return not_started("no pipes for the program can be opened: " + reason_of(errno));
  }

  std::unique_ptr<Guard> guard =
      engaged(pool, {places_of(request), request.argv, request.environment},
              {folder.get(), input.get(), out->theirs.get(), err->theirs.get()});
  if (!guard) return not_started("no process can be started: " + reason_of(errno));
  out->theirs.reset();
  err->theirs.reset();
  Attendance attendance(request, *guard, std::move(out->ours), std::move(err->ours), folder.get());
  ProcessResult result = attendance.run();
  if (attendance.guard_is_free()) pool.put(std::move(guard));
  return result;
}

}  // namespace phasegate::base
