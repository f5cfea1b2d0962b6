#include "state/file_system.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "base/text.h"

namespace phasegate::state {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kFuse = 0x65735546;

// Numbers as in statfs(2) and the kernel's magic.h; that of Lustre, GPFS and the like are their
// own.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 16> kNetworks = {{
    {0x6969, "NFS"},
    {0xFF534D42, "CIFS"},
    {0xFE534D42, "SMB2"},
    {0x517B, "SMB"},
    {0x564C, "NCP"},
    {0x5346414F, "AFS"},
    {0x6B414653, "AFS"},
    {0x73757245, "Coda"},
    {0x00C36400, "Ceph"},
    {0x0BD00BD0, "Lustre"},
    {0x0BD00BD1, "Lustre"},
    {0x47504653, "GPFS"},
    {0x01161970, "GFS2"},
    {0x7461636F, "OCFS2"},
    {0xAAD7AAEA, "PanFS"},
    {0x19830326, "BeeGFS"},
}};

/// FUSE file systems whose files lie on another machine.
constexpr std::array<std::string_view, 21> kFuseNetworks = {
    "sshfs",     "s3fs",      "rclone",
    "goofys",    "gcsfuse",   "davfs",
    "davfs2",    "smbnetfs",  "curlftpfs",
    "glusterfs", "ceph-fuse", "cephfs",
    "moosefs",   "mfs",       "juicefs",
    "seaweedfs", "blobfuse",  "blobfuse2",
    "onedriver", "hdfs",      "google-drive-ocamlfuse",
};

std::string whole_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::optional<std::string> network_file_system(std::uint32_t type, std::string_view subtype) {
  for (const auto& [number, name] : kNetworks) {
    if (number == type) return std::string(name);
  }
  if (type != kFuse) return std::nullopt;
  const std::string_view name = subtype.substr(subtype.rfind('.') + 1);
  const auto found = std::find(kFuseNetworks.begin(), kFuseNetworks.end(), name);
  if (found == kFuseNetworks.end()) return std::nullopt;
  return "FUSE (" + std::string(name) + ")";
}

std::string mounted_as(std::string_view mountinfo, std::string_view device) {
  // `36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/root rw`
  for (const std::string_view line : base::split(mountinfo, '\n')) {
    const auto words = base::split(line, ' ');
    if (words.size() < 3 || words[2] != device) continue;
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (dash != words.end() && dash + 1 != words.end()) return std::string(*(dash + 1));
  }
  return "";
}

std::optional<std::string> network_file_system_of(const fs::path& folder) {
  struct statfs about{};
  fs::path at = folder.empty() ? fs::path(".") : folder;
  while (::statfs(at.c_str(), &about) != 0) {
    if (!at.has_relative_path() || at == ".") return std::nullopt;
    at = at.parent_path();
    if (at.empty()) at = ".";
  }
  const auto type = static_cast<std::uint32_t>(about.f_type);
  if (type != kFuse) return network_file_system(type, "");
  struct stat status{};
  if (::stat(at.c_str(), &status) != 0) return std::nullopt;
  const std::string device = std::to_string(gnu_dev_major(status.st_dev)) + ":" +
                             std::to_string(gnu_dev_minor(status.st_dev));
  return network_file_system(type, mounted_as(whole_of("/proc/self/mountinfo"), device));
}

base::Error network_refusal(const std::string& name) {
  return {"network_file_system",
          "the state folder lies on " + name +
              ", a network's file system, whose locks do not keep several processes from damaging "
              "a database",
          "name a folder on a disk of this machine with --state DIR or PHASEGATE_STATE; `phasegate "
          "backup FILE` and then `phasegate restore FILE --state DIR` take the sessions along",
          ""};
}

}  // namespace phasegate::state
