#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/result.h"

/// Files of the project as checks see them: opened first and judged by what was opened, so that a
/// path which becomes a link meanwhile leads nowhere (ARCHITECTURE §5).
namespace phasegate::world::checks {

/// What a path led to, held open: later questions are about this file, whatever its name leads to
/// by then.
class OpenedFile {
 public:
  /// Opens `path`, relative to `root` (canonical) and normalised. Links are followed as long as
  /// what they lead to lies below the root. An absolute path is opened as it stands: give only one
  /// that the definition itself writes (Parameters::path sees to it). Never waits for a pipe or a
  /// device. Errors, none with a path of the machine: `not_found`, `outside_root`, `unreadable`
  /// (rights, loops of links), `not_a_file` (devices, pipes, sockets), `invalid_path`.
  /// O(parts of the path).
  [[nodiscard]] static base::Result<OpenedFile> open(const std::filesystem::path& root,
                                                     std::string_view path);

  [[nodiscard]] bool is_folder() const { return folder_; }
  /// Bytes, as of the moment of opening.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// When its content was last changed, as the file system says (anybody can set that).
  [[nodiscard]] base::TimePoint modified() const { return modified_; }
  /// For what can only be named by a descriptor, as a program's working folder; owned by this.
  [[nodiscard]] int descriptor() const { return file_.get(); }
  /// Its whole content. Errors: `not_a_file` (a folder), `too_large`, `unreadable`.
  [[nodiscard]] base::Result<std::string> bytes(std::size_t bytes_max) const;
  /// SHA-256 of its content, at most limits::kCheckedFileBytesMax; errors as bytes().
  [[nodiscard]] base::Result<std::string> sha256() const;
  /// The names in a folder, sorted, at most `names_max` of them; empty for a file.
  [[nodiscard]] std::vector<std::string> names(std::size_t names_max) const;

 private:
  OpenedFile() = default;

  base::Descriptor file_;
  std::string path_;
  bool folder_ = false;
  std::uint64_t size_ = 0;
  base::TimePoint modified_;
};

/// A path as it stands in a sentence: quoted where it holds more than plain characters.
[[nodiscard]] std::string shown_path(std::string_view path);

/// SHA-256 of the file at `path`, `""` if nothing is there: what digests of files are compared by.
/// Errors as OpenedFile; a folder is `not_a_file`.
[[nodiscard]] base::Result<std::string> file_digest(const std::filesystem::path& root,
                                                    std::string_view path);

/// The name in the same folder that was probably meant by a path at which nothing is:
/// `docs/plan.md` for `docs/Plan.md`; or the folder on the way that is missing. One sentence for a
/// hint; empty if nothing is near.
[[nodiscard]] std::string nearest_file_hint(const std::filesystem::path& root,
                                            std::string_view path);

/// A folder below `root`, opened without following any link; `""` is the root itself. Errors:
/// `not_found` (gone, or no folder, or behind a link), `unreadable`.
[[nodiscard]] base::Result<base::Descriptor> open_folder_without_links(
    const std::filesystem::path& root, const std::string& path);

}  // namespace phasegate::world::checks
