// Kills servers for as long as it is asked to, in rounds with a store of their own each; see
// README.md beside this file.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

#include "tests/soak/kills.h"

namespace {

using namespace phasegate::soak;
namespace fs = std::filesystem;

constexpr int kKillsPerRound = 500;

constexpr const char* kUsage =
    "soak [--kills N] [--writers N] [--seed N] [--seconds N]\n"
    "  --kills N     how many processes are killed (1000)\n"
    "  --writers N   clients at once (3)\n"
    "  --seed N      of the choice of moments (1); with more than one process not all is repeated\n"
    "  --seconds N   end after this time (0: when the kills are done)\n";

KillWishes wishes_from(int count, char** words) {
  KillWishes wishes;
  wishes.kills = 1000;
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = words[i];
    char* end = nullptr;
    const char* text = i + 1 < count ? words[i + 1] : "";
    const long value = std::strtol(text, &end, 10);
    const bool sound = *text != '\0' && *end == '\0' && value >= 0 && value <= 1'000'000;
    if (sound && name == "--kills" && value > 0) {
      wishes.kills = static_cast<int>(value);
    } else if (sound && name == "--writers" && value > 0 && value <= 64) {
      wishes.writers = static_cast<int>(value);
    } else if (sound && name == "--seed") {
      wishes.seed = static_cast<std::uint64_t>(value);
    } else if (sound && name == "--seconds") {
      wishes.seconds_max = static_cast<int>(value);
    } else {
      throw std::invalid_argument(std::string("not understood: ") + words[i] + " " + text);
    }
  }
  return wishes;
}

int seconds_since(std::chrono::steady_clock::time_point begin) {
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin)
          .count());
}

void print(const KillReport& all, const KillWishes& wishes, int seconds) {
  std::printf(
      "kills %d (%d at a call: %s), writers %d, sessions %d, commands %d, copies %d, acknowledged "
      "%d, unanswered %d (%d had happened), lost %d, doubled %d, half %d, other findings %zu, "
      "seconds %d\n",
      all.kills, all.at_calls(), all.by_kind().c_str(), wishes.writers, all.sessions, all.commands,
      all.copies, all.acknowledged, all.unanswered, all.repeated, all.found.lost, all.found.doubled,
      all.found.half, all.found.words.size(), seconds);
  for (const std::string& words : all.found.words) std::printf("  %s\n", words.c_str());
  std::fflush(stdout);
}

/// A round's folder is kept if something was found in it, also if that is why it could not go on.
KillReport one_round(const KillWishes& wishes) {
  std::string name = (fs::temp_directory_path() / "soak-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for a round");
  KillReport report;
  try {
    report = kill_again_and_again(name, wishes);
  } catch (const std::exception& problem) {
    report.found.words.emplace_back(problem.what());
  }
  if (report.found.none()) {
    fs::remove_all(name);
  } else {
    std::printf("seed %llu, kept: %s\n", static_cast<unsigned long long>(wishes.seed),
                name.c_str());
  }
  return report;
}

}  // namespace

int main(int count, char** words) {
  try {
    const KillWishes wishes = wishes_from(count, words);
    const auto begin = std::chrono::steady_clock::now();
    KillReport all;
    for (std::uint64_t round = 0; all.kills < wishes.kills; ++round) {
      KillWishes now = wishes;
      now.seed = wishes.seed + round;
      now.kills = std::min(kKillsPerRound, wishes.kills - all.kills);
      if (wishes.seconds_max > 0) {
        now.seconds_max = wishes.seconds_max - seconds_since(begin);
        if (now.seconds_max <= 0) break;
      }
      const KillReport report = one_round(now);
      all.add(report);
      print(all, wishes, seconds_since(begin));
      // Nobody could be killed: neither can the next round's.
      if (report.kills == 0) break;
    }
    return all.found.none() ? 0 : 1;
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "%s\n%s", problem.what(), kUsage);
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  }
}
