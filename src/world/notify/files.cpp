#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/descriptor.h"
#include "base/paths.h"
#include "base/text.h"
#include "world/notify/targets.h"

namespace phasegate::world {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

namespace {

struct UserFile {
  std::string bytes;
  mode_t mode = 0;
  bool missing = false;
  std::string problem;  ///< empty: it could be read
};

/// A regular file of the user's, wherever links lead; never waits for a pipe or a device.
UserFile read_user_file(const fs::path& file, std::size_t bytes_max) {
  UserFile out;
  const base::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened.open()) {
    out.missing = errno == ENOENT || errno == ENOTDIR;
    out.problem =
        out.missing ? "is not there" : "cannot be read: " + std::generic_category().message(errno);
    return out;
  }
  struct stat status = {};
  if (::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    out.problem = "is no regular file";
    return out;
  }
  out.mode = status.st_mode;
  out.bytes.resize(bytes_max + 1);
  std::size_t had = 0;
  while (had < out.bytes.size()) {
    const ssize_t got = ::read(opened.get(), out.bytes.data() + had, out.bytes.size() - had);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      out.problem = "cannot be read: " + std::generic_category().message(errno);
      return out;
    }
    if (got == 0) break;
    had += static_cast<std::size_t>(got);
  }
  out.bytes.resize(had);
  if (had > bytes_max) {
    out.problem = "has more than " + std::to_string(bytes_max) + " bytes";
  }
  return out;
}

}  // namespace

NotifyConfig read_notify_file(const fs::path& file) {
  if (file.empty()) return {};
  UserFile read = read_user_file(file, base::limits::kNotifyFileBytesMax);
  if (read.missing) return {};
  if (read.problem.empty()) return read_notify_config(read.bytes);
  NotifyConfig config;
  config.there = true;
  config.findings.push_back({phases::Severity::error,
                             "unreadable_file",
                             "notify.yaml " + read.problem,
                             "",
                             {"notify.yaml", 0, 0},
                             ""});
  return config;
}

Result<std::string> read_notify_secret(const fs::path& folder, const std::string& file) {
  const auto refused = [](const std::string& why, std::string hint) {
    return Error{"secret_unreadable", "its secret_file " + why, std::move(hint), ""};
  };
  const fs::path place =
      file.starts_with("~/") ? base::home_folder() / file.substr(2) : folder / file;
  UserFile read = read_user_file(place, base::limits::kNotifySecretBytesMax);
  if (!read.problem.empty()) return refused(read.problem, "");
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  if ((read.mode & kOthers) != 0) {
    return refused("can be read by others than its owner", "chmod 600 makes it yours alone");
  }
  std::string secret(base::trimmed(read.bytes));
  constexpr std::string_view kPrefix = "whsec_";
  if (secret.starts_with(kPrefix)) {
    auto bytes = base::from_base64(secret.substr(kPrefix.size()));
    if (!bytes) return refused("holds no base64 after whsec_", "");
    secret = *std::move(bytes);
  }
  if (secret.empty()) return refused("is empty", "put a long random text into it");
  return secret;
}

}  // namespace phasegate::world
