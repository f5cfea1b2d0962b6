#include "rag/watcher.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "tests/support/files.h"

namespace phasegate::rag {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr std::int64_t kWaitMs = 20'000;  // for what must come
constexpr std::int64_t kNoneMs = 30;      // for what must not
constexpr std::int64_t kSettleMs = 5;
constexpr std::int64_t kMostMs = 5000;

class Place {
 public:
  explicit Place(std::vector<std::string> folders) {
    for (const std::string& folder : folders) fs::create_directories(root() / folder);
    watch(std::move(folders));
  }

  [[nodiscard]] fs::path root() const { return fs::canonical(folder_.path()); }
  void write(const std::string& path, std::string_view bytes = "x") const {
    folder_.write(path, bytes);
  }
  /// Watches, and takes what is told of new folders.
  void watch(std::vector<std::string> folders) {
    watcher.watch(folders);
    (void)watcher.next(0, 0, 0);
  }
  [[nodiscard]] Changed changed() {
    const auto got = watcher.next(kWaitMs, kSettleMs, kMostMs);
    REQUIRE(got.has_value());
    return *got;
  }
  [[nodiscard]] bool quiet() { return !watcher.next(kNoneMs, kSettleMs, kMostMs).has_value(); }

 private:
  test::TempFolder folder_;

 public:
  Watcher watcher{root()};
};

}  // namespace

TEST_CASE("watcher: files that are written, replaced and removed, by folder") {
  Place place({"", "docs", "docs/x", "other"});
  CHECK(place.watcher.complete());
  CHECK(place.quiet());
  const fs::path docs = place.root() / "docs";

  place.write("docs/a.md");
  Changed changed = place.changed();
  CHECK_FALSE(changed.everything);
  CHECK(changed.files == Names{"docs/a.md"});
  CHECK(changed.folders.empty());

  SUBCASE("written to") {
    std::ofstream(docs / "a.md", std::ios::app) << "more";
    CHECK(place.changed().files == Names{"docs/a.md"});
  }
  SUBCASE("saved by way of another file") {
    place.write("docs/.a.md.tmp");
    CHECK(place.quiet());
    fs::rename(docs / ".a.md.tmp", docs / "a.md");
    CHECK(place.changed().files == Names{"docs/a.md"});
  }
  SUBCASE("moved to another folder") {
    fs::rename(docs / "a.md", docs / "x" / "b.md");
    changed = place.changed();
    CHECK_FALSE(changed.everything);
    CHECK(changed.files == Names{"docs/a.md", "docs/x/b.md"});
  }
  SUBCASE("removed") {
    fs::remove(docs / "a.md");
    CHECK(place.changed().files == Names{"docs/a.md"});
  }
  SUBCASE("other rights") {
    fs::permissions(docs / "a.md", fs::perms::owner_read);
    CHECK(place.changed().files == Names{"docs/a.md"});
  }
  SUBCASE("in the root itself") {
    place.write("top.md");
    CHECK(place.changed().files == Names{"top.md"});
  }
  CHECK(place.quiet());
}

TEST_CASE("watcher: folders that come and go, and files that say what is a source") {
  Place place({"", "docs", "docs/x"});
  const fs::path docs = place.root() / "docs";
  SUBCASE("new") {
    fs::create_directories(docs / "new" / "er");
  }
  SUBCASE("new, where a source's folder may come") {
    fs::create_directories(place.root() / ".phasegate");
  }
  SUBCASE("moved within") {
    fs::rename(docs / "x", docs / "y");
  }
  SUBCASE("moved away") {
    fs::rename(docs, place.root() / "elsewhere");
  }
  SUBCASE("gone") {
    fs::remove_all(docs);
  }
  SUBCASE("other rights") {
    fs::permissions(docs / "x", fs::perms::owner_all);
  }
  SUBCASE("ignore rules") {
    place.write("docs/.gitignore");
  }
  SUBCASE("a workflow") {
    place.write("docs/x/metadata.json");
  }
  CHECK(place.changed().everything);
  CHECK(place.quiet());
}

TEST_CASE("watcher: folders that are nobody's source mean nothing") {
  Place place({"", "docs", "docs/x", ".phasegate", "linked/deep"});
  const std::vector<std::string> watched = {"", "docs", "docs/x", ".phasegate", "linked/deep"};
  const std::vector<std::string> sources = {".phasegate/standards", "docs", "far/away"};
  fs::create_directories(place.root() / "other");
  place.watcher.watch(watched, sources);
  (void)place.watcher.next(0, 0, 0);
  SUBCASE("elsewhere") {
    fs::create_directories(place.root() / "build" / "docs");
    fs::rename(place.root() / "build", place.root() / "far2");
    fs::remove_all(place.root() / "far2");
    fs::create_directories(place.root() / ".phasegate" / "cache");
    fs::create_directories(place.root() / "linked" / "deep" / "er");
    fs::permissions(place.root() / "other", fs::perms::owner_all);
    CHECK(place.quiet());
    return;
  }
  SUBCASE("on the way to a source") {
    fs::create_directories(place.root() / "far");
  }
  SUBCASE("a source") {
    fs::create_directories(place.root() / ".phasegate" / "standards");
  }
  SUBCASE("in a source") {
    fs::create_directories(place.root() / "docs" / "x" / "y");
  }
  SUBCASE("on the way to what a link leads to") {
    fs::rename(place.root() / "linked", place.root() / "moved");
  }
  CHECK(place.changed().everything);
  CHECK(place.quiet());
}

TEST_CASE("watcher: a folder under two names is told of under both, and as new only once") {
  Place place({"", "docs"});
  fs::create_directories(place.root() / "twin");
  if (::mount((place.root() / "docs").c_str(), (place.root() / "twin").c_str(), nullptr, MS_BIND,
              nullptr) != 0) {
    MESSAGE("skipped: no right to mount");
    return;
  }
  place.watch({"", "docs", "twin"});
  place.watcher.watch({"", "docs", "twin"});
  CHECK(place.quiet());
  place.write("docs/a.md");
  const Changed changed = place.changed();
  CHECK(::umount((place.root() / "twin").c_str()) == 0);
  CHECK(changed.files == Names{"docs/a.md", "twin/a.md"});
}

TEST_CASE("watcher: exactly the folders of the last call are watched") {
  Place place({"a", "b"});
  fs::create_directories(place.root() / "c");
  place.watcher.watch({"b", "c"});
  // Nobody has seen what came to be in c before.
  CHECK(place.changed().everything);
  place.write("a/x.md");
  CHECK(place.quiet());
  place.write("b/x.md");
  place.write("c/x.md");
  CHECK(place.changed().files == Names{"b/x.md", "c/x.md"});
  // What is under way is not lost by watching again.
  place.write("b/y.md");
  place.watcher.watch({"b", "c"});
  const Changed changed = place.changed();
  CHECK_FALSE(changed.everything);
  CHECK(changed.files == Names{"b/y.md"});
  place.watcher.watch({});
  place.write("b/z.md");
  CHECK(place.quiet());
  CHECK(place.watcher.complete());
}

TEST_CASE("watcher: a folder that was moved is told of under its present name") {
  Place place({"", "a"});
  fs::rename(place.root() / "a", place.root() / "b");
  CHECK(place.changed().everything);
  fs::create_directories(place.root() / "a");
  place.watch({"", "a", "b"});
  place.write("b/x.md");
  CHECK(place.changed().files == Names{"b/x.md"});
  place.write("a/x.md");
  CHECK(place.changed().files == Names{"a/x.md"});
}

TEST_CASE("watcher: what cannot be watched makes it incomplete, and nothing leads out") {
  Place place({"docs"});
  fs::create_directory_symlink(place.root().parent_path(), place.root() / "out");
  for (const char* folder : {"none", "out", "docs/none", "docs/a.md"}) {
    CAPTURE(folder);
    place.watcher.watch({"docs", folder});
    CHECK_FALSE(place.watcher.complete());
  }
  place.watch({"docs"});
  CHECK(place.watcher.complete());
  place.write("docs/a.md");
  CHECK(place.changed().files == Names{"docs/a.md"});
  Watcher nowhere(place.root() / "none");
  nowhere.watch({""});
  CHECK_FALSE(nowhere.complete());
  CHECK_FALSE(nowhere.next(0, 0, 0).has_value());
}

TEST_CASE("watcher: a burst is told once, and at last") {
  Place place({"docs"});
  for (int i = 0; i < 3000; ++i) place.write("docs/" + std::to_string(i) + ".md");
  const Changed changed = place.changed();
  CHECK((changed.everything || changed.files.size() == 3000));
  CHECK(place.quiet());
}

TEST_CASE("watcher: beyond some thousand files their folder is told") {
  Place place({"docs"});
  for (std::size_t i = 0; i <= kChangedFilesMax; ++i)
    place.write("docs/" + std::to_string(i) + ".md");
  const Changed changed = place.changed();
  CHECK(changed.files.size() <= kChangedFilesMax);
  CHECK((changed.everything || changed.folders == Names{"docs"}));
}

TEST_CASE("watcher: events that were dropped mean everything") {
  Place place({"docs", "other"});
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  std::size_t most = 0;
  if (!(limit >> most) || most > 40'000) {
    MESSAGE("skipped: the queue of events is too long to be filled");
    return;
  }
  // Two names in turn, for the same event again is not queued again.
  const fs::path a = place.root() / "docs" / "a.md";
  const fs::path b = place.root() / "docs" / "b.md";
  place.write("docs/a.md");
  for (std::size_t i = 0; i <= most; i += 2) {
    fs::rename(a, b);
    fs::rename(b, a);
  }
  CHECK(place.changed().everything);
  place.write("other/x.md");
  CHECK(place.changed().files == Names{"other/x.md"});
}

TEST_CASE("watcher: events without a pause are told all the same") {
  Place place({"docs"});
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      std::ofstream(place.root() / "docs" / (std::to_string(i % 10) + ".md")) << i;
    }
  });
  // A pause that never comes.
  const auto changed = place.watcher.next(kWaitMs, kWaitMs, 20);
  REQUIRE(changed.has_value());
  CHECK((changed->everything || !changed->files.empty()));
}

TEST_CASE("watcher: an interruption ends one wait, and loses nothing") {
  Place place({"docs"});
  SUBCASE("before") {
    place.watcher.interrupt();
    place.watcher.interrupt();
    CHECK_FALSE(place.watcher.next(kWaitMs, kSettleMs, kMostMs).has_value());
    CHECK(place.quiet());
  }
  SUBCASE("meanwhile") {
    std::jthread other([&] { place.watcher.interrupt(); });
    CHECK_FALSE(place.watcher.next(kWaitMs, kSettleMs, kMostMs).has_value());
  }
  SUBCASE("while it settles") {
    place.write("docs/a.md");
    place.watcher.interrupt();
    CHECK_FALSE(place.watcher.next(kWaitMs, kWaitMs, kWaitMs).has_value());
    CHECK(place.changed().files == Names{"docs/a.md"});
  }
  place.write("docs/b.md");
  CHECK(place.changed().files == Names{"docs/b.md"});
}

}  // namespace phasegate::rag
