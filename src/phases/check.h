#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/source.h"

namespace phasegate::phases {

/// What the engine itself can look at (ARCHITECTURE §5). docs/checks.md tells users of each.
enum class CheckKind {
  file,      ///< a file of the project: there, absent, large enough, matching, changed
  command,   ///< a program: its exit code and what it prints
  tests,     ///< a test command: red at the start, green now, ratchets
  json,      ///< a JSON file or evidence against a schema or an expression
  sqlite,    ///< what a query of a database finds
  git,       ///< the repository: clean, changed, commits, paths
  count,     ///< how many files, or matches of a pattern in them
  http,      ///< an answer over HTTP
  expr,      ///< an expression on evidence, artifacts and results of checks
  junit,     ///< a JUnit report
  coverage,  ///< a coverage report
  guard,     ///< `protected`: files that may not change since the start
};
/// The key under which the kind is written: `file`, `protected`, …
[[nodiscard]] std::string_view to_text(CheckKind kind);
[[nodiscard]] std::optional<CheckKind> check_kind_from(std::string_view word);

/// Something that the engine verifies by itself before a gate opens. What to look at is kept as
/// JSON text of an object whose members are those of check_members(kind), each of its type.
struct Check {
  std::string name;  ///< unique within its gate: as written, or made (`command-2`)
  CheckKind kind = CheckKind::expr;
  std::string parameters = "{}";  ///< JSON text
  std::string error;              ///< what the author says when it fails; may be empty
  /// Written `cache: inputs`: a result that passed counts again while what it depends on (its
  /// definition and the files of `inputs`) has the same digests.
  bool cache_inputs = false;
  Source source;

  friend bool operator==(const Check&, const Check&) = default;
};

/// What a member of a check's parameters holds.
enum class MemberType {
  flag,        ///< true or false
  whole,       ///< a whole number from 0 on
  number,      ///< a number from 0 on
  duration,    ///< written `90s`, `10m`, `1h`, `500ms`; kept as milliseconds
  text,        ///< a text that is taken as it is
  word,        ///< one of `words`
  pattern,     ///< RE2
  path,        ///< of a file or folder of the project; `{{…}}` is expanded
  globs,       ///< one pattern of paths or a list of them; kept as a list
  filled,      ///< a text in which `{{…}}` is expanded
  arguments,   ///< a list of texts in which `{{…}}` is expanded, at least one
  names,       ///< a list of texts
  map,         ///< names to texts in which `{{…}}` is expanded
  expression,  ///< the expression language; a number or a flag may stand for itself
  wholes,      ///< one whole number or a list of them; kept as a list
  schema,      ///< a JSON Schema object
  any,         ///< any value
};

/// One member of a kind's parameters. The table is what every reader checks against, what
/// docs/workflow.schema.json repeats, and what nearest names are looked for in.
struct CheckMember {
  std::string_view name;
  MemberType type = MemberType::text;
  bool required = false;
  std::vector<std::string_view> words;  ///< for MemberType::word
};
[[nodiscard]] const std::vector<CheckMember>& check_members(CheckKind kind);

/// The member that a check consists of when it is written short (`file: docs/plan.md`,
/// `expr: "…"`, `command: [make, test]`); empty: the kind has no short form.
[[nodiscard]] std::string_view short_member(CheckKind kind);

/// True if carrying it out starts a program of the project's choice, reaches a network or reads
/// outside the project, so that a person must have trusted the workflow.
[[nodiscard]] bool needs_trust(const Check& check);

/// `make test`, `docs/plan.md`, `evidence.a === evidence.b`: what it looks at, in a few words for
/// people and answers; at most 200 bytes of UTF-8.
[[nodiscard]] std::string subject_of(const Check& check);

}  // namespace phasegate::phases
