#include "phases/phase_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/paths.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

std::string joined_path(std::string_view folder, std::string_view file) {
  if (folder.empty()) return std::string(file);
  return std::string(folder) + "/" + std::string(file);
}

/// Tries the bases that metadata files use, in this order. The first file that is there is meant,
/// one that is there but unreadable included: it must not be replaced by another of the same name.
std::optional<std::string> resolve(const std::string& file, const std::vector<std::string>& bases,
                                   const FolderSnapshot& snapshot) {
  if (file.empty() || file.front() == '/') return std::nullopt;
  for (const std::string& base_folder : bases) {
    const auto path = base::normalised_relative(joined_path(base_folder, file));
    if (!path) continue;
    if (snapshot.files.contains(*path) || snapshot.unread.contains(*path)) return *path;
  }
  return std::nullopt;
}

/// True for a path that cannot lie in the workflow's folder, whatever it is relative to.
bool leads_out(const std::string& file, const std::string& folder) {
  return !base::normalised_relative(file) && !base::normalised_relative(joined_path(folder, file));
}

std::string default_folder(const MetadataPhase& phase) {
  return "phases/" + phase.number;
}

/// `phases/4/task-1-x.md` → 4, for files directly in a phase's folder that are named like a task.
std::optional<std::string> task_folder(const std::string& path) {
  const auto parts = base::split(path, '/');
  if (parts.size() != 3 || parts[0] != "phases" || parts[1] == "dynamic") return std::nullopt;
  const std::string name = base::lowered(parts[2]);
  const bool task = (name.starts_with("task-") || name.starts_with("task_")) &&
                    (name.ends_with(".md") || name.ends_with(".markdown"));
  return task ? std::optional(std::string(parts[1])) : std::nullopt;
}

/// `phases/4/phase.md`, in whatever folder but that of the dynamic templates.
bool is_phase_text(const std::string& path) {
  const auto parts = base::split(path, '/');
  return parts.size() == 3 && parts[0] == "phases" && parts[1] != "dynamic" &&
         parts[2] == "phase.md";
}

struct Shift {
  const MetadataPhase* phase;
  std::string folder;
  std::size_t found;
};

/// The neighbour's folder that holds more than half of a phase's files, if its own holds none.
std::optional<Shift> shift_of(const MetadataPhase& phase, const FolderSnapshot& snapshot) {
  int number = 0;
  const char* end = phase.number.data() + phase.number.size();
  const auto parsed = std::from_chars(phase.number.data(), end, number);
  if (phase.tasks.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  const auto count_in = [&](const std::string& folder) {
    return static_cast<std::size_t>(
        std::count_if(phase.tasks.begin(), phase.tasks.end(), [&](const MetadataTask& task) {
          return !task.file.empty() && snapshot.files.contains(joined_path(folder, task.file));
        }));
  };
  if (count_in(default_folder(phase)) > 0) return std::nullopt;
  for (const int neighbour : {number - 1, number + 1}) {
    const std::string folder = "phases/" + std::to_string(neighbour);
    const std::size_t found = count_in(folder);
    if (found * 2 > phase.tasks.size()) return Shift{&phase, folder, found};
  }
  return std::nullopt;
}

}  // namespace

std::string phase_folder(const MetadataPhase& phase, const std::string& phase_file) {
  const auto slash = phase_file.rfind('/');
  if (slash == std::string::npos || !phase_file.starts_with("phases/")) {
    return default_folder(phase);
  }
  return phase_file.substr(0, slash);
}

std::string find_phase_file(const MetadataPhase& phase, const FolderSnapshot& snapshot,
                            FindingList& findings) {
  const std::string wanted = phase.file.empty() ? default_folder(phase) + "/phase.md" : phase.file;
  const std::string folder = default_folder(phase);
  const auto path = phase.file.empty() ? resolve(wanted, {""}, snapshot)
                                       : resolve(wanted, {"", folder, "phases"}, snapshot);
  if (path && snapshot.files.contains(*path)) return *path;
  const int line = phase.file_line > 0 ? phase.file_line : phase.line;
  const Source source{std::string(kMetadataFile), line, 0};
  if (path) {
    findings.error(
        "missing_phase_file",
        "the text of phase " + phase.number + " cannot be read: " + snapshot.unread.at(*path), "",
        source, phase.number);
  } else {
    findings.error("missing_phase_file",
                   "the text of phase " + phase.number + " is missing: there is no " +
                       base::in_quotes(base::shortened(wanted, 200)),
                   "add the file, or correct metadata.json", source, phase.number);
  }
  return {};
}

std::vector<Task> find_tasks(const MetadataPhase& phase, const std::string& folder,
                             const FolderSnapshot& snapshot, FindingList& findings) {
  std::vector<Task> tasks;
  for (const MetadataTask& declared : phase.tasks) {
    Task task{declared.number, declared.name, "", {std::string(kMetadataFile), declared.line, 0}};
    const auto path =
        resolve(declared.file, {folder, default_folder(phase), "", "phases"}, snapshot);
    const std::string what = "task " + declared.number + " of phase " + phase.number;
    if (path && snapshot.files.contains(*path)) {
      task.file = *path;
    } else if (path) {
      findings.warning("missing_task_file", what + " cannot be read: " + snapshot.unread.at(*path),
                       "", task.source, phase.number);
    } else if (declared.file.empty()) {
      findings.warning("missing_task_file", what + " names no file", "add \"file\"", task.source,
                       phase.number);
    } else if (leads_out(declared.file, folder)) {
      findings.error("invalid_path",
                     what + " names " + base::in_quotes(base::shortened(declared.file, 200)) +
                         ", which does not lie in the workflow's folder",
                     "name a file of the phase's folder", task.source, phase.number);
    } else {
      findings.warning(
          "missing_task_file",
          what + " is missing: there is no " +
              base::in_quotes(base::shortened(joined_path(folder, declared.file), 200)),
          "add the file, or correct metadata.json", task.source, phase.number);
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

void check_task_files(const Metadata& metadata, const Workflow& workflow,
                      const FolderSnapshot& snapshot, FindingList& findings) {
  std::set<std::string> used;
  for (const Phase& phase : workflow.phases) {
    used.insert(phase.file);
    for (const Task& task : phase.tasks) used.insert(task.file);
  }
  for (const auto& [path, bytes] : snapshot.files) {
    const auto folder = task_folder(path);
    if (!folder || used.contains(path)) continue;
    findings.warning("orphaned_task_file",
                     base::in_quotes(path) + " is a task file that metadata.json does not name",
                     "add it to the tasks of its phase, or remove it", {path, 0, 0},
                     workflow.find_phase(*folder) != nullptr ? *folder : "");
  }
  for (const auto& [path, bytes] : snapshot.files) {
    if (!is_phase_text(path) || used.contains(path)) continue;
    findings.warning(
        "unlisted_phase_folder",
        base::in_quotes(path) + " is the text of a phase that metadata.json does not name",
        "add the phase to metadata.json, or remove its folder", {path, 0, 0});
  }
  std::vector<std::string> shifted;
  int line = 0;
  for (const MetadataPhase& phase : metadata.phases) {
    if (phase.dynamic) continue;
    const auto shift = shift_of(phase, snapshot);
    if (!shift) continue;
    if (line == 0) line = phase.line;
    shifted.push_back("the files of phase " + phase.number + " lie in " + shift->folder + " (" +
                      std::to_string(shift->found) + " of " + std::to_string(phase.tasks.size()) +
                      ")");
  }
  if (shifted.empty()) return;
  findings.warning("shifted_phases",
                   "metadata.json numbers its phases differently from the folders: " +
                       base::joined(shifted, "; "),
                   "renumber the folders or the phases; nothing is guessed",
                   {std::string(kMetadataFile), line, 0});
}

}  // namespace phasegate::phases
