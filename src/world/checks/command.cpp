#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/kinds.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/printed.h"
#include "world/checks/program.h"

namespace phasegate::world::checks {

using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;

namespace {

/// What a program's end and output are not as wanted in, all of it.
class Verdict {
 public:
  Verdict(const Ask& ask, CheckResult result) : parameters_(ask), result_(std::move(result)) {
    if (result_.outcome == CheckOutcome::failed) failures_ = result_.reason;
  }

  void matching(const char* name, const char* what, const base::ProcessOutput& output,
                bool wanted) {
    const auto pattern = parameters_.text(name);
    if (!pattern) return;
    const auto found = matches(output, *pattern);
    if (!found) return doubt(found.error().message);
    const std::string shown = base::in_quotes(*pattern);
    if (!found->has_value()) {
      return doubt(std::string(what) + " is longer than what is kept of it, and " + shown +
                   " is not in that; raise output_max");
    }
    if (**found == wanted) return;
    fail(std::string(what) + (wanted ? " does not match " : " matches ") + shown +
         (wanted ? "" : ", which it must not"));
  }

  void json(const base::ProcessOutput& output) {
    if (!parameters_.has("stdout_json")) return;
    if (output.cut) {
      return doubt("standard output is longer than what is kept of it; raise output_max");
    }
    const auto parsed = base::parse_json(
        output.text, {base::limits::kCheckOutputBytesMost, base::limits::kDocumentDepthMax});
    if (!parsed) return fail("standard output is not JSON: " + parsed.error().message);
    const auto value = parameters_.value("stdout_json", Json{{"output", *parsed}});
    if (!value) return doubt(value.error().message);
    const std::string written = parameters_.text("stdout_json").value_or("stdout_json");
    if (!value->is_boolean()) {
      return doubt(written + " gives " + std::string(base::json_type_name(*value)) +
                   ", wanted true or false");
    }
    if (!value->get<bool>()) fail(written + " is false");
  }

  /// Something that is not so weighs more than something that is not known.
  CheckResult result() {
    if (failures_.empty() && doubts_.empty()) return std::move(result_);
    result_.outcome = failures_.empty() ? CheckOutcome::errored : CheckOutcome::failed;
    result_.reason = failures_.empty() ? doubts_ : failures_;
    return std::move(result_);
  }

 private:
  static void add(std::string& list, const std::string& text) {
    list += (list.empty() ? "" : "; ") + text;
  }
  void fail(const std::string& text) { add(failures_, text); }
  void doubt(const std::string& text) { add(doubts_, text); }

  Parameters parameters_;
  CheckResult result_;
  std::string failures_;
  std::string doubts_;
};

}  // namespace

CheckResult check_command(const Ask& ask) {
  auto prepared = program_of(ask);
  if (auto* instead = std::get_if<CheckResult>(&prepared)) return std::move(*instead);
  const auto& program = std::get<Program>(prepared);
  const base::ProcessResult process = base::run_process(program.request);
  CheckResult result = result_of(ask, program, process);
  if (result.outcome == CheckOutcome::errored) return result;
  Verdict verdict(ask, std::move(result));
  verdict.matching("stdout_matches", "standard output", process.out, true);
  verdict.matching("stdout_lacks", "standard output", process.out, false);
  verdict.matching("stderr_matches", "standard error", process.err, true);
  verdict.matching("stderr_lacks", "standard error", process.err, false);
  verdict.json(process.out);
  return verdict.result();
}

}  // namespace phasegate::world::checks
