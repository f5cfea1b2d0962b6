#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phasegate::phases {

/// Where something was written: a file relative to the workflow's folder and its lines from 1.
/// `line` 0 means the file as a whole.
struct Source {
  std::string file;
  int line = 0;
  int line_end = 0;  ///< inclusive; 0 when the span is one line

  friend bool operator==(const Source&, const Source&) = default;
};

/// `phases/1/phase.md:12`, or the file alone.
[[nodiscard]] std::string to_text(const Source& source);

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
enum class RequirementSource { gate_file, typed_table, checkbox, synthetic };
[[nodiscard]] std::string_view to_text(RequirementSource source);

/// One thing that must be handed over to leave a phase (004-11, 004-16 … 004-18, P-2).
struct Requirement {
  std::string name;
  ValueType type = ValueType::boolean;
  bool required = true;
  std::string description;
  RequirementSource kind = RequirementSource::gate_file;
  Source source;

  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> exclusive_minimum;
  std::optional<double> exclusive_maximum;
  std::optional<std::int64_t> min_length;  ///< code points of a string
  std::optional<std::int64_t> min_items;   ///< items of an array
  std::optional<std::string> pattern;      ///< RE2, found anywhere in the text unless anchored
  std::optional<std::string> format;       ///< one of gating's known formats
  std::optional<Scalar> constant;          ///< the only value allowed
  std::vector<Scalar> one_of;              ///< the values allowed; empty: no such rule
  /// The author wrote `is_false` or another value: a required boolean need not be true.
  bool false_allowed = false;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// What must hold to leave a phase.
struct Gate {
  std::vector<Requirement> requirements;
  /// Nothing was required by the documents; `requirements` holds the synthetic `summary`, which
  /// is required, beside whatever is optional.
  bool weak = false;
  /// The document asks for a person's approval; the gate stays shut until decisions exist.
  bool human_approval = false;
  Source human_approval_source;
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
[[nodiscard]] bool is_phase_id(std::string_view text);

/// A workflow's definition: plain values, immutable once a run uses it.
struct Workflow {
  static constexpr int kModelVersion = 1;

  std::string id;                    ///< the folder's name
  std::vector<std::string> aliases;  ///< other names it may be started by: `workflow_type`
  std::string title;
  std::string description;
  std::string version;
  std::vector<Phase> phases;  ///< in the order in which they are performed
  /// After the last phase the documents ask for phases that are not known in advance; the run then
  /// waits with this reason and is never `completed`. Empty: the workflow ends with its last phase.
  std::string dynamic_reason;
  std::string complete_message;               ///< said when the last phase is done
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

  /// No finding is an error.
  [[nodiscard]] bool startable() const;
};

}  // namespace phasegate::phases
