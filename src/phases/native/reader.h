#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "phases/workflow.h"

namespace phasegate::phases {

/// True for the names that a native workflow has within a folder of its own: `workflow.yaml`,
/// `workflow.yml`, `workflow.json`.
[[nodiscard]] bool is_native_name(std::string_view file_name);

/// True for a file that holds a workflow by itself: `NAME.yaml`, `NAME.yml`, `NAME.json`, not
/// hidden, no `*.schema.json`, no corrections of a document (`*.phasegate.yaml`).
[[nodiscard]] bool is_workflow_file_name(std::string_view file_name);

/// `feature` for `feature.yaml`.
[[nodiscard]] std::string id_of_file(std::string_view file_name);

/// Reads the text of a native workflow that stands by itself: `file_name` is `NAME.yaml`, and its
/// ending says whether it is YAML or JSON. Any bytes give a result; what cannot be read is an error
/// among the findings, all of them at once, with line and column. Every text of the file becomes a
/// document of its step; the file itself is never shown. What it was adopted from is not looked
/// for, as opposed to the functions below.
[[nodiscard]] LoadedWorkflow read_native_text(std::string_view file_name, std::string_view text);

/// Reads a file `NAME.yaml`, `.yml` or `.json`. Links that lead out of its folder are not followed.
[[nodiscard]] LoadedWorkflow read_native_file(const std::filesystem::path& file);

/// Reads a folder that holds `workflow.yaml`, `.yml` or `.json`. Its steps may name other files of
/// the folder, which then belong to them; the rest is shown once text that was reached links to it,
/// as in every workflow folder.
[[nodiscard]] LoadedWorkflow read_native_folder(const std::filesystem::path& folder);

}  // namespace phasegate::phases
