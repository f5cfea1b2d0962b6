// Guards that are used again (decision 27): nothing of one program reaches the next, and nothing
// that waits for work outlives what it waits for.
#include "base/process_guards.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "tests/support/files.h"

using namespace std::chrono_literals;
using phasegate::base::Descriptor;
using phasegate::base::Guard;
using phasegate::base::GuardPool;
using phasegate::base::ProcessRequest;
using phasegate::base::ProcessResult;
using phasegate::base::run_process;
using End = phasegate::base::ProcessResult::End;

namespace {

namespace fs = std::filesystem;
using Folder = phasegate::test::TempFolder;

ProcessRequest script(const std::string& text, const fs::path& folder = "/") {
  ProcessRequest request;
  request.argv = {"sh", "-c", text};
  request.folder = folder;
  request.environment = {"PATH=/usr/bin:/bin"};
  request.timeout_ms = 60'000;
  request.output_max = 10'000;
  return request;
}

/// Guards that nothing but a test ends.
class LongPool : public GuardPool {
 public:
  LongPool() : GuardPool({.idle_max = 2, .idle_time = 24h, .age_max = 24h}) {}
};

std::string printed(GuardPool& pool, const std::string& text) {
  const ProcessResult result = run_process(script(text), pool);
  CHECK(result.end == End::exited);
  CHECK(result.err.text.empty());
  return result.out.text;
}

/// The guard of a program that is run now; it is idle afterwards.
pid_t guard_now(GuardPool& pool) {
  return static_cast<pid_t>(std::stol(printed(pool, "echo $PPID")));
}

/// Knows when a process has ended, also of one that is not our child.
class EndOf {
 public:
  explicit EndOf(pid_t pid) : file_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U))) {
    REQUIRE(file_.open());
  }
  [[nodiscard]] bool comes() const {
    pollfd watched{file_.get(), POLLIN, 0};
    return ::poll(&watched, 1, 60'000) == 1;
  }

 private:
  Descriptor file_;
};

bool is_our_child(pid_t pid) {
  return ::waitpid(pid, nullptr, WNOHANG) == 0;
}

std::unique_ptr<Guard> new_guard() {
  auto guard = Guard::start(0);
  REQUIRE(guard);
  return guard;
}

}  // namespace

TEST_CASE("guards: programs one after the other have one guard, and groups of their own") {
  LongPool pool;
  const pid_t guard = guard_now(pool);
  CHECK(is_our_child(guard));
  const std::string group = printed(pool, "cut -d' ' -f5 /proc/$$/stat; echo $PPID");
  const std::string other = printed(pool, "cut -d' ' -f5 /proc/$$/stat; echo $PPID");
  CHECK(group != other);
  CHECK(group.ends_with("\n" + std::to_string(guard) + "\n"));
  CHECK(other.ends_with("\n" + std::to_string(guard) + "\n"));
  // What cannot be started does the guard no harm either.
  ProcessRequest missing = script("");
  missing.argv = {"./missing"};
  CHECK(run_process(missing, pool).end == End::not_started);
  CHECK(guard_now(pool) == guard);
}

TEST_CASE("guards: nothing that a program sets reaches the next one (invariant 3)") {
  LongPool pool;
  const Folder folder;
  const std::string look =
      "pwd; umask; ulimit -a; env; ls /proc/self/fd | wc -l; grep -E 'Sig(Blk|Ign|Cgt)' "
      "/proc/self/status; "
      "cut -d' ' -f19 /proc/self/stat; cat; echo $PPID";
  const std::string before = printed(pool, look);
  ProcessRequest request = script(
      "cat >file; cd /tmp; umask 0; ulimit -n 20; ulimit -f 7; trap '' TERM INT; "
      "exec 7<file 8>>file; export LEFT=here; renice -n 3 -p $$ >/dev/null; kill -TERM $PPID; "
      "kill -CHLD $PPID; ls / >&8",
      folder.path());
  request.environment.emplace_back("SECRET=one");
  request.input = "the first one's input";
  request.argv.emplace_back("argument");
  CHECK(run_process(request, pool).end == End::exited);
  CHECK(printed(pool, look) == before);
}

TEST_CASE("guards: a program that changes its guard changes no other program") {
  LongPool pool;
  const pid_t guard = guard_now(pool);
  const std::string limits = printed(pool, "ulimit -a");
  const Folder folder;
  REQUIRE(::mkfifo((folder.path() / "done").c_str(), 0600) == 0);
  ProcessRequest request = script("cat <done", folder.path());
  bool changed = false;
  request.go_on = [&] {
    // As a program of the same user can, which has no such command everywhere.
    if (changed) return true;
    changed = true;
    const rlimit small{4096, 4096};
    CHECK(::prlimit(guard, RLIMIT_FSIZE, &small, nullptr) == 0);
    const Descriptor opened(::open((folder.path() / "done").c_str(), O_WRONLY | O_CLOEXEC));
    return opened.open();
  };
  CHECK(run_process(request, pool).end == End::exited);
  CHECK(guard_now(pool) != guard);
  CHECK(printed(pool, "ulimit -a") == limits);
}

TEST_CASE("guards: one that had to end something is not used again") {
  LongPool pool;
  const pid_t guard = guard_now(pool);
  ProcessRequest request;
  SUBCASE("what the program left behind") {
    request = script("sleep 1000 &");
  }
  SUBCASE("the program, after its time") {
    request = script("sleep 1000");
    request.timeout_ms = 50;
  }
  static_cast<void>(run_process(request, pool));
  CHECK(guard_now(pool) != guard);
}

TEST_CASE("guards: one that was ended while it was idle is replaced, nothing runs twice") {
  LongPool pool;
  const pid_t guard = guard_now(pool);
  const EndOf end(guard);
  ::kill(guard, SIGKILL);
  REQUIRE(end.comes());
  const Folder folder;
  CHECK(run_process(script("echo x >>file", folder.path()), pool).end == End::exited);
  CHECK(phasegate::test::read_file(folder.path() / "file") == "x\n");
  CHECK_FALSE(is_our_child(guard));
}

TEST_CASE("guards: of one that is ended with work in hand nothing is known, and nothing retried") {
  LongPool pool;
  const pid_t guard = guard_now(pool);
  const Folder folder;
  ProcessRequest request = script("echo x >>file", folder.path());
  ::kill(guard, SIGSTOP);  // it is given the work and does not get to it
  request.go_on = [guard] { return ::kill(guard, SIGKILL) == 0; };
  const ProcessResult result = run_process(request, pool);
  CHECK(result.end == End::not_started);
  CHECK(result.problem.starts_with("the program's guard was ended from outside"));
  CHECK_FALSE(fs::exists(folder.path() / "file"));
}

TEST_CASE("guards: programs cannot look into theirs, and people can see what it is") {
  LongPool pool;
  const std::string text =
      printed(pool,
              "cat /proc/$PPID/comm; tr -d '\\0' </proc/$PPID/cmdline; test -r /proc/$PPID/mem && "
              "[ $(id -u) != 0 ] && echo open; ls -l /proc/$PPID/fd 2>/dev/null | wc -l");
  CHECK(text.starts_with("phasegate-guard\nphasegate-guard"));
  CHECK(text.find("open") == std::string::npos);
}

TEST_CASE("guards: an idle one goes with its server, however that dies (field lessons 48)") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t server = ::fork();
  if (server == 0) {
    const auto guard = Guard::start(0);
    const pid_t pid = guard ? guard->pid() : -1;
    static_cast<void>(::write(writing.get(), &pid, sizeof pid));
    for (;;) ::pause();
  }
  REQUIRE(server > 0);
  pid_t guard = -1;
  REQUIRE(::read(reading.get(), &guard, sizeof guard) == sizeof guard);
  const EndOf end(guard);
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  CHECK(end.comes());
}

TEST_CASE("guards: one does not keep another from noticing its end") {
  auto first = new_guard();
  const auto second = new_guard();
  const pid_t pid = first->pid();
  first.reset();  // waits for its end
  CHECK_FALSE(is_our_child(pid));
  CHECK(is_our_child(second->pid()));
}

TEST_CASE("guards: what is no work ends an idle one") {
  const auto guard = new_guard();
  guard->ask();  // a byte, too late
  CHECK_FALSE(guard->report());
  CHECK(EndOf(guard->pid()).comes());
}

TEST_CASE("guards: few are kept idle, and not for long") {
  SUBCASE("the last one that was used comes first, and only if there is room in it") {
    GuardPool pool;
    std::array<pid_t, 3> pids{};
    for (pid_t& pid : pids) {
      auto guard = new_guard();
      pid = guard->pid();
      pool.put(std::move(guard));
    }
    CHECK_FALSE(is_our_child(pids[2]));  // there were two
    CHECK_FALSE(pool.take(1U << 30U));
    const auto last = pool.take(1000);
    REQUIRE(last);
    CHECK(last->pid() == pids[1]);
    pool.close();
    CHECK_FALSE(is_our_child(pids[0]));
    CHECK_FALSE(pool.take(0));
  }
  SUBCASE("after the pool is closed") {
    GuardPool pool;
    pool.close();
    pool.put(new_guard());
    CHECK_FALSE(pool.take(0));
  }
  SUBCASE("one that is old") {
    GuardPool pool({.idle_max = 2, .idle_time = 60s, .age_max = -1ms});
    pool.put(new_guard());
    CHECK_FALSE(pool.take(0));
  }
  SUBCASE("without work for a while") {
    GuardPool pool({.idle_max = 2, .idle_time = 1ms, .age_max = 60s});
    for (int round = 0; round < 2; ++round) {
      auto guard = new_guard();
      const EndOf end(guard->pid());
      pool.put(std::move(guard));
      CHECK(end.comes());
    }
  }
}

TEST_CASE("guards: a process that ends leaves none behind") {
  // Ourselves with another test, since its main returns in the usual way.
  ProcessRequest request = script("");
  request.argv = {fs::read_symlink("/proc/self/exe").string(), "-tc=process: how a program ends*"};
  const ProcessResult result = run_process(request);
  CHECK(result.end == End::exited);
  CHECK(result.code == 0);
  CHECK_FALSE(result.left_processes);
}
