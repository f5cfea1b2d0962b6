#include "tests/support/program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace phasegate::test {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(read); }
  void close_write() { close_end(write); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

/// The environment and arguments in the form that exec wants.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

pid_t spawn(const std::filesystem::path& program, const ToRun& to_run, int in, int out, int err) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), to_run.arguments.begin(), to_run.arguments.end());
  std::vector<std::string> variables;
  const char* path = std::getenv("PATH");
  if (path != nullptr && !to_run.variables.contains("PATH")) {
    variables.push_back(std::string("PATH=") + path);
  }
  for (const auto& [name, value] : to_run.variables) variables.push_back(name + "=" + value);

  posix_spawn_file_actions_t actions;
  REQUIRE(::posix_spawn_file_actions_init(&actions) == 0);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  if (!to_run.folder.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions, to_run.folder.c_str());
  }
  pid_t child = -1;
  const int problem = ::posix_spawn(&child, program.c_str(), &actions, nullptr,
                                    pointers(words).data(), pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  REQUIRE_MESSAGE(problem == 0, program.string());
  return child;
}

/// Appends what can be read; false at the end.
bool read_some(int from, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(from, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Serves all three streams until both outputs have ended; false if time ran out.
bool serve(Pipe& in, Pipe& out, Pipe& err, const ToRun& to_run, Ended& ended) {
  const auto deadline = std::chrono::steady_clock::now() + to_run.time_max;
  std::string_view input(to_run.input);
  if (input.empty()) in.close_write();
  while (out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 3> waits{
        {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (::poll(waits.data(), waits.size(), static_cast<int>(left.count())) < 0) continue;
    if (waits[0].revents != 0 && !read_some(out.read, ended.out)) out.close_read();
    if (waits[1].revents != 0 && !read_some(err.read, ended.err)) err.close_read();
    if (waits[2].revents != 0) {
      const ssize_t count =
          ::write(in.write, input.data(), std::min<std::size_t>(input.size(), 4096));
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      if (input.empty() || (count < 0 && errno != EINTR)) in.close_write();
    }
  }
  return true;
}

}  // namespace

Ended run_program(const std::filesystem::path& program, const ToRun& to_run) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in;
  Pipe out;
  Pipe err;
  int to = out.write;
  if (!to_run.output_file.empty()) {
    to = ::open(to_run.output_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(to >= 0);
  }
  if (to_run.close_output) out.close_read();
  const pid_t child = spawn(program, to_run, in.read, to, err.write);
  if (to != out.write) ::close(to);
  in.close_read();
  out.close_write();
  err.close_write();

  Ended ended;
  const bool in_time = serve(in, out, err, to_run, ended);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE_MESSAGE(in_time, "the program did not end in time");
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

std::filesystem::path phasegate_binary() {
  if (const char* binary = std::getenv("PHASEGATE_BINARY")) return binary;
  // The test binaries lie in a folder of their own below the program they were built with.
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "phasegate";
}

}  // namespace phasegate::test
