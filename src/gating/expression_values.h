#pragma once
#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/limits.h"
#include "gating/expression_tree.h"

namespace phasegate::gating {

/// The values that an evaluation makes on its way; they stay as long as it does.
class ValueStore {
 public:
  /// Keeps a new value.
  [[nodiscard]] const base::Json& keep(base::Json value);
  [[nodiscard]] static const base::Json& null();

 private:
  std::list<base::Json> kept_;
};

/// What one evaluation may still do. Looking through long texts and lists costs steps as well, so
/// that work is bounded whatever the evidence holds.
class StepBudget {
 public:
  /// False: the limit is reached.
  [[nodiscard]] bool take(std::size_t steps = 1) {
    if (steps > left_) {
      left_ = 0;
      return false;
    }
    left_ -= steps;
    return true;
  }
  [[nodiscard]] bool take_bytes(std::size_t bytes) { return take(bytes / kBytesPerStep); }
  [[nodiscard]] bool take_items(std::size_t items) { return take(items / kItemsPerStep); }

 private:
  static constexpr std::size_t kBytesPerStep = 4096;
  static constexpr std::size_t kItemsPerStep = 16;
  std::size_t left_ = base::limits::kExpressionStepsMax;
};
inline constexpr std::string_view kTooManySteps = "this takes more steps than an expression may";

/// Equality without coercion: 1 and 1.0 are equal, 1 and "1" are not; lists item by item, objects
/// whatever the order of their members. nullopt: the budget is spent.
[[nodiscard]] std::optional<bool> strictly_equal(const base::Json& a, const base::Json& b,
                                                 StepBudget& budget);

/// `a op b` for an ordering or arithmetic. nullopt: `problem` says why.
[[nodiscard]] std::optional<base::Json> computed(ExpressionOp op, const base::Json& a,
                                                 const base::Json& b, StepBudget& budget,
                                                 std::string& problem);

/// `-a`; nullopt as above.
[[nodiscard]] std::optional<base::Json> negated(const base::Json& a, std::string& problem);

/// `a text`, `the number 3`, `null`: a value for a message, shortened.
[[nodiscard]] std::string value_in_words(const base::Json& value);

[[nodiscard]] std::string_view to_text(ExpressionOp op);

}  // namespace phasegate::gating
