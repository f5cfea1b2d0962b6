#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/alias_names.h"
#include "gating/json_schema.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// One field of the evidence that keeps the gate shut.
struct FieldProblem {
  std::string field;
  std::string keyword;  ///< JSON Schema keyword: `required`, `type`, `minimum`, …
  std::string wanted;   ///< in words
  std::string got;      ///< in words
  /// A name among the extra fields that was probably meant for this one; empty if there is none.
  std::string sent_as;
  std::string description;
  phases::Source source;  ///< the line that asks for it
  /// The seed's sentence: `x (required: …)`, `x (wrong type: expected integer, got string)`,
  /// `x (validation failed: …)` (004-20, 004-21, 004-22).
  std::string text;

  friend bool operator==(const FieldProblem&, const FieldProblem&) = default;
};

/// What a gate makes of a piece of evidence.
struct EvidenceVerdict {
  std::vector<FieldProblem> problems;     ///< empty: the evidence satisfies the gate
  std::vector<AliasTaken> aliases_taken;  ///< sent under another name that the gate knows
  std::vector<std::string> extra_fields;  ///< sent but not asked for: kept, reported, never refused
  std::vector<std::string> self_attested;  ///< fields that rest on the sender's word alone

  friend bool operator==(const EvidenceVerdict&, const EvidenceVerdict&) = default;
};

/// The JSON Schema object of a gate's evidence, under JSON Schema's own names (ARCHITECTURE §5).
/// A required boolean carries `const: true` unless the author allowed false; a required text
/// without a rule of its own carries `pattern: \S`, so that blanks do not count as a text.
[[nodiscard]] base::Json evidence_schema(const phases::Gate& gate);

/// An object that satisfies evidence_schema(gate). A text whose pattern no generated example
/// matches gets a placeholder in angle brackets; see example_is_complete.
[[nodiscard]] base::Json evidence_example(const phases::Gate& gate);

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
  /// (field ""). All problems are reported together. Pure; never throws for any JSON value.
  [[nodiscard]] EvidenceVerdict judge(const base::Json& evidence) const;

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
  std::unique_ptr<const base::Json> schema_;
  std::unique_ptr<const base::Json> example_;
  bool example_complete_ = true;
  JsonSchema compiled_;
};

}  // namespace phasegate::gating
