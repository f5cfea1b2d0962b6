#include "gating/engine/check_runner.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "gating/engine/check_scope.h"
#include "gating/named_values.h"
#include "phases/check_json.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// Definitions refuse named checks that call each other in a circle; this is for damaged ones.
constexpr int kCallsMax = 8;
/// What is told of named checks that failed within one expression.
constexpr std::size_t kReasonsMax = 4;
constexpr std::size_t kReasonBytesMax = 300;

}  // namespace

CheckRunner::CheckRunner(const Setting& setting, const Json& scope)
    : setting_(setting), scope_(std::make_unique<Json>(scope)) {}
CheckRunner::~CheckRunner() = default;

CheckScene CheckRunner::scene(const Json& scope) {
  CheckScene scene{
      scope, setting_.started, setting_.entered,    setting_.entered_at, setting_.run_id, {},
      {},    setting_.go_on,   setting_.environment};
  scene.named = [this](const std::string& name, const std::vector<Json>& arguments) {
    return call(name, arguments);
  };
  for (const phases::Check& named : setting_.workflow.checks) scene.callable.push_back(named.name);
  return scene;
}

CheckResult CheckRunner::evaluate(const phases::Check& check, const Json& scope) {
  const auto parameters = phases::parameters_of(check);
  if (!parameters) return errored(check, parameters.error().message);
  const Json* that = base::find_member(*parameters, "that");
  if (that == nullptr || !that->is_string()) return errored(check, "there is no expression");
  const CheckScene here = scene(scope);
  const auto expression = Expression::parse(that->get_ref<const std::string&>(), here.callable);
  if (!expression) return errored(check, expression.error().message, expression.error().hint);
  // What named checks say while this one is evaluated is about this one, not about its caller.
  std::vector<std::string> outer;
  outer.swap(reasons_);
  const auto value = expression->evaluate(scope, here.named);
  outer.swap(reasons_);
  if (!value) return errored(check, value.error().message, value.error().hint);
  if (!value->is_boolean()) {
    return errored(check, "the expression gives " + base::shortened(base::dump(*value), 80) +
                              ", wanted true or false");
  }
  CheckResult result = errored(check, "");
  result.outcome = value->get<bool>() ? CheckOutcome::passed : CheckOutcome::failed;
  if (result.outcome == CheckOutcome::failed) {
    const std::string why =
        outer.empty() ? named_values(*expression, scope) : base::joined(outer, "; ");
    result.reason = result.subject + " is false" + (why.empty() ? "" : ": " + why);
  }
  result.value = base::dump(*value);
  return result;
}

CheckResult CheckRunner::carry_out(const phases::Check& check, const Json& scope) {
  if (check.kind == phases::CheckKind::expr) return evaluate(check, scope);
  if (!setting_.untrusted.empty() && phases::needs_trust(check)) {
    return errored(check, setting_.untrusted, setting_.how_to_trust);
  }
  return setting_.world.run(check, scene(scope));
}

Result<bool> CheckRunner::call(const std::string& name, const std::vector<Json>& arguments) {
  const auto& named = setting_.workflow.checks;
  const auto check = std::find_if(named.begin(), named.end(),
                                  [&](const phases::Check& one) { return one.name == name; });
  if (check == named.end()) {
    return Error{"expression_failed", "there is no check " + base::in_quotes(name), "", ""};
  }
  if (calls_ >= kCallsMax) {
    return Error{"expression_failed", "checks call each other too deeply", "", ""};
  }
  Json scope = *scope_;
  scope["args"] = arguments;
  scope["arg"] = arguments.empty() ? Json() : arguments.front();
  ++calls_;
  const CheckResult result = carry_out(*check, scope);
  --calls_;
  if (result.outcome == CheckOutcome::passed) return true;
  if (result.outcome == CheckOutcome::failed) {
    if (reasons_.size() < kReasonsMax && !result.reason.empty()) {
      reasons_.push_back(base::shortened(result.reason, kReasonBytesMax));
    }
    return false;
  }
  return Error{"expression_failed", name + "(): " + result.reason, result.hint, ""};
}

const CheckResult* CheckRunner::reusable(const phases::Check& check,
                                         const std::string& digest) const {
  if (digest.empty() || setting_.earlier == nullptr) return nullptr;
  for (const CheckResult& result : *setting_.earlier) {
    if (result.name == check.name && result.kind == check.kind &&
        result.outcome == CheckOutcome::passed && result.inputs_digest == digest) {
      return &result;
    }
  }
  return nullptr;
}

CheckResult CheckRunner::look(const phases::Check& check) {
  const base::TimePoint begun = setting_.clock.now();
  CheckResult result = carry_out(check, *scope_);
  result.at = begun;
  return result;
}

CheckResult CheckRunner::found(CheckResult result) {
  add_result(*scope_, result);
  return result;
}

CheckResult CheckRunner::run(const phases::Check& check) {
  const base::TimePoint begun = setting_.clock.now();
  std::string digest;
  if (check.cache_inputs) digest = setting_.world.inputs_digest(check, scene(*scope_));
  const bool may_run = setting_.untrusted.empty() || !phases::needs_trust(check);
  const CheckResult* known = may_run ? reusable(check, digest) : nullptr;
  CheckResult result = known != nullptr ? *known : carry_out(check, *scope_);
  if (known != nullptr) {
    result.reused = true;
  } else {
    result.at = begun;
    // What changed while it was looked at was not looked at.
    const bool same =
        !digest.empty() && setting_.world.inputs_digest(check, scene(*scope_)) == digest;
    result.inputs_digest = same ? digest : "";
  }
  add_result(*scope_, result);
  return result;
}

}  // namespace phasegate::gating::engine
