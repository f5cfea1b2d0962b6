#include "base/process.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "tests/support/files.h"

using phasegate::base::Descriptor;
using phasegate::base::ProcessRequest;
using phasegate::base::ProcessResult;
using phasegate::base::run_process;
using End = phasegate::base::ProcessResult::End;

namespace {

namespace fs = std::filesystem;
using Folder = phasegate::test::TempFolder;

ProcessRequest program(std::vector<std::string> argv, const fs::path& folder = "/") {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.folder = folder;
  request.environment = {"PATH=/usr/bin:/bin"};
  request.timeout_ms = 60'000;
  request.output_max = 1000;
  return request;
}

ProcessRequest script(const std::string& text, const fs::path& folder = "/") {
  return program({"sh", "-c", text}, folder);
}

/// Tells when the last process that has opened it for writing is gone: its other end reads an end.
class Witness {
 public:
  explicit Witness(const Folder& folder) : path_(folder.path() / "witness") {
    REQUIRE(::mkfifo(path_.c_str(), 0600) == 0);
    end_.reset(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    REQUIRE(end_.open());
  }
  /// What was written until everybody was gone; fails the test if somebody is still there.
  std::string read_to_end(int wait_ms) {
    std::string text;
    char byte = 0;
    for (;;) {
      pollfd watched{end_.get(), POLLIN, 0};
      if (::poll(&watched, 1, wait_ms) <= 0) return text + " (somebody is still there)";
      const ssize_t got = ::read(end_.get(), &byte, 1);
      if (got <= 0) return text;
      text += byte;
    }
  }
  /// Waits for one byte.
  bool wait_for_sign() {
    pollfd watched{end_.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&watched, 1, 60'000) == 1 && ::read(end_.get(), &byte, 1) == 1;
  }

 private:
  fs::path path_;
  Descriptor end_;
};

}  // namespace

TEST_CASE("process: how a program ends is told apart (ARCHITECTURE §5 stage 3)") {
  struct Row {
    const char* text;
    End end;
    int code;
  };
  for (const Row& row :
       {Row{"true", End::exited, 0}, Row{"exit 3", End::exited, 3},
        Row{"exit 255", End::exited, 255}, Row{"kill -9 $$", End::signalled, SIGKILL},
        Row{"kill -TERM $$", End::signalled, SIGTERM}}) {
    CAPTURE(row.text);
    const ProcessResult result = run_process(script(row.text));
    CHECK(result.end == row.end);
    CHECK(result.code == row.code);
    CHECK(result.problem.empty());
    CHECK_FALSE(result.left_processes);
    CHECK(result.digest.size() == 64);
  }
}

TEST_CASE("process: arguments, variables and input arrive as they are, nothing else is given") {
  ProcessRequest request = program({"printf", "%s|", "a b", "$HOME", "*", "", "\xff\xfe;"});
  CHECK(run_process(request).out.text == "a b|$HOME|*||\xff\xfe;|");

  request = program({"env"});
  request.environment = {"PATH=/usr/bin:/bin", "ONE=1 2"};
  CHECK(run_process(request).out.text == "PATH=/usr/bin:/bin\nONE=1 2\n");

  request = program({"cat"});
  request.input = std::string("a\0b\r\n\xff", 6);
  CHECK(run_process(request).out.text == request.input);
  request.input = "";
  CHECK(run_process(request).out.bytes == 0);  // ends at once

  request = program({"true"});
  request.input = std::string(8U << 20U, 'x');  // more than any pipe holds, and not read
  CHECK(run_process(request).end == End::exited);
}

TEST_CASE("process: only the standard files are open, whatever is open here") {
  const Folder folder;
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  REQUIRE(leaked >= 0);
  const ProcessResult result = run_process(script("ls /proc/self/fd | wc -l"));
  ::close(leaked);
  CHECK(result.out.text == "4\n");  // three, and the one with which ls reads the folder
}

TEST_CASE("process: of much output the beginning and the end are kept, all of it counts") {
  ProcessRequest request = script("echo begin; head -c 64000000 /dev/zero; echo end; echo no >&2");
  const ProcessResult result = run_process(request);
  CHECK(result.end == End::exited);
  CHECK(result.out.cut);
  CHECK(result.out.bytes == 64'000'010);
  CHECK(result.out.text.size() == 1000);
  CHECK(result.out.cut_at == 500);
  CHECK(result.out.text.starts_with("begin\n"));
  CHECK(result.out.text.ends_with("end\n"));
  CHECK(result.err.text == "no\n");
  CHECK_FALSE(result.err.cut);

  request.output_max = 0;
  const ProcessResult nothing = run_process(request);
  CHECK(nothing.out.text.empty());
  CHECK(nothing.out.cut);
  CHECK(nothing.digest == result.digest);  // what is dropped is digested too
  request.argv.back() += "; echo more";
  CHECK(run_process(request).digest != result.digest);
}

TEST_CASE("process: the digest tells the two outputs apart, not how they came") {
  const std::string both = run_process(script("printf ab; printf c >&2")).digest;
  CHECK(run_process(script("printf a; printf c >&2; printf b")).digest == both);
  CHECK(run_process(script("printf a; printf bc >&2")).digest != both);
}

TEST_CASE("process: exactly as much as is kept is not cut") {
  ProcessRequest request = script("printf 0123456789");
  request.output_max = 10;
  CHECK(run_process(request).out.text == "0123456789");
  CHECK_FALSE(run_process(request).out.cut);
  request.output_max = 9;
  CHECK(run_process(request).out.text == "012356789");
}

TEST_CASE("process: a program that ignores its end is killed (invariant 8)") {
  const Folder folder;
  Witness witness(folder);
  ProcessRequest request = script(
      "exec 3>witness; trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1; done' & "
      "while :; do sleep 1; done",
      folder.path());
  SUBCASE("after its time") {
    request.timeout_ms = 100;
    CHECK(run_process(request).end == End::timed_out);
  }
  SUBCASE("when nobody wants it any more") {
    request.go_on = [] { return false; };
    CHECK(run_process(request).end == End::stopped);
  }
  SUBCASE("when asking fails") {
    request.go_on = []() -> bool { throw 1; };
    CHECK(run_process(request).end == End::stopped);
  }
  CHECK(witness.read_to_end(0) == "");
}

TEST_CASE("process: it is asked before it is killed, and what it says then is heard") {
  ProcessRequest request = script("trap 'echo goodbye; exit 7' TERM; while :; do sleep 0.01; done");
  request.timeout_ms = 200;
  const ProcessResult result = run_process(request);
  CHECK(result.end == End::timed_out);
  CHECK(result.out.text == "goodbye\n");
}

TEST_CASE("process: what a program leaves behind is ended with it (field lessons 48)") {
  const Folder folder;
  Witness witness(folder);
  const char* text = nullptr;
  SUBCASE("a child that holds the output") {
    text = "exec 3>witness; sleep 1000 & echo done";
  }
  SUBCASE("a daemon in a session of its own") {
    text =
        "exec 3>witness; (setsid sh -c 'setsid sleep 1000 >/dev/null 2>&1 &' &); "
        "echo done";
  }
  SUBCASE("children that ignore being asked") {
    text =
        "exec 3>witness; for i in 1 2 3; do setsid sh -c 'trap \"\" TERM; sleep 1000; sleep "
        "1000' & done; echo done";
  }
  const ProcessResult result = run_process(script(text, folder.path()));
  CHECK(result.end == End::exited);
  CHECK(result.out.text == "done\n");
  CHECK(result.left_processes);
  CHECK(witness.read_to_end(0) == "");
}

TEST_CASE("process: there is no terminal to ask at (field lessons 44)") {
  const ProcessResult result = run_process(script("tty; echo hello >/dev/tty || exit 9"));
  CHECK(result.out.text == "not a tty\n");
  CHECK(result.code != 0);
}

TEST_CASE("process: signals have their default actions") {
  std::signal(SIGPIPE, SIG_IGN);  // as the server has it
  CHECK(run_process(script("yes | head -c 1")).out.text == "y");
  CHECK(run_process(script("grep -E '^Sig(Blk|Ign)' /proc/self/status")).out.text ==
        "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  CHECK(run_process(script("ulimit -c")).out.text == "0\n");
}

TEST_CASE("process: what cannot be started is a result that says why") {
  const Folder folder;
  static_cast<void>(folder.write("plain.txt", "text\n"));
  const fs::path bare = folder.write("bare", "echo hello\n");
  const fs::path odd = folder.write("odd", "#!/no/such/interpreter\n");
  for (const fs::path& file : {bare, odd}) fs::permissions(file, fs::perms::owner_all);
  struct Row {
    std::vector<std::string> argv;
    const char* problem;
  };
  for (const Row& row :
       {Row{{}, "no program is named"}, Row{{""}, "no program is named"},
        Row{{"no-such-program"}, "the program \"no-such-program\" is not found in PATH"},
        Row{{"./missing"}, "the program \"./missing\" is not there"},
        Row{{"plain.txt/x"}, "the program \"plain.txt/x\" is not there"},
        Row{{"./plain.txt"},
            "the program \"./plain.txt\" may not be executed (a folder, or no execute permission)"},
        Row{{"./bare"},
            "the program \"./bare\" is in no format that can be executed (a script begins with a "
            "line such as #!/bin/sh)"},
        Row{{"./odd"},
            "the program \"./odd\" is there, but the interpreter that its first line or its format "
            "names is not"},
        Row{{"true", std::string(4U << 20U, 'a')},
            "the arguments and the environment of \"true\" are longer than the operating system "
            "takes"},
        Row{{"true", std::string("a\0b", 3)},
            "an argument or a variable holds a NUL byte, which no program can be given"}}) {
    CAPTURE(row.problem);
    const ProcessResult result = run_process(program(row.argv, folder.path()));
    CHECK(result.end == End::not_started);
    CHECK(result.problem == row.problem);
    CHECK(result.digest.empty());
  }
  const ProcessResult nowhere = run_process(program({"true"}, folder.path() / "gone"));
  CHECK(nowhere.problem == "the working folder cannot be entered: No such file or directory");
}

TEST_CASE("process: an empty part of PATH is not the working folder") {
  const Folder folder;
  fs::permissions(folder.write("local-program", "#!/bin/sh\necho wrong\n"), fs::perms::owner_all);
  ProcessRequest request = program({"local-program"}, folder.path());
  request.environment = {"PATH=:/usr/bin::/bin:"};
  CHECK(run_process(request).end == End::not_started);
}

TEST_CASE("process: a program may delete its own folder") {
  const Folder folder;
  const ProcessResult result = run_process(script("rmdir \"$PWD\"; echo done", folder.path()));
  CHECK(result.out.text == "done\n");
  CHECK(result.code == 0);
}

TEST_CASE("process: a program that attacks its guard proves nothing (invariant 3)") {
  const Folder folder;
  Witness witness(folder);
  SUBCASE("killed") {
    const ProcessResult result = run_process(
        script("exec 3>witness; sleep 1000 & kill -9 $PPID; sleep 1000", folder.path()));
    CHECK(result.end == End::not_started);
    CHECK(result.problem.starts_with("the program's guard was ended from outside"));
  }
  SUBCASE("stopped") {
    ProcessRequest request = script("exec 3>witness; kill -STOP $PPID; sleep 1000", folder.path());
    request.timeout_ms = 200;
    CHECK(run_process(request).end == End::timed_out);
  }
  CHECK(witness.read_to_end(10'000) == "");
}

TEST_CASE("process: many at once do not disturb each other, and leave no zombies") {
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([thread, &right] {
      for (int i = 0; i < 8; ++i) {
        ProcessRequest request = script("cat; exit " + std::to_string(thread));
        request.input = std::string(70'000, static_cast<char>('a' + thread));
        request.output_max = 100'000;
        const ProcessResult result = run_process(request);
        if (result.code == thread && result.out.text == request.input) ++right;
      }
    });
  }
  threads.clear();
  CHECK(right == 64);
  CHECK(::waitpid(-1, nullptr, WNOHANG) <= 0);  // who is still there is idle, not a zombie
}

TEST_CASE("process: when we are killed, the whole tree goes (field lessons 48)") {
  const Folder folder;
  Witness witness(folder);
  const ProcessRequest request = script(
      "exec 3>witness; trap '' TERM; sleep 1000 & setsid sh -c 'trap \"\" TERM; printf . >&3; "
      "sleep 1000; sleep 1000' & wait",
      folder.path());
  const pid_t server = ::fork();
  if (server == 0) {
    static_cast<void>(run_process(request));
    ::_exit(0);
  }
  REQUIRE(server > 0);
  CHECK(witness.wait_for_sign());
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  CHECK(witness.read_to_end(30'000) == "");
}
