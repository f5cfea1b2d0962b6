#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/metadata_reader.h"

namespace phasegate::phases {

/// True for gate-definition.yaml and gate-definition.yml in any folder and in any case.
[[nodiscard]] bool is_gate_file(const std::string& path);

/// True for names that are so near that their author must have meant a gate file: gate.yaml,
/// gates.yml, gate_definition.yaml, gate-definition.json. Not for texts, pictures and programs.
[[nodiscard]] bool is_almost_gate_file(const std::string& path);

/// True for metadata.json, a native workflow's own file, gate files and files of corrections:
/// never shown to an assistant.
[[nodiscard]] bool is_never_shown(const std::string& path);

/// Finds the gate files of a folder's phases. Fails closed: two that differ, one that cannot be
/// read and names that are only almost right are errors, since the gate would be weaker than meant.
class GateFiles {
 public:
  /// `text_files` are the texts of all listed phases, by the phase's number. All outlive the
  /// object.
  GateFiles(const FolderSnapshot& snapshot, const std::map<std::string, std::string>& text_files,
            FindingList& findings);

  struct Found {
    std::string path;         ///< empty: there is none
    bool unreadable = false;  ///< there is one, but it cannot be used; there is an error finding
  };
  /// The gate file of a phase: in the folder of its text, or in phases/NUMBER unless that folder
  /// holds another phase's text. O(files).
  [[nodiscard]] Found find(const std::string& phase);

  /// Reports what no phase used: `unread_gate_file` (error) for near names and misplaced gate files
  /// in phase folders, `orphaned_gate_file` (warning) for gate files of no phase. To be called
  /// behind every find.
  void report_unused();

 private:
  [[nodiscard]] std::vector<std::string> folders_of(const std::string& phase) const;
  /// The phase whose folder a file lies in.
  [[nodiscard]] std::optional<std::string> user_of(const std::string& path) const;
  [[nodiscard]] bool agree(const std::vector<std::string>& paths) const;

  const FolderSnapshot& snapshot_;
  const std::map<std::string, std::string>& text_files_;
  FindingList& findings_;
  std::vector<std::string> gate_paths_;           ///< read and unread
  std::vector<std::string> almost_paths_;         ///< read and unread
  std::map<std::string, std::string> used_;       ///< the phase by the gate file's path
  std::map<std::string, std::string> looked_in_;  ///< the phase by the folder
};

}  // namespace phasegate::phases
