#include "app/cli/command_backup.h"

#include "app/cli/layout.h"
#include "app/cli/option_values.h"
#include "app/cli/render_db.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "state/backups.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using state::StateBackup;

/// The name of a copy as `restore` takes it: below the state folder.
std::string short_name(const StateBackup& backup) {
  const std::string name = backup.file.filename().string();
  using Kind = StateBackup::Kind;
  const bool below = backup.kind != Kind::before_upgrade && backup.kind != Kind::named;
  return below ? std::string(state::kBackupFolderName) + "/" + name : name;
}

std::string_view kind_text(StateBackup::Kind kind) {
  switch (kind) {
    case StateBackup::Kind::made:
      return "made";
    case StateBackup::Kind::doubtful:
      return "doubtful";
    case StateBackup::Kind::before_restore:
      return "before a restore";
    case StateBackup::Kind::before_upgrade:
      return "before an upgrade";
    case StateBackup::Kind::named:
      return "named";
  }
  return "";
}

Json backup_row(const StateBackup& backup) {
  return {{"file", base::to_utf8(backup.file.string())},
          {"kind", kind_text(backup.kind)},
          {"made_at", base::to_rfc3339(backup.made_at)},
          {"bytes", backup.bytes}};
}

std::string printed(const Json& json) {
  return base::dump_pretty(json) + "\n";
}

Outcome list_them(const Invocation& invocation, const Settings& settings, const Page& page) {
  const auto all = state::list_backups(settings.state_folder);
  if (invocation.json) {
    Json json = Json::object();
    json["folder"] = base::to_utf8(settings.state_folder.string());
    json["backups"] = Json::array();
    for (const StateBackup& one : all) json["backups"].push_back(backup_row(one));
    return {ExitCode::ok, printed(json), ""};
  }
  if (all.empty()) {
    return {ExitCode::ok,
            "There are no copies yet; `phasegate backup" + settings.options_here + "` makes one.\n",
            ""};
  }
  std::vector<std::vector<std::string>> rows;
  for (const StateBackup& one : all) {
    rows.push_back({shown(short_name(one)), moment(one.made_at, page), size_text(one.bytes),
                    std::string(kind_text(one.kind))});
  }
  return {
      ExitCode::ok,
      "In " + shown(settings.state_folder.string()) + ", oldest first:\n" +
          table({{"COPY", 0, 0}, {"MADE", 1, 0}, {"SIZE", 2, 0}, {"KIND", 3, 0}}, rows, page.width),
      ""};
}

}  // namespace

Outcome back_up_state(const Invocation& invocation, const Settings& settings,
                      const Environment& environment, const Page& page) {
  if (invocation.list) {
    if (invocation.argument.empty()) return list_them(invocation, settings, page);
    return failed(ExitCode::usage, usage_error("--list takes no FILE.", "Leave one of them out."));
  }
  std::optional<fs::path> to;
  if (!invocation.argument.empty()) {
    to = (environment.working_folder / invocation.argument).lexically_normal();
  }
  const auto done = state::back_up(settings.state_folder, to, page.now);
  if (!done) return failed(ExitCode::not_ok, done.error());
  if (invocation.json) {
    Json json = backup_row(done->backup);
    json["schema_version"] = done->schema_version;
    json["database_id"] = done->database_id;
    json["sessions"] = done->sessions;
    json["cleared"] = done->cleared;
    json["doubts"] = done->doubts;
    return {done->doubts.empty() ? ExitCode::ok : ExitCode::not_ok, printed(json), ""};
  }
  std::string text = "Copied " +
                     base::counted(static_cast<std::size_t>(done->sessions), "session") + " to " +
                     shown(done->backup.file.string()) + " (" + size_text(done->backup.bytes) +
                     (done->doubts.empty() ? ", verified).\n" : ").\n");
  if (!done->cleared.empty()) {
    text += "The " + std::to_string(state::kBackupsKept) + " newest copies are kept; " +
            base::counted(done->cleared.size(), "older one was", "older ones were") + " removed.\n";
  }
  if (done->doubts.empty()) return {ExitCode::ok, text, ""};
  for (const std::string& doubt : done->doubts) {
    text += wrapped("Not as it was written: " + shown_value(doubt) + ".", page.width, 0, 2);
  }
  text += wrapped(
      "Sound copies are left as they are, and `restore latest` does not mean this one; "
      "`phasegate audit" +
          settings.options_here + "` says more.",
      page.width, 0, 0);
  return {ExitCode::not_ok, text, ""};
}

}  // namespace phasegate::app::cli
