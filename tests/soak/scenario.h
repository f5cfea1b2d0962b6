#pragma once
#include <string>
#include <vector>

#include "tests/soak/project.h"
#include "tests/soak/soundness.h"

/// One session of a workflow on one server, from the beginning or from wherever it was left.
namespace phasegate::soak {

struct Scenario {
  std::string workflow = "checked";
  std::string target = "src/a.cpp";
  std::size_t evidence_bytes = 40;
  std::size_t phases_max = 100;  ///< no more than so many phases in all
  int repeats = 0;               ///< so often in all a refused call is made again
};

/// What came of it.
struct Went {
  Told told;                   ///< all that was told until now, that of before included
  std::vector<Json> refusals;  ///< answers that were errors; the work goes on with the next call
  bool answered = true;        ///< every call was
  int code = 0;                ///< with which the server ended
};

/// Starts or resumes the session, unless it is known, and hands over phase after phase, each once,
/// until one is refused or not answered; then lets the server end.
[[nodiscard]] Went work_through(const Project& project, const Scenario& scenario,
                                const Told& before, const Variables& variables = {});

/// Whether the store goes on: another transition of the session is written and read back.
[[nodiscard]] bool goes_on(const std::filesystem::path& state, const std::string& session);

/// Every answer that says something has happened, in what a server has said on standard output.
[[nodiscard]] Told told_in(const std::string& said);

/// Empty if this is how a refusal has to be: a code of those, a message, and what to do.
[[nodiscard]] std::string wrong_with_refusal(const Json& refusal,
                                             const std::vector<std::string>& codes);

}  // namespace phasegate::soak
