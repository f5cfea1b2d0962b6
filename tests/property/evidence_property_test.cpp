#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/json.h"
#include "gating/evidence.h"
#include "tests/support/workflows.h"

/// Invariant 3 for random gates: what a gate publishes as its example opens it, and nothing that
/// breaks one of its rules does.
namespace phasegate::gating {
namespace {

using base::Json;
using phases::Requirement;
using phases::ValueType;

/// A bound that is there half of the time.
std::optional<std::int64_t> maybe(std::int64_t low, std::int64_t high) {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return *rc::gen::inRange(low, high);
}

Requirement random_requirement(std::size_t number) {
  Requirement made;
  made.name = "field_" + std::to_string(number);
  made.type = *rc::gen::element(ValueType::boolean, ValueType::integer, ValueType::number,
                                ValueType::string, ValueType::array, ValueType::object);
  made.required = *rc::gen::inRange(0, 4) != 0;
  made.source = {"workflow.yaml", 3, 0};
  if (made.type == ValueType::integer || made.type == ValueType::number) {
    if (const auto low = maybe(-50, 50)) made.minimum = static_cast<double>(*low);
    if (const auto span = maybe(0, 20)) {
      made.maximum = made.minimum.value_or(0) + static_cast<double>(*span);
    }
  } else if (made.type == ValueType::string) {
    made.min_length = maybe(0, 40);
    if (const auto span = maybe(1, 40)) made.max_length = made.min_length.value_or(0) + *span;
  } else if (made.type == ValueType::array) {
    made.min_items = maybe(0, 6);
    if (const auto span = maybe(1, 6)) made.max_items = made.min_items.value_or(0) + *span;
    if (*rc::gen::arbitrary<bool>()) {
      made.items = phases::ItemRule{};
      made.items->type = *rc::gen::element(ValueType::string, ValueType::integer);
      if (made.items->type == ValueType::string) made.items->min_length = maybe(1, 20);
    }
  }
  return made;
}

/// Changes that break a rule of this field, if it has one that can be broken.
std::optional<Json> broken(const Requirement& r) {
  if (r.type == ValueType::boolean) return r.required ? std::optional<Json>(false) : std::nullopt;
  if (r.type == ValueType::integer || r.type == ValueType::number) {
    if (r.minimum) return Json(*r.minimum - 1);
    if (r.maximum) return Json(*r.maximum + 1);
    return Json(true);
  }
  if (r.type == ValueType::string) {
    if (r.max_length) return Json(std::string(static_cast<std::size_t>(*r.max_length) + 1, 'x'));
    return r.required ? std::optional<Json>("  ") : std::nullopt;
  }
  if (r.type != ValueType::array) return Json::array();
  if (r.items && r.items->type == ValueType::string) return Json{" ", " ", " ", " ", " ", " "};
  if (r.max_items) return Json(std::vector<int>(static_cast<std::size_t>(*r.max_items) + 1, 1));
  return Json::object();
}

TEST_CASE("invariant 3: a gate opens for its own example and for nothing that breaks a rule") {
  CHECK(rc::check("random gates", [] {
    phases::Gate gate;
    const auto count = *rc::gen::inRange<std::size_t>(1, 8);
    for (std::size_t i = 0; i < count; ++i) gate.requirements.push_back(random_requirement(i));
    const auto compiled = EvidenceGate::compile(gate);
    RC_ASSERT(compiled.ok());
    RC_ASSERT(compiled->example_is_complete());
    const Json good = compiled->example();
    RC_ASSERT(compiled->judge(good).problems.empty());

    const Requirement& chosen = gate.requirements[*rc::gen::inRange<std::size_t>(0, count)];
    Json without = good;
    without.erase(chosen.name);
    RC_ASSERT(compiled->judge(without).problems.empty() == !chosen.required);
    if (const auto wrong = broken(chosen)) {
      Json evidence = good;
      evidence[chosen.name] = *wrong;
      const auto verdict = compiled->judge(evidence);
      RC_ASSERT(!verdict.problems.empty());
      for (const FieldProblem& problem : verdict.problems) RC_ASSERT(problem.field == chosen.name);
    }
  }));
}

TEST_CASE("aliases: a value gets the same verdict under another name as under the published one") {
  CHECK(rc::check("random gates", [] {
    phases::Gate gate;
    const auto count = *rc::gen::inRange<std::size_t>(1, 8);
    for (std::size_t i = 0; i < count; ++i) {
      gate.requirements.push_back(random_requirement(i));
      gate.requirements.back().aliases = {"Other name of " + std::to_string(i)};
    }
    const auto compiled = EvidenceGate::compile(gate);
    RC_ASSERT(compiled.ok());
    Json named = compiled->example();
    const Requirement& chosen = gate.requirements[*rc::gen::inRange<std::size_t>(0, count)];
    if (const auto wrong = broken(chosen); wrong && *rc::gen::arbitrary<bool>()) {
      named[chosen.name] = *wrong;
    }
    Json aliased = Json::object();
    for (const auto& [name, value] : named.items()) {
      const bool other = name == chosen.name || *rc::gen::arbitrary<bool>();
      const std::string number = name.substr(std::string("field_").size());
      const std::string alias = *rc::gen::element<std::string>(
          "Other name of " + number, "other_name_of_" + number, "OTHER-name  of: " + number);
      aliased[other ? alias : name] = value;
    }
    const auto by_name = compiled->judge(named);
    const auto by_alias = compiled->judge(aliased);
    RC_ASSERT(by_alias.problems == by_name.problems);
    RC_ASSERT(by_alias.self_attested == by_name.self_attested);
    RC_ASSERT(by_alias.extra_fields == by_name.extra_fields);
    RC_ASSERT(!by_alias.aliases_taken.empty());
    RC_ASSERT(*compiled->published(aliased).evidence == named);
  }));
}

}  // namespace
}  // namespace phasegate::gating
