#include "tests/support/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace phasegate::test {
namespace {

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

}  // namespace

int start_child(const std::function<bool()>& body) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid > 0) return pid;
  // A test that is ended by its time limit leaves nobody behind, not even if it ended before this.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(2);
  int code = 2;
  try {
    code = body() ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "child: %s\n", problem.what());
  }
  ::_exit(code);
}

int wait_for_child(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("waitpid failed");
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

HeldChild::~HeldChild() {
  if (pid_ < 0) return;
  kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void HeldChild::kill() const {
  ::kill(pid_, SIGKILL);
}

bool HeldChild::has_ended() const {
  siginfo_t found{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         found.si_pid == pid_;
}

int HeldChild::wait() {
  const int code = wait_for_child(pid_);
  pid_ = -1;
  return code;
}

Signal::Signal() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  read_ = ends[0];
  write_ = ends[1];
}

Signal::~Signal() {
  close_end(read_);
  close_end(write_);
}

void Signal::only_give() {
  close_end(read_);
}

void Signal::only_await() {
  close_end(write_);
}

bool Signal::give() const {
  // Where nobody hears it any more the answer is what tells, not a signal that ends the process.
  std::signal(SIGPIPE, SIG_IGN);
  ssize_t count = -1;
  do {
    count = ::write(write_, "x", 1);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

bool Signal::await() const {
  char byte = 0;
  ssize_t count = -1;
  do {
    count = ::read(read_, &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

}  // namespace phasegate::test
