#include "app/cli/command_db.h"
#include "app/cli/layout.h"
#include "app/cli/render_db.h"
#include "app/cli/text.h"
#include "app/composition.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "state/request_key.h"
#include "world/database/guarded_database.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using world::database::GuardedDatabase;
using world::database::Value;

/// A number, null or a text in JSON is that; everything else is the text itself.
std::vector<Value> values_of(const Invocation& invocation) {
  std::vector<Value> values;
  for (const std::string& typed : invocation.values) {
    const auto json = base::parse_json(typed, {base::limits::kMessageBytesMax, 2});
    if (json && json->is_number_integer()) {
      const auto whole = base::as_integer(*json);
      values.push_back(whole ? Value(*whole) : Value(typed));
    } else if (json && json->is_number()) {
      values.emplace_back(json->get<double>());
    } else if (json && json->is_string()) {
      values.emplace_back(json->get<std::string>());
    } else if (json && json->is_null()) {
      values.emplace_back(std::monostate{});
    } else {
      values.emplace_back(typed);
    }
  }
  return values;
}

/// A query makes and uses no secret.
base::Result<GuardedDatabase> open_guarded(const DatabaseCall& call, std::string key,
                                           const base::Clock& clock, Program& program) {
  return GuardedDatabase::open(call.settings.root, call.file,
                               {std::move(key), clock, [&](const std::string& token, auto until) {
                                  return program.engine().use_once({token, until});
                                }});
}

}  // namespace

Outcome query_database(const DatabaseCall& call) {
  const base::SystemClock clock;
  Program program(call.settings);
  auto database = open_guarded(call, "", clock, program);
  if (!database) return database_failed(database.error());
  const auto rows = database->query(call.last, values_of(call.invocation));
  if (!rows) return database_failed(rows.error());
  if (call.invocation.json) return {ExitCode::ok, base::dump_pretty(rows_json(*rows)) + "\n", ""};
  return {ExitCode::ok, rows_text(*rows, call.page), ""};
}

Outcome change_database(const DatabaseCall& call) {
  const base::SystemClock clock;
  Program program(call.settings);
  // Without a token nothing is compared with the secret.
  const bool has_token = call.invocation.token.has_value();
  auto database = open_guarded(
      call, has_token ? state::request_key(call.settings.state_folder) : "", clock, program);
  if (!database) return database_failed(database.error());
  const auto done =
      database->execute(call.last, values_of(call.invocation), call.invocation.token.value_or(""));
  if (!done) return database_failed(done.error());
  if (call.invocation.json) {
    Json json = Json::object();
    json["changed"] = done->changed;
    json["deleted"] = done->deleted;
    json["returned"] = rows_json(done->returned);
    return {ExitCode::ok, base::dump_pretty(json) + "\n", ""};
  }
  std::string text = base::counted(static_cast<std::size_t>(done->changed), "row") + " changed";
  if (done->deleted > 0) text += ", " + std::to_string(done->deleted) + " gone";
  return {ExitCode::ok, rows_text(done->returned, call.page) + text + ".\n", ""};
}

Outcome confirm_deletion(const DatabaseCall& call) {
  const base::SystemClock clock;
  Program program(call.settings);
  if (auto refused = no_person(call, program)) return *std::move(refused);
  auto database =
      open_guarded(call, state::request_key(call.settings.state_folder), clock, program);
  if (!database) return database_failed(database.error());
  const auto confirmed = database->confirm(call.last, values_of(call.invocation));
  if (!confirmed) return database_failed(confirmed.error());
  if (auto no = not_confirmed(call, program,
                              confirmation_text(call.file, call.last, *confirmed, call.page) +
                                  "\nGive a token for it? [y/N] ",
                              "No token was given.\n")) {
    return *std::move(no);
  }
  return {ExitCode::ok,
          "Good for ten minutes and once, for this statement and this many rows:\n\n  --token " +
              confirmed->token + "\n",
          ""};
}

}  // namespace phasegate::app::cli
