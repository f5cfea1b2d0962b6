#include "app/new_file.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/output.h"
#include "base/paths.h"

namespace phasegate::app {
namespace {

namespace fs = std::filesystem;

/// Keeps Ctrl-C away while a file is half written; it is delivered afterwards.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, number);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

base::Error because_of(int problem) {
  if (problem == EEXIST) {
    return {"exists", "there is a file of this name",
            "name another file, or remove that one first; nothing was written", ""};
  }
  return {"unwritable", std::strerror(problem), "", ""};
}

/// Writes a new file; 0, or errno. Nothing is left behind if it fails.
int write_new(const fs::path& file, std::string_view text, FileAccess access) {
  const mode_t mode = access == FileAccess::owner_only ? 0600 : 0666;
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) return errno;
  int problem = 0;
  if (write_all(descriptor, text) != Written::all || ::fsync(descriptor) != 0) problem = errno;
  if (::close(descriptor) != 0 && problem == 0) problem = errno;
  if (problem != 0) ::unlink(file.c_str());
  return problem;
}

/// Gives a file its name unless the name is taken; 0, or errno.
int name_it(const fs::path& from, const fs::path& to) {
#ifdef SYS_renameat2
  constexpr unsigned kNoReplace = 1;
  if (::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), kNoReplace) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  // A file system that does not know this kind of renaming knows links.
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

base::Result<void> write_beside(const fs::path& file, std::string_view text, FileAccess access,
                                bool replace) {
  const SignalsHeld held;
  const fs::path beside = file.parent_path() / ("." + file.filename().string() + "." +
                                                std::to_string(::getpid()) + ".new");
  if (const int problem = write_new(beside, text, access); problem != 0) return because_of(problem);
  int problem = 0;
  if (replace) {
    problem = std::rename(beside.c_str(), file.c_str()) == 0 ? 0 : errno;
  } else {
    problem = name_it(beside, file);
  }
  if (problem == 0) return {};
  ::unlink(beside.c_str());
  return because_of(problem);
}

}  // namespace

base::Result<void> make_new_file(const fs::path& file, std::string_view text, FileAccess access) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(file, ignored))) return because_of(EEXIST);
  return write_beside(file, text, access, false);
}

base::Result<void> put_file(const fs::path& file, std::string_view text) {
  const auto there =
      base::read_file_below(file.parent_path(), file.filename().string(), text.size());
  if (there && *there == text) return {};
  return write_beside(file, text, FileAccess::usual, true);
}

}  // namespace phasegate::app
