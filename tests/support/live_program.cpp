#include "tests/support/live_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace phasegate::test {
namespace {

/// In the child, between fork and exec.
[[noreturn]] void become(const std::filesystem::path& program, const ToRun& to_run) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), to_run.arguments.begin(), to_run.arguments.end());
  std::vector<std::string> variables;
  const char* path = std::getenv("PATH");
  if (path != nullptr && !to_run.variables.contains("PATH")) {
    variables.push_back(std::string("PATH=") + path);
  }
  for (const auto& [name, value] : to_run.variables) variables.push_back(name + "=" + value);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  if (to_run.folder.empty() || ::chdir(to_run.folder.c_str()) == 0) {
    ::execve(program.c_str(), arguments.data(), environment.data());
  }
  ::_exit(127);
}

}  // namespace

LiveProgram::LiveProgram(const std::filesystem::path& program, const ToRun& to_run, Output output,
                         unsigned short columns)
    : time_max_(to_run.time_max) {
  if (output == Output::terminal) {
    const winsize size{24, columns, 0, 0};
    child_ = ::forkpty(&descriptor_, nullptr, nullptr, &size);
    REQUIRE(child_ >= 0);
    if (child_ == 0) become(program, to_run);
    return;
  }
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  child_ = ::fork();
  REQUIRE(child_ >= 0);
  if (child_ == 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    become(program, to_run);
  }
  ::close(ends[1]);
  descriptor_ = ends[0];
}

LiveProgram::~LiveProgram() {
  close_output();
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

bool LiveProgram::read_more(std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{descriptor_, POLLIN, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    // A terminal whose program is gone reads as an input/output error.
    if (count <= 0) return false;
    output_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
}

bool LiveProgram::wait_for(std::string_view text) {
  const auto deadline = std::chrono::steady_clock::now() + time_max_;
  for (;;) {
    const std::size_t at = output_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    if (!read_more(deadline)) return false;
  }
}

void LiveProgram::type(std::string_view keys) {
  REQUIRE(::write(descriptor_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

void LiveProgram::signal(int number) {
  ::kill(child_, number);
}

bool LiveProgram::echoes() const {
  termios settings{};
  REQUIRE(::tcgetattr(descriptor_, &settings) == 0);
  return (settings.c_lflag & static_cast<tcflag_t>(ECHO)) != 0;
}

void LiveProgram::close_output() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

int LiveProgram::wait_for_end() {
  const auto deadline = std::chrono::steady_clock::now() + time_max_;
  while (descriptor_ >= 0 && read_more(deadline)) {
  }
  return wait_for_end_unread();
}

int LiveProgram::wait_for_end_unread() {
  const auto deadline = std::chrono::steady_clock::now() + time_max_;
  // What still runs at the deadline is killed, and its code tells.
  int status = 0;
  while (::waitpid(child_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) ::kill(child_, SIGKILL);
    pollfd none{-1, 0, 0};
    ::poll(&none, 1, 5);
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace phasegate::test
