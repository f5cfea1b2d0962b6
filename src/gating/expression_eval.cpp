#include "gating/expression_eval.h"

#include <optional>
#include <utility>

#include "base/json.h"
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

namespace {

/// Evaluates node by node; a null pointer means that error_ says why. Recursion is as deep as the
/// text is nested, which the parser has bounded.
class Evaluation {
 public:
  Evaluation(const ExpressionTree& tree, const Json& scope, const CheckCaller& call)
      : tree_(tree), scope_(scope), call_(call) {}

  Result<Json> run() {
    const Json* value = of(tree_.root);
    if (value == nullptr) return *error_;
    return *value;
  }

 private:
  using Outcome = const Json*;

  std::nullptr_t fail(std::size_t at, const std::string& problem, std::string hint = "") {
    error_ = expression_error("expression_failed", tree_.text, at, problem, std::move(hint));
    return nullptr;
  }
  std::nullptr_t fail(const Node& node, const std::string& problem, std::string hint = "") {
    return fail(node.begin, problem, std::move(hint));
  }

  Outcome made(Json value) { return &values_.keep(std::move(value)); }

  // NOLINTNEXTLINE(misc-no-recursion)
  Outcome of(std::uint32_t id) {
    const Node& node = tree_.nodes[id];
    if (!budget_.take()) return fail(node, std::string(kTooManySteps));
    switch (node.kind) {
      case Kind::literal:
        return &tree_.literals[node.literal];
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
        if (!flag) return nullptr;
        return made(Json(!*flag));
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
    return nullptr;
  }

  /// A value that must be true or false: nothing else counts as either.
  std::optional<bool> boolean(std::uint32_t id, std::string_view user) {
    const Json* value = of(id);
    if (value == nullptr) return std::nullopt;
    const Node& node = tree_.nodes[id];
    if (!value->is_boolean()) {
      fail(node, std::string(user) + " needs true or false, got " + value_in_words(*value),
           "compare it with something: nothing else counts as true or false");
      return std::nullopt;
    }
    return value->get<bool>();
  }

  Outcome logical(const Node& node) {
    const bool all = node.kind == Kind::all;
    for (const std::uint32_t child : node.children) {
      const auto flag = boolean(child, all ? "and" : "or");
      if (!flag) return nullptr;
      if (*flag != all) return made(Json(*flag));
    }
    return made(Json(all));
  }

  Outcome list(const Node& node) {
    Json items = Json::array();
    for (const std::uint32_t child : node.children) {
      const Json* value = of(child);
      if (value == nullptr) return nullptr;
      if (!affordable(*value)) return fail(node, std::string(kTooManySteps));
      items.push_back(*value);
    }
    return made(std::move(items));
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
    if (const Json* value = find_name(*scope, node.name)) return &*value;
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
    const Json* value = of(node.children[0]);
    const Json* holder = nullptr;  // what the last step looked in, for a nearest name
    for (std::size_t i = 0; value != nullptr && i < node.steps.size(); ++i) {
      if (!budget_.take()) return fail(node.steps[i].begin, std::string(kTooManySteps));
      const Json* next = step_of(node, i, *value, holder);
      holder = value;
      value = next;
    }
    return value;
  }

  Outcome step_of(const Node& node, std::size_t i, const Json& of_what, const Json* holder) {
    const Step& step = node.steps[i];
    switch (step.kind) {
      case Step::Kind::includes:
        return includes(step, of_what, written(node, i));
      case Step::Kind::index:
        return indexed(node, i, of_what, holder);
      case Step::Kind::length:
        if (of_what.is_array()) return made(Json(of_what.size()));
        if (of_what.is_string()) {
          const auto& text = of_what.get_ref<const std::string&>();
          if (!budget_.take_bytes(text.size())) return fail(step.begin, std::string(kTooManySteps));
          return made(Json(base::utf8_length(text)));
        }
        return member(node, i, of_what, step.name, holder);
      case Step::Kind::member:
        return member(node, i, of_what, step.name, holder);
    }
    return nullptr;
  }

  /// A member that an object does not have is null; anything but an object has none, null itself
  /// included, so that a name written wrong is no way past a comparison.
  Outcome member(const Node& node, std::size_t i, const Json& of_what, const std::string& name,
                 const Json* holder) {
    const Step& step = node.steps[i];
    if (of_what.is_object()) {
      if (!budget_.take_items(of_what.size())) return fail(step.begin, std::string(kTooManySteps));
      const Json* found = base::find_member(of_what, name);
      if (found == nullptr) return &ValueStore::null();
      return &*found;
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

  Outcome indexed(const Node& node, std::size_t i, const Json& of_what, const Json* holder) {
    const Step& step = node.steps[i];
    const Json* index = of(step.child);
    if (index == nullptr) return nullptr;
    const Json& key = *index;
    if (key.is_string()) return member(node, i, of_what, key.get_ref<const std::string&>(), holder);
    const auto number = base::as_integer(key);
    if (!number || !of_what.is_array()) {
      return fail(step.begin,
                  "brackets take a whole number of a list or a name of an object, got " +
                      value_in_words(key) + " of " + value_in_words(of_what));
    }
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= of_what.size()) {
      return &ValueStore::null();
    }
    const Json& item = of_what[static_cast<std::size_t>(*number)];
    return &item;
  }

  Outcome includes(const Step& step, const Json& holder, const std::string& what) {
    const Json* value = of(step.child);
    if (value == nullptr) return nullptr;
    std::string problem;
    const auto found = contains(holder, *value, budget_, problem);
    if (!found) return fail(step.begin, what + ".includes(): " + problem);
    return made(Json(*found));
  }

  /// nullopt: error_ says why.
  std::optional<std::vector<const Json*>> arguments(const Node& node) {
    std::vector<const Json*> values;
    values.reserve(node.children.size());
    for (const std::uint32_t child : node.children) {
      const Json* value = of(child);
      if (value == nullptr) return std::nullopt;
      values.push_back(value);
    }
    return values;
  }

  Outcome builtin(const Node& node) {
    const auto values = arguments(node);
    if (!values) return nullptr;
    std::string problem;
    auto result =
        apply_builtin(node.builtin, *values, scope_, node.pattern.get(), budget_, problem);
    if (!result) return fail(node, node.name + "(): " + problem);
    return made(std::move(*result));
  }

  Outcome named(const Node& node) {
    auto values = arguments(node);
    if (!values) return nullptr;
    std::vector<Json> copies;
    for (const Json* value : *values) {
      if (!affordable(*value)) return fail(node, std::string(kTooManySteps));
      copies.push_back(*value);
    }
    if (!call_) return fail(node, "named checks cannot be called here");
    const auto passed = call_(node.name, copies);
    if (!passed) {
      return fail(node, node.name + "(): " + passed.error().message, passed.error().hint);
    }
    return made(Json(*passed));
  }

  Outcome negative(const Node& node) {
    const Json* value = of(node.children[0]);
    if (value == nullptr) return nullptr;
    std::string problem;
    auto result = negated(*value, problem);
    if (!result) return fail(node, problem);
    return made(std::move(*result));
  }

  Outcome comparison(const Node& node) {
    const Json* left = of(node.children[0]);
    if (left == nullptr) return nullptr;
    const Json* right = of(node.children[1]);
    if (right == nullptr) return nullptr;
    const ExpressionOp op = node.ops[0];
    if (op == ExpressionOp::eq || op == ExpressionOp::ne) {
      const auto same = strictly_equal(*left, *right, budget_);
      if (!same) return fail(node, std::string(kTooManySteps));
      return made(Json(*same == (op == ExpressionOp::eq)));
    }
    return combined(node, op, *left, *right);
  }

  Outcome combined(const Node& node, ExpressionOp op, const Json& left, const Json& right) {
    std::string problem;
    auto result = computed(op, left, right, budget_, problem);
    if (!result) return fail(node, problem);
    return made(std::move(*result));
  }

  Outcome chain(const Node& node) {
    const Json* left = of(node.children[0]);
    for (std::size_t i = 0; left != nullptr && i < node.ops.size(); ++i) {
      const Json* right = of(node.children[i + 1]);
      if (right == nullptr) return nullptr;
      left = combined(node, node.ops[i], *left, *right);
    }
    return left;
  }

  const ExpressionTree& tree_;
  const Json& scope_;
  const CheckCaller& call_;
  ValueStore values_;
  StepBudget budget_;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> evaluate_expression(const ExpressionTree& tree, const Json& scope,
                                 const CheckCaller& call) {
  return Evaluation(tree, scope, call).run();
}

}  // namespace phasegate::gating
