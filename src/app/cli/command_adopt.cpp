#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/text.h"
#include "app/cli/validate_targets.h"
#include "app/new_file.h"
#include "base/text.h"
#include "gating/definition.h"
#include "phases/native/reader.h"
#include "phases/native/writer.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

/// The way from the folder of the new file to the files of a workflow, with a slash at its end;
/// empty where there is none that stays below that folder: what is adopted then does not lie
/// beside the file, and its changes are not looked for.
std::string way_to(const Target& target, const fs::path& folder) {
  std::error_code error;
  if (target.path.empty()) return "";
  const bool is_folder = fs::is_directory(target.path, error);
  const fs::path from = fs::weakly_canonical(folder, error);
  const fs::path to =
      fs::weakly_canonical(is_folder ? target.path : target.path.parent_path(), error);
  const std::string way = to.lexically_relative(from).generic_string();
  if (error || way.empty() || way == "." || way.starts_with("..")) return "";
  return way + "/";
}

base::Result<std::vector<Target>> targets_of(const Invocation& invocation,
                                             const Environment& environment) {
  std::vector<Target> all;
  for (const std::string& typed : invocation.arguments) {
    Invocation one = invocation;
    one.argument = typed;
    auto targets = find_targets(one, environment);
    if (!targets) return std::move(targets).error();
    for (Target& target : targets->workflows) all.push_back(std::move(target));
  }
  for (const Target& target : all) {
    if (const auto sound = gating::definition_of(target.loaded); !sound) {
      return base::Error{
          sound.error().code,
          base::in_quotes(target.shown_path) + " cannot be adopted: " + sound.error().message + ".",
          "`phasegate validate " + shell_word(target.shown_path) +
              "` says what is wrong; phasegate.yaml corrects what was read.",
          sound.error().where};
    }
  }
  return all;
}

/// What would not be read back as it was meant is never written.
base::Result<void> check_text(const std::string& yaml) {
  const auto read = phases::read_native_text("adopted.yaml", yaml);
  auto sound = gating::definition_of(read);
  if (sound) return {};
  return base::Error{
      "not_adoptable",
      "What was read does not fit into one workflow file: " + sound.error().message + ".",
      "Shorten or split the documents, or keep them as they are and correct the "
      "reading in phasegate.yaml.",
      sound.error().where};
}

base::Result<void> write_file(const Invocation& invocation, const fs::path& file,
                              const std::string& yaml) {
  const auto written = invocation.force ? put_file(file, yaml) : make_new_file(file, yaml);
  if (written) return {};
  const std::string shown = base::in_quotes(*invocation.output);
  if (written.error().code == "exists") {
    return base::Error{"exists", shown + " is there already, and was left as it is.",
                       "--force replaces it.", ""};
  }
  return base::Error{"unwritable", shown + " cannot be written: " + written.error().message + ".",
                     "Its folder has to be there.", ""};
}

}  // namespace

Outcome adopt(const Invocation& invocation, const Environment& environment) {
  const auto targets = targets_of(invocation, environment);
  if (!targets) {
    const bool usage = targets.error().code == "usage";
    return failed(usage ? ExitCode::usage : ExitCode::not_ok, targets.error());
  }
  const fs::path file = environment.working_folder / invocation.output.value_or("-");
  std::vector<phases::WrittenWorkflow> workflows;
  for (const Target& target : *targets) {
    workflows.push_back({&target.loaded, way_to(target, file.parent_path())});
  }
  const phases::NativeText text = phases::write_native(workflows);
  if (const auto sound = check_text(text.yaml); !sound) {
    return failed(ExitCode::not_ok, sound.error());
  }
  Outcome outcome;
  for (const std::string& note : text.notes) outcome.err += "phasegate: " + shown(note) + "\n";
  if (!invocation.output) {
    outcome.out = text.yaml;
    return outcome;
  }
  if (const auto written = write_file(invocation, file, text.yaml); !written) {
    const bool there = written.error().code == "exists";
    return failed(there ? ExitCode::not_ok : ExitCode::environment, written.error());
  }
  outcome.out = "Wrote " + shown(*invocation.output) + ".\n\nTo check it:  phasegate validate " +
                shown(shell_word(*invocation.output)) + "\n";
  return outcome;
}

}  // namespace phasegate::app::cli
