#include "tests/soak/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

using std::chrono::steady_clock;

struct Ends {
  int read = -1;
  int write = -1;
};

Ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// Opened by the child in this order, after it has a session of its own where it gets a terminal.
struct Opened {
  int at;
  int descriptor;  // to be there; -1: open the file
  std::string file;
  int flags;
};

pid_t spawn(const Command& command, const std::vector<Opened>& opened, bool own_session) {
  std::vector<std::string> words = command.words;
  std::vector<std::string> variables;
  const char* path = std::getenv("PATH");
  if (path != nullptr && !command.variables.contains("PATH")) {
    variables.push_back(std::string("PATH=") + path);
  }
  for (const auto& [name, value] : command.variables) variables.push_back(name + "=" + value);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const Opened& one : opened) {
    if (one.descriptor >= 0) {
      ::posix_spawn_file_actions_adddup2(&actions, one.descriptor, one.at);
    } else {
      ::posix_spawn_file_actions_addopen(&actions, one.at, one.file.c_str(), one.flags, 0600);
    }
  }
  ::posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (own_session) ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = -1;
  const int problem = ::posix_spawn(&child, words.front().c_str(), &actions, &attributes,
                                    pointers(words).data(), pointers(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw std::runtime_error("cannot start " + command.words.front());
  return child;
}

}  // namespace

Child::Child(const Command& command, Streams streams, const fs::path& errors) {
  std::signal(SIGPIPE, SIG_IGN);
  if (streams == Streams::terminal) {
    output_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::array<char, 64> name{};
    if (output_ < 0 || ::grantpt(output_) != 0 || ::unlockpt(output_) != 0 ||
        ::ptsname_r(output_, name.data(), name.size()) != 0) {
      throw std::runtime_error("no terminal");
    }
    // The first terminal that the leader of a session opens becomes its own.
    pid_ = spawn(command, {{0, -1, name.data(), O_RDWR}, {1, 0, "", 0}, {2, 0, "", 0}}, true);
    input_ = output_;
    return;
  }
  const Ends in = make_pipe();
  const Ends out = make_pipe();
  pid_ = spawn(command,
               {{0, in.read, "", 0},
                {1, out.write, "", 0},
                {2, -1, errors.string(), O_WRONLY | O_CREAT | O_APPEND}},
               false);
  ::close(in.read);
  ::close(out.write);
  input_ = in.write;
  output_ = out.read;
}

Child::~Child() {
  kill();
  wait();
  if (input_ >= 0 && input_ != output_) ::close(input_);
  ::close(output_);
}

bool Child::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(input_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Child::close_input() {
  if (input_ >= 0 && input_ != output_) ::close(input_);
  input_ = -1;
}

bool Child::read_more(steady_clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{output_, POLLIN, 0};
    const timespec time{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    const int ready = ::ppoll(&wait, 1, &time, nullptr);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    // A terminal whose program is gone reads as an input/output error.
    if (count <= 0) return false;
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
}

std::optional<std::string> Child::read_line(std::chrono::microseconds time_max) {
  const auto deadline = steady_clock::now() + time_max;
  for (;;) {
    const std::size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (!read_more(deadline)) return std::nullopt;
  }
}

bool Child::wait_for(std::string_view text, std::chrono::microseconds time_max) {
  const auto deadline = steady_clock::now() + time_max;
  for (;;) {
    const std::size_t at = unread_.find(text);
    if (at != std::string::npos) {
      unread_.erase(0, at + text.size());
      return true;
    }
    if (!read_more(deadline)) return false;
  }
}

std::string Child::read_all() {
  const auto deadline = steady_clock::now() + std::chrono::minutes(2);
  while (read_more(deadline)) {
  }
  if (steady_clock::now() >= deadline) kill();
  return std::exchange(unread_, "");
}

void Child::kill() {
  if (!code_) ::kill(pid_, SIGKILL);
}

int Child::wait() {
  int status = 0;
  while (!code_) {
    const pid_t found = ::waitpid(pid_, &status, 0);
    if (found < 0 && errno == EINTR) continue;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return *code_;
}

bool Child::has_ended() {
  int status = 0;
  if (!code_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return code_.has_value();
}

ErrorText::ErrorText() : file_(::memfd_create("errors", MFD_CLOEXEC)) {
  if (file_ < 0) throw std::runtime_error("no file in memory");
}

ErrorText::~ErrorText() {
  ::close(file_);
}

fs::path ErrorText::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
}

std::string ErrorText::read() const {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count =
        ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

bool was_busy(int code, std::string_view err) {
  constexpr int kEnvironment = 3;
  return code == kEnvironment && err.find("for too long") != std::string_view::npos;
}

Ended run(const Command& command) {
  for (int again = 0;; ++again) {
    const ErrorText errors;
    Child child(command, Child::Streams::pipes, errors.path());
    child.close_input();
    Ended ended;
    ended.out = child.read_all();
    ended.code = child.wait();
    ended.err = errors.read();
    if (again >= kBusyRepeatsMax || !was_busy(ended.code, ended.err)) return ended;
  }
}

fs::path phasegate_binary() {
  if (const char* binary = std::getenv("PHASEGATE_BINARY")) return binary;
  // Two folders below the program that they were built with: tests/soak.
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path() / "phasegate";
}

}  // namespace phasegate::soak
