#pragma once
#include <string>
#include <vector>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/ports.h"
#include "phases/workflow.h"

/// Entries of a session's journal, for people and for programs.
namespace phasegate::app::cli {

/// The entry's data. The journal is ours, yet the evidence in it is not: it may be as large as a
/// submission, and what is unreadable is an error, not a crash.
[[nodiscard]] base::Result<base::Json> data_of(const gating::engine::JournalRow& row);

/// An entry as `history --json` and `watch --json` print it.
[[nodiscard]] base::Json event_json(const gating::engine::JournalRow& row);

/// The fields that kept a gate shut, each with what was wanted and what came.
[[nodiscard]] std::vector<std::string> problem_lines(const base::Json& problems,
                                                     std::size_t bytes_max);

/// What checks found: `tests (make test): passed, exit code 0, 3.2 s`.
[[nodiscard]] std::vector<std::string> check_lines(const base::Json& checks, std::size_t bytes_max);

/// Members of accepted evidence, `name  value`; values of more than `bytes_max` bytes are cut.
[[nodiscard]] std::vector<std::string> evidence_lines(const base::Json& evidence,
                                                      std::size_t bytes_max);

/// What has happened, in a line: `phase 1 of 3 "Build": refused, attempt 2: files: wanted …`. Names
/// a phase's title, since the session has reached every phase that its journal names.
[[nodiscard]] std::string event_line(const gating::engine::JournalRow& row,
                                     const phases::Workflow& workflow, const Page& page);

/// True if the session goes no further after this entry.
[[nodiscard]] bool ends_session(const gating::engine::JournalRow& row);

}  // namespace phasegate::app::cli
