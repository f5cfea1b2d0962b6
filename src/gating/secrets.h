#pragma once
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "gating/alias_names.h"
#include "phases/workflow.h"

/// Evidence of which only a digest is kept (`secret: true`;
/// docs/decisions/0033-secret-evidence.md).
namespace phasegate::gating {

/// What a digest belongs to: one value has different ones in different fields, phases and runs.
struct SecretPlace {
  std::string_view key;  ///< of this installation; not empty
  std::string_view run_id;
  std::string_view phase;
};

/// What takes a value's place: `secret: hmac-sha256 ` and 64 hexadecimal digits. The same value in
/// the same field of the same phase of a run has the same one (members of objects in any order),
/// and nobody who lacks the key can find out by trying which value it is. O(value).
[[nodiscard]] std::string secret_digest(const SecretPlace& place, std::string_view field,
                                        const base::Json& value);

/// True for a text of the form that secret_digest makes.
[[nodiscard]] bool is_secret_digest(const base::Json& value);

/// What in the evidence of a gate is secret.
class SecretFields {
 public:
  /// The secret fields of the gate alone.
  explicit SecretFields(const phases::Gate& gate);
  /// Beside them those of the workflow's other gates: a value that was handed over in one phase may
  /// well be handed over again in another, which does not ask for it.
  SecretFields(const phases::Gate& gate, const phases::Workflow& workflow);

  /// True if the gate itself asks for this field and it is secret.
  [[nodiscard]] bool contains(const std::string& field) const { return secret_.contains(field); }

  /// The evidence with digests in place of whatever may be a secret: the gate's secret fields,
  /// whatever their values are, and fields that it does not ask for under a name that is the name
  /// of a secret field, another name of one or nearly one, so that a slip of the pen gives nothing
  /// away. What the gate asks for openly stays as it came. Evidence that is no object is one secret
  /// as a whole. The order of the fields stays. Pure, for any JSON value. O(evidence × secret
  /// fields).
  [[nodiscard]] base::Json hidden(const base::Json& evidence, const SecretPlace& place) const;

 private:
  void add_names(const phases::Requirement& field);
  [[nodiscard]] bool may_be_secret(const std::string& field) const;

  std::set<std::string> asked_;       ///< published names of the gate
  std::set<std::string> secret_;      ///< those of them that are secret
  std::vector<std::string> names_;    ///< all secret fields' names and other names, each once
  std::set<std::string> same_words_;  ///< names_, normalised
};

/// True if some gate of the workflow has a secret field.
[[nodiscard]] bool has_secrets(const phases::Workflow& workflow);

/// Why a secret field is none, and what to do about it.
struct SecretMisuse {
  std::string problem;
  std::string hint;
};
/// What a secret field cannot be as well: a path of the project, tied to a check (both are looked
/// at when the value is gone), or a value that the workflow itself names (`const`, `enum`).
/// Nullopt: nothing is wrong, or the field is not secret.
[[nodiscard]] std::optional<SecretMisuse> secret_misuse(const phases::Requirement& field);

}  // namespace phasegate::gating
