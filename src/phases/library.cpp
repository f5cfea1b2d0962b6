#include "phases/library.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "base/clock.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/builtin.h"
#include "phases/correction/corrections.h"
#include "phases/document_workflow.h"
#include "phases/finding_list.h"
#include "phases/folder_stamp.h"
#include "phases/loaded_workflow.h"
#include "phases/native/reader.h"
#include "phases/workflow_reader.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace {

struct Cached {
  Stamp stamp;
  std::shared_ptr<const LoadedWorkflow> loaded;
};

/// What lies in a place under one id: a folder, a file, or both, which is one too many.
struct Candidate {
  std::vector<std::string> names;
  bool is_folder = false;
  bool is_link = false;  ///< to a folder, which is not followed
};
using Candidates = std::map<std::string, Candidate>;

Source source_of(const Place& place) {
  return {place.name, 0, 0};
}

LoadedWorkflow linked_folder(const std::string& id) {
  return unreadable_workflow(id,
                             {Severity::error,
                              "linked_folder",
                              base::in_quotes(id) + " is a link to a folder, which is not followed",
                              "name the folder that holds its target with --workflows",
                              {id, 0, 0},
                              ""});
}

/// A folder that looks like a workflow; or nobody can tell, since it cannot be looked into.
bool looks_like_workflow(const fs::path& folder) {
  if (is_workflow_folder(folder)) return true;
  std::error_code failed;
  fs::directory_iterator(folder, failed);
  return failed && failed != std::errc::no_such_file_or_directory &&
         failed != std::errc::not_a_directory;
}

}  // namespace

struct Library::State {
  std::vector<Place> places;
  std::map<std::string, Cached> cache;  // by folder or file
  std::map<std::string, Cached> kept;   // what the present look has found
  std::map<std::string, std::shared_ptr<const LoadedWorkflow>> built_in;  // read once
  std::map<std::string, LibraryEntry> entries;
  std::vector<Finding> findings;
  std::string unreadable;          // the nearest place that cannot be read; empty: none
  std::set<std::string> doubtful;  // ids that it might hold as well

  std::vector<LibraryEntry> list();
  void look_at(const Place& place, FindingList& found);
  Candidates candidates_of(const Place& place, FindingList& found);
  void add(LibraryEntry entry);
  base::Result<LibraryEntry> unless_doubtful(LibraryEntry& entry) const;
  void add_candidate(const fs::directory_entry& at, const Place& place, Candidates& candidates,
                     FindingList& found);
  bool is_document_workflow(const fs::directory_entry& at, const std::string& name);
  void add_built_in(const Place& place, FindingList& found);
  bool is_free(const std::string& id, const Place& place, FindingList& found);
  std::shared_ptr<const LoadedWorkflow> load(const fs::path& path, bool is_folder);
};

void Library::State::add_candidate(const fs::directory_entry& at, const Place& place,
                                   Candidates& candidates, FindingList& found) {
  std::error_code problem;
  const std::string name = at.path().filename().string();
  if (name.starts_with('.')) return;
  // What the directory itself says about its entries is enough: nothing is looked at twice.
  const bool is_folder = at.is_directory(problem);
  if (!is_folder && is_document_name(name)) {
    if (is_document_workflow(at, name)) candidates[id_of_document(name)].names.push_back(name);
    return;
  }
  const bool is_file_name = is_workflow_file_name(name);
  const std::string shown = base::in_quotes(place.name + "/" + name);
  if (!is_folder && !is_file_name) {
    if (!is_workflow_file_name(base::lowered(name))) return;
    found.warning("unusable_name", shown + " is not read: its ending has capital letters",
                  "rename it to " + base::lowered(name), source_of(place));
    return;
  }
  // Whatever lies there under a workflow's name is meant as one. If it cannot be read, it is a
  // workflow that cannot be started, and none of a farther place is taken in its stead.
  if (!is_folder) {
    candidates[id_of_file(name)].names.push_back(name);
    return;
  }
  if (at.is_symlink(problem)) {
    if (!looks_like_workflow(at.path())) return;
    candidates[name].names.push_back(name);
    candidates[name].is_link = true;
    return;
  }
  if (!cache.contains(at.path().string()) && !looks_like_workflow(at.path())) {
    if (is_file_name) candidates[id_of_file(name)].names.push_back(name);
    return;
  }
  Candidate& candidate = candidates[name];
  candidate.names.push_back(name);
  candidate.is_folder = true;
}

/// A document in a place is a workflow if it names phases or has a gate; a README never is. One
/// that cannot be read might be, and counts.
bool Library::State::is_document_workflow(const fs::directory_entry& at, const std::string& name) {
  if (is_about_its_folder(name)) return false;
  return !load(at.path(), false)->plain;
}

void Library::State::add(LibraryEntry entry) {
  if (!unreadable.empty()) doubtful.insert(entry.id);
  std::string id = entry.id;
  entries.emplace(std::move(id), std::move(entry));
}

base::Result<LibraryEntry> Library::State::unless_doubtful(LibraryEntry& entry) const {
  if (!doubtful.contains(entry.id)) return std::move(entry);
  return base::Error{"unreadable_place",
                     base::in_quotes(entry.reference) + " may not be the workflow that is meant: " +
                         base::in_quotes(unreadable) + " comes first and cannot be read",
                     "ask the person you work for to run `phasegate doctor`", "workflow_type"};
}

Candidates Library::State::candidates_of(const Place& place, FindingList& found) {
  Candidates candidates;
  std::error_code failed;
  fs::directory_iterator at(place.folder, failed);
  if (failed == std::errc::no_such_file_or_directory) return candidates;
  if (failed && unreadable.empty()) unreadable = place.name;
  if (failed == std::errc::not_a_directory) {
    found.warning("unreadable_place", base::in_quotes(place.name) + " is no folder",
                  "name a folder that holds workflows", source_of(place));
    return candidates;
  }
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    add_candidate(*at, place, candidates, found);
  }
  if (failed) {
    found.warning("unreadable_place",
                  base::in_quotes(place.name) + " cannot be read: " + failed.message(),
                  "allow reading the folder", source_of(place));
  }
  for (auto& [id, candidate] : candidates) {
    std::sort(candidate.names.begin(), candidate.names.end());
    const bool stale = candidate.is_folder && candidate.names.size() > 1 &&
                       !looks_like_workflow(place.folder / id);
    if (!stale) continue;
    // The folder was a workflow at the last look; what is left is a file.
    std::erase(candidate.names, id);
    candidate.is_folder = false;
  }
  return candidates;
}

std::shared_ptr<const LoadedWorkflow> Library::State::load(const fs::path& path, bool is_folder) {
  // A document is read to know whether it is a workflow, and wanted again as one.
  if (const auto seen = kept.find(path.string()); seen != kept.end()) return seen->second.loaded;
  Cached& cached = cache[path.string()];
  if (!cached.loaded || !cached.stamp.holds()) {
    // Taken before reading: what changes meanwhile is seen as a change by the next call.
    const fs::path corrections = path.parent_path() / corrections_file_of(path.filename().string());
    Stamp stamp = is_folder ? Stamp::of_folder(path, base::SystemClock().now())
                            : Stamp::of_file(path, corrections);
    if (!cached.loaded || cached.stamp != stamp) {
      // A folder that was a workflow at the last look need not be one any more.
      const bool gone = cached.loaded && is_folder && !looks_like_workflow(path);
      cached.loaded = gone ? nullptr
                           : std::make_shared<const LoadedWorkflow>(
                                 read_workflow(path, PlainRequirementReader()));
    }
    cached.stamp = std::move(stamp);
  }
  std::shared_ptr<const LoadedWorkflow> loaded = cached.loaded;
  if (loaded) kept.insert(cache.extract(path.string()));
  return loaded;
}

/// Whether no nearer place has this id; if one has, that is said.
bool Library::State::is_free(const std::string& id, const Place& place, FindingList& found) {
  const auto nearer = entries.find(id);
  if (nearer == entries.end()) return true;
  const std::string first = base::in_quotes(nearer->second.reference);
  if (place.built_in) {
    found.info("shadowed_workflow",
               first + " replaces the built-in workflow " + base::in_quotes(id),
               "rename it to have both", source_of(place));
  } else {
    found.info("shadowed_workflow",
               base::in_quotes(place.name + "/" + id) + " is not used, " + first + " comes first",
               "rename one of the two", source_of(place));
  }
  return false;
}

void Library::State::add_built_in(const Place& place, FindingList& found) {
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    const std::string id(workflow.id);
    if (!is_free(id, place, found)) continue;
    auto& loaded = built_in[id];
    if (!loaded) {
      loaded =
          std::make_shared<const LoadedWorkflow>(read_native_text(id + ".yaml", workflow.text));
    }
    add({id, {}, place.name, place.name + "/" + id, loaded});
  }
}

void Library::State::look_at(const Place& place, FindingList& found) {
  if (place.built_in) return add_built_in(place, found);
  for (const auto& [id, candidate] : candidates_of(place, found)) {
    if (!is_workflow_name(id) || !base::is_utf8(id)) {
      found.warning("unusable_name",
                    base::in_quotes(place.name + "/" + id) + " has a name that cannot be an id",
                    "rename the " + std::string(candidate.is_folder ? "folder" : "file"),
                    source_of(place));
      continue;
    }
    if (!is_free(id, place, found)) continue;
    if (entries.size() >= base::limits::kWorkflowsMax) {
      found.warning("too_many_workflows",
                    "there are more than " + std::to_string(base::limits::kWorkflowsMax) +
                        " workflows; the rest is left out",
                    "", source_of(place));
      return;
    }
    const fs::path path = place.folder / candidate.names.front();
    std::shared_ptr<const LoadedWorkflow> loaded;
    if (candidate.names.size() > 1) {
      const std::vector<std::string>& names = candidate.names;
      loaded = std::make_shared<const LoadedWorkflow>(two_definitions(id, names, names.front()));
    } else if (candidate.is_link) {
      loaded = std::make_shared<const LoadedWorkflow>(linked_folder(id));
    } else {
      loaded = load(path, candidate.is_folder);
    }
    if (!loaded) continue;
    add({id, path, place.name, place.name + "/" + id, loaded});
  }
}

std::vector<LibraryEntry> Library::State::list() {
  FindingList found;
  entries.clear();
  kept.clear();
  unreadable.clear();
  doubtful.clear();
  for (const Place& place : places) look_at(place, found);
  cache = std::move(kept);  // a workflow that is gone is forgotten
  findings = found.take();
  std::vector<LibraryEntry> listed;
  listed.reserve(entries.size());
  for (auto& [id, entry] : entries) listed.push_back(std::move(entry));
  entries.clear();
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
  if (!is_workflow_name(id_or_alias)) {
    return base::Error{
        "invalid_argument",
        base::in_quotes(base::shortened(id_or_alias, 128)) + " is no workflow's name",
        "call list_workflows and use one of its ids", "workflow_type"};
  }
  std::vector<LibraryEntry> entries = state_->list();
  std::vector<LibraryEntry*> aliased;
  std::vector<std::string> names;
  for (LibraryEntry& entry : entries) {
    if (entry.id == id_or_alias) return state_->unless_doubtful(entry);
    names.push_back(entry.id);
    for (const std::string& alias : entry.loaded->workflow.aliases) {
      names.push_back(alias);
      if (alias == id_or_alias) aliased.push_back(&entry);
    }
  }
  if (aliased.size() == 1) return state_->unless_doubtful(*aliased.front());
  if (aliased.size() > 1) {
    std::vector<std::string> ids;
    ids.reserve(aliased.size());
    for (const LibraryEntry* entry : aliased) ids.push_back(entry->id);
    return base::Error{"ambiguous_workflow",
                       base::in_quotes(id_or_alias) +
                           " is another name of several workflows: " + base::joined(ids, ", "),
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
