#include "rag/workflow_folders.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/text.h"
#include "phases/plain_phases.h"
#include "rag/source_paths.h"

namespace phasegate::rag {
namespace {

using base::Descriptor;
using Entries = std::vector<FolderEntry>;

/// What looking has come to; what comes first decides.
enum class Found { no, yes, not_now };

/// Nobody could look: for now, or for good, which is in doubt and so a workflow.
Found not_seen() {
  return is_passing(errno) ? Found::not_now : Found::yes;
}

constexpr std::array<std::string_view, 3> kDefinitions = {"workflow.yaml", "workflow.yml",
                                                          "workflow.json"};
constexpr std::array<std::string_view, 2> kGates = {"gate-definition.yaml", "gate-definition.yml"};
constexpr std::array<std::string_view, 1> kMetadata = {"metadata.json"};
constexpr std::array<std::string_view, 1> kPhaseText = {"phase.md"};
constexpr std::string_view kPhases = "phases";

/// A name as people write it. Asking for these takes no listing of a folder with thousands.
std::array<std::string, 3> spellings_of(std::string_view name) {
  const auto raised = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; };
  std::array<std::string, 3> found = {std::string(name), std::string(name), std::string(name)};
  found[1].front() = raised(name.front());
  std::transform(name.begin(), name.end(), found[2].begin(), raised);
  return found;
}

template <std::size_t N>
Found has(const Descriptor& folder, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    for (const std::string& spelling : spellings_of(name)) {
      struct stat status{};
      if (::fstatat(folder.get(), spelling.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return Found::yes;
      }
      if (is_passing(errno)) return Found::not_now;
    }
  }
  return Found::no;
}

bool names_phases(const Entries& entries) {
  std::vector<std::string> names;
  for (const FolderEntry& entry : entries) names.push_back(base::lowered(entry.name));
  const bool dynamic = std::find(names.begin(), names.end(), "dynamic") != names.end();
  return dynamic || phases::name_phases({}, names);
}

/// Asks `test` about a folder in one. One that may not be looked into is in doubt.
template <typename Test>
Found of_folder(const Descriptor& in, const std::string& name, const Test& test) {
  const Descriptor inner(
      ::openat(in.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (inner.open()) return test(inner);
  return is_passing(errno) || errno == EACCES ? not_seen() : Found::no;
}

/// Asks `test` about each folder in one until it says more than no.
template <typename Test>
Found of_folders(const Descriptor& in, const Entries& entries, const Test& test) {
  for (const FolderEntry& entry : entries) {
    if (entry.type != DT_DIR && entry.type != DT_UNKNOWN) continue;
    const Found found = of_folder(in, entry.name, test);
    if (found != Found::no) return found;
  }
  return Found::no;
}

Found is_phase(const Descriptor& folder) {
  const Found gate = has(folder, kGates);
  return gate == Found::no ? has(folder, kPhaseText) : gate;
}

Found are_phases(const Descriptor& folder) {
  if (const Found metadata = has(folder, kMetadata); metadata != Found::no) return metadata;
  if (const Found phase = is_phase(folder); phase != Found::no) return phase;
  const auto entries = entries_of(folder, kWorkflowEntriesMax);
  if (!entries) return not_seen();
  if (entries->size() > kWorkflowEntriesMax || names_phases(*entries)) return Found::yes;
  return of_folders(folder, *entries, is_phase);
}

/// Asks `test` about the folder `phases` of a folder, if it has one.
template <typename Test>
Found of_phases(const Descriptor& folder, const Test& test) {
  for (const std::string& name : spellings_of(kPhases)) {
    const Found found = of_folder(folder, name, test);
    if (found != Found::no) return found;
  }
  return Found::no;
}

Found has_phases(const Descriptor& folder) {
  return of_phases(folder, [](const Descriptor&) { return Found::yes; });
}

Found looked_into(const Descriptor& folder) {
  if (const Found defined = has(folder, kDefinitions); defined != Found::no) return defined;
  if (const Found gate = has(folder, kGates); gate != Found::no) return gate;
  const Found metadata = has(folder, kMetadata);
  if (metadata == Found::not_now) return metadata;
  if (metadata == Found::no) return of_phases(folder, are_phases);
  if (const Found phases = has_phases(folder); phases != Found::no) return phases;
  const auto entries = entries_of(folder, kWorkflowEntriesMax);
  if (!entries) return not_seen();
  if (entries->size() > kWorkflowEntriesMax) return Found::yes;
  return of_folders(folder, *entries, has_phases);
}

}  // namespace

bool is_phases_name(std::string_view name) {
  return base::lowered(name) == kPhases;
}

std::optional<bool> holds_workflow(const Descriptor& folder) {
  const Found found = looked_into(folder);
  if (found == Found::not_now) return std::nullopt;
  return found == Found::yes;
}

}  // namespace phasegate::rag
