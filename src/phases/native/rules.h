#pragma once
#include <optional>
#include <string>

#include "phases/native/report.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A plain number within ±2^53; anything else is an error at the value.
[[nodiscard]] std::optional<double> read_native_number(const YamlNode& node,
                                                       const std::string& what,
                                                       const NativeReport& report);
/// A whole number from 0 on; anything else is an error at the value.
[[nodiscard]] std::optional<std::int64_t> read_native_length(const YamlNode& node,
                                                             const std::string& what,
                                                             const NativeReport& report);
/// A value of this type that `enum` and `const` may name; anything else is an error at the value.
[[nodiscard]] std::optional<Scalar> read_native_scalar(const YamlNode& node, ValueType type,
                                                       const std::string& what,
                                                       const NativeReport& report);
/// The values of an `enum`; empty after an error.
[[nodiscard]] std::vector<Scalar> read_native_enum(const YamlNode& node, ValueType type,
                                                   const std::string& what,
                                                   const NativeReport& report);
/// The other names of a field: a list of texts; what cannot be one is an error at the value.
[[nodiscard]] std::vector<std::string> read_native_aliases(const YamlNode& node,
                                                           const std::string& what,
                                                           const NativeReport& report);
/// The value as JSON text; an error and nothing if it is too large or too deep.
[[nodiscard]] std::string read_native_example(const YamlNode& node, const std::string& what,
                                              const NativeReport& report);

/// What no value can satisfy, in words, and the key to blame; nullopt if the rules leave a value,
/// as far as can be said without the pattern.
struct Impossible {
  std::string key;
  std::string why;
};
[[nodiscard]] std::optional<Impossible> impossible_rules(const Requirement& requirement);

}  // namespace phasegate::phases
