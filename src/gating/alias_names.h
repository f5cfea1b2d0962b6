#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// A field of the evidence that counted as another.
struct AliasTaken {
  std::string alias;  ///< as it was sent
  std::string name;   ///< the published name

  friend bool operator==(const AliasTaken&, const AliasTaken&) = default;
};

/// A requirement that was handed over under two of its other names, with values that differ.
struct AliasConflict {
  std::string name;
  std::vector<std::string> sent_as;  ///< in the order of the evidence
};

/// Evidence under the published names.
struct NamedEvidence {
  std::shared_ptr<const base::Json> evidence;  ///< null: nothing was renamed, use what was sent
  std::vector<AliasTaken> taken;               ///< in the order of the evidence
  std::vector<AliasConflict> conflicts;        ///< their fields stay as they were sent
};

/// The other names under which a gate's requirements are accepted (Requirement::aliases).
class AliasNames {
 public:
  explicit AliasNames(const phases::Gate& gate);

  /// Renames the fields that stand for a requirement whose published name was not sent: a field
  /// with the very name of an alias, or with the same words as one (normalised). What could mean
  /// two requirements means neither. Several aliases of one requirement with one value are one.
  /// The order of the fields stays. Pure, for any JSON value. O(fields × log aliases).
  [[nodiscard]] NamedEvidence published(const base::Json& evidence) const;

  /// The name in lower case with one `_` for each run of blanks and punctuation, none at the ends.
  [[nodiscard]] static std::string normalised(std::string_view name);

 private:
  [[nodiscard]] std::optional<std::size_t> meant_by(const std::string& field) const;

  std::vector<std::string> names_;  ///< published, by position in the gate
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::optional<std::size_t>> exact_;  ///< nullopt: means two requirements
  std::map<std::string, std::optional<std::size_t>> normalised_;
};

}  // namespace phasegate::gating
