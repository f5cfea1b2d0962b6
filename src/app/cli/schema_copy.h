#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

/// The copy of the workflow schema that lies in a project, for editors.
namespace phasegate::app::cli {

/// As it is called to people.
constexpr const char* kSchemaFile = ".phasegate/workflow.schema.json";

/// The schema as it is written into a project: with a first member that holds the rest's digest, so
/// that every later version can tell whether anybody has changed it.
[[nodiscard]] std::string schema_for_project();

/// True if `text` was written by this version or another and is unchanged.
[[nodiscard]] bool is_unchanged_schema(std::string_view text);

/// Writes the schema below `root` if it is absent, or there and unchanged. Anything else there is
/// neither followed nor replaced: then the result says so and what to do; otherwise it is empty.
/// The folder must exist. Error: `unwritable`.
[[nodiscard]] base::Result<std::string> put_schema(const std::filesystem::path& root);

}  // namespace phasegate::app::cli
