#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace phasegate::rag {

/// What has changed below a root.
struct Changed {
  bool everything = false;        ///< nobody can say what: look at all
  std::set<std::string> files;    ///< from the root; to be looked at, whatever they are by now
  std::set<std::string> folders;  ///< from the root; files directly in them are to be looked at
};

inline constexpr std::size_t kChangedFilesMax = 4096;  ///< beyond them their folders are told

/// Tells when something changes in folders (Linux: inotify). A folder that is new, moved, gone or
/// has other rights, where it matters to the sources, a file that shapes_sources(), and events that
/// were dropped mean `everything`; other hidden files mean nothing. One thread watches and waits;
/// any thread may interrupt.
class Watcher {
 public:
  /// `root`: canonical. Where the system cannot watch at all, complete() is false.
  explicit Watcher(std::filesystem::path root);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// From now on exactly these folders, from the root in `/` form (`""` is the root): those that
  /// are watched already go on without a gap. Links are not followed. If one is new, next() tells
  /// `everything` once: what happened in it before, nobody has seen. `sources`: folders of the
  /// sources (Listing::sources), whether they exist or not: a folder matters that lies in one of
  /// them, or on the way to it or to a watched folder. O(folders × parts).
  void watch(const std::vector<std::string>& folders,
             const std::vector<std::string>& sources = {""});
  /// False if one of the folders cannot be watched (out of watches, rights, gone): then the caller
  /// has to look from time to time.
  [[nodiscard]] bool complete() const;

  /// Waits until something has changed and then nothing more for `settle_ms`, or has gone on
  /// changing for `settle_most_ms`. nullopt: nothing has changed for `wait_ms`, or interrupt() was
  /// called (what had changed by then is told by the next call).
  [[nodiscard]] std::optional<Changed> next(std::int64_t wait_ms, std::int64_t settle_ms,
                                            std::int64_t settle_most_ms);
  /// Ends the present or, if there is none, the next call of next(). Any thread.
  void interrupt();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::rag
