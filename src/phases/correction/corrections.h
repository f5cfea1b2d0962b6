#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/native/keys.h"
#include "phases/workflow.h"
#include "phases/yaml_node.h"

/// How an author corrects what was read, without rewriting the document: a file of corrections
/// beside it (docs/decisions/0019). Reading the file and applying it are pure functions.
namespace phasegate::phases {

/// The corrections of a workflow's folder.
inline constexpr std::string_view kCorrectionsFile = "phasegate.yaml";
/// Names the work as a whole where a phase's id stands.
inline constexpr std::string_view kWhole = "whole";

/// `plan.phasegate.yaml` for `plan.md`: the corrections of a document that stands by itself.
[[nodiscard]] std::string corrections_file_of(std::string_view document);
/// True for phasegate.yaml and NAME.phasegate.yaml in any folder, and for what is so near that it
/// must be meant (another case, .yml, .json): never shown to an assistant, never a workflow.
[[nodiscard]] bool is_corrections_name(std::string_view path);

/// One entry of `requirements`.
struct RequirementCorrection {
  enum class Act { change, drop, add };
  Act act = Act::change;
  bool by_item = false;             ///< `reference` is the sentence as the document has it
  std::string reference;            ///< the published name, or the sentence; the new name for `add`
  std::string because;              ///< why it is dropped
  std::optional<std::string> name;  ///< the name from now on
  YamlNode::Member field;           ///< what it has of a native field's keys: type, rules, …
  Source source;
};

/// What is corrected in one phase.
struct PhaseCorrection {
  std::string phase;  ///< id, or `whole`
  std::optional<std::string> title;
  bool drop = false;
  bool gate_none = false;
  std::string because;
  std::vector<RequirementCorrection> requirements;
  std::vector<Check> checks;               ///< what is looked at beside what the documents ask for
  std::optional<DecisionDemand> decision;  ///< what a person decides, whatever the documents say
  bool decision_none = false;              ///< no person is asked
  Source source;
};

/// How a document was when it was corrected.
struct CorrectedDocument {
  std::string file;
  std::string sha256;
  Source source;
};

/// A file of corrections, read.
struct Corrections {
  std::string file;
  std::vector<PhaseCorrection> phases;
  std::vector<CorrectedDocument> documents;
};

/// Reads a file of corrections; `file` is its name for findings. As strict as the native format:
/// what is unknown or wrong is an error with line and column, and the rest is still read. Total:
/// any bytes give a result. Linear in `text`.
[[nodiscard]] Corrections read_corrections(std::string_view text, const std::string& file,
                                           FindingList& findings);

/// The keys of the file, of a phase, and of an entry of its requirements.
[[nodiscard]] const NativeKeys& correction_keys();
[[nodiscard]] const NativeKeys& phase_correction_keys();
[[nodiscard]] const NativeKeys& requirement_correction_keys();

}  // namespace phasegate::phases
