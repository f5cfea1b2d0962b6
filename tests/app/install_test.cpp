#include <map>
#include <set>

#include <doctest/doctest.h>

#include "tests/app/project.h"

namespace fs = std::filesystem;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::read_file;
using phasegate::test::TempFolder;
using phasegate::test::write_file;

namespace {

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink() || !entry.is_directory())
      files.insert(entry.path().lexically_relative(folder).string());
  }
  return files;
}

/// Runs scripts/install with what this build has made.
Ended install(const TempFolder& home, std::vector<std::string> arguments) {
  phasegate::test::ToRun to_run;
  to_run.arguments = {(phasegate::test::source_folder() / "scripts/install").string(), "--from",
                      phasegate::test::phasegate_binary().parent_path().string()};
  to_run.arguments.insert(to_run.arguments.end(), arguments.begin(), arguments.end());
  to_run.folder = home.path();
  to_run.variables["HOME"] = home.path().string();
  return phasegate::test::run_program("/bin/bash", to_run);
}

const std::set<std::string> kInstalled = {
    "bin/phasegate", "share/bash-completion/completions/phasegate", "share/man/man1/phasegate.1",
    "share/phasegate/installed", "share/zsh/site-functions/_phasegate"};

/// What lies there and when it was written.
std::map<std::string, fs::file_time_type> times_below(const fs::path& folder) {
  std::map<std::string, fs::file_time_type> times;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::error_code leads_nowhere;
    times[entry.path().string()] = entry.last_write_time(leads_nowhere);
  }
  return times;
}

}  // namespace

TEST_CASE("install: program, manual page and completions, and back again without a trace") {
  const TempFolder home;
  const fs::path local = home.path() / ".local";
  const Ended ended = install(home, {});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  CHECK(files_below(local) == kInstalled);
  CHECK(contains(ended.err, "export PATH=\"" + home.path().string() + "/.local/bin:$PATH\""));

  phasegate::test::ToRun version;
  version.arguments = {"--version"};
  const Ended ran = phasegate::test::run_program(local / "bin/phasegate", version);
  CHECK(ran.code == 0);
  CHECK(contains(read_file(local / "share/man/man1/phasegate.1"), ".TH PHASEGATE 1"));
  CHECK(contains(read_file(local / "share/bash-completion/completions/phasegate"), "complete -F"));
  CHECK(contains(read_file(local / "share/zsh/site-functions/_phasegate"), "#compdef phasegate"));

  CHECK(install(home, {}).code == 0);  // over an older one
  CHECK(files_below(local) == kInstalled);
  CHECK(install(home, {"--uninstall"}).code == 0);
  CHECK_FALSE(fs::exists(local));
  CHECK(install(home, {"--uninstall"}).code == 1);

  // Another prefix, with a space and relative; files and folders of others stay.
  const TempFolder other;
  const fs::path programs = other.path() / "my programs";
  write_file(programs / "bin/other", "mine");
  fs::create_directories(programs / "share/man");
  REQUIRE(install(other, {"--prefix", "my programs"}).code == 0);
  std::set<std::string> wanted = kInstalled;
  wanted.insert("bin/other");
  CHECK(files_below(programs) == wanted);
  CHECK(install(other, {"--prefix=my programs", "--uninstall"}).code == 0);
  CHECK(files_below(programs) == std::set<std::string>{"bin/other"});
  CHECK(fs::exists(programs / "share/man"));
  CHECK_FALSE(fs::exists(programs / "share/man/man1"));
  CHECK_FALSE(fs::exists(programs / "share/zsh"));
}

TEST_CASE("install: an older version that is listed is replaced, wherever it was interrupted") {
  const TempFolder home;
  const fs::path local = home.path() / ".local";
  REQUIRE(install(home, {}).code == 0);
  // Another version's files with its list.
  std::string list = read_file(local / "share/phasegate/installed");
  write_file(local / "bin/phasegate", "");
  list += "file e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 bin/phasegate\n";
  write_file(local / "share/phasegate/installed", list);
  fs::remove(local / "share/man/man1/phasegate.1");
  CHECK(install(home, {}).code == 0);
  CHECK(files_below(local) == kInstalled);
  CHECK(fs::file_size(local / "bin/phasegate") > 0);
  // The list forgets what is there no longer.
  CHECK_FALSE(contains(read_file(local / "share/phasegate/installed"), "e3b0c44298fc1c14"));
  CHECK(install(home, {"--uninstall"}).code == 0);
  CHECK_FALSE(fs::exists(local));
}

TEST_CASE("install: what is not ours is in the way, and then nothing is changed") {
  struct Row {
    const char* path;
    const char* why;
    void (*make)(const fs::path&);
  };
  const auto file = [](const fs::path& path) { write_file(path, "mine"); };
  const auto folder = [](const fs::path& path) { fs::create_directories(path); };
  const auto link = [](const fs::path& path) {
    fs::create_directories(path.parent_path());
    fs::create_symlink("nowhere", path);
  };
  for (const Row& row : std::vector<Row>{
           {"bin/phasegate", "not listed", file},
           {"bin/phasegate", "it is a folder", folder},
           {"bin/phasegate", "it is a link", link},
           {"share/man/man1/phasegate.1", "not listed", file},
           {"share/zsh/site-functions/_phasegate", "it is a folder", folder},
           {"share/phasegate/installed", "no regular file", folder},
       }) {
    CAPTURE(row.path);
    CAPTURE(row.why);
    const TempFolder home;
    const fs::path local = home.path() / ".local";
    row.make(local / row.path);
    const auto before = times_below(local);
    const Ended refused = install(home, {});
    CHECK(refused.code == 3);
    CHECK(contains(refused.err, (local / row.path).string() + " is in the way: "));
    CHECK(contains(refused.err, row.why));
    CHECK(contains(refused.err, "nothing was changed"));
    CHECK(times_below(local) == before);
    // Without a list nothing is ours to take away.
    CHECK(install(home, {"--uninstall"}).code == 1);
    CHECK(times_below(local) == before);
  }
}

TEST_CASE("install: what was changed or replaced since stays at uninstall, which goes on") {
  const TempFolder home;
  const fs::path local = home.path() / ".local";
  REQUIRE(install(home, {}).code == 0);
  fs::remove(local / "bin/phasegate");
  write_file(local / "bin/phasegate/file", "in a folder of this name");
  write_file(local / "share/man/man1/phasegate.1", "another page");
  fs::remove(local / "share/zsh/site-functions/_phasegate");
  fs::create_symlink(local / "bin", local / "share/zsh/site-functions/_phasegate");
  const Ended over = install(home, {});
  CHECK(over.code == 3);
  CHECK(contains(over.err, "phasegate.1 is in the way: it was changed since it was installed"));

  const Ended ended = install(home, {"--uninstall"});
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(contains(ended.err, "left " + (local / "bin/phasegate").string() + ": it is a folder"));
  CHECK(contains(ended.err, "phasegate.1: it was changed since it was installed"));
  CHECK(contains(ended.err, "_phasegate: it is a link"));
  CHECK(contains(ended.err, ": 1; sessions and workflows"));
  CHECK(files_below(local) == std::set<std::string>{"bin/phasegate/file",
                                                    "share/man/man1/phasegate.1",
                                                    "share/zsh/site-functions/_phasegate"});
  CHECK(read_file(local / "share/man/man1/phasegate.1") == "another page");
  CHECK_FALSE(fs::exists(local / "share/bash-completion"));
  CHECK_FALSE(fs::exists(local / "share/phasegate"));
}

TEST_CASE("install --from: nothing is written into the folder that was built") {
  const TempFolder home;
  const fs::path build = home.path() / "build";
  fs::create_directories(build / "generated/share");
  fs::copy_file(phasegate::test::phasegate_binary(), build / "phasegate");
  write_file(build / "generated/share/phasegate.1", "an old one");
  const auto before = times_below(build);
  CHECK(install(home, {"--from", "build"}).code == 0);
  CHECK(times_below(build) == before);
  CHECK(contains(read_file(home.path() / ".local/share/man/man1/phasegate.1"), ".TH PHASEGATE"));

  const Ended nothing = install(home, {"--from", "nowhere"});
  CHECK(nothing.code == 3);
  CHECK(contains(nothing.err, "there is no program nowhere/phasegate"));
  write_file(build / "phasegate", "#!/bin/sh\nexit 1\n");
  CHECK(install(home, {"--from", "build"}).code == 3);
  CHECK(files_below(home.path() / ".local") == kInstalled);
}

TEST_CASE("install: what cannot be understood is exit code 2 and changes nothing") {
  const TempFolder home;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--prefx", "x"}, {"--prefix"}, {"--prefix", ""}}) {
    const Ended ended = install(home, arguments);
    CHECK(ended.code == 2);
    CHECK(contains(ended.err, "usage: scripts/install"));
  }
  CHECK(files_below(home.path()).empty());
}
