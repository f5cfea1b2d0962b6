#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include <doctest/doctest.h>

#include "rag/finder.h"
#include "tests/app/project.h"

/// One index under everything at once: rebuilds by other processes, files that are saved, renamed
/// and deleted, and who searches meanwhile.
namespace phasegate {
namespace {

using test::Project;

constexpr int kChanging = 12;
constexpr int kStable = 6;
constexpr int kRebuilds = 100;
constexpr int kRebuilders = 2;

/// What stands in a changing document, by the version of it.
std::string text_of(int document, int version) {
  return "# Document " + std::to_string(document) + "\n\nchangingword document" +
         std::to_string(document) + " version" + std::to_string(version) + "end\n";
}

/// What the writer has done to one document, and what it is about to do.
struct Told {
  int begun = 0;  ///< newest version that may be on disk
  int done = 0;   ///< newest version that is on disk, unless `gone`
  std::string name_before;
  std::string name;
};

class Documents {
 public:
  explicit Documents(const Project& project) : folder_(project.root() / "standards") {
    for (int i = 0; i < kStable; ++i) {
      test::write_file(folder_ / ("stable-" + std::to_string(i) + ".md"),
                       "# Stable " + std::to_string(i) + "\n\nstableword" + std::to_string(i) +
                           " never changes\n");
    }
    for (int i = 0; i < kChanging; ++i) {
      told_[i].name = told_[i].name_before = name_of(i, 0);
      test::write_file(folder_ / told_[i].name, text_of(i, 0));
    }
  }

  [[nodiscard]] std::map<int, Told> told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }

  /// Saves, renames or deletes one document, as editors do.
  void change(int step) {
    const int i = step % kChanging;
    Told now;
    {
      const std::lock_guard lock(mutex_);
      Told& told = told_[i];
      ++told.begun;
      told.name_before = told.name;
      told.name = name_of(i, step);
      now = told;
    }
    const auto from = folder_ / now.name_before;
    const auto to = folder_ / now.name;
    switch (step % 3) {
      case 0: {  // saved under a new name, the old one goes
        test::write_file(to, text_of(i, now.begun));
        if (from != to) std::filesystem::remove(from);
        break;
      }
      case 1: {  // renamed, then saved by renaming over it
        if (from != to) std::filesystem::rename(from, to);
        test::write_file(folder_ / "saving.tmp", text_of(i, now.begun));
        std::filesystem::rename(folder_ / "saving.tmp", to);
        break;
      }
      default: {  // deleted and made anew
        std::filesystem::remove(from);
        test::write_file(to, text_of(i, now.begun));
        break;
      }
    }
    const std::lock_guard lock(mutex_);
    told_[i].done = told_[i].begun;
  }

 private:
  /// Names move between two folders, and in case of letters.
  static std::string name_of(int document, int step) {
    const std::string folder = (step / kChanging) % 2 == 0 ? "a/" : "b/";
    return folder + ((step / (2 * kChanging)) % 2 == 0 ? "doc" : "Doc") + std::to_string(document) +
           ".md";
  }

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::map<int, Told> told_;
};

int number_behind(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  return at == std::string::npos ? -1 : std::atoi(text.c_str() + at + word.size());
}

/// What is wrong with an answer, given what was known before and after it.
std::string judged(const rag::SearchAnswer& answer, const std::map<int, Told>& before,
                   const std::map<int, Told>& after) {
  for (const rag::FoundPassage& passage : answer.passages) {
    const int document = number_behind(passage.content, " document");
    const int version = number_behind(passage.content, " version");
    if (document < 0) continue;
    if (version < before.at(document).done || version > after.at(document).begun) {
      return passage.file + " was answered as of version " + std::to_string(version) +
             ", it was between " + std::to_string(before.at(document).done) + " and " +
             std::to_string(after.at(document).begun);
    }
  }
  return "";
}

TEST_CASE(
    "search: no wrong answer under 100 rebuilds, renames and deletions by several processes") {
  const Project project;
  project.be_sound();
  Documents documents(project);
  REQUIRE(project.run({"index"}).code == 0);
  rag::SourceRules rules;
  rules.root = std::filesystem::canonical(project.root());
  rules.folders = {"standards"};

  const std::filesystem::path folder =
      project.run_json({"index", "--status", "--json"})["folder"].get<std::string>();

  std::atomic<int> rebuilds = 0;
  std::mutex mutex;
  std::string problem;
  const auto note = [&](const std::string& what) {
    const std::lock_guard lock(mutex);
    if (problem.empty()) problem = what;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kRebuilders; ++i) {
    threads.emplace_back([&] {
      while (rebuilds < kRebuilds) {
        const auto ended =
            test::run_program(test::phasegate_binary(), project.to_run({"index", "--rebuild"}));
        if (ended.code != 0) note("a rebuild failed: " + ended.err + ended.out);
        ++rebuilds;
      }
    });
  }
  threads.emplace_back([&] {
    for (int step = 1; rebuilds < kRebuilds; ++step) documents.change(step);
  });
  std::atomic<int> answers = 0;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      rag::Finder finder(folder);
      for (int n = 0; rebuilds < kRebuilds; ++n) {
        rag::SearchRequest request;
        const int stable = (n + i) % kStable;
        const bool of_stable = n % 2 == 0;
        request.query = of_stable ? "stableword" + std::to_string(stable) : "changingword";
        request.results = 20;
        const auto before = documents.told();
        const auto answer = finder.search(request, rules, nullptr);
        const auto after = documents.told();
        ++answers;
        if (!answer) {
          note("refused: " + answer.error().message);
        } else if (of_stable) {
          const bool found =
              answer->passages.size() == 1 &&
              answer->passages[0].file == "standards/stable-" + std::to_string(stable) + ".md";
          if (!found) note("a document that never changes was not found");
        } else if (const std::string wrong = judged(*answer, before, after); !wrong.empty()) {
          note(wrong);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_MESSAGE(problem.empty(), problem);
  CHECK(rebuilds >= kRebuilds);
  CHECK(answers > 0);

  // Once it is quiet, everything is found as it is.
  REQUIRE(project.run({"index"}).code == 0);
  rag::Finder finder(folder);
  rag::SearchRequest request;
  request.query = "changingword";
  request.results = 100;
  const auto last = documents.told();
  const auto answer = finder.search(request, rules, nullptr);
  REQUIRE(answer);
  CHECK(answer->passages.size() == kChanging);
  CHECK(judged(*answer, last, last).empty());
}

}  // namespace
}  // namespace phasegate
