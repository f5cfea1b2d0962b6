#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/elsewhere.h"
#include "app/cli/layout.h"
#include "app/cli/new_workflow.h"
#include "app/cli/schema_copy.h"
#include "app/cli/text.h"
#include "app/embedded.h"
#include "app/new_file.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/builtin.h"
#include "phases/library.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

/// As the project's place is called to people.
constexpr const char* kPlace = ".phasegate/workflows";
constexpr int kFreeNamesTried = 100;

base::Result<std::string_view> text_to_copy(const std::string& id) {
  std::vector<std::string> ids;
  for (const phases::BuiltinWorkflow& one : phases::builtin_workflows()) {
    if (one.id == id) return one.text;
    ids.emplace_back(one.id);
  }
  const auto nearest = base::nearest_name(id, ids);
  return base::Error{
      "unknown_workflow", "The program carries no workflow " + base::in_quotes(id) + ".",
      nearest ? "Did you mean `" + *nearest + "`?" : "It carries " + base::joined(ids, ", ") + ".",
      ""};
}

/// The file or folder that takes this name in the place, as it is called there; empty: it is free.
std::string taken_by(const fs::path& place, const std::string& name) {
  for (const char* ending : {".yaml", ".yml", ".json", ".md", ".markdown", ""}) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(place / (name + ending), ignored))) return name + ending;
  }
  return "";
}

base::Error name_is_taken(const fs::path& place, const std::string& name, const std::string& by,
                          const std::string& options) {
  std::string free;
  for (int i = 2; i < kFreeNamesTried && free.empty(); ++i) {
    const std::string candidate = name + "_" + std::to_string(i);
    if (taken_by(place, candidate).empty() && check_new_name(candidate)) free = candidate;
  }
  std::string hint = "`phasegate validate " + name + options + "` shows what it asks";
  if (!free.empty()) hint += "; " + free + " is free: `phasegate new " + free + options + "`";
  return {"exists", std::string(kPlace) + "/" + by + " exists already. Nothing was changed.",
          hint + ".", ""};
}

base::Error cannot_write(const std::string& what, const base::Error& error) {
  return {"unwritable", what + " cannot be written: " + error.message + ".",
          "No workflow was made. Another project can be named with --root DIR.", ""};
}

/// Gives what is to be said about the schema, if anything.
base::Result<std::string> write_both(const fs::path& root, const std::string& name,
                                     const std::string& text) {
  const fs::path place = root / kPlace;
  std::error_code error;
  fs::create_directories(place, error);
  if (error) return cannot_write(kPlace, {"", error.message(), "", ""});
  auto schema = put_schema(root);
  if (!schema) return cannot_write(kSchemaFile, schema.error());
  const auto made = make_new_file(place / (name + ".yaml"), text);
  if (made) return schema;
  if (made.error().code == "exists") return made.error();
  return cannot_write(std::string(kPlace) + "/" + name + ".yaml", made.error());
}

/// What a person should know about a name that is used elsewhere, too; empty: nothing.
std::string note_on_name(const Settings& settings, const std::string& name,
                         const std::string& hidden_place) {
  phases::Library library(settings.places);
  const auto found = library.find(name);
  if (found && found->place != kPlace) {
    return "It is not used as long as " + found->place + " holds a workflow of this name, too.";
  }
  if (hidden_place.empty()) return "";
  return hidden_place == phases::built_in_place().name
             ? "It hides the program's own workflow " + name + " in this project."
             : "It hides the workflow " + name + " of " + hidden_place + ".";
}

}  // namespace

Outcome make_workflow(const Invocation& invocation, const Settings& settings, const Page& page) {
  const std::string& name = invocation.argument;
  const std::string& options = settings.options_here;
  if (const auto sound = check_new_name(name); !sound) {
    return failed(ExitCode::usage, sound.error());
  }
  std::string_view text = workflow_template();
  if (invocation.from) {
    const auto copied = text_to_copy(*invocation.from);
    if (!copied) return failed(ExitCode::not_ok, copied.error());
    text = *copied;
  }
  const fs::path place = settings.root / kPlace;
  if (const std::string by = taken_by(place, name); !by.empty()) {
    return failed(ExitCode::not_ok, name_is_taken(place, name, by, options));
  }
  std::string hidden;
  {
    phases::Library library(settings.places);
    const auto found = library.find(name);
    if (found && found->id == name) hidden = found->place;
  }
  const auto made = write_both(settings.root, name, with_name(text, name));
  if (!made) {
    if (made.error().code == "exists") {
      return failed(ExitCode::not_ok, name_is_taken(place, name, name + ".yaml", options));
    }
    return failed(ExitCode::environment, made.error());
  }
  const std::string file = std::string(kPlace) + "/" + name + ".yaml";
  if (invocation.json) {
    base::Json json = base::Json::object();
    json["id"] = name;
    json["file"] = file;
    json["schema"] = kSchemaFile;
    json["schema_left"] = made->empty() ? base::Json(nullptr) : base::Json(*made);
    json["from"] = invocation.from ? base::Json(*invocation.from) : base::Json(nullptr);
    json["hides"] = hidden.empty() ? base::Json(nullptr) : base::Json(hidden);
    return {ExitCode::ok, base::dump_pretty(json) + "\n", ""};
  }
  std::string out =
      wrapped(page.in(Tone::good, "Made ") + file + ", " +
                  (invocation.from ? "a copy of " + *invocation.from
                                   : std::string("a small workflow to be changed")) +
                  ". Its keys are described in " + kSchemaFile + ", which editors read.",
              page.width, 0, 0);
  out += wrapped(*made, page.width, 0, 0);
  out += wrapped(note_on_name(settings, name, hidden), page.width, 0, 0);
  out += wrapped(workflows_elsewhere(settings), page.width, 0, 0);
  out += "\nTo check it:  phasegate validate " + name + shown(options) + "\n" +
         "To start it:  tell your assistant \"start the " + name + " workflow\"\n";
  return {ExitCode::ok, out, ""};
}

}  // namespace phasegate::app::cli
