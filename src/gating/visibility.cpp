#include "gating/visibility.h"

#include <vector>

namespace phasegate::gating {

Visible visible(const phases::Workflow& workflow, const RunState& run) {
  std::set<std::string, std::less<>> reached;
  for (const AcceptedPhase& accepted : run.accepted) reached.insert(accepted.phase);
  reached.insert(run.current_phase);
  // Left without being accepted, by going back.
  for (const auto& [phase, visits] : run.visits) reached.insert(phase);

  std::set<std::string, std::less<>> shown;
  std::vector<const phases::Document*> to_follow;
  const auto show = [&](const phases::Document& document) {
    if (document.withheld || !shown.insert(document.path).second) return;
    to_follow.push_back(&document);
  };
  const auto show_path = [&](const std::string& path) {
    const auto found = workflow.documents.find(path);
    if (found == workflow.documents.end()) return;
    const phases::Document& document = found->second;
    // A link from reached text never opens a later phase's file.
    if (document.phase.empty() || reached.contains(document.phase)) show(document);
  };

  for (const phases::Phase& phase : workflow.phases) {
    if (!reached.contains(phase.id)) continue;
    show_path(phase.file);
    for (const phases::Task& task : phase.tasks) show_path(task.file);
  }
  while (!to_follow.empty()) {
    const phases::Document* document = to_follow.back();
    to_follow.pop_back();
    for (const std::string& link : document->links) show_path(link);
  }
  return {std::move(reached), std::move(shown), workflow.outline};
}

}  // namespace phasegate::gating
