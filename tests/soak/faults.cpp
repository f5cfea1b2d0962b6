// A shared object for LD_PRELOAD that stands between a program and the C library where files are
// written. It kills the process at the N-th call of a kind, lets the call fail, or writes down in
// order what was done to the files of a folder. See fault.h for what is asked of it, and how.
//
// Calls of the kernel are made directly: nothing here depends on which library comes next. Compiled
// without sanitizers, so that any program can load it.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/soak/record_format.h"

namespace {

using namespace phasegate::soak;

constexpr std::size_t kPathMax = 4096;

enum class Action { none, kill_before, kill_after, fail, half };

struct Plan {
  Action action = Action::none;
  int error_number = 0;
  const char* calls = "";
  char file[kPathMax] = "";
  long number = 0;            // of the first call that is met
  long times = 1;             // how many calls are met from then on; 0: all
  const char* met = nullptr;  // a file to be made when a call is met
  int record = -1;            // where to write down; -1: nowhere
  const char* below = "";
};

[[noreturn]] void die() {
  for (;;) ::kill(::getpid(), SIGKILL);
}

void set_action(Plan& plan, const char* name) {
  struct Named {
    const char* name;
    Action action;
    int error_number;
  };
  static constexpr Named kActions[] = {{"kill-before", Action::kill_before, 0},
                                       {"kill-after", Action::kill_after, 0},
                                       {"short", Action::half, 0},
                                       {"ENOSPC", Action::fail, ENOSPC},
                                       {"EIO", Action::fail, EIO},
                                       {"EROFS", Action::fail, EROFS},
                                       {"EINTR", Action::fail, EINTR}};
  for (const Named& named : kActions) {
    if (std::strcmp(name, named.name) != 0) continue;
    plan.action = named.action;
    plan.error_number = named.error_number;
    return;
  }
  ::_exit(126);  // a test that asks for what there is not must not pass
}

Plan make_plan() {
  Plan plan;
  if (const char* action = std::getenv("SOAK_ACTION")) {
    set_action(plan, action);
    plan.calls = std::getenv("SOAK_CALLS");
    std::strncpy(plan.file, std::getenv("SOAK_FILE"), kPathMax - 1);
    plan.number = std::atol(std::getenv("SOAK_NUMBER"));
    plan.times = std::atol(std::getenv("SOAK_TIMES"));
    plan.met = std::getenv("SOAK_MET");
  }
  if (const char* record = std::getenv("SOAK_RECORD")) {
    plan.below = std::getenv("SOAK_BELOW");
    plan.record = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (plan.record < 0) ::_exit(126);
    // Out of the way of programs that count on low numbers.
    const int high = ::fcntl(plan.record, F_DUPFD_CLOEXEC, 500);
    ::syscall(SYS_close, plan.record);
    plan.record = high;
  }
  return plan;
}

const Plan& plan() {
  static const Plan kPlan = make_plan();
  return kPlan;
}

bool idle() {
  return plan().action == Action::none && plan().record < 0;
}

// ── Names ────────────────────────────────────────────────────────────────────────────────────────

struct Name {
  char text[kPathMax] = "";
};

void read_link(const char* link, Name& name) {
  const long length = ::syscall(SYS_readlinkat, AT_FDCWD, link, name.text, kPathMax - 1);
  name.text[length > 0 ? length : 0] = '\0';
}

Name name_of(int descriptor) {
  Name name;
  // Where answers go, whatever is behind it.
  if (descriptor == STDOUT_FILENO) {
    std::strcpy(name.text, "stdout");
    return name;
  }
  char link[64] = "/proc/self/fd/";
  char digits[16];
  int at = 0;
  for (int rest = descriptor; rest > 0 || at == 0; rest /= 10) {
    digits[at++] = static_cast<char>('0' + rest % 10);
  }
  for (std::size_t to = std::strlen(link); at > 0; ++to) link[to] = digits[--at];
  read_link(link, name);
  return name;
}

Name name_of(int folder, const char* path) {
  Name name;
  if (path[0] == '/') {
    std::strncpy(name.text, path, kPathMax - 1);
    return name;
  }
  if (folder == AT_FDCWD) {
    read_link("/proc/self/cwd", name);
  } else {
    name = name_of(folder);
  }
  std::strncat(name.text, "/", kPathMax - std::strlen(name.text) - 1);
  std::strncat(name.text, path, kPathMax - std::strlen(name.text) - 1);
  return name;
}

bool is_below(const Name& name) {
  const std::size_t length = std::strlen(plan().below);
  return std::strncmp(name.text, plan().below, length) == 0 &&
         (name.text[length] == '/' || name.text[length] == '\0');
}

// ── What is to happen ────────────────────────────────────────────────────────────────────────────

/// No name of a call is part of another's.
bool is_among(const char* call, const char* calls) {
  return std::strcmp(calls, "any") == 0 || std::strstr(calls, call) != nullptr;
}

Action meet(const char* call, const Name& name) {
  static std::atomic<long> seen = 0;
  const Plan& what = plan();
  if (what.action == Action::none || !is_among(call, what.calls)) return Action::none;
  if (::fnmatch(what.file, name.text, 0) != 0) return Action::none;
  const long number = ++seen;
  if (number < what.number) return Action::none;
  if (what.times != 0 && number >= what.number + what.times) return Action::none;
  if (what.met != nullptr) {
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, what.met, flags, 0600));
  }
  return what.action;
}

// ── The record ───────────────────────────────────────────────────────────────────────────────────

pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

/// Holds the order of calls and records while it lives; nothing where nothing is recorded.
class Turn {
 public:
  explicit Turn(bool wanted) : wanted_(wanted) {
    if (wanted_) ::pthread_mutex_lock(&recording);
  }
  ~Turn() {
    if (wanted_) ::pthread_mutex_unlock(&recording);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  bool wanted_;
};

std::uint64_t inode_of(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

std::uint64_t inode_of(const char* path) {
  struct stat status{};
  return ::lstat(path, &status) == 0 ? status.st_ino : 0;
}

void record(RecordKind kind, std::uint64_t inode, std::int64_t offset, const char* path,
            const char* other, const void* data, std::size_t size) {
  const int error_number = errno;
  RecordHead head{};
  head.kind = static_cast<std::uint32_t>(kind);
  head.inode = inode;
  head.offset = offset;
  head.path_bytes = static_cast<std::uint32_t>(std::strlen(path));
  head.other_bytes = static_cast<std::uint32_t>(std::strlen(other));
  head.data_bytes = size;
  const iovec parts[] = {{&head, sizeof head},
                         {const_cast<char*>(path), head.path_bytes},
                         {const_cast<char*>(other), head.other_bytes},
                         {const_cast<void*>(data), size}};
  const std::size_t all = sizeof head + head.path_bytes + head.other_bytes + size;
  if (::syscall(SYS_writev, plan().record, parts, 4) != static_cast<long>(all)) die();
  errno = error_number;
}

// ── The calls ────────────────────────────────────────────────────────────────────────────────────

long open_file(int folder, const char* path, int flags, mode_t mode) {
  if (idle()) return ::syscall(SYS_openat, folder, path, flags, mode);
  const Name name = name_of(folder, path);
  const bool changes = (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
  const Action action = changes ? meet("open", name) : Action::none;
  if (action == Action::kill_before) die();
  if (action == Action::fail) {
    errno = plan().error_number;
    return -1;
  }
  const bool recorded = plan().record >= 0 && changes && is_below(name);
  const Turn turn(recorded);
  const bool was_there = recorded && inode_of(name.text) != 0;
  const long descriptor = ::syscall(SYS_openat, folder, path, flags, mode);
  if (recorded && descriptor >= 0) {
    const std::uint64_t inode = inode_of(static_cast<int>(descriptor));
    if (!was_there) record(RecordKind::made, inode, 0, name.text, "", nullptr, 0);
    if (was_there && (flags & O_TRUNC) != 0) {
      record(RecordKind::truncated, inode, 0, name.text, "", nullptr, 0);
    }
  }
  if (action == Action::kill_after) die();
  return descriptor;
}

/// `offset` is -1 where the file's own position counts.
long write_file(int descriptor, const void* data, std::size_t size, std::int64_t offset) {
  const auto call = [&](std::size_t bytes) {
    return offset < 0 ? ::syscall(SYS_write, descriptor, data, bytes)
                      : ::syscall(SYS_pwrite64, descriptor, data, bytes, offset);
  };
  if (idle()) return call(size);
  const Name name = name_of(descriptor);
  const Action action = meet("write", name);
  if (action == Action::kill_before) die();
  if (action == Action::fail) {
    errno = plan().error_number;
    return -1;
  }
  const bool said = descriptor == STDOUT_FILENO;
  const bool recorded = plan().record >= 0 && (said || is_below(name));
  const Turn turn(recorded);
  std::int64_t at = offset;
  if (recorded && !said && offset < 0) {
    const bool appends = (::fcntl(descriptor, F_GETFL) & O_APPEND) != 0;
    at = ::lseek(descriptor, 0, appends ? SEEK_END : SEEK_CUR);
  }
  const long result = call(action == Action::half && size > 1 ? size / 2 : size);
  if (recorded && result > 0) {
    record(said ? RecordKind::said : RecordKind::written, said ? 0 : inode_of(descriptor), at,
           name.text, "", data, static_cast<std::size_t>(result));
  }
  if (action == Action::kill_after) die();
  return result;
}

long write_parts(int descriptor, const iovec* parts, int count, std::int64_t offset) {
  if (idle()) {
    return offset < 0 ? ::syscall(SYS_writev, descriptor, parts, count)
                      : ::syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
  }
  // A write of the first part alone is a short write, which callers have to expect.
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len != 0) {
      return write_file(descriptor, parts[i].iov_base, parts[i].iov_len, offset);
    }
  }
  return 0;
}

long sync_file(long number, int descriptor) {
  if (idle()) return ::syscall(number, descriptor);
  const Name name = name_of(descriptor);
  const Action action = meet("sync", name);
  if (action == Action::kill_before) die();
  if (action == Action::fail) {
    errno = plan().error_number;
    return -1;
  }
  const bool recorded = plan().record >= 0 && is_below(name);
  const Turn turn(recorded);
  const long result = ::syscall(number, descriptor);
  if (recorded && result == 0) {
    struct stat status{};
    ::fstat(descriptor, &status);
    const bool folder = S_ISDIR(status.st_mode);
    record(folder ? RecordKind::folder_synced : RecordKind::synced, status.st_ino, 0, name.text, "",
           nullptr, 0);
  }
  if (action == Action::kill_after) die();
  return result;
}

long truncate_file(int descriptor, off_t size) {
  if (idle()) return ::syscall(SYS_ftruncate, descriptor, size);
  const Name name = name_of(descriptor);
  const Action action = meet("truncate", name);
  if (action == Action::kill_before) die();
  if (action == Action::fail) {
    errno = plan().error_number;
    return -1;
  }
  const bool recorded = plan().record >= 0 && is_below(name);
  const Turn turn(recorded);
  const long result = ::syscall(SYS_ftruncate, descriptor, size);
  if (recorded && result == 0) {
    record(RecordKind::truncated, inode_of(descriptor), size, name.text, "", nullptr, 0);
  }
  if (action == Action::kill_after) die();
  return result;
}

/// A call that changes names: `real` makes it.
template <typename Real>
long change_names(const char* call, RecordKind kind, const Name& name, const Name& other,
                  Real real) {
  const Action action = meet(call, name);
  if (action == Action::kill_before) die();
  if (action == Action::fail) {
    errno = plan().error_number;
    return -1;
  }
  const bool recorded = plan().record >= 0 && is_below(name);
  const Turn turn(recorded);
  const std::uint64_t inode = recorded ? inode_of(name.text) : 0;
  const long result = real();
  if (recorded && result == 0) record(kind, inode, 0, name.text, other.text, nullptr, 0);
  if (action == Action::kill_after) die();
  return result;
}

long link_file(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  const auto real = [&] { return ::syscall(SYS_linkat, from_folder, from, to_folder, to, flags); };
  if (idle()) return real();
  return change_names("link", RecordKind::linked, name_of(from_folder, from),
                      name_of(to_folder, to), real);
}

long rename_file(int from_folder, const char* from, int to_folder, const char* to) {
  const auto real = [&] { return ::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0); };
  if (idle()) return real();
  return change_names("rename", RecordKind::renamed, name_of(from_folder, from),
                      name_of(to_folder, to), real);
}

long unlink_file(int folder, const char* path, int flags) {
  const auto real = [&] { return ::syscall(SYS_unlinkat, folder, path, flags); };
  if (idle() || (flags & AT_REMOVEDIR) != 0) return real();
  return change_names("remove", RecordKind::unlinked, name_of(folder, path), Name{}, real);
}

long make_folder(int folder, const char* path, mode_t mode) {
  if (!idle()) {
    const Action action = meet("mkdir", name_of(folder, path));
    if (action == Action::kill_before) die();
    if (action == Action::fail) {
      errno = plan().error_number;
      return -1;
    }
  }
  return ::syscall(SYS_mkdirat, folder, path, mode);
}

mode_t mode_of(int flags, va_list& arguments) {
  const bool given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return given ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return static_cast<int>(open_file(AT_FDCWD, path, flags, mode));
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return static_cast<int>(open_file(AT_FDCWD, path, flags, mode));
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return static_cast<int>(open_file(folder, path, flags, mode));
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return static_cast<int>(open_file(folder, path, flags, mode));
}

ssize_t write(int descriptor, const void* data, size_t size) {
  return write_file(descriptor, data, size, -1);
}
ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  return write_file(descriptor, data, size, offset);
}
ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t offset) {
  return write_file(descriptor, data, size, offset);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  return write_parts(descriptor, parts, count, -1);
}
ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  return write_parts(descriptor, parts, count, offset);
}
ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  return write_parts(descriptor, parts, count, offset);
}

int fsync(int descriptor) {
  return static_cast<int>(sync_file(SYS_fsync, descriptor));
}
int fdatasync(int descriptor) {
  return static_cast<int>(sync_file(SYS_fdatasync, descriptor));
}

int ftruncate(int descriptor, off_t size) noexcept {
  return static_cast<int>(truncate_file(descriptor, size));
}
int ftruncate64(int descriptor, off64_t size) noexcept {
  return static_cast<int>(truncate_file(descriptor, size));
}

int link(const char* from, const char* to) noexcept {
  return static_cast<int>(link_file(AT_FDCWD, from, AT_FDCWD, to, 0));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return static_cast<int>(link_file(from_folder, from, to_folder, to, flags));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(rename_file(AT_FDCWD, from, AT_FDCWD, to));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return static_cast<int>(rename_file(from_folder, from, to_folder, to));
}
int unlink(const char* path) noexcept {
  return static_cast<int>(unlink_file(AT_FDCWD, path, 0));
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return static_cast<int>(unlink_file(folder, path, flags));
}
int mkdir(const char* path, mode_t mode) noexcept {
  return static_cast<int>(make_folder(AT_FDCWD, path, mode));
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return static_cast<int>(make_folder(folder, path, mode));
}
// What std::filesystem::remove calls.
int remove(const char* path) noexcept {
  struct stat status{};
  const bool folder = ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return static_cast<int>(unlink_file(AT_FDCWD, path, folder ? AT_REMOVEDIR : 0));
}
}
