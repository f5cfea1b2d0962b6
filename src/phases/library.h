#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A folder in which workflows are looked for, and how to name it to people.
struct Place {
  std::filesystem::path folder;
  std::string name;  ///< shown instead of the absolute path: `.phasegate/workflows`
  /// The workflows that the program carries (phases/builtin.h); `folder` is empty then.
  bool built_in = false;
};

/// The place of the built-in workflows, `built-in`. Belongs last, so that every other place wins.
[[nodiscard]] Place built_in_place();

/// A workflow that was found, startable or not.
struct LibraryEntry {
  std::string id;
  std::filesystem::path path;  ///< its folder or file; empty for a built-in one
  std::string place;           ///< Place::name
  std::string reference;       ///< `place/id`, for messages
  std::shared_ptr<const LoadedWorkflow> loaded;
};

/// Finds workflows in several places, the nearest first: folders with metadata.json or
/// workflow.yaml, folders whose names say their phases, files NAME.yaml, .yml or .json, and
/// documents NAME.md that name phases or have a gate (a README is none). Where two places hold the
/// same id the first wins and the other is a finding; where one place holds it twice, that is an
/// error of the workflow. Files are looked at again on every call, but parsed only when names,
/// sizes or times have changed, so that a changed document is seen by the next run without a
/// restart. Workflow folders that are links are not followed. Built-in workflows are read once. For
/// one thread at a time; what list() and find() return may be used by any.
class Library {
 public:
  explicit Library(std::vector<Place> places);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Every workflow, by id. A place that does not exist is empty; one that cannot be read is a
  /// finding in `findings()`.
  [[nodiscard]] std::vector<LibraryEntry> list();

  /// The workflow with this id or alias. Errors: `unknown_workflow` (hint: nearest name and
  /// list_workflows), `invalid_argument` for a name that is no plain name (`../x`).
  /// An alias that several workflows claim is refused (`ambiguous_workflow`).
  [[nodiscard]] base::Result<LibraryEntry> find(std::string_view id_or_alias);

  /// What is wrong with the places themselves, as of the last call.
  [[nodiscard]] const std::vector<Finding>& findings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::phases
