#include <limits>

#include "app/cli/command_backup.h"
#include "app/cli/layout.h"
#include "app/cli/person_at_terminal.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "state/prune.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using state::Pruned;
using state::Tombstone;

constexpr std::size_t kRowsShown = 20;

Json pruned_json(const Pruned& done, bool dry_run) {
  Json json = Json::object();
  json["dry_run"] = dry_run;
  json["pruned"] = Json::array();
  for (const Tombstone& one : done.sessions) {
    json["pruned"].push_back({{"session_id", one.id},
                              {"workflow", base::to_utf8(one.workflow)},
                              {"status", one.status},
                              {"ended_at", base::to_rfc3339(one.ended_at)},
                              {"entries", one.journal_head}});
  }
  json["damaged"] = Json::array();
  for (const state::DamagedItem& one : done.damaged) {
    json["damaged"].push_back({{"session_id", one.run_id}, {"message", one.message}});
  }
  json["waiting"] = done.waiting;
  json["workflows_removed"] = done.definitions;
  json["documents_removed"] = done.documents;
  return json;
}

std::string pruned_text(const Pruned& done, bool dry_run, const Page& page) {
  std::string text = base::counted(done.sessions.size(), "session") +
                     (dry_run ? " would be removed" : " removed") +
                     (done.sessions.empty() ? ".\n" : ", oldest end first:\n");
  std::vector<std::vector<std::string>> rows;
  for (const Tombstone& one : done.sessions) {
    if (rows.size() == kRowsShown) break;
    rows.push_back({one.id, shown_value(one.workflow), one.status, moment(one.ended_at, page)});
  }
  if (!rows.empty()) {
    text += table({{"SESSION", 0, 8}, {"WORKFLOW", 1, 0}, {"STATUS", 2, 0}, {"ENDED", 3, 0}}, rows,
                  page.width);
  }
  if (done.sessions.size() > kRowsShown) {
    text += "… and " + std::to_string(done.sessions.size() - kRowsShown) + " more.\n";
  }
  for (const state::DamagedItem& one : done.damaged) {
    text +=
        wrapped("Stays, because it does not verify: " + shown_value(one.message), page.width, 0, 2);
  }
  if (done.waiting > 0) {
    text += wrapped(
        base::counted(static_cast<std::size_t>(done.waiting), "session stays", "sessions stay") +
            " until what they wait for is carried out; `phasegate work` does so.",
        page.width, 0, 2);
  }
  return text;
}

}  // namespace

Outcome prune_state(const Invocation& invocation, const Settings& settings,
                    const Environment& environment, const Page& page, const AskPerson& ask,
                    const Prompts& prompts) {
  state::PruneWish wish;
  wish.keep = invocation.keep.value_or(state::kEndedKept);
  wish.at_most = std::numeric_limits<std::size_t>::max();
  wish.who = world::principal();
  wish.now = page.now;
  wish.dry_run = invocation.dry_run;
  state::Pruner pruner(settings.state_folder);
  if (!wish.dry_run && wish.keep < state::kEndedKept) {
    const PersonAtTerminal person{
        environment, ask, prompts, "Which histories are kept",
        "phasegate prune --keep " + std::to_string(wish.keep) + settings.options_anywhere};
    Program program(settings);
    if (auto refused = person.missing(program)) return *std::move(refused);
    wish.dry_run = true;
    const std::string before = pruned_text(pruner.prune(wish), true, page);
    wish.dry_run = false;
    Outcome otherwise;
    auto actor = person.confirm(program, before + "\nRemove their histories? [y/N] ", otherwise);
    if (!actor) return otherwise;
    wish.who = *std::move(actor);
  }
  const Pruned done = pruner.prune(wish);
  const ExitCode code = done.damaged.empty() ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) {
    return {code, base::dump_pretty(pruned_json(done, invocation.dry_run)) + "\n", ""};
  }
  return {code, pruned_text(done, invocation.dry_run, page), ""};
}

}  // namespace phasegate::app::cli
