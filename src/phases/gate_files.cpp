#include "phases/gate_files.h"

#include <algorithm>

#include "base/text.h"
#include "phases/correction/corrections.h"
#include "phases/native/reader.h"
#include "phases/ownership.h"

namespace phasegate::phases {
namespace {

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string lowered_name(const std::string& path) {
  return base::lowered(path.substr(path.rfind('/') + 1));
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True if `gate` at `at` ends a word: `gate.yaml`, `gates.yml`, `gateDefinition.json`.
bool word_ends(const std::string& written, const std::string& name, std::size_t at) {
  constexpr std::size_t kLength = 4;
  std::size_t end = at + kLength;
  if (name.substr(end).starts_with("definition")) return true;
  if (end < name.size() && name[end] == 's') ++end;
  return end >= name.size() || !is_letter(name[end]) ||
         (written[end] >= 'A' && written[end] <= 'Z');
}

/// True if the name says gate as a word of its own: `gates.yaml`, `QualityGate.yml`; not
/// `aggregate.yaml`, not `gateway.yaml`.
bool says_gate(const std::string& path) {
  const std::string written = path.substr(path.rfind('/') + 1);
  const std::string name = base::lowered(written);
  for (auto at = name.find("gate"); at != std::string::npos; at = name.find("gate", at + 1)) {
    const bool begins = at == 0 || !is_letter(name[at - 1]) || written[at] == 'G';
    if (begins && word_ends(written, name, at)) return true;
  }
  return false;
}

}  // namespace

bool is_gate_file(const std::string& path) {
  const std::string name = lowered_name(path);
  return name == "gate-definition.yaml" || name == "gate-definition.yml";
}

bool is_almost_gate_file(const std::string& path) {
  if (is_gate_file(path) || !says_gate(path)) return false;
  const std::string name = lowered_name(path);
  if (name.find(".yaml") != std::string::npos || name.find(".yml") != std::string::npos) {
    return true;
  }
  return name.find('.') == std::string::npos || name.ends_with(".json") ||
         name.ends_with(".toml") || name.ends_with(".txt");
}

bool is_never_shown(const std::string& path) {
  const std::string name = base::lowered(path);
  return name == kMetadataFile || is_native_name(name) || is_gate_file(path) ||
         is_corrections_name(path);
}

GateFiles::GateFiles(const FolderSnapshot& snapshot,
                     const std::map<std::string, std::string>& text_files, FindingList& findings)
    : snapshot_(snapshot), text_files_(text_files), findings_(findings) {
  const auto note = [&](const std::string& path) {
    if (is_gate_file(path)) gate_paths_.push_back(path);
    if (is_almost_gate_file(path)) almost_paths_.push_back(path);
  };
  for (const auto& [path, bytes] : snapshot_.files) note(path);
  for (const auto& [path, why] : snapshot_.unread) note(path);
}

std::vector<std::string> GateFiles::folders_of(const std::string& phase) const {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  };
  const auto text = text_files_.find(phase);
  if (text != text_files_.end() && !text->second.empty()) {
    add(folder_of(text->second));
    const std::string owning = owning_folder(text->second);
    if (!owning.empty()) add(owning);
  }
  const std::string numbered = "phases/" + phase;
  const bool taken = std::any_of(text_files_.begin(), text_files_.end(), [&](const auto& other) {
    return other.first != phase && owning_folder(other.second) == numbered;
  });
  if (!taken) add(numbered);
  return folders;
}

/// The same bytes, each in a folder of its own.
bool GateFiles::agree(const std::vector<std::string>& paths) const {
  const std::string* first = snapshot_.find(paths.front());
  std::set<std::string> folders;
  return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
    const std::string* text = snapshot_.find(path);
    return first != nullptr && text != nullptr && *text == *first &&
           folders.insert(folder_of(path)).second;
  });
}

GateFiles::Found GateFiles::find(const std::string& phase) {
  std::vector<std::string> paths;
  Found found;
  const auto refuse = [&](const char* code, const std::string& message, const std::string& hint,
                          const std::string& path) {
    findings_.error(code, message, hint, {path, 0, 0}, phase);
    found.unreadable = true;
  };
  for (const std::string& folder : folders_of(phase)) {
    looked_in_.emplace(folder, phase);
    for (std::string part = folder; !part.empty(); part = folder_of(part)) {
      const auto link = snapshot_.unread.find(part);
      if (link == snapshot_.unread.end()) continue;
      refuse("unreadable_folder", "the folder of phase " + phase + " is not read: " + link->second,
             "put the folder itself there", part);
    }
    for (const std::string& path : gate_paths_) {
      if (folder_of(path) == folder) paths.push_back(path);
    }
  }
  for (const std::string& path : paths) {
    const auto [user, is_new] = used_.emplace(path, phase);
    if (!is_new && user->second != phase) {
      refuse("shared_phase_file",
             base::in_quotes(path) + " would be the gate of phase " + user->second +
                 " and of phase " + phase,
             "put each gate file into the folder of its phase", path);
    }
    if (const auto unread = snapshot_.unread.find(path); unread != snapshot_.unread.end()) {
      refuse("unreadable_gate_file",
             "the gate of phase " + phase + " cannot be read: " + unread->second,
             "put the file itself into the phase's folder", path);
    }
  }
  if (paths.size() > 1 && !agree(paths)) {
    refuse("two_gate_files",
           "phase " + phase + " has several gate files: " + base::joined(paths, ", "),
           "keep one of them, as phases/" + phase + "/gate-definition.yaml", paths.front());
  }
  if (!found.unreadable && !paths.empty()) found.path = paths.front();
  return found;
}

std::optional<std::string> GateFiles::user_of(const std::string& path) const {
  for (const auto& [folder, phase] : looked_in_) {
    const bool below = !folder.empty() && owning_folder(path) == folder;
    if (below || folder_of(path) == folder) return phase;
  }
  return std::nullopt;
}

void GateFiles::report_unused() {
  const auto refuse = [&](const std::string& path, const std::string& phase,
                          const std::string& where) {
    findings_.error("unread_gate_file",
                    base::in_quotes(path) + " looks like a gate file, but is not read " + where,
                    "rename it to gate-definition.yaml beside the phase's text; or, if it is no "
                    "gate, to a name without the word gate",
                    {path, 0, 0}, phase);
  };
  for (const std::string& path : almost_paths_) {
    const auto phase = user_of(path);
    if (phase || folder_of(path) == "phases") refuse(path, phase.value_or(""), "under this name");
  }
  for (const std::string& path : gate_paths_) {
    if (used_.contains(path)) continue;
    if (const auto phase = user_of(path)) {
      refuse(path, *phase, "in this folder");
      continue;
    }
    findings_.warning("orphaned_gate_file",
                      base::in_quotes(path) + " is a gate file of no phase and is not read",
                      "move it into the folder of its phase, or remove it", {path, 0, 0});
  }
}

}  // namespace phasegate::phases
