#include "app/cli/render_repin.h"

#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using gating::PhaseChange;

constexpr std::size_t kNamesShown = 12;
constexpr std::size_t kNameBytesShown = 120;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) {
    text += (i == 0 ? "" : ", ") + shown_short(names[i], kNameBytesShown);
  }
  if (names.size() > kNamesShown) {
    text += " and " + std::to_string(names.size() - kNamesShown) + " more";
  }
  return text;
}

std::string change_text(const PhaseChange& change, const Page& page) {
  const std::string name = shown_short(change.phase, kNameBytesShown) + " " +
                           shown_short(change.title, kNameBytesShown) +
                           (change.is_open ? ", the open one" : "");
  const bool added = change.kind == PhaseChange::Kind::added;
  const bool removed = change.kind == PhaseChange::Kind::removed;
  std::string text = wrapped(added     ? page.in(Tone::good, "+ phase " + name)
                             : removed ? page.in(Tone::bad, "- phase " + name)
                                       : page.in(Tone::caution, "~ phase " + name),
                             page.width, 2, 6);
  const auto line = [&](bool wanted, const std::string& what) {
    if (wanted) text += wrapped(what, page.width, 6, 8);
  };
  line(change.title_changed, "another title or purpose");
  line(change.text_changed, "another text");
  const auto names = [&](const std::vector<std::string>& all, const std::string& what) {
    line(!all.empty(), what + listed(all));
  };
  names(change.requirements_added, added ? "asks for " : "asks for more: ");
  names(change.requirements_removed, "does not ask any more for ");
  names(change.requirements_changed, "asks otherwise for ");
  const bool other_gate = change.gate_changed && change.requirements_added.empty() &&
                          change.requirements_removed.empty() &&
                          change.requirements_changed.empty();
  line(other_gate, "another gate");
  return text;
}

}  // namespace

std::string repin_text(const gating::engine::RepinView& repin, const Page& page) {
  const gating::RepinDifference& difference = repin.difference;
  const gating::RunState& run = repin.view.run;
  std::string text = wrapped("Session " + run.id + " of " + shown_value(run.workflow) + ", " +
                                 std::string(gating::to_text(run.status)) + " in phase " +
                                 shown_value(run.current_phase),
                             page.width, 0, 2);
  if (!difference.kept.empty()) {
    text += wrapped(
        "Completed, and kept: " + std::string(difference.kept.size() == 1 ? "phase " : "phases ") +
            listed(difference.kept),
        page.width, 0, 2);
  }
  if (difference.same) {
    return text + wrapped("It is pinned to the workflow as it is now.", page.width, 0, 2);
  }
  text += "What is different in the workflow as it is now:\n";
  for (const PhaseChange& change : difference.changes) text += change_text(change, page);
  if (difference.order_changed) text += wrapped("~ the order of phases", page.width, 2, 4);
  if (difference.shared_changed) {
    text += wrapped("~ files that belong to no phase", page.width, 2, 4);
  }
  if (difference.changes.empty() && !difference.order_changed && !difference.shared_changed) {
    text += wrapped("nothing that a phase shows or asks for", page.width, 2, 4);
  }
  return text;
}

}  // namespace phasegate::app::cli
