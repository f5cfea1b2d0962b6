#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "phases/check.h"
#include "phases/decision.h"
#include "phases/source.h"

namespace phasegate::phases {

enum class Severity { error, warning, info };
[[nodiscard]] std::string_view to_text(Severity severity);

/// Something that the author of a workflow should know. An error makes the workflow unstartable.
struct Finding {
  Severity severity = Severity::info;
  std::string code;     ///< stable, snake_case: `missing_task_file`, `unknown_validator`, …
  std::string message;  ///< one sentence with the offending text
  std::string hint;     ///< how to mend it; may be empty
  Source source;
  std::string phase;  ///< id of the phase it belongs to; empty for the workflow as a whole

  friend bool operator==(const Finding&, const Finding&) = default;
};

enum class ValueType { boolean, integer, number, string, array, object };
/// JSON Schema's name of the type.
[[nodiscard]] std::string_view to_text(ValueType type);
/// Reads JSON Schema's names and the documents' synonyms (float, list, dict, bool, int, str, text);
/// nullopt for anything else.
[[nodiscard]] std::optional<ValueType> value_type_from(std::string_view word);

/// A value that a rule compares with.
using Scalar = std::variant<bool, std::int64_t, double, std::string>;

/// Which part of the documents a requirement comes from, strongest first (ARCHITECTURE §5).
enum class RequirementSource {
  native,
  correction,    ///< added by the author in `phasegate.yaml`
  gate_file,     ///< gate-definition.yaml
  front_matter,  ///< the YAML head of a document
  typed_table,   ///< a table that names types or validators
  checkbox,      ///< a box of a gate
  field,         ///< `**Version:** [x.y.z]`, a key of a required output block
  bullet,        ///< an item of a gate without a box
  table_row,     ///< a row of a gate's table that names no type
  command,       ///< an evidence command line: `COUNT-AND-DOCUMENT: Classes: [NUMBER]`
  prose,         ///< a sentence of a gate
  sample_call,   ///< the `evidence={…}` of a sample call
  metadata,      ///< a list in metadata.json
  synthetic
};
[[nodiscard]] std::string_view to_text(RequirementSource source);

/// How sure the reader is that a careful person would read the same from the document.
enum class Confidence { high, medium, low };
[[nodiscard]] std::string_view to_text(Confidence confidence);

/// The format of a text that names something in the project: a relative path that stays inside.
inline constexpr std::string_view kProjectPath = "project-path";

/// What every item of a list must be.
struct ItemRule {
  ValueType type = ValueType::string;
  std::optional<std::int64_t> min_length;  ///< of a text; without it a text must not be blank
  std::optional<std::string> pattern;      ///< RE2, as in Requirement
  std::vector<Scalar> one_of;              ///< the values allowed; empty: no such rule

  friend bool operator==(const ItemRule&, const ItemRule&) = default;
};

/// One thing that must be handed over to leave a phase (004-11, 004-16 … 004-18, P-2), or one input
/// that a start must give.
struct Requirement {
  std::string name;
  ValueType type = ValueType::boolean;
  bool required = true;
  std::string description;
  RequirementSource kind = RequirementSource::gate_file;
  Source source;
  Confidence confidence = Confidence::high;
  /// Other names under which evidence may hand it over, nearest first; never the name of another
  /// requirement of its gate.
  std::vector<std::string> aliases;

  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> exclusive_minimum;
  std::optional<double> exclusive_maximum;
  std::optional<std::int64_t> min_length;  ///< code points of a string
  std::optional<std::int64_t> max_length;
  std::optional<std::int64_t> min_items;  ///< items of an array
  std::optional<std::int64_t> max_items;
  std::optional<ItemRule> items;       ///< of an array
  std::optional<std::string> pattern;  ///< RE2, found anywhere in the text unless anchored
  std::optional<std::string> format;   ///< one of gating's known formats
  std::optional<Scalar> constant;      ///< the only value allowed
  std::vector<Scalar> one_of;          ///< the values allowed; empty: no such rule
  /// The author wrote `is_false` or another value: a required boolean need not be true.
  bool false_allowed = false;
  /// JSON text of a value that satisfies the rules, written by the author; empty: one is made.
  std::string example;
  /// Name of a check of the same gate that finds the value out (`check:`): a boolean is whether it
  /// passed, a number or text is the value that it found. Empty: none.
  std::string check;
  /// Handed to later phases among the artifacts. False: kept and shown in a review of its phase,
  /// yet not repeated, which suits logs and other long texts.
  bool artifact = true;
  /// Judged when it is handed over; from then on only a digest of it is kept (gating/secrets.h).
  bool secret = false;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// What must hold to leave a phase.
struct Gate {
  std::vector<Requirement> requirements;
  /// What the engine looks at itself once the evidence is as required (ARCHITECTURE §5).
  std::vector<Check> checks;
  /// Nothing was required by the documents; `requirements` holds the synthetic `summary`, which
  /// is required, beside whatever is optional.
  bool weak = false;
  /// The author wrote `gate: none`: nothing is required, and that is no weakness of the documents.
  bool none = false;
  /// A document asks for a person's approval, and says no more about it (see decision_demand).
  bool human_approval = false;
  Source human_approval_source;
  /// What a person chooses once evidence and checks are as required, as the author wrote it.
  std::optional<DecisionDemand> decision;
  /// `strict: false` or `allow_override: true` in the gate file: the author asked for leniency.
  bool asks_leniency = false;
  Source source;

  friend bool operator==(const Gate&, const Gate&) = default;
};

/// A part of a phase's instructions, handed out one at a time.
struct Task {
  std::string number;  ///< as written: "0", "12"
  std::string name;
  std::string file;  ///< relative to the workflow's folder; empty if the file is missing
  Source source;     ///< where the task is declared

  friend bool operator==(const Task&, const Task&) = default;
};

/// A step that an assistant performs and a gate closes (004-01).
struct Phase {
  std::string id;  ///< as written: "0", "1", "0B"
  std::string title;
  std::string purpose;  ///< may be empty
  std::string file;     ///< its text, relative to the workflow's folder
  std::vector<Task> tasks;
  Gate gate;
  /// `kind: decision`: there is nothing to be done and no evidence; entering it asks the person.
  bool by_person = false;
  Source source;

  friend bool operator==(const Phase&, const Phase&) = default;
};

/// A file of the workflow's folder that a run may be shown.
struct Document {
  std::string path;
  std::string hash;  ///< SHA-256 of its bytes, the key of its blob
  std::uint64_t bytes = 0;
  /// Id of the phase whose text it is (its file, its tasks, anything else in its folder);
  /// empty: shared, shown once text that was reached links to it.
  std::string phase;
  /// True for files that are never shown to an assistant: metadata, gate files, templates of
  /// dynamic phases, files in a phase folder that no phase uses.
  bool withheld = false;
  /// Other documents that its text names, as paths relative to the workflow's folder.
  std::vector<std::string> links;

  friend bool operator==(const Document&, const Document&) = default;
};

/// True for an id as documents number their phases: `1`, `0B`, `A`, `23.1.2`; at most 32
/// characters.
[[nodiscard]] bool is_phase_number(std::string_view text);

/// True for any phase's id, also as a native file names its steps (`create-version`, `plan_b`):
/// letters and digits in parts that `.`, `-` or `_`
/// joins; at most limits::kPhaseIdBytesMax bytes.
[[nodiscard]] bool is_phase_id(std::string_view text);

/// Where the phases behind the listed ones come from: a document of the project that is read when
/// a run starts (004, spec_execution_v1). The run is pinned to what it said then.
struct DynamicPhases {
  std::string input;           ///< member of the start's input that names its folder: `spec_path`
  std::string file;            ///< the document within that folder: `tasks.md`
  std::string phase_template;  ///< document that wraps a phase's text; empty: none
  std::string task_template;   ///< document that wraps a task's text; empty: none
  Source source;

  friend bool operator==(const DynamicPhases&, const DynamicPhases&) = default;
};

/// A database of the project that is copied before a run begins (003-61).
struct ProtectedDatabase {
  std::string path;  ///< below the project's root
  int backups = 10;  ///< how many copies are kept
  Source source;

  friend bool operator==(const ProtectedDatabase&, const ProtectedDatabase&) = default;
};

/// A workflow's definition: plain values, immutable once a run uses it.
struct Workflow {
  static constexpr int kModelVersion = 6;

  std::string id;                    ///< the folder's name, or the file's without its ending
  std::vector<std::string> aliases;  ///< other names it may be started by: `workflow_type`
  std::string title;
  std::string description;
  std::string version;
  std::vector<Phase> phases;  ///< in the order in which they are performed
  /// Phases to come from a document when a run starts. A run's own definition has none: they are
  /// among its `phases` then.
  std::optional<DynamicPhases> dynamic;
  /// After the last phase the documents ask for phases that are not known in advance and cannot be
  /// had from a document; the run then waits with this reason and is never `completed`. Empty: the
  /// workflow ends with its last phase.
  std::string dynamic_reason;
  std::string complete_message;  ///< said when the last phase is done
  /// `outline: titles`: the titles of later phases may be shown to a run (invariant 1).
  bool outline = false;
  /// `passages: on_refusal`: a gate that refuses evidence names the passages of the project's
  /// documents that speak of what is missing.
  bool passages_on_refusal = false;
  /// What a start must give, one entry per member of the input object; rules as for evidence,
  /// except that a boolean may be false.
  std::vector<Requirement> input;
  /// Named checks, which expressions call: `planSaved()`, `versionExists(evidence.version)`.
  std::vector<Check> checks;
  std::vector<ProtectedDatabase> protect;
  bool input_closed = false;                  ///< members that `input` does not name are refused
  std::map<std::string, Document> documents;  ///< by path

  friend bool operator==(const Workflow&, const Workflow&) = default;

  /// The phase with this id, or null. O(phases).
  [[nodiscard]] const Phase* find_phase(std::string_view phase_id) const;
  /// Position of the phase with this id from 0, or nullopt. O(phases).
  [[nodiscard]] std::optional<std::size_t> phase_index(std::string_view phase_id) const;
};

/// What a reader made of a folder: the model, the bytes behind it, and what the author should know.
struct LoadedWorkflow {
  Workflow workflow;
  std::map<std::string, std::string> blobs;  ///< bytes of every document, by hash
  std::string content_hash;                  ///< identifies model and blobs together
  std::vector<Finding> findings;             ///< errors first, then by file and line
  /// A document that names no phases and asks for nothing. It is no workflow, and not listed.
  bool plain = false;

  /// No finding is an error.
  [[nodiscard]] bool startable() const;
};

}  // namespace phasegate::phases
