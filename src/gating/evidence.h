#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/alias_names.h"
#include "gating/field_problem.h"
#include "gating/json_schema.h"
#include "gating/secrets.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// What a gate makes of a piece of evidence.
struct EvidenceVerdict {
  std::vector<FieldProblem> problems;     ///< empty: the evidence satisfies the gate
  std::vector<AliasTaken> aliases_taken;  ///< sent under another name that the gate knows
  std::vector<std::string> extra_fields;  ///< sent but not asked for: kept, reported, never refused
  std::vector<std::string> self_attested;  ///< fields that rest on the sender's word alone

  friend bool operator==(const EvidenceVerdict&, const EvidenceVerdict&) = default;
};

/// A gate ready to judge. Compiling is the only place where a requirement can be found unusable.
class EvidenceGate {
 public:
  /// Errors: `invalid_gate` with the requirement's line: a pattern that does not compile, a rule
  /// that does not fit its type, bounds that nothing satisfies, two requirements with one name.
  [[nodiscard]] static base::Result<EvidenceGate> compile(const phases::Gate& gate);

  /// The evidence under the published names (Requirement::aliases), as it is judged and kept.
  [[nodiscard]] NamedEvidence published(const base::Json& evidence) const {
    return aliases_.published(evidence);
  }

  /// Judges an object, as `published` names its fields: a value gets the same verdict under an
  /// alias as under the name. Anything but an object is one problem for the evidence as a whole
  /// (field ""). All problems are reported together; none quotes the value of a secret field. Pure;
  /// never throws for any JSON value.
  [[nodiscard]] EvidenceVerdict judge(const base::Json& evidence) const;
  /// The same of evidence that was judged before and kept: the digest of a secret value stands for
  /// a value that was found to be as required.
  [[nodiscard]] EvidenceVerdict judge_kept(const base::Json& evidence) const;

  [[nodiscard]] const SecretFields& secrets() const { return secrets_; }

  [[nodiscard]] const base::Json& schema() const { return *schema_; }
  [[nodiscard]] const base::Json& example() const { return *example_; }
  /// False if some pattern has no generated example.
  [[nodiscard]] bool example_is_complete() const { return example_complete_; }

  EvidenceGate(EvidenceGate&&) noexcept;
  EvidenceGate& operator=(EvidenceGate&&) noexcept;
  ~EvidenceGate();

 private:
  EvidenceGate(phases::Gate gate, JsonSchema compiled);
  phases::Gate gate_;
  AliasNames aliases_;
  SecretFields secrets_;
  std::unique_ptr<const base::Json> schema_;
  std::unique_ptr<const base::Json> example_;
  bool example_complete_ = true;
  JsonSchema compiled_;
};

}  // namespace phasegate::gating
