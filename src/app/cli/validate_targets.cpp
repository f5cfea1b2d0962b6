#include "app/cli/validate_targets.h"

#include <algorithm>
#include <array>

#include "app/cli/elsewhere.h"
#include "app/settings.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/builtin.h"
#include "phases/document_workflow.h"
#include "phases/library.h"
#include "phases/workflow_reader.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kEndings = {".yaml", ".yml", ".json"};

base::Error nothing_here(const std::string& path, std::string message) {
  return {"not_found", base::in_quotes(path) + " " + std::move(message),
          "PATH is a workflow's file (NAME.yaml, NAME.md), its folder, or a folder of them; NAME "
          "is one "
          "that `phasegate workflows` lists.",
          ""};
}

/// `a/b` for a file of `a` as it was typed; nothing for a file of the working directory.
std::string folder_of(const fs::path& typed) {
  return typed.has_parent_path() ? typed.parent_path().string() : "";
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Target read_target(const std::string& typed, const fs::path& path, std::string folder) {
  const phases::PlainRequirementReader requirements;
  // The name is the workflow's id, so `.` has to become one first; a link keeps its own.
  std::error_code error;
  fs::path canonical = fs::canonical(path, error);
  if (error) canonical = path;
  if (fs::is_regular_file(path, error)) {
    canonical = fs::canonical(path.parent_path(), error) / path.filename();
    if (error) canonical = path;
  }
  return {typed, std::move(folder), canonical, phases::read_workflow(canonical, requirements)};
}

Target target_of(const phases::LibraryEntry& entry, const std::string& place) {
  std::error_code ignored;
  const bool is_file = !entry.path.empty() && !fs::is_directory(entry.path, ignored);
  const std::string name = entry.path.empty() ? entry.id : entry.path.filename().string();
  const std::string shown_path = place.empty() ? name : place + "/" + name;
  return {shown_path, is_file || entry.path.empty() ? place : shown_path, entry.path,
          *entry.loaded};
}

base::Result<Targets> all_in(const std::string& typed, const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator readable(folder, error);
  if (error) return nothing_here(typed, "cannot be read: " + error.message() + ".");
  phases::Library library({{fs::canonical(folder, error), typed}});
  Targets targets;
  for (const phases::LibraryEntry& entry : library.list()) {
    targets.workflows.push_back(target_of(entry, without_slash(typed)));
  }
  targets.place_findings = library.findings();
  if (targets.workflows.empty()) return nothing_here(typed, "holds no workflow.");
  return targets;
}

base::Result<Targets> at_path(const std::string& typed, const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (!phases::is_workflow_folder(path)) return all_in(typed, path);
    Targets targets;
    targets.workflows.push_back(read_target(typed, path, without_slash(typed)));
    return targets;
  }
  if (!fs::is_regular_file(path, ignored)) {
    return nothing_here(typed, "is neither a file nor a folder.");
  }
  Targets targets;
  // The file that makes a folder a workflow stands for the folder.
  const std::string stem = path.stem().string();
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const bool defines =
      (stem == "workflow" && !phases::is_document_name(path.filename().string())) ||
      path.filename() == "metadata.json";
  if (defines && phases::is_workflow_folder(parent)) {
    const std::string folder = folder_of(typed);
    targets.workflows.push_back(read_target(folder.empty() ? "." : folder, parent, folder));
    return targets;
  }
  const std::string ending = path.extension().string();
  const bool document = phases::is_document_name(path.filename().string());
  if (!document && std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end()) {
    return nothing_here(typed,
                        "is no workflow: its name ends in none of .yaml, .yml, .json and .md.");
  }
  targets.workflows.push_back(read_target(typed, path, folder_of(typed)));
  return targets;
}

base::Result<Targets> by_name(const std::string& name, const Settings& settings) {
  phases::Library library(settings.places);
  auto found = library.find(name);
  if (found) {
    Targets targets;
    targets.workflows.push_back(target_of(*found, found->place));
    return targets;
  }
  if (found.error().code == "ambiguous_workflow") return std::move(found).error();
  std::vector<std::string> ids;
  for (const phases::LibraryEntry& entry : library.list()) ids.push_back(entry.id);
  const auto nearest = base::nearest_name(name, ids);
  return base::Error{
      "not_found",
      base::in_quotes(name) + " is neither a file, a folder nor a workflow that is known here.",
      nearest ? "Did you mean `" + *nearest + "`?"
              : "`phasegate workflows" + settings.options_here + "` lists them.",
      ""};
}

base::Result<Targets> everything(const Settings& settings) {
  std::vector<phases::Place> places;
  std::copy_if(settings.places.begin(), settings.places.end(), std::back_inserter(places),
               [](const phases::Place& place) { return !place.built_in; });
  phases::Library library(places);
  Targets targets;
  for (const phases::LibraryEntry& entry : library.list()) {
    targets.workflows.push_back(target_of(entry, entry.place));
  }
  targets.place_findings = library.findings();
  if (!targets.workflows.empty()) return targets;
  const std::string elsewhere = workflows_elsewhere(settings);
  return base::Error{
      "not_found", "This project has no workflow of its own.",
      elsewhere.empty() ? "`phasegate new NAME` begins one; a PATH can be named, too." : elsewhere,
      ""};
}

}  // namespace

base::Result<Targets> find_targets(const Invocation& invocation, const Environment& environment) {
  const std::string& typed = invocation.argument;
  if (!typed.empty()) {
    const fs::path path = environment.working_folder / typed;
    std::error_code ignored;
    if (fs::exists(path, ignored)) return at_path(typed, path);
    if (typed.find('/') != std::string::npos) return nothing_here(typed, "does not exist.");
  }
  const auto settings = resolve(invocation, environment);
  if (!settings) return settings.error();
  return typed.empty() ? everything(*settings) : by_name(typed, *settings);
}

std::string source_line(const Target& target, const phases::Source& source) {
  std::string text;
  if (target.path.empty()) {
    const auto all = phases::builtin_workflows();
    const auto found = std::find_if(
        all.begin(), all.end(),
        [&](const phases::BuiltinWorkflow& one) { return one.id == target.loaded.workflow.id; });
    if (found == all.end()) return "";
    text = found->text;
  } else {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(target.path, ignored);
    auto read = base::read_file_below(is_folder ? target.path : target.path.parent_path(),
                                      source.file, base::limits::kDocumentBytesMax);
    if (!read) return "";
    text = *std::move(read);
  }
  const auto lines = base::split(text, '\n');
  if (source.line < 1 || static_cast<std::size_t>(source.line) > lines.size()) return "";
  std::string_view line = lines[static_cast<std::size_t>(source.line) - 1];
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

}  // namespace phasegate::app::cli
