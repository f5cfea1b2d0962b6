#include "world/checks/step_files.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

constexpr std::size_t kObservedBytesMax = 64U << 20U;
constexpr std::size_t kSubjectBytesMax = 200;

}  // namespace

Result<std::optional<std::string>> digest_at_entry(const gating::engine::CheckScene& scene,
                                                   std::string_view path) {
  if (scene.entered.empty()) return std::optional<std::string>();
  const auto seen =
      base::parse_json(scene.entered, {kObservedBytesMax, base::limits::kDocumentDepthMax});
  if (!seen || !seen->is_object()) {
    return Error{"damaged_state", "what was observed when the phase was entered is damaged", "",
                 ""};
  }
  return base::string_member(*seen, path);
}

Result<bool> written_in_step(const gating::engine::CheckScene& scene, std::string_view path,
                             const OpenedFile& file) {
  const auto before = digest_at_entry(scene, path);
  if (!before) return before.error();
  if (!before->has_value()) return file.modified() >= scene.entered_at;
  const auto now = file.sha256();
  if (!now) return now.error();
  return *now != **before;
}

Result<Report> read_report(const Ask& ask, std::string_view parameter, std::size_t bytes_max,
                           bool in_step) {
  auto path = Parameters(ask).path(parameter);
  if (!path) return path.error();
  const auto file = OpenedFile::open(ask.place.root, *path);
  if (!file) {
    Error error = file.error();
    if (error.code == "not_found") error.hint = nearest_file_hint(ask.place.root, *path);
    return error;
  }
  auto text = file->bytes(bytes_max);
  if (!text) return text.error();
  if (in_step) {
    const auto written = written_in_step(ask.scene, *path, *file);
    if (!written) return written.error();
    if (!*written) {
      return Error{"not_written", shown_path(*path) + " was not written in this phase",
                   "run what writes it again, now that the work of this phase is done", *path};
    }
  }
  return Report{std::move(path).value(), std::move(text).value()};
}

gating::CheckResult without_file(const Ask& ask, const Error& error) {
  const bool is_so =
      error.code == "not_found" || error.code == "not_a_file" || error.code == "not_written";
  auto result =
      is_so ? failed(ask, error.message, error.hint) : unclear(ask, error.message, error.hint);
  // A parameter that could not be filled names itself, not a path.
  return error.where.empty() || error.code == "invalid_check" || error.code == "template_failed"
             ? result
             : about(std::move(result), error.where);
}

gating::CheckResult about(gating::CheckResult result, std::string_view path) {
  result.subject = base::shortened(base::to_utf8(path), kSubjectBytesMax);
  return result;
}

}  // namespace phasegate::world::checks
