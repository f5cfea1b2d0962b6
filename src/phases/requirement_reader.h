#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::phases {

/// What a document asks for at the end of its phase.
struct ReadGate {
  std::vector<Requirement> requirements;
  std::vector<Check> checks;  ///< of the head of the document
  bool human_approval = false;
  Source human_approval_source;
  Source source;  ///< the heading or marker of the gate; file empty if there is none
  std::vector<Finding> findings;
};

/// Finds the requirements of one phase in its text.
class RequirementReader {
 public:
  virtual ~RequirementReader() = default;
  /// `path` is the document's name for sources and findings, `phase_id` the phase it belongs to.
  /// Total: any bytes give a result. Linear in `text`.
  [[nodiscard]] virtual ReadGate read(std::string_view text, std::string_view path,
                                      std::string_view phase_id) const = 0;
};

/// Reads the two plain forms: the checkbox block and the typed table of a validation gate
/// (a heading or a `🛑 VALIDATE-GATE` marker that says gate or checkpoint).
class PlainRequirementReader final : public RequirementReader {
 public:
  [[nodiscard]] ReadGate read(std::string_view text, std::string_view path,
                              std::string_view phase_id) const override;
};

}  // namespace phasegate::phases
