#include "world/checks/inputs.h"

#include "base/hash.h"
#include "base/limits.h"
#include "phases/check_json.h"
#include "tests/world/checks/bench.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using base::Json;
using phases::CheckKind;

TEST_CASE("inputs: digests of the files that evidence names") {
  Bench bench;
  bench.write("a", "one");
  bench.write("d/b", "two");
  bench.write("big", "");
  fs::resize_file(bench.root / "big", base::limits::kCheckedFileBytesMax + 1);
  fs::create_symlink("/etc/passwd", bench.root / "out");
  ProjectWorld world(bench.root, bench.folder.path() / "scratch");
  const auto found = world.digests({"d/b", "a", "./a", "none", "out", "d", "big", "../x",
                                    "/etc/passwd", "", std::string("a\0", 2)});
  CHECK(found == std::vector<gating::FileDigest>{{"d/b", base::sha256_hex("two")},
                                                 {"a", base::sha256_hex("one")}});
}

TEST_CASE("inputs: what a cached result depends on changes its digest (`cache: inputs`)") {
  Bench bench;
  bench.write("src/a.c", "one");
  bench.write("src/.config", "x");
  bench.write("other", "x");
  bench.scope["evidence"]["name"] = "n";
  bench.scope["evidence"]["count"] = 1;
  const Json parameters = {{"argv", {"make", "{{evidence.name}}"}},
                           {"stdout_json", "value.count == evidence.count"},
                           {"inputs", {"src"}}};
  const auto digest = [&](const Json& asked) {
    ProjectWorld world(bench.root, bench.folder.path() / "scratch");
    return world.inputs_digest(Bench::check(CheckKind::command, asked), bench.scene());
  };
  const std::string first = digest(parameters);
  CHECK(first.size() == 64);
  CHECK(digest(parameters) == first);
  bench.write("other", "y");
  CHECK(digest(parameters) == first);

  std::vector<std::string> seen{first};
  const auto differs = [&](const Json& asked) {
    const std::string now = digest(asked);
    CHECK(now.size() == 64);
    CHECK(std::find(seen.begin(), seen.end(), now) == seen.end());
    seen.push_back(now);
  };
  bench.write("src/a.c", "two");
  differs(parameters);
  bench.write("src/b.c", "");
  differs(parameters);
  bench.write("src/.config", "y");
  differs(parameters);
  fs::rename(bench.root / "src/b.c", bench.root / "src/c.c");
  differs(parameters);
  bench.scope["evidence"]["name"] = "m";
  differs(parameters);
  bench.scope["evidence"]["count"] = 2;
  differs(parameters);
  Json changed = parameters;
  changed["exit"] = {1};
  differs(changed);
}

TEST_CASE("inputs: what cannot be told is not reused") {
  Bench bench;
  bench.write("src/a.c", "one");
  const auto digest = [&](const Json& asked) {
    ProjectWorld world(bench.root, bench.folder.path() / "scratch");
    return world.inputs_digest(Bench::check(CheckKind::command, asked), bench.scene());
  };
  CHECK(digest({{"argv", {"make"}}}).empty());
  CHECK(digest({{"argv", {"make"}}, {"inputs", Json::array()}}).empty());
  CHECK(digest({{"argv", {"make"}}, {"inputs", {"../x"}}}).empty());
  CHECK(digest({{"argv", {"{{evidence.none}}"}}, {"inputs", {"src"}}}).empty());
  CHECK(digest({{"argv", {"make"}}, {"stdout_json", "value.("}, {"inputs", {"src"}}}).empty());
  CHECK(digest({{"argv", {"make"}}, {"inputs", {"src"}}}).size() == 64);
  fs::resize_file(bench.root / "src/a.c", base::limits::kCheckedFileBytesMax + 1);
  CHECK(digest({{"argv", {"make"}}, {"inputs", {"src"}}}).empty());
}

}  // namespace
}  // namespace phasegate::world::checks
