#include "gating/expression_eval.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "gating/expression_functions.h"
#include "gating/expression_values.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;
using Node = ExpressionNode;
using Kind = ExpressionNode::Kind;
using Step = ExpressionNode::Step;
using Value = ExpressionValue;

namespace {

const Json& null_value() {
  static const Json kNull;
  return kNull;
}

/// Evaluates node by node; nullopt means that error_ says why. Recursion is as deep as the text is
/// nested, which the parser has bounded.
class Evaluation {
 public:
  Evaluation(const ExpressionTree& tree, const Json& scope, const CheckCaller& call)
      : tree_(tree), scope_(scope), call_(call) {}

  Result<Json> run() {
    auto value = of(tree_.root);
    if (!value) return *error_;
    return std::move(*value).taken();
  }

 private:
  using Outcome = std::optional<Value>;

  std::nullopt_t fail(std::size_t at, const std::string& problem, std::string hint = "") {
    error_ = expression_error("expression_failed", tree_.text, at, problem, std::move(hint));
    return std::nullopt;
  }
  std::nullopt_t fail(const Node& node, const std::string& problem, std::string hint = "") {
    return fail(node.begin, problem, std::move(hint));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Outcome of(std::uint32_t id) {
    const Node& node = tree_.nodes[id];
    if (!budget_.take()) return fail(node, std::string(kTooManySteps));
    switch (node.kind) {
      case Kind::literal:
        return Value::of(node.value);
      case Kind::list:
        return list(node);
      case Kind::name:
        return name(node);
      case Kind::postfix:
        return postfix(node);
      case Kind::builtin:
        return builtin(node);
      case Kind::named:
        return named(node);
      case Kind::inverse: {
        const auto flag = boolean(node.children[0], "not");
        if (!flag) return std::nullopt;
        return Value(Json(!*flag));
      }
      case Kind::negative:
        return negative(node);
      case Kind::comparison:
        return comparison(node);
      case Kind::chain:
        return chain(node);
      case Kind::all:
      case Kind::some:
        return logical(node);
    }
    return std::nullopt;
  }

  /// A value that must be true or false: nothing else counts as either.
  std::optional<bool> boolean(std::uint32_t id, std::string_view user) {
    const auto value = of(id);
    if (!value) return std::nullopt;
    const Node& node = tree_.nodes[id];
    if (!value->get().is_boolean()) {
      fail(node, std::string(user) + " needs true or false, got " + value_in_words(value->get()),
           "compare it with something: nothing else counts as true or false");
      return std::nullopt;
    }
    return value->get().get<bool>();
  }

  Outcome logical(const Node& node) {
    const bool all = node.kind == Kind::all;
    for (const std::uint32_t child : node.children) {
      const auto flag = boolean(child, all ? "and" : "or");
      if (!flag) return std::nullopt;
      if (*flag != all) return Value(Json(*flag));
    }
    return Value(Json(all));
  }

  Outcome list(const Node& node) {
    Json items = Json::array();
    for (const std::uint32_t child : node.children) {
      auto value = of(child);
      if (!value) return std::nullopt;
      if (!affordable(value->get())) return fail(node, std::string(kTooManySteps));
      items.push_back(std::move(*value).taken());
    }
    return Value(std::move(items));
  }

  /// Pays for a copy of a value.
  // NOLINTNEXTLINE(misc-no-recursion)
  bool affordable(const Json& value) {
    if (value.is_string()) return budget_.take_bytes(value.get_ref<const std::string&>().size());
    if (!value.is_structured()) return true;
    if (!budget_.take_items(value.size())) return false;
    for (const Json& item : value) {
      if (!affordable(item)) return false;
    }
    return true;
  }

  Outcome name(const Node& node) {
    const Json* scope = &scope_;
    if (!node.via.empty()) {
      if (const Json* own = base::find_member(scope_, node.via)) scope = own;
    }
    if (const Json* value = find_name(*scope, node.name)) return Value::of(*value);
    return fail(node, "there is no " + base::in_quotes(node.name) + " here",
                nearest_member(*scope, node.name, ""));
  }

  /// The part of the text that names a value, for messages.
  [[nodiscard]] std::string written(const Node& node, std::size_t steps) const {
    constexpr std::size_t kShownBytesMax = 80;
    const std::size_t begin = tree_.nodes[node.children[0]].begin;
    const std::size_t end =
        steps == 0 ? tree_.nodes[node.children[0]].end : node.steps[steps - 1].end;
    return base::shortened(std::string_view(tree_.text).substr(begin, end - begin), kShownBytesMax);
  }

  Outcome postfix(const Node& node) {
    auto value = of(node.children[0]);
    const Json* holder = nullptr;  // what the last step looked in, for a nearest name
    for (std::size_t i = 0; value && i < node.steps.size(); ++i) {
      const Step& step = node.steps[i];
      if (!budget_.take()) return fail(step.begin, std::string(kTooManySteps));
      const Json* next_holder = value->kept();
      auto next = step_of(node, i, *value, holder);
      value = std::move(next);
      holder = next_holder;
    }
    return value;
  }

  Outcome step_of(const Node& node, std::size_t i, const Value& value, const Json* holder) {
    const Step& step = node.steps[i];
    const Json& of_what = value.get();
    switch (step.kind) {
      case Step::Kind::includes:
        return includes(step, of_what, written(node, i));
      case Step::Kind::index:
        return indexed(node, i, value, holder);
      case Step::Kind::length:
        if (of_what.is_array()) return Value(Json(of_what.size()));
        if (of_what.is_string()) {
          const auto& text = of_what.get_ref<const std::string&>();
          if (!budget_.take_bytes(text.size())) return fail(step.begin, std::string(kTooManySteps));
          return Value(Json(base::utf8_length(text)));
        }
        return member(node, i, value, step.name, holder);
      case Step::Kind::member:
        return member(node, i, value, step.name, holder);
    }
    return std::nullopt;
  }

  /// A member that an object does not have is null; anything but an object has none, null itself
  /// included, so that a name written wrong is no way past a comparison.
  Outcome member(const Node& node, std::size_t i, const Value& value, const std::string& name,
                 const Json* holder) {
    const Json& of_what = value.get();
    const Step& step = node.steps[i];
    if (of_what.is_object()) {
      if (!budget_.take_items(of_what.size())) return fail(step.begin, std::string(kTooManySteps));
      const Json* found = base::find_member(of_what, name);
      if (found == nullptr) return Value::of(null_value());
      // What stands in a value of our own goes away with it.
      if (value.kept() == nullptr) return Value(*found);
      return Value::of(*found);
    }
    std::string hint;
    if (of_what.is_null() && holder != nullptr && i > 0 &&
        node.steps[i - 1].kind == Step::Kind::member &&
        base::find_member(*holder, node.steps[i - 1].name) == nullptr) {
      hint = nearest_member(*holder, node.steps[i - 1].name, written(node, i - 1) + ".");
    }
    return fail(step.begin,
                written(node, i) + " is " + value_in_words(of_what) + ", which has no member " +
                    base::in_quotes(base::shortened(name, 80)),
                std::move(hint));
  }

  Outcome indexed(const Node& node, std::size_t i, const Value& value, const Json* holder) {
    const Step& step = node.steps[i];
    const auto index = of(step.child);
    if (!index) return std::nullopt;
    const Json& key = index->get();
    if (key.is_string()) return member(node, i, value, key.get_ref<const std::string&>(), holder);
    const Json& of_what = value.get();
    const auto number = base::as_integer(key);
    if (!number || !of_what.is_array()) {
      return fail(step.begin,
                  "brackets take a whole number of a list or a name of an object, got " +
                      value_in_words(key) + " of " + value_in_words(of_what));
    }
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= of_what.size()) {
      return Value::of(null_value());
    }
    const Json& item = of_what[static_cast<std::size_t>(*number)];
    if (value.kept() == nullptr) return Value(item);
    return Value::of(item);
  }

  Outcome includes(const Step& step, const Json& holder, const std::string& what) {
    const auto value = of(step.child);
    if (!value) return std::nullopt;
    std::string problem;
    const auto found = contains(holder, value->get(), budget_, problem);
    if (!found) return fail(step.begin, what + ".includes(): " + problem);
    return Value(Json(*found));
  }

  /// nullopt: error_ says why.
  std::optional<std::vector<Value>> arguments(const Node& node) {
    std::vector<Value> values;
    values.reserve(node.children.size());
    for (const std::uint32_t child : node.children) {
      auto value = of(child);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
    }
    return values;
  }

  Outcome builtin(const Node& node) {
    const auto values = arguments(node);
    if (!values) return std::nullopt;
    std::string problem;
    auto result =
        apply_builtin(node.builtin, *values, scope_, node.pattern.get(), budget_, problem);
    if (!result) return fail(node, node.name + "(): " + problem);
    return result;
  }

  Outcome named(const Node& node) {
    auto values = arguments(node);
    if (!values) return std::nullopt;
    std::vector<Json> copies;
    for (Value& value : *values) {
      if (!affordable(value.get())) return fail(node, std::string(kTooManySteps));
      copies.push_back(std::move(value).taken());
    }
    if (!call_) return fail(node, "named checks cannot be called here");
    const auto passed = call_(node.name, copies);
    if (!passed) {
      return fail(node, node.name + "(): " + passed.error().message, passed.error().hint);
    }
    return Value(Json(*passed));
  }

  Outcome negative(const Node& node) {
    const auto value = of(node.children[0]);
    if (!value) return std::nullopt;
    std::string problem;
    auto result = negated(value->get(), problem);
    if (!result) return fail(node, problem);
    return Value(std::move(*result));
  }

  Outcome comparison(const Node& node) {
    const auto left = of(node.children[0]);
    if (!left) return std::nullopt;
    const auto right = of(node.children[1]);
    if (!right) return std::nullopt;
    const ExpressionOp op = node.ops[0];
    if (op == ExpressionOp::eq || op == ExpressionOp::ne) {
      const auto same = strictly_equal(left->get(), right->get(), budget_);
      if (!same) return fail(node, std::string(kTooManySteps));
      return Value(Json(*same == (op == ExpressionOp::eq)));
    }
    return combined(node, op, left->get(), right->get());
  }

  Outcome combined(const Node& node, ExpressionOp op, const Json& left, const Json& right) {
    std::string problem;
    auto result = computed(op, left, right, budget_, problem);
    if (!result) return fail(node, problem);
    return Value(std::move(*result));
  }

  Outcome chain(const Node& node) {
    auto left = of(node.children[0]);
    for (std::size_t i = 0; left && i < node.ops.size(); ++i) {
      const auto right = of(node.children[i + 1]);
      if (!right) return std::nullopt;
      left = combined(node, node.ops[i], left->get(), right->get());
    }
    return left;
  }

  const ExpressionTree& tree_;
  const Json& scope_;
  const CheckCaller& call_;
  StepBudget budget_;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> evaluate_expression(const ExpressionTree& tree, const Json& scope,
                                 const CheckCaller& call) {
  return Evaluation(tree, scope, call).run();
}

}  // namespace phasegate::gating
