#include "world/checks/opened_file.h"

#include <fstream>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "tests/support/files.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;

struct Project {
  test::TempFolder folder;
  fs::path root;
  Project() {
    folder.write("secret/key", "secret");
    folder.write("p/docs/plan.md", "a plan");
    folder.write("p/notes.txt", "notes");
    root = fs::canonical(folder.path() / "p");
  }
};

TEST_CASE("opened file: files, folders and links that stay inside") {
  const Project p;
  fs::create_symlink("docs/plan.md", p.root / "relative");
  fs::create_symlink(p.root / "docs" / "plan.md", p.root / "absolute");
  fs::create_directory_symlink("docs", p.root / "folder");
  fs::create_symlink("../notes.txt", p.root / "docs" / "up");
  for (const char* path : {"docs/plan.md", "./docs//plan.md", "docs/../docs/plan.md", "relative",
                           "absolute", "folder/plan.md"}) {
    CAPTURE(path);
    const auto file = OpenedFile::open(p.root, path);
    REQUIRE(file.ok());
    CHECK_FALSE(file->is_folder());
    CHECK(file->size() == 6);
    CHECK(*file->bytes(6) == "a plan");
    CHECK(*file->sha256() == base::sha256_hex("a plan"));
    CHECK(file->bytes(5).error().code == "too_large");
  }
  CHECK(*OpenedFile::open(p.root, "docs/up")->bytes(100) == "notes");
  const auto docs = OpenedFile::open(p.root, "folder");
  REQUIRE(docs.ok());
  CHECK(docs->is_folder());
  CHECK(docs->bytes(100).error().code == "not_a_file");
  CHECK(docs->names(10) == std::vector<std::string>{"plan.md", "up"});
  CHECK(docs->names(1).size() == 1);
}

TEST_CASE("opened file: hostile paths are refused, none waits, no message names the machine") {
  const Project p;
  fs::create_symlink(p.folder.path() / "secret" / "key", p.root / "out");
  fs::create_directory_symlink(p.folder.path() / "secret", p.root / "outdir");
  fs::create_symlink("../secret/key", p.root / "outrel");
  fs::create_symlink("loop", p.root / "loop");
  fs::create_symlink("nowhere", p.root / "dangling");
  fs::create_symlink("/dev/zero", p.root / "device");
  fs::create_symlink("/proc/self/environ", p.root / "environ");
  REQUIRE(::mkfifo((p.root / "pipe").c_str(), 0600) == 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (p.root / "socket").string();
  REQUIRE(name.size() < sizeof address.sun_path);
  name.copy(static_cast<char*>(address.sun_path), name.size());
  REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  struct Case {
    std::string path;
    const char* code;
  };
  const Case cases[] = {
      {"", "invalid_path"},
      {"..", "invalid_path"},
      {"../secret/key", "invalid_path"},
      {"docs/../../secret/key", "invalid_path"},
      {std::string("docs\0/plan.md", 13), "invalid_path"},
      {"none", "not_found"},
      {"none/deeper", "not_found"},
      {"notes.txt/x", "not_found"},
      {"dangling", "not_found"},
      {"out", "outside_root"},
      {"outrel", "outside_root"},
      {"outdir/key", "outside_root"},
      {"device", "outside_root"},
      {"environ", "outside_root"},
      {"loop", "unreadable"},
      {"pipe", "not_a_file"},
      {"socket", "not_a_file"},
      {std::string(300, 'x'), "unreadable"},
      {"/dev/null", "not_a_file"},
      {"/none", "not_found"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const auto file = OpenedFile::open(p.root, c.path);
    REQUIRE_FALSE(file.ok());
    CHECK(file.error().code == c.code);
    CHECK(file.error().message.find(p.root.string()) == std::string::npos);
  }
  ::close(socket);
}

TEST_CASE("opened file: what was opened counts, whatever becomes of its name") {
  const Project p;
  auto file = OpenedFile::open(p.root, "docs/plan.md");
  REQUIRE(file.ok());
  fs::remove(p.root / "docs" / "plan.md");
  fs::create_symlink(p.folder.path() / "secret" / "key", p.root / "docs" / "plan.md");
  CHECK(*file->bytes(100) == "a plan");
  CHECK(OpenedFile::open(p.root, "docs/plan.md").error().code == "outside_root");
  // A folder on the way becomes a link.
  fs::rename(p.root / "docs", p.root / "old");
  fs::create_directory_symlink(p.folder.path() / "secret", p.root / "docs");
  CHECK(OpenedFile::open(p.root, "docs/key").error().code == "outside_root");
  CHECK(open_folder_without_links(p.root, "docs").error().code == "not_found");
  CHECK(open_folder_without_links(p.root, "old").ok());
}

TEST_CASE("opened file: a file that grows past the bound while it is read") {
  const Project p;
  const auto file = OpenedFile::open(p.root, "notes.txt");
  REQUIRE(file.ok());
  std::ofstream(p.root / "notes.txt", std::ios::app) << std::string(100, 'x');
  CHECK(file->bytes(50).error().code == "too_large");
  CHECK(file->size() == 5);
}

TEST_CASE("opened file: an absolute path is opened as it stands") {
  const Project p;
  CHECK(*OpenedFile::open(p.root, (p.folder.path() / "secret" / "key").string())->bytes(100) ==
        "secret");
}

TEST_CASE("opened file: digests, and nothing for what is not there") {
  const Project p;
  fs::create_symlink(p.folder.path() / "secret" / "key", p.root / "out");
  CHECK(*file_digest(p.root, "notes.txt") == base::sha256_hex("notes"));
  CHECK(file_digest(p.root, "none")->empty());
  CHECK(file_digest(p.root, "docs").error().code == "not_a_file");
  CHECK(file_digest(p.root, "out").error().code == "outside_root");
}

TEST_CASE("opened file: the nearest name for a hint") {
  const Project p;
  CHECK(nearest_file_hint(p.root, "docs/Plan.md") == "did you mean docs/plan.md?");
  CHECK(nearest_file_hint(p.root, "dcs/plan.md") == "did you mean docs?");
  CHECK(nearest_file_hint(p.root, "reports/unit/x.xml") == "there is no folder reports");
  CHECK(nearest_file_hint(p.root, "docs/zzzzzz").empty());
  CHECK(nearest_file_hint(p.root, "/etc/passwdd").empty());
  CHECK(nearest_file_hint(p.root, "../x").empty());
}

}  // namespace
}  // namespace phasegate::world::checks
