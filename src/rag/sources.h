#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/globs.h"
#include "base/result.h"
#include "phases/search_config.h"

/// Which files of a project are searched, and their texts: what lies in the folders of its
/// documents, is a text, is not ignored by git, is no secret and feeds no workflow.
namespace phasegate::rag {

/// What may never be in the index, wherever it lies: whatever feeds a workflow's definition.
struct Withheld {
  std::vector<std::filesystem::path> folders;  ///< canonical; nothing in them is a source
  std::set<std::string, std::less<>> names;    ///< of files (`tasks.md`), in any case of letters
  std::set<std::string, std::less<>> digests;  ///< SHA-256 of texts of phases: a copy is the text
};

struct SourceRules {
  std::filesystem::path root;        ///< canonical
  std::vector<std::string> folders;  ///< below it, in `/` form; `""` or `.` is the root itself
  /// Paths from the root, compiled with Hidden::included. With `include` only what it matches is a
  /// source, else documents by their endings (is_document_name).
  std::optional<base::Globs> include;
  std::optional<base::Globs> exclude;
  /// Canonical root of the git worktree that the root lies in: the `.gitignore` files from there on
  /// count. Empty, or not above the root: the root itself.
  std::filesystem::path worktree;
  /// Canonical; its `info/exclude` counts. Empty: that of `.git` in the worktree, if it is a
  /// folder.
  std::filesystem::path git_folder;
  Withheld withheld;
};

/// The rules of a project that says this in its file: the usual folders and those that it names.
/// Nothing is withheld yet. Errors: `unsound_search` for a configuration with errors, since what it
/// would have excluded is not known.
[[nodiscard]] base::Result<SourceRules> source_rules(std::filesystem::path root,
                                                     const phases::SearchConfig& config);

/// The folders that are looked into without being asked for, where they exist: `standards`,
/// `usage`, and the same below `.phasegate`, `.praxis-os` and `.agent-os`.
[[nodiscard]] const std::vector<std::string>& default_source_folders();

/// `.md`, `.markdown`, `.mdx`, `.txt`, `.rst`, `.adoc`, in any case of letters.
[[nodiscard]] bool is_document_name(std::string_view path);

/// Files whose change may change which other files are sources: `.gitignore`, and those that make
/// a folder a workflow's. `name` is without folders.
[[nodiscard]] bool shapes_sources(std::string_view name);

/// A file of the index, and what shows that it is still the same.
struct SourceFile {
  std::string path;  ///< from the root, in `/` form; of a link: its own, the rest is its target's
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< of the content, as the file system says
  /// Of anything about it; nobody can set that. 0 in what read() gives: the file had changed so
  /// shortly before that a further change might not show, so it is to be read again.
  std::int64_t changed_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

/// Why a file is no source.
enum class LeftOut : std::uint8_t {
  not_chosen,    ///< not in a source's folder, hidden, or not among the files that are wanted
  ignored,       ///< by a .gitignore
  withheld,      ///< belongs to a workflow
  secret,        ///< its name or its text looks like a secret
  binary,        ///< its text holds NUL, or is UTF-16
  not_utf8,      ///< its text or its path; or a control character in the path
  too_large,     ///< more than limits::kSearchFileBytesMax
  outside_root,  ///< a link that leads out
  linked,        ///< has several names (hard links): another one may be a workflow's
  not_a_file,    ///< a folder, a link to one, a pipe, a device
  unreadable,    ///< it, or the .gitignore that would say something of it
  too_many,      ///< beyond limits::kSearchFilesMax, or deeper than limits::kSearchFolderDepthMax
  gone,          ///< nothing is there
  unknown,       ///< cannot be looked at just now: whatever is known of it may still hold
  unsteady,      ///< changed each time it was read
};
/// A few words for people: `ignored by .gitignore`.
[[nodiscard]] std::string_view to_text(LeftOut why);

inline constexpr std::size_t kLeftOutExamplesMax = 20;
inline constexpr std::size_t kRefusedMax = 10;
inline constexpr std::size_t kSearchEntriesMax = 1'000'000;  ///< files and folders looked at

struct Listing {
  std::vector<SourceFile> files;  ///< sorted by path, each once
  bool finished = true;           ///< false: it was told to stop, and files are missing
  /// Folders and files that could not be looked at just now (LeftOut::unknown): what lies there is
  /// not among the files, and may still be a source.
  std::set<std::string, std::less<>> unknown_folders;
  /// Files, and folders that were not looked into. Not what was merely not chosen.
  std::map<LeftOut, std::size_t> left_out;
  std::vector<std::pair<std::string, LeftOut>> examples;  ///< the first kLeftOutExamplesMax
  /// The folders of the rules as they were understood, whether they exist or not; none lies in
  /// another one that reaches it.
  std::vector<std::string> sources;
  /// What a watcher has to watch: every folder that was looked into, those on the way to the
  /// sources' folders as far as they exist, and those that links lead into. Sorted, each once; `""`
  /// is the root.
  std::vector<std::string> folders;
  /// Where a link leads: folder of the target → folder of the link. If something changes in the
  /// first, the second is to be looked at.
  std::multimap<std::string, std::string> linked;
  /// Source folders that are refused (`invalid_path`, `not_a_folder`, `unreadable`, `withheld`),
  /// with a message for people. A folder that does not exist is none of them, but for one that
  /// belongs to a workflow: whether it exists is not told. Of more than kRefusedMax the last one is
  /// `more_refused`, which counts the rest. Names are shortened.
  std::vector<base::Error> refused;
};

/// True if a path that is not among the listing's files is none of the sources: it was looked for.
/// False if nobody can say, so that what is known of it must stay. O(parts of the path × log n).
[[nodiscard]] bool is_surely_gone(const Listing& listing, std::string_view path);

/// The text of a source and the stamp that belongs to exactly these bytes.
struct SourceText {
  SourceFile file;
  std::string bytes;
  std::string digest;  ///< SHA-256 of the bytes
};

/// One look at the sources of a project. What concerns many files (ignore rules, which folders are
/// workflows) is looked up once and then remembered: make a new one for
/// every round. Not for several threads. `rules` must outlive it.
class SourceLook {
 public:
  explicit SourceLook(const SourceRules& rules);
  ~SourceLook();
  SourceLook(const SourceLook&) = delete;
  SourceLook& operator=(const SourceLook&) = delete;

  /// All sources. Judges by names, kinds and sizes and opens no document; read() judges the text.
  /// Never throws for what lies on disk. Linear in the entries of the folders.
  /// `go_on` is asked now and then: once it says no, the listing is not finished.
  [[nodiscard]] Listing list(const std::function<bool()>& go_on = {});
  /// One file, by the same rules. O(parts of the path).
  [[nodiscard]] std::variant<SourceFile, LeftOut> look_at(std::string_view path);
  /// Opens the file, judges what was opened, and reads it. Never waits for a pipe or a device;
  /// never reads what lies outside the root, whatever is moved meanwhile. A file that is changed
  /// while it is read is read again a few times.
  [[nodiscard]] std::variant<SourceText, LeftOut> read(std::string_view path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SourceLook::list for a single question.
[[nodiscard]] Listing list_sources(const SourceRules& rules);

}  // namespace phasegate::rag
