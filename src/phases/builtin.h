#pragma once
#include <span>
#include <string_view>

namespace phasegate::phases {

/// A workflow that the program carries, as its author wrote it: a native file in YAML.
struct BuiltinWorkflow {
  std::string_view id;
  std::string_view text;
};

/// Every file of src/phases/builtin/, by id.
[[nodiscard]] std::span<const BuiltinWorkflow> builtin_workflows();

}  // namespace phasegate::phases
