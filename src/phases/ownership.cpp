#include "phases/ownership.h"

#include <set>

#include "base/text.h"
#include "phases/gate_files.h"

namespace phasegate::phases {
namespace {

/// A file that a phase names, as its text or as a task.
struct Use {
  const Phase* phase;
  std::string what;  ///< `the text of phase 1`, `task 2 of phase 1`
  std::string file;
  Source source;
};

class OwnershipCheck {
 public:
  OwnershipCheck(const Workflow& workflow, const std::vector<Phase>& unreached,
                 FindingList& findings)
      : findings_(findings) {
    for (const Phase& phase : workflow.phases) add(phase);
    for (const Phase& phase : unreached) add(phase);
  }

  void run() {
    for (const Use& use : uses_) {
      if (is_never_shown(use.file)) {
        findings_.error("withheld_file",
                        use.what + " is " + base::in_quotes(base::shortened(use.file, 200)) +
                            ", which is never shown",
                        "name a text of the phase", use.source, use.phase->id);
      }
      check_shared(use);
      check_foreign(use);
    }
  }

 private:
  void add(const Phase& phase) {
    const std::string folder = owning_folder(phase.file);
    const std::string numbered = "phases/" + phase.id;
    if (folder.empty() || folder == numbered) {
      numbered_[numbered] = &phase;
    } else {
      by_text_[folder].insert(&phase);
    }
    if (!phase.file.empty()) {
      uses_.push_back({&phase, "the text of phase " + phase.id, phase.file, phase.source});
    }
    for (const Task& task : phase.tasks) {
      if (task.file.empty()) continue;
      uses_.push_back(
          {&phase, "task " + task.number + " of phase " + phase.id, task.file, task.source});
    }
  }

  void check_shared(const Use& use) {
    const auto [first, is_new] = first_uses_.emplace(use.file, &use);
    if (is_new || first->second->phase == use.phase) return;
    findings_.error("shared_phase_file",
                    base::in_quotes(base::shortened(use.file, 200)) + " is " + use.what +
                        " and also " + first->second->what,
                    "give each phase its own file; what several phases read belongs outside of "
                    "phases/, where texts link to it",
                    use.source, use.phase->id);
  }

  void check_foreign(const Use& use) {
    const std::string folder = owning_folder(use.file);
    const Phase* owner = nullptr;
    if (const auto numbered = numbered_.find(folder); numbered != numbered_.end()) {
      owner = numbered->second;
    } else if (const auto texts = by_text_.find(folder);
               texts != by_text_.end() && !texts->second.contains(use.phase)) {
      owner = *texts->second.begin();
    }
    if (owner == nullptr || owner == use.phase) return;
    findings_.error("foreign_phase_file",
                    use.what + " is " + base::in_quotes(base::shortened(use.file, 200)) +
                        ", which lies in the folder of phase " + owner->id,
                    "move the file into the folder of phase " + use.phase->id, use.source,
                    use.phase->id);
  }

  FindingList& findings_;
  std::vector<Use> uses_;
  std::map<std::string, const Phase*> numbered_;  ///< phases/NUMBER that is a phase's own folder
  std::map<std::string, std::set<const Phase*>> by_text_;  ///< other folders that hold a text
  std::map<std::string, const Use*> first_uses_;
};

}  // namespace

std::string owning_folder(const std::string& path) {
  constexpr std::string_view kPhases = "phases/";
  if (!path.starts_with(kPhases)) return {};
  const auto slash = path.find('/', kPhases.size());
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

void check_ownership(const Workflow& workflow, const std::vector<Phase>& unreached,
                     FindingList& findings) {
  OwnershipCheck(workflow, unreached, findings).run();
}

void check_links(const std::map<std::string, std::string>& links,
                 const std::map<std::string, Document>& documents, FindingList& findings) {
  for (const auto& [path, target] : links) {
    const auto found = documents.find(target);
    if (found == documents.end()) continue;
    if (!found->second.withheld && found->second.phase.empty()) continue;
    findings.error(
        "link_to_phase_file",
        base::in_quotes(path) + " is a link to " + base::in_quotes(target) + ", which " +
            (found->second.withheld ? "is never shown" : "belongs to phase " + found->second.phase),
        "put a file of its own there", {path, 0, 0}, found->second.phase);
  }
}

}  // namespace phasegate::phases
