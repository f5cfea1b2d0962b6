#include "world/checks/verdict.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/printed.h"

namespace phasegate::world::checks {

using gating::CheckOutcome;
using gating::CheckResult;

namespace {

void append(std::string& list, const std::string& text) {
  list += (list.empty() ? "" : "; ") + text;
}

}  // namespace

Verdict::Verdict(const Ask& ask, CheckResult result)
    : parameters_(ask),
      takes_more_(ask.check.kind != phases::CheckKind::http),
      result_(std::move(result)) {
  if (result_.outcome == CheckOutcome::failed) failures_ = result_.reason;
}

void Verdict::fail(const std::string& why) {
  append(failures_, why);
}

void Verdict::doubt(const std::string& why) {
  append(doubts_, why);
}

void Verdict::cut(const char* name, const char* what) {
  doubt(std::string(what) + " is longer than what is kept of it, so " + name + " cannot be judged");
  hint_ =
      takes_more_ ? "let it print less, or the workflow's author keeps more of it: output_max" : "";
}

void Verdict::matching(const char* name, const char* what, const base::ProcessOutput& text,
                       bool wanted) {
  const auto pattern = parameters_.text(name);
  if (!pattern) return;
  if (text.cut) return cut(name, what);
  const auto found = matches(text.text, *pattern);
  if (!found) return doubt(found.error().message);
  const std::string shown = base::in_quotes(*pattern);
  if (*found == wanted) return;
  fail(std::string(what) + (wanted ? " does not match " : " matches ") + shown +
       (wanted ? "" : ", which it must not"));
}

void Verdict::json(const char* name, const char* what, const base::ProcessOutput& text) {
  if (!parameters_.has(name)) return;
  if (text.cut) return cut(name, what);
  const auto parsed = base::parse_json(
      text.text, {base::limits::kCheckOutputBytesMost, base::limits::kDocumentDepthMax});
  if (!parsed) return fail(std::string(what) + " is not JSON: " + parsed.error().message);
  base::Json names = base::Json::object();
  names["output"] = *parsed;
  const auto value = parameters_.value(name, names);
  if (!value) return doubt(value.error().message);
  const std::string written = parameters_.text(name).value_or(name);
  if (!value->is_boolean()) {
    return doubt(base::in_quotes(written) + " gives " + std::string(base::json_type_name(*value)) +
                 ", wanted true or false");
  }
  if (!value->get<bool>()) {
    fail(base::in_quotes(written) + " is false of " + what + parameters_.behind(name, names));
  }
}

CheckResult Verdict::result() {
  if (failures_.empty() && doubts_.empty()) return std::move(result_);
  result_.outcome = failures_.empty() ? CheckOutcome::errored : CheckOutcome::failed;
  result_.reason = failures_.empty() ? doubts_ : failures_;
  if (failures_.empty() && result_.hint.empty()) result_.hint = hint_;
  return std::move(result_);
}

std::string wanted_text(const std::vector<std::int64_t>& codes) {
  std::string text;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (i > 0) text += i + 1 == codes.size() ? " or " : ", ";
    text += std::to_string(codes[i]);
  }
  return text;
}

}  // namespace phasegate::world::checks
