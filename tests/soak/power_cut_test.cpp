#include "tests/soak/power_cut.h"

#include <string>

#include <doctest/doctest.h>

#include "gating/engine/ports.h"
#include "state/state.h"
#include "tests/soak/scenario.h"
#include "tests/support/files.h"

using namespace phasegate;
using namespace phasegate::soak;
namespace fs = std::filesystem;

namespace {

DiskEvent event(RecordKind kind, std::uint64_t inode, std::string path, std::int64_t offset = 0,
                std::string data = "", std::string other = "") {
  return {kind, inode, offset, std::move(path), std::move(other), std::move(data)};
}

struct Cuts {
  std::size_t points = 0;
  std::size_t looked_at = 0;
  std::size_t without_store = 0;
};

/// Cuts the power after each event, `seeds` times, and looks at what is left with the real store.
/// Of writes that follow each other only every `stride`-th is an event to cut after.
Cuts cut_everywhere(const std::vector<DiskEvent>& events, std::uint64_t seeds, std::size_t stride,
                    const std::string& target, const fs::path& folder) {
  Cuts cuts;
  Disk disk;
  std::string said;
  Told told;
  for (std::size_t at = 0; at < events.size(); ++at) {
    disk.happen(events[at]);
    if (events[at].kind == RecordKind::said) {
      said += events[at].data;
      told = told_in(said);
    }
    if (events[at].kind == RecordKind::written && at % stride != 0) continue;
    ++cuts.points;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      CAPTURE(at);
      CAPTURE(seed);
      CAPTURE(events[at].path);
      disk.after_power_cut(seed + (seed > 1 ? at * seeds : 0), folder);
      ++cuts.looked_at;
      if (!fs::exists(folder / "state.db")) {
        // Not even its name was there to stay: then nobody was told of anything.
        ++cuts.without_store;
        CHECK(told.session.empty());
        CHECK_FALSE(fs::exists(folder / "state.db-wal"));
        continue;
      }
      const Findings found = look_at_store(folder, {{target, told}});
      for (const std::string& words : found.words) CHECK_MESSAGE(false, words);
      CHECK(found.none());
      if (!told.session.empty()) CHECK(goes_on(folder, told.session));
      if (!found.none()) return cuts;
    }
  }
  CHECK(told.complete);
  return cuts;
}

}  // namespace

TEST_CASE("power: the simulated disk keeps what was synced, and may lose all else") {
  const test::TempFolder temp;
  const fs::path to = temp.path() / "after";
  Disk disk;
  disk.happen(event(RecordKind::made, 7, "/d/a"));
  disk.happen(event(RecordKind::written, 7, "/d/a", 0, std::string(2000, '1')));
  disk.happen(event(RecordKind::synced, 7, "/d/a"));
  disk.after_power_cut(0, to);
  // The bytes are safe, the name is not.
  CHECK(fs::is_empty(to));
  disk.happen(event(RecordKind::folder_synced, 1, "/d"));
  disk.happen(event(RecordKind::written, 7, "/d/a", 1000, std::string(2000, '2')));
  disk.after_power_cut(0, to);
  CHECK(test::read_file(to / "a") == std::string(2000, '1'));
  disk.after_power_cut(1, to);
  CHECK(test::read_file(to / "a") == std::string(1000, '1') + std::string(2000, '2'));
  bool torn = false;
  for (std::uint64_t seed = 2; seed < 40; ++seed) {
    disk.after_power_cut(seed, to);
    const std::string bytes = test::read_file(to / "a");
    CHECK(bytes.substr(0, 1000) == std::string(1000, '1'));
    // Sectors begin at 1000, 1024, 1536, … of the file.
    const bool first = bytes.size() > 1000 && bytes[1000] == '2';
    const bool third = bytes.size() > 1600 && bytes[1600] == '2';
    torn = torn || first != third;
  }
  CHECK(torn);
  disk.happen(event(RecordKind::renamed, 7, "/d/a", 0, "", "/d/b"));
  disk.after_power_cut(0, to);
  CHECK((fs::exists(to / "a") && !fs::exists(to / "b")));
  disk.after_power_cut(1, to);
  CHECK((!fs::exists(to / "a") && fs::exists(to / "b")));
  disk.happen(event(RecordKind::folder_synced, 1, "/d"));
  disk.happen(event(RecordKind::truncated, 7, "/d/b", 10));
  disk.happen(event(RecordKind::synced, 7, "/d/b"));
  disk.after_power_cut(0, to);
  CHECK(test::read_file(to / "b") == std::string(10, '1'));
}

TEST_CASE("power: cut after each call of a store that is made, used, closed and used again") {
  struct Row {
    const char* name;
    std::size_t evidence_bytes;
    std::uint64_t seeds;
    std::size_t stride;
    std::size_t points_min;
  };
  // The long evidence fills the log so that it is copied into the database while in use.
  for (const Row& row : {Row{"short", 40, 6, 1, 100}, Row{"long", 400'000, 3, 61, 60}}) {
    const std::string name = row.name;
    CAPTURE(name);
    const test::TempFolder temp;
    const Project project(temp.path(), Project::People::nobody);
    const fs::path record = temp.path() / "record";
    const Variables recording = with_record(record, project.state());
    Scenario scenario{"plain", "src/a.cpp", row.evidence_bytes, 3};
    Went went = work_through(project, scenario, {}, recording);
    CHECK(went.code == 0);
    scenario.phases_max = 5;
    went = work_through(project, scenario, went.told, recording);
    CHECK(went.code == 0);
    CHECK(went.told.complete);
    const auto events = read_record(record);
    const Cuts cuts =
        cut_everywhere(events, row.seeds, row.stride, scenario.target, temp.path() / "after");
    MESSAGE(name, ": ", cuts.points, " points, ", cuts.looked_at, " looked at, ",
            cuts.without_store, " without a store");
    CHECK(cuts.points > row.points_min);
    CHECK(cuts.without_store < cuts.looked_at / 2);
  }
}
