#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/engine/engine.h"

namespace phasegate::app::cli {

/// Something that has happened in a session that is watched.
struct WatchedEvent {
  gating::engine::JournalRow row;
  std::string session;
  std::shared_ptr<const gating::Definition> definition;
};

/// What is new in the journals of sessions, each time it is asked.
class WatchFeed {
 public:
  /// `full`: from the first entry on; otherwise from the last ten.
  WatchFeed(gating::engine::Engine& engine, bool full);

  /// Follows this session. Errors: the engine's.
  [[nodiscard]] base::Result<void> follow(const std::string& session);
  /// Follows every open session, and those that begin later, these from their first entry on.
  void follow_all_open();

  /// What has happened since the last call, by time. Sessions that have ended are followed no more.
  [[nodiscard]] base::Result<std::vector<WatchedEvent>> news();

  /// True while there may be more.
  [[nodiscard]] bool goes_on() const { return all_open_ || !followed_.empty(); }
  /// How many sessions are followed now.
  [[nodiscard]] std::size_t followed() const { return followed_.size(); }

 private:
  struct Followed {
    std::shared_ptr<const gating::Definition> definition;
    std::int64_t seen = 0;  ///< the last entry that was told
  };

  [[nodiscard]] base::Result<void> find_open(bool is_new);

  gating::engine::Engine& engine_;
  bool full_;
  bool all_open_ = false;
  bool asked_before_ = false;
  std::map<std::string, Followed> followed_;
  std::map<std::string, bool> ended_;  // never followed again
};

/// Notices cheaply that a database may have changed: by size and time of its file and its log.
class ChangeNotice {
 public:
  explicit ChangeNotice(std::filesystem::path database) : database_(std::move(database)) {}

  /// True if something may have changed since the last call, and now and then in any case: two
  /// changes within one tick of the file system's clock look like one.
  [[nodiscard]] bool changed();

 private:
  std::filesystem::path database_;
  std::string last_;
  int quiet_calls_ = 0;
};

}  // namespace phasegate::app::cli
