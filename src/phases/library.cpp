#include "phases/library.h"

#include <algorithm>
#include <system_error>

#include "base/limits.h"
#include "base/text.h"
#include "phases/finding_list.h"
#include "phases/folder_reader.h"
#include "phases/folder_stamp.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace {

struct Cached {
  std::string stamp;
  std::shared_ptr<const LoadedWorkflow> loaded;
};

/// A folder that looks like a workflow: it has metadata.json, or phases/ and thus lacks it.
bool looks_like_workflow(const fs::path& folder) {
  std::error_code ignored;
  return fs::symlink_status(folder / "metadata.json", ignored).type() != fs::file_type::not_found ||
         fs::is_directory(folder / "phases", ignored);
}

/// A name that can be a folder's: no path, nothing hidden, no control characters.
bool is_plain_folder_name(std::string_view name) {
  constexpr std::size_t kNameBytesMax = 128;
  if (name.empty() || name.size() > kNameBytesMax || name.front() == '.') return false;
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

}  // namespace

struct Library::State {
  std::vector<Place> places;
  std::map<std::string, Cached> cache;  // by folder
  std::vector<Finding> findings;

  std::vector<LibraryEntry> list();
  std::vector<std::string> folders_of(const Place& place, FindingList& found);
  std::shared_ptr<const LoadedWorkflow> load(const fs::path& folder);
};

std::vector<std::string> Library::State::folders_of(const Place& place, FindingList& found) {
  std::vector<std::string> names;
  const Source source{place.name, 0, 0};
  std::error_code failed;
  const fs::file_status status = fs::status(place.folder, failed);
  if (status.type() == fs::file_type::not_found) return names;
  fs::directory_iterator at;
  if (!failed && status.type() != fs::file_type::directory) {
    found.warning("unreadable_place", base::in_quotes(place.name) + " is no folder",
                  "name a folder that holds workflow folders", source);
    return names;
  }
  if (!failed) at = fs::directory_iterator(place.folder, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    std::error_code problem;
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') || !at->is_directory(problem)) continue;
    if (at->is_symlink(problem)) {
      found.info("linked_folder",
                 base::in_quotes(name) + " in " + base::in_quotes(place.name) +
                     " is a link to a folder and is not followed",
                 "name the folder that holds its target with --workflows", source);
      continue;
    }
    names.push_back(name);
  }
  if (failed) {
    found.warning("unreadable_place",
                  base::in_quotes(place.name) + " cannot be read: " + failed.message(),
                  "allow reading the folder", source);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::shared_ptr<const LoadedWorkflow> Library::State::load(const fs::path& folder) {
  // Taken before reading: what changes meanwhile is seen as a change by the next call.
  const std::string stamp = folder_stamp(folder);
  Cached& cached = cache[folder.string()];
  if (!cached.loaded || cached.stamp != stamp) {
    cached.loaded = std::make_shared<const LoadedWorkflow>(
        read_workflow_folder(folder, PlainRequirementReader()));
    cached.stamp = stamp;
  }
  return cached.loaded;
}

std::vector<LibraryEntry> Library::State::list() {
  FindingList found;
  std::map<std::string, LibraryEntry> entries;
  std::map<std::string, Cached> kept;
  std::size_t seen = 0;
  for (const Place& place : places) {
    for (const std::string& name : folders_of(place, found)) {
      const fs::path folder = place.folder / name;
      const Source source{place.name, 0, 0};
      if (!looks_like_workflow(folder)) continue;
      const std::string reference = place.name + "/" + name;
      if (!is_plain_folder_name(name) || !base::is_utf8(name)) {
        found.warning("unusable_name",
                      base::in_quotes(reference) + " has a name that cannot be an id",
                      "rename the folder", source);
        continue;
      }
      if (const auto nearer = entries.find(name); nearer != entries.end()) {
        found.info("shadowed_workflow",
                   base::in_quotes(reference) + " is not used, " +
                       base::in_quotes(nearer->second.reference) + " comes first",
                   "rename one of the two", source);
        continue;
      }
      if (++seen > base::limits::kWorkflowsMax) {
        found.warning("too_many_workflows",
                      "there are more than " + std::to_string(base::limits::kWorkflowsMax) +
                          " workflows; the rest is left out",
                      "", source);
        break;
      }
      auto loaded = load(folder);
      kept.emplace(folder.string(), cache[folder.string()]);
      entries.emplace(name, LibraryEntry{name, folder, place.name, reference, std::move(loaded)});
    }
  }
  cache = std::move(kept);  // a workflow that is gone is forgotten
  findings = found.take();
  std::vector<LibraryEntry> listed;
  listed.reserve(entries.size());
  for (auto& [id, entry] : entries) listed.push_back(std::move(entry));
  return listed;
}

Place built_in_place() {
  return {{}, "built-in", true};
}

Library::Library(std::vector<Place> places) : state_(std::make_unique<State>()) {
  state_->places = std::move(places);
}

Library::~Library() = default;

std::vector<LibraryEntry> Library::list() {
  return state_->list();
}

base::Result<LibraryEntry> Library::find(std::string_view id_or_alias) {
  if (!is_plain_folder_name(id_or_alias)) {
    return base::Error{
        "invalid_argument",
        base::in_quotes(base::shortened(id_or_alias, 128)) + " is no workflow's name",
        "call list_workflows and use one of its ids", "workflow_type"};
  }
  std::vector<LibraryEntry> entries = state_->list();
  std::vector<LibraryEntry*> aliased;
  std::vector<std::string> names;
  for (LibraryEntry& entry : entries) {
    if (entry.id == id_or_alias) return std::move(entry);
    names.push_back(entry.id);
    for (const std::string& alias : entry.loaded->workflow.aliases) {
      names.push_back(alias);
      if (alias == id_or_alias) aliased.push_back(&entry);
    }
  }
  if (aliased.size() == 1) return std::move(*aliased.front());
  if (aliased.size() > 1) {
    std::vector<std::string> ids;
    ids.reserve(aliased.size());
    for (const LibraryEntry* entry : aliased) ids.push_back(entry->id);
    return base::Error{"ambiguous_workflow",
                       base::in_quotes(id_or_alias) +
                           " is the workflow_type of several workflows: " + base::joined(ids, ", "),
                       "use one of these ids", "workflow_type"};
  }
  const auto nearest = base::nearest_name(id_or_alias, names);
  return base::Error{"unknown_workflow", "there is no workflow " + base::in_quotes(id_or_alias),
                     (nearest ? "did you mean " + *nearest + "? " : std::string()) +
                         "Call list_workflows to see all of them",
                     "workflow_type"};
}

const std::vector<Finding>& Library::findings() const {
  return state_->findings;
}

}  // namespace phasegate::phases
