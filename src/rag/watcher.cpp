#include "rag/watcher.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "rag/source_paths.h"
#include "rag/sources.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
using base::Descriptor;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint32_t kWanted = IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB |
                                  IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF |
                                  IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

/// What is over when the folder itself is not where it was.
constexpr std::uint32_t kFolderGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

Clock::duration in_ms(std::int64_t ms) {
  return std::chrono::milliseconds(ms);
}

/// For poll: whole milliseconds, rounded up so that nobody waits in circles.
int poll_ms(Clock::time_point until) {
  constexpr std::int64_t kMost = 60'000;
  const auto now = Clock::now();
  if (until <= now) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
  return static_cast<int>(std::min<std::int64_t>(left, kMost));
}

}  // namespace

struct Watcher::State {
  explicit State(fs::path of) : root(std::move(of)) {}

  const fs::path root;
  const Descriptor events{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  const Descriptor interrupts{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  /// By watch. One folder may have several names: bind mounts, file systems to which large and
  /// small letters are the same.
  std::map<int, std::set<std::string>> folders;
  std::set<std::string, std::less<>> names;  // all of them
  std::vector<std::string> sources;
  bool complete = false;
  // Seen, and not told by next() yet.
  Changed changed;
  bool any = false;

  bool add(const std::string& folder, std::map<int, std::set<std::string>>& wanted);
  bool matters(std::string_view folder) const;
  void tell(const std::string& folder, std::string_view name);
  bool take(const struct inotify_event& event, std::string_view name);
  bool read_events();
  bool wait_until(Clock::time_point until) const;
};

/// Watches a folder, which may be watched already; false if it cannot be.
bool Watcher::State::add(const std::string& folder, std::map<int, std::set<std::string>>& wanted) {
  // It is opened part by part, so that no link is followed, and watched as it was opened.
  const Descriptor open = open_folder(root, folder);
  if (!open.open()) return false;
  const std::string path = "/proc/self/fd/" + std::to_string(open.get());
  const int watch = ::inotify_add_watch(events.get(), path.c_str(), kWanted);
  if (watch < 0) return false;
  wanted[watch].insert(folder);
  // What had changed in a new one up to now, nobody has told. A folder that was moved keeps its
  // watch, and has got another name.
  const auto before = folders.find(watch);
  if (before == folders.end() || !before->second.contains(folder)) any = changed.everything = true;
  return true;
}

/// Whether it matters to the sources that a folder comes, goes or has other rights.
bool Watcher::State::matters(std::string_view folder) const {
  const auto watched = names.lower_bound(folder);
  if (watched != names.end() && *watched == folder) return true;
  const std::string below = std::string(folder) + "/";
  const auto first = names.lower_bound(below);
  if (first != names.end() && first->starts_with(below)) return true;
  return std::any_of(sources.begin(), sources.end(), [&](const std::string& source) {
    return lies_in(folder, source) || lies_in(source, folder);
  });
}

void Watcher::State::tell(const std::string& folder, std::string_view name) {
  if (name.empty() || changed.files.size() >= kChangedFilesMax) {
    changed.folders.insert(folder);
  } else {
    changed.files.insert(path_in(folder, name));
  }
}

/// True if the event matters.
bool Watcher::State::take(const struct inotify_event& event, std::string_view name) {
  if ((event.mask & IN_Q_OVERFLOW) != 0) return changed.everything = true;
  const auto at = folders.find(event.wd);
  // Still under way when its folder was given up.
  if (at == folders.end()) return false;
  if ((event.mask & kFolderGone) != 0) {
    if ((event.mask & IN_IGNORED) != 0) folders.erase(at);
    return changed.everything = true;
  }
  const std::set<std::string>& called = at->second;
  if ((event.mask & IN_ISDIR) != 0) {
    const bool here =
        name.empty() || std::any_of(called.begin(), called.end(),
                                    [&](const auto& in) { return matters(path_in(in, name)); });
    changed.everything = changed.everything || here;
    return here;
  }
  if (shapes_sources(name)) return changed.everything = true;
  // A hidden file is no source: most are an editor's for the time being.
  if (name.starts_with('.')) return false;
  for (const std::string& folder : called) tell(folder, name);
  return true;
}

/// Takes all that has happened; true if something of it matters.
bool Watcher::State::read_events() {
  alignas(struct inotify_event) char buffer[64 * 1024];
  bool matters = false;
  while (true) {
    const ssize_t got = ::read(events.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      struct inotify_event event{};
      std::memcpy(&event, buffer + at, sizeof event);
      const char* name = buffer + at + sizeof event;
      matters =
          take(event, event.len == 0 ? std::string_view() : std::string_view(name)) || matters;
      at += sizeof event + event.len;
    }
  }
  any = any || matters;
  return matters;
}

/// Waits for events, an interruption or the time; false for an interruption.
bool Watcher::State::wait_until(Clock::time_point until) const {
  struct pollfd waited_for[] = {{interrupts.get(), POLLIN, 0}, {events.get(), POLLIN, 0}};
  ::poll(waited_for, 2, poll_ms(until));
  std::uint64_t count = 0;
  return ::read(interrupts.get(), &count, sizeof count) != sizeof count;
}

Watcher::Watcher(fs::path root) : state_(std::make_unique<State>(std::move(root))) {}
Watcher::~Watcher() = default;

void Watcher::watch(const std::vector<std::string>& folders,
                    const std::vector<std::string>& sources) {
  State& state = *state_;
  // What was seen under the former names.
  state.read_events();
  std::map<int, std::set<std::string>> wanted;
  state.complete = state.events.open();
  for (const std::string& folder : folders) {
    if (!state.events.open()) break;
    state.complete = state.add(folder, wanted) && state.complete;
  }
  for (const auto& [watch, names] : state.folders) {
    if (!wanted.contains(watch)) ::inotify_rm_watch(state.events.get(), watch);
  }
  state.folders = std::move(wanted);
  state.names = {folders.begin(), folders.end()};
  state.sources = sources;
}

bool Watcher::complete() const {
  return state_->complete;
}

std::optional<Changed> Watcher::next(std::int64_t wait_ms, std::int64_t settle_ms,
                                     std::int64_t settle_most_ms) {
  State& state = *state_;
  const auto deadline = Clock::now() + in_ms(wait_ms);
  state.read_events();
  while (!state.any) {
    if (!state.wait_until(deadline)) return std::nullopt;
    state.read_events();
    if (!state.any && Clock::now() >= deadline) return std::nullopt;
  }
  const auto begin = Clock::now();
  const auto most = begin + in_ms(settle_most_ms);
  auto quiet = begin + in_ms(settle_ms);
  while (Clock::now() < std::min(quiet, most)) {
    if (!state.wait_until(std::min(quiet, most))) return std::nullopt;
    if (state.read_events()) quiet = Clock::now() + in_ms(settle_ms);
  }
  state.any = false;
  return std::exchange(state.changed, {});
}

void Watcher::interrupt() {
  const std::uint64_t one = 1;
  // It can only fail if there is an interruption already.
  [[maybe_unused]] const ssize_t written = ::write(state_->interrupts.get(), &one, sizeof one);
}

}  // namespace phasegate::rag
