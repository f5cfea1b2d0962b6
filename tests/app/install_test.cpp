#include <set>

#include <doctest/doctest.h>

#include "tests/app/project.h"

namespace fs = std::filesystem;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::TempFolder;

namespace {

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.insert(entry.path().lexically_relative(folder).string());
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
    "share/zsh/site-functions/_phasegate"};

}  // namespace

// One test, since what is installed is first printed into the build's folder: two would meet there.
TEST_CASE("install: program, manual page and completions, and back again without a trace") {
  const TempFolder home;
  const Ended ended = install(home, {});
  CAPTURE(ended.err);
  REQUIRE(ended.code == 0);
  CHECK(files_below(home.path() / ".local") == kInstalled);
  CHECK(contains(ended.err, "export PATH=\"" + home.path().string() + "/.local/bin:$PATH\""));

  phasegate::test::ToRun version;
  version.arguments = {"--version"};
  const Ended ran = phasegate::test::run_program(home.path() / ".local/bin/phasegate", version);
  CHECK(ran.code == 0);
  CHECK(contains(phasegate::test::read_file(home.path() / ".local/share/man/man1/phasegate.1"),
                 ".TH PHASEGATE 1"));

  CHECK(install(home, {}).code == 0);  // over an older one
  CHECK(install(home, {"--uninstall"}).code == 0);
  CHECK(files_below(home.path() / ".local").empty());
  CHECK(install(home, {"--uninstall"}).code == 1);

  // Another prefix, with a space and relative; files of others stay.
  const TempFolder other;
  phasegate::test::write_file(other.path() / "my programs/bin/other", "mine");
  REQUIRE(install(other, {"--prefix", "my programs"}).code == 0);
  std::set<std::string> wanted = kInstalled;
  wanted.insert("bin/other");
  CHECK(files_below(other.path() / "my programs") == wanted);
  CHECK(install(other, {"--prefix=my programs", "--uninstall"}).code == 0);
  CHECK(files_below(other.path() / "my programs") == std::set<std::string>{"bin/other"});
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
