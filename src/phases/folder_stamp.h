#pragma once
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/clock.h"

namespace phasegate::phases {

/// What a file or a folder with all that is in it looked like at one moment: names, sizes, inodes,
/// times of modification and of change (nanoseconds). Two of them are equal as long as nothing
/// changed. No file is read. What cannot be looked at counts as such.
class Stamp {
 public:
  Stamp() = default;
  /// Looks at a file, or walks through a folder; `now` is the time at which that begins. Never
  /// fails. O(entries), of which it takes at most twice limits::kWorkflowFilesMax.
  /// `beside` is a file that is read with it, if it is there.
  [[nodiscard]] static Stamp of_file(const std::filesystem::path& file,
                                     const std::filesystem::path& beside = {});
  [[nodiscard]] static Stamp of_folder(const std::filesystem::path& folder, base::TimePoint now);

  /// True if everything is still as it was, by one look at each file and folder and without
  /// listing any: who adds, removes or renames an entry changes the time of its folder. A folder
  /// whose time was too near to that of the walk to tell is not relied on. False says nothing.
  [[nodiscard]] bool holds() const;

  friend bool operator==(const Stamp& a, const Stamp& b) { return a.entries_ == b.entries_; }

 private:
  /// All zero for what cannot be looked at.
  struct Status {
    mode_t mode = 0;
    off_t bytes = 0;
    dev_t device = 0;
    ino_t inode = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;

    friend bool operator==(const Status&, const Status&) = default;
  };
  struct Entry {
    std::string path;
    Status status;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  [[nodiscard]] static Status status_of(const std::string& path);

  std::vector<Entry> entries_;  // by path
  bool reliable_ = false;       // every folder was listed, and its time tells of later changes
};

}  // namespace phasegate::phases
