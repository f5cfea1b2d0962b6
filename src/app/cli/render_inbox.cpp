#include "app/cli/commands.h"
#include "app/cli/inbox.h"
#include "app/cli/layout.h"
#include "app/cli/short_ids.h"
#include "app/cli/text.h"
#include "base/json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;

constexpr std::size_t kCellBytesShown = 200;

std::vector<std::string> ids_of(const std::vector<InboxRow>& rows) {
  std::vector<std::string> ids;
  for (const InboxRow& row : rows) ids.push_back(row.session);
  return short_ids(ids);
}

std::string decisions_text(const std::vector<InboxRow>& rows, const Page& page) {
  const auto ids = ids_of(rows);
  std::vector<std::vector<std::string>> cells;
  std::string commands;
  bool unknown_root = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const InboxRow& row = rows[i];
    const std::string given =
        row.needed > 1 ? std::to_string(row.answers) + " of " + std::to_string(row.needed) : "";
    cells.push_back({shown_short(row.project, kCellBytesShown), ids[i],
                     shown_short(row.workflow, kCellBytesShown),
                     shown_short(row.phase, kCellBytesShown), ago(row.since, page.now), given,
                     shown_short(row.prompt, kCellBytesShown)});
    // Whole, on a line of its own: it is to be copied.
    commands += "  " + shown(row.decide) + "\n";
    unknown_root = unknown_root || row.root.empty();
  }
  std::string text = table({{"PROJECT", 0, 10},
                            {"SESSION", 0, 0},
                            {"WORKFLOW", 2, 12},
                            {"PHASE", 4, 6},
                            {"SINCE", 3, 0},
                            {"DECIDED", 1, 0},
                            {"TO BE DECIDED", 5, 20}},
                           cells, page.width);
  text += "\nTo decide" + std::string(unknown_root ? ", within the project's folder" : "") + ":\n";
  return text + commands;
}

std::string others_text(const std::vector<InboxRow>& rows, const Page& page) {
  const auto ids = ids_of(rows);
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const InboxRow& row = rows[i];
    const Tone tone = row.state == "paused" ? Tone::caution : Tone::bad;
    cells.push_back({shown_short(row.project, kCellBytesShown), ids[i], page.in(tone, row.state),
                     shown_short(row.workflow, kCellBytesShown),
                     shown_short(row.phase, kCellBytesShown), ago(row.since, page.now),
                     shown_short(row.reason, kCellBytesShown)});
  }
  return table({{"PROJECT", 0, 10},
                {"SESSION", 0, 0},
                {"STATE", 5, 0},
                {"WORKFLOW", 2, 12},
                {"PHASE", 3, 6},
                {"SINCE", 4, 0},
                {"WHY", 1, 12}},
               cells, page.width);
}

Json row_json(const InboxRow& row) {
  Json json = Json::object();
  json["project"] = row.project;
  json["root"] = row.root.empty() ? Json(nullptr) : Json(row.root);
  json["session_id"] = row.session;
  json["workflow"] = row.workflow;
  json["phase"] = row.phase;
  json["since"] = base::to_rfc3339(row.since);
  return json;
}

}  // namespace

std::string inbox_text(const Inbox& inbox, const Page& page) {
  std::string text;
  if (inbox.decisions.empty()) {
    text = "Nothing waits for a decision.\n";
  } else {
    text = decisions_text(inbox.decisions, page);
  }
  if (!inbox.others.empty()) {
    text += "\nPaused, or without a change for half an hour:\n" + others_text(inbox.others, page);
  }
  for (const std::string& problem : inbox.problems) {
    text += "\n" + wrapped(page.in(Tone::bad, "!") + " " + shown_value(problem), page.width, 0, 2);
  }
  return text;
}

Json inbox_json(const Inbox& inbox) {
  Json json = Json::object();
  json["decisions"] = Json::array();
  for (const InboxRow& row : inbox.decisions) {
    Json one = row_json(row);
    one["prompt"] = row.prompt;
    one["answers"] = row.answers;
    one["needed"] = row.needed;
    one["decide"] = row.decide;
    json["decisions"].push_back(std::move(one));
  }
  json["others"] = Json::array();
  for (const InboxRow& row : inbox.others) {
    Json one = row_json(row);
    one["state"] = row.state;
    one["reason"] = row.reason;
    json["others"].push_back(std::move(one));
  }
  json["problems"] = inbox.problems;
  return json;
}

Outcome show_inbox(const Invocation& invocation, const Settings& settings, const Page& page) {
  const Inbox inbox = read_inbox(settings, page.now);
  if (invocation.json) return {ExitCode::ok, base::dump_pretty(inbox_json(inbox)) + "\n", ""};
  return {ExitCode::ok, inbox_text(inbox, page), ""};
}

}  // namespace phasegate::app::cli
