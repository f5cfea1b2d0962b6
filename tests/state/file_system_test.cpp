#include "state/file_system.h"

#include <doctest/doctest.h>

#include "state/store_file.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using state::network_file_system;

TEST_CASE("file systems: which of them are a network's") {
  struct Row {
    std::uint32_t type;
    const char* subtype;
    const char* name;  // empty: allowed
  };
  constexpr std::uint32_t kFuse = 0x65735546;
  const Row rows[] = {
      {0x6969, "", "NFS"},
      {0xFF534D42, "", "CIFS"},
      {0xFE534D42, "", "SMB2"},
      {0x517B, "", "SMB"},
      {0x5346414F, "", "AFS"},
      {0x00C36400, "", "Ceph"},
      {0x0BD00BD0, "", "Lustre"},
      {0x47504653, "", "GPFS"},
      {kFuse, "fuse.sshfs", "FUSE (sshfs)"},
      {kFuse, "fuse.s3fs", "FUSE (s3fs)"},
      {kFuse, "fuse.rclone", "FUSE (rclone)"},
      {kFuse, "fuse.glusterfs", "FUSE (glusterfs)"},
      {kFuse, "sshfs", "FUSE (sshfs)"},
      {kFuse, "fuse.ntfs-3g", ""},
      {kFuse, "fuse.encfs", ""},
      {kFuse, "fuse.sshfs2", ""},
      {kFuse, "fuse", ""},
      {kFuse, "", ""},
      {0xEF53, "", ""},       // ext4
      {0xEF53, "sshfs", ""},  // only FUSE is asked for it
      {0x58465342, "", ""},   // XFS
      {0x9123683E, "", ""},   // Btrfs
      {0x01021994, "", ""},   // tmpfs
      {0x794C7630, "", ""},   // overlayfs
      {0x01021997, "", ""},   // 9p
      {0x6A656A63, "", ""},   // virtiofs
      {0x12345678, "", ""},   // unknown
  };
  for (const Row& row : rows) {
    CAPTURE(row.type);
    CAPTURE(row.subtype);
    CHECK(network_file_system(row.type, row.subtype).value_or("") == row.name);
  }
}

TEST_CASE("file systems: the mount's own name is found by its device") {
  const char* mounts =
      "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
      "36 22 0:45 / /home/ann/far rw,nosuid shared:17 master:1 - fuse.sshfs ann@far: rw\n"
      "37 22 0:46 / /odd\\040name rw -\n"
      "broken\n"
      "\n";
  CHECK(state::mounted_as(mounts, "8:1") == "ext4");
  CHECK(state::mounted_as(mounts, "0:45") == "fuse.sshfs");
  CHECK(state::mounted_as(mounts, "0:46").empty());
  CHECK(state::mounted_as(mounts, "0:4").empty());
  CHECK(state::mounted_as("", "8:1").empty());
}

TEST_CASE("file systems: a state folder on a network's is refused with what to do instead") {
  const test::TempFolder temp;
  state::StoreFile::Options options{.busy_ms = 1000};
  options.network_of = [](const std::filesystem::path&) {
    return std::optional<std::string>("NFS");
  };
  {
    state::StoreFile file(temp.path() / "new", options);
    CHECK(file.for_reading() == nullptr);
    CHECK(test::failure_code([&] { static_cast<void>(file.for_writing()); }) ==
          "network_file_system");
    CHECK_FALSE(std::filesystem::exists(temp.path() / "new" / "state.db"));
  }
  test::add_run(temp.path());
  state::StoreFile file(temp.path(), options);
  CHECK(test::failure_code([&] { static_cast<void>(file.for_writing()); }) ==
        "network_file_system");
  try {
    static_cast<void>(file.for_writing());
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().message.find("NFS") != std::string::npos);
    CHECK(failure.error().hint.find("--state DIR") != std::string::npos);
  }
  CHECK_FALSE(state::network_file_system_of("/proc/self").has_value());
  CHECK_FALSE(state::network_file_system_of("/nowhere/at/all").has_value());
}
