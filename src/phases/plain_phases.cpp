#include "phases/plain_phases.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "phases/document_workflow.h"
#include "phases/phase_numbers.h"

namespace phasegate::phases {
namespace {

constexpr std::string_view kPhases = "phases/";
/// A lone numbered document is a document, two are an order.
constexpr std::size_t kStepsMin = 2;

std::optional<NumberedName> numbered_document(const std::string& file_name) {
  if (!is_document_name(file_name)) return std::nullopt;
  return numbered_name(id_of_document(file_name));
}

/// The entry of phases/ that a path leads through, `2` of `phases/2/x.md`; empty for other paths.
std::string entry_of(const std::string& path) {
  if (!path.starts_with(kPhases)) return {};
  return path.substr(kPhases.size(), path.find('/', kPhases.size()) - kPhases.size());
}

bool in_natural_order(const std::string& a, const std::string& b) {
  return natural_less(a, b);
}

class PhasesFolder {
 public:
  PhasesFolder(const FolderSnapshot& snapshot, FindingList& findings)
      : snapshot_(snapshot), findings_(findings) {}

  std::vector<PlainPhase> find() {
    for (const auto& [path, bytes] : snapshot_.files) sort_in(path);
    std::vector<PlainPhase> phases;
    for (auto& [folder, documents] : folders_) {
      const auto name = numbered_name(folder);
      if (!name) {
        for (const std::string& document : documents) unused_.push_back(document);
        continue;
      }
      PlainPhase phase{name->number, name->rest, std::string(kPhases) + folder, "", {}};
      choose_text(phase, std::move(documents), take_flat(phase.number));
      phases.push_back(std::move(phase));
    }
    for (auto& [number, files] : flat_) {
      for (std::string& file : files) {
        const auto name = numbered_document(file.substr(kPhases.size()));
        phases.push_back({number, name->rest, "", std::move(file), {}});
      }
    }
    report_unused();
    return phases;
  }

 private:
  void sort_in(const std::string& path) {
    const std::string entry = entry_of(path);
    if (entry.empty() || entry == "dynamic") return;
    if (path.size() == kPhases.size() + entry.size()) {
      if (const auto name = numbered_document(entry)) {
        flat_[name->number].push_back(path);
      } else if (is_document_name(entry)) {
        unused_.push_back(path);
      }
      return;
    }
    std::vector<std::string>& documents = folders_[entry];
    const std::string name = path.substr(kPhases.size() + entry.size() + 1);
    if (name.find('/') == std::string::npos && is_document_name(name)) documents.push_back(path);
  }

  std::vector<std::string> take_flat(const std::string& number) {
    const auto found = flat_.find(number);
    if (found == flat_.end()) return {};
    std::vector<std::string> files = std::move(found->second);
    flat_.erase(found);
    std::sort(files.begin(), files.end(), in_natural_order);
    return files;
  }

  /// The file that speaks for the phase; all others are its tasks.
  void choose_text(PlainPhase& phase, std::vector<std::string> documents,
                   std::vector<std::string> flat) {
    std::sort(documents.begin(), documents.end(), in_natural_order);
    const auto named = [&](std::string_view stem) {
      return std::find_if(documents.begin(), documents.end(), [&](const std::string& path) {
        return base::lowered(id_of_document(path.substr(path.rfind('/') + 1))) == stem;
      });
    };
    auto text = documents.end();
    for (const std::string_view stem : {"phase", "readme", "index"}) {
      if (text == documents.end()) text = named(stem);
    }
    if (text != documents.end()) {
      phase.text = *text;
      documents.erase(text);
    } else if (!flat.empty()) {
      phase.text = flat.front();
      flat.erase(flat.begin());
      const auto name = numbered_document(phase.text.substr(kPhases.size()));
      if (name && phase.name.empty()) phase.name = name->rest;
    }
    for (std::string& file : flat) {
      findings_.warning("two_phase_texts",
                        base::in_quotes(file) + " is a second text of phase " + phase.number +
                            ", beside " + base::in_quotes(phase.text) + "; it becomes a task",
                        "keep one of the two, or move it into " + phase.folder, {file, 0, 0});
      phase.tasks.push_back(std::move(file));
    }
    phase.tasks.insert(phase.tasks.end(), documents.begin(), documents.end());
  }

  void report_unused() {
    for (const std::string& path : unused_) {
      findings_.warning("unused_phase_file",
                        base::in_quotes(path) +
                            " lies in phases/ and belongs to no phase; it is "
                            "never shown",
                        "name its folder or file by a number, or move it out of phases/",
                        {path, 0, 0});
    }
  }

  const FolderSnapshot& snapshot_;
  FindingList& findings_;
  std::map<std::string, std::vector<std::string>> folders_;  ///< documents by the folder's name
  std::map<std::string, std::vector<std::string>> flat_;     ///< phases/phase-N-*.md by number
  std::vector<std::string> unused_;
};

std::vector<PlainPhase> steps_of(const FolderSnapshot& snapshot) {
  std::vector<PlainPhase> phases;
  for (const auto& [path, bytes] : snapshot.files) {
    if (path.find('/') != std::string::npos) continue;
    if (auto name = numbered_document(path)) {
      phases.push_back({std::move(name->number), std::move(name->rest), "", path, {}});
    }
  }
  return phases;
}

/// A file that is there and cannot be read must not pass for one that is not there: it may hold a
/// gate.
void report_unread(const FolderSnapshot& snapshot, bool has_phases_folder, FindingList& findings) {
  for (const auto& [path, why] : snapshot.unread) {
    const bool in_phases = path.starts_with(kPhases) || path == "phases";
    const bool step = !has_phases_folder && path.find('/') == std::string::npos &&
                      numbered_document(path).has_value();
    if (!in_phases && !step) continue;
    findings.error("unreadable_file", "a file of the phases is not read: " + why,
                   "put the file itself into the folder, or remove it", {path, 0, 0});
  }
}

}  // namespace

std::vector<PlainPhase> find_plain_phases(const FolderSnapshot& snapshot, FindingList& findings) {
  std::vector<PlainPhase> phases = PhasesFolder(snapshot, findings).find();
  const bool has_phases_folder = !phases.empty();
  if (phases.empty()) phases = steps_of(snapshot);
  report_unread(snapshot, has_phases_folder, findings);
  std::sort(phases.begin(), phases.end(), [](const PlainPhase& a, const PlainPhase& b) {
    if (a.number != b.number) return natural_less(a.number, b.number);
    return natural_less(a.folder + a.text, b.folder + b.text);
  });
  return phases;
}

bool name_phases(const std::vector<std::string>& in_folder,
                 const std::vector<std::string>& in_phases) {
  const auto is_step = [](const std::string& name) { return numbered_document(name).has_value(); };
  if (std::any_of(in_phases.begin(), in_phases.end(), [&](const std::string& name) {
        return is_step(name) || (!is_document_name(name) && numbered_name(name).has_value());
      })) {
    return true;
  }
  return static_cast<std::size_t>(std::count_if(in_folder.begin(), in_folder.end(), is_step)) >=
         kStepsMin;
}

}  // namespace phasegate::phases
