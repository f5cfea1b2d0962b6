#include "app/cli/command_db.h"
#include "app/cli/layout.h"
#include "app/cli/render_db.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "world/database/migrations.h"
#include "world/database/restore.h"

namespace phasegate::app::cli {
namespace {

namespace database = world::database;
using base::Json;

std::string printed(const Json& json) {
  return base::dump_pretty(json) + "\n";
}

}  // namespace

Outcome back_up_database(const DatabaseCall& call) {
  const base::SystemClock clock;
  const auto made =
      database::back_up(call.settings.root, database::BackupRequest{call.file, "", 0}, clock);
  if (!made) return database_failed(made.error());
  if (!made->has_value()) {
    return failed(ExitCode::not_ok,
                  {"not_found", "There is no database " + base::in_quotes(call.file) + " yet.",
                   "Correct the path; there is nothing to copy.", ""});
  }
  if (call.invocation.json) return {ExitCode::ok, printed(backup_json(**made)), ""};
  return {ExitCode::ok,
          "Copied " + shown(call.file) + " to backups/" + shown((*made)->path) + " beside it (" +
              size_text((*made)->size_bytes) + ", verified).\n",
          ""};
}

Outcome list_database_backups(const DatabaseCall& call) {
  const auto list = database::list_backups(call.settings.root, call.file);
  if (!list) return database_failed(list.error());
  if (!call.invocation.json) return {ExitCode::ok, backups_text(call.file, *list, call.page), ""};
  Json json = Json::object();
  json["folder"] = list->folder.empty() ? Json(nullptr) : Json(base::to_utf8(list->folder));
  json["problem"] = list->problem.empty() ? Json(nullptr) : Json(base::to_utf8(list->problem));
  json["backups"] = Json::array();
  for (const database::Backup& backup : list->backups) {
    json["backups"].push_back(backup_json(backup));
  }
  return {ExitCode::ok, printed(json), ""};
}

Outcome restore_database(const DatabaseCall& call) {
  const auto backup = database::find_backup(call.settings.root, call.file, call.last);
  if (!backup) return database_failed(backup.error());
  Program program(call.settings);
  if (auto refused = no_person(call, program)) return *std::move(refused);
  const std::string made = backup->created_at.empty() ? ", which is not in the list of copies"
                                                      : ", made " + backup->created_at;
  const std::string question =
      wrapped("Puts " + shown(backup->path) + shown(made) + ", in the place of what " +
                  shown(call.file) + " holds now. That is copied first.",
              call.page.width, 0, 0) +
      "\nRestore? [y/N] ";
  if (auto no = not_confirmed(call, program, question, "Nothing was changed.\n")) {
    return *std::move(no);
  }
  const base::SystemClock clock;
  // The one that was shown, even if `latest` means another by now.
  const auto done = database::restore(call.settings.root, call.file, backup->path, clock);
  if (!done) return database_failed(done.error());
  std::string text = "Restored " + shown(call.file) + " from " + shown(done->from.path) + ".\n";
  if (done->before) {
    text += wrapped("What it held before is " + shown(done->before->path) + " among the copies.",
                    call.page.width, 0, 0);
  }
  if (!done->set_aside.empty()) {
    text += wrapped("The file could not be read and was set aside as " + shown(done->set_aside) +
                        " among the copies; programs that have it open must be started anew.",
                    call.page.width, 0, 0);
  }
  return {ExitCode::ok, text, ""};
}

Outcome migrate_database(const DatabaseCall& call) {
  const base::SystemClock clock;
  const bool dry = call.invocation.dry_run;
  const auto done = database::migrate(call.settings.root, {call.file, call.last, dry}, clock);
  if (!done) return database_failed(done.error());
  if (call.invocation.json) {
    Json json = Json::object();
    json["dry_run"] = dry;
    json["before"] = done->before;
    json["migrations"] = Json::array();
    for (const auto& one : done->migrations) json["migrations"].push_back(one.name);
    json["backup"] = done->backup ? backup_json(*done->backup) : Json(nullptr);
    return {ExitCode::ok, printed(json), ""};
  }
  if (done->migrations.empty()) {
    return {ExitCode::ok,
            shown(call.file) + " has had all " + std::to_string(done->before) + " migrations.\n",
            ""};
  }
  std::string text = dry ? "Would run on " : "Ran on ";
  text += shown(call.file) + ":\n";
  for (const auto& one : done->migrations) {
    text += "  " + shown(one.name) + "\n";
    if (dry) {
      for (const std::string_view line : base::split(base::trimmed(one.sql), '\n')) {
        text += "    " + shown_value(line) + "\n";
      }
    }
  }
  if (done->backup) {
    text += wrapped("What it held before is " + shown(done->backup->path) + " among the copies.",
                    call.page.width, 0, 0);
  }
  return {ExitCode::ok, text, ""};
}

}  // namespace phasegate::app::cli
