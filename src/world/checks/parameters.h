#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// Reads a check's parameters: what is not written is nullopt, what `{{…}}` names is filled in.
/// Errors are those of gating::filled, with the parameter in front: `argv[2]`, `env.NAME`.
class Parameters {
 public:
  explicit Parameters(const Ask& ask) : ask_(ask) {}

  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise = false) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] std::vector<std::int64_t> wholes(std::string_view name) const;
  /// As it is written.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// A text, filled.
  [[nodiscard]] base::Result<std::string> filled(std::string_view name) const;
  /// A list of texts, each filled by itself: nothing that was filled in becomes two.
  [[nodiscard]] base::Result<std::vector<std::string>> all_filled(std::string_view name) const;
  /// Names with filled texts.
  [[nodiscard]] base::Result<std::vector<std::pair<std::string, std::string>>> map(
      std::string_view name) const;
  /// A path below the project's root, filled and normalised; one that the definition itself writes
  /// as absolute stays absolute. Errors also (`invalid_path`): a path that leads out of the root,
  /// or is empty; one that does not begin any more, once it is filled, with what is written before
  /// its first `{{`.
  [[nodiscard]] base::Result<std::string> path(std::string_view name) const;
  /// The value of an expression over the scene's scope, with `extra` as further names in it.
  [[nodiscard]] base::Result<base::Json> value(std::string_view name,
                                               const base::Json& extra) const;
  /// `: value.version is "1.0", evidence.version is "1.1"`: what the names of such an expression
  /// stand for (gating::named_values), to be put behind what is said of it; empty: it has none.
  [[nodiscard]] std::string behind(std::string_view name, const base::Json& extra) const;

 private:
  const Ask& ask_;
};

}  // namespace phasegate::world::checks
