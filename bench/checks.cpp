// What checks cost beside what they cannot do without: a `command` check of a program that does
// nothing beside a bare posix_spawn and waitpid of the same program, in turns; and 20 `file`
// checks. Prints milliseconds (median and tenth percentile, since other work on the machine only
// adds) and the ratio. Goals: at most 1.5 of the bare start; at most 1 ms for the 20 files.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "world/checks/environment.h"
#include "world/checks/kinds.h"

namespace {

namespace fs = std::filesystem;
using phasegate::base::Json;
namespace checks = phasegate::world::checks;

constexpr int kRounds = 300;
constexpr int kFiles = 20;

double ms_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

struct Times {
  std::vector<double> all;
  [[nodiscard]] double at(double part) {
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))];
  }
};

/// A check, and the scene of a run in which nothing has happened.
struct Asked {
  phasegate::phases::Check check;
  Json parameters;
  Json scope = Json::object();
  checks::Place place;
  phasegate::gating::engine::CheckScene scene{scope,   "", "", {},
                                              "bench", {}, {}, [] { return true; }};
  checks::Ask ask{check, parameters, scene, place};

  Asked(phasegate::phases::CheckKind kind, const fs::path& root, Json written)
      : parameters(std::move(written)), place{root, checks::filtered_environment(), {}} {
    check.name = "bench";
    check.kind = kind;
    check.parameters = phasegate::base::dump(parameters);
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
};

void require_passed(const phasegate::gating::CheckResult& result) {
  if (result.lets_through()) return;
  std::fprintf(stderr, "bench_checks: a check did not pass: %s\n", result.reason.c_str());
  std::exit(1);
}

void start_bare() {
  std::string name = "/bin/true";
  char* argv[] = {name.data(), nullptr};
  pid_t pid = 0;
  int status = 0;
  if (::posix_spawn(&pid, name.c_str(), nullptr, nullptr, argv, environ) != 0 ||
      ::waitpid(pid, &status, 0) != pid || status != 0) {
    std::fprintf(stderr, "bench_checks: /bin/true cannot be run\n");
    std::exit(1);
  }
}

void programs(const fs::path& root) {
  const Asked asked(phasegate::phases::CheckKind::command, root, {{"argv", {"/bin/true"}}});
  Times checked;
  Times bare;
  for (int i = 0; i < kRounds; ++i) {
    checked.all.push_back(ms_of([&] { require_passed(checks::check_command(asked.ask)); }));
    bare.all.push_back(ms_of(start_bare));
  }
  for (const auto& [name, part] : {std::pair{"p50", 0.5}, std::pair{"p10", 0.1}}) {
    std::printf("command check %s  %.3f ms, bare start %.3f ms, ratio %.2f\n", name,
                checked.at(part), bare.at(part), checked.at(part) / bare.at(part));
  }
}

void files(const fs::path& root) {
  std::vector<std::unique_ptr<Asked>> asked;
  for (int i = 0; i < kFiles; ++i) {
    const std::string name = "file-" + std::to_string(i) + ".md";
    std::ofstream(root / name) << "# Plan\n\nWhat is to be done, and how it is known to be done.\n";
    asked.push_back(std::make_unique<Asked>(phasegate::phases::CheckKind::file, root,
                                            Json{{"path", name}, {"matches", "# Plan"}}));
  }
  Times times;
  for (int i = 0; i < kRounds; ++i) {
    times.all.push_back(ms_of([&] {
      for (const auto& one : asked) require_passed(checks::check_file(one->ask));
    }));
  }
  std::printf("%d file checks p50  %.3f ms, p10 %.3f ms\n", kFiles, times.at(0.5), times.at(0.1));
}

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "bench-checks-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return 1;
  const fs::path root = fs::canonical(name);
  programs(root);
  files(root);
  std::error_code ignored;
  fs::remove_all(root, ignored);
  return 0;
}
