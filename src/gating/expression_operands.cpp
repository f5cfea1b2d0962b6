#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "gating/expression_functions.h"
#include "gating/expression_grammar.h"

namespace phasegate::gating {

bool ExpressionGrammar::whole_scope(std::string_view name) const {
  return stands_for_scope(name) || (!parameter_.empty() && name == parameter_);
}

const base::Json* ExpressionGrammar::constant_text(Id id) const {
  const ExpressionNode& found = tree_.nodes[id];
  if (found.kind != Kind::literal) return nullptr;
  const base::Json& value = tree_.literals[found.literal];
  return value.is_string() ? &value : nullptr;
}

ExpressionGrammar::Id ExpressionGrammar::constant(base::Json value, std::size_t begin) {
  ExpressionNode made = node(Kind::literal, begin);
  made.literal = static_cast<Id>(tree_.literals.size());
  tree_.literals.push_back(std::move(value));
  return add(std::move(made));
}

std::vector<ExpressionGrammar::Id> ExpressionGrammar::values_until(std::string_view sign) {
  std::vector<Id> values;
  if (!enter()) return values;
  if (!at(sign)) {
    do values.push_back(either());
    while (take(","));
  }
  expect(sign);
  leave();
  return values;
}

/// `.member`, `.length`, `.includes(x)`; the dot is the present word.
ExpressionGrammar::Step ExpressionGrammar::dotted(bool id) {
  Step step;
  step.begin = token_.begin;
  const std::string_view member = scanner_.member(id);
  if (member.empty()) {
    fail(step.begin, "wanted a name behind the dot", R"(other names stand in brackets: ["a b"])");
    return step;
  }
  token_.begin = static_cast<Id>(member.data() - text_.data());
  token_.written = member;
  step.name = member;
  if (!id && (member == "length" || member == "Count")) step.kind = Step::Kind::length;
  const std::size_t name_begin = token_.begin;
  advance();
  step.end = end_;
  if (!at("(")) return step;
  if (member != "includes") {
    fail(name_begin, "there is no function " + base::in_quotes(member) + " of a value",
         "write .includes(x), or a function such as contains(text, x)");
    return step;
  }
  advance();
  const std::vector<Id> values = values_until(")");
  if (values.size() != 1) fail(name_begin, "includes takes one value");
  if (!error_) step.child = values.front();
  step.kind = Step::Kind::includes;
  step.end = end_;
  return step;
}

/// `["name"]`, `[0]`, `[any value]`; nullopt: error_ says why.
std::optional<ExpressionGrammar::Step> ExpressionGrammar::bracketed() {
  Step step;
  step.begin = token_.begin;
  advance();
  const std::vector<Id> index = values_until("]");
  if (index.size() != 1) fail(step.begin, "brackets behind a value hold one name or number");
  if (error_) return std::nullopt;
  step.end = end_;
  step.child = index.front();
  step.kind = Step::Kind::index;
  if (const base::Json* text = constant_text(step.child)) {
    step.kind = Step::Kind::member;
    step.name = text->get<std::string>();
  }
  return step;
}

ExpressionGrammar::Id ExpressionGrammar::postfix() {
  const std::size_t begin = token_.begin;
  const Id first = primary();
  std::vector<Step> steps;
  while (!error_ && (at(".") || at("["))) {
    if (at(".")) {
      const ExpressionNode& base = tree_.nodes[first];
      const bool ids = steps.empty() && base.kind == Kind::name && has_ids(base.name);
      steps.push_back(dotted(ids));
      continue;
    }
    auto step = bracketed();
    if (!step) return 0;
    steps.push_back(std::move(*step));
  }
  if (error_) return 0;
  if (tree_.nodes[first].kind == Kind::name) note_path(tree_.nodes[first], steps);
  if (steps.empty()) return first;
  ExpressionNode made = node(Kind::postfix, begin);
  made.children.push_back(first);
  made.steps = std::move(steps);
  return add(std::move(made));
}

/// Keeps the constant beginning of a path, with aliases replaced.
void ExpressionGrammar::note_path(const ExpressionNode& base, const std::vector<Step>& steps) {
  NamePath path = canonical_name(base.name);
  for (const Step& step : steps) {
    if (step.kind != Step::Kind::member && !(step.kind == Step::Kind::length && path.size() == 1)) {
      break;
    }
    path.push_back(step.name);
  }
  tree_.paths.push_back(std::move(path));
}

ExpressionGrammar::Id ExpressionGrammar::primary() {
  const std::size_t begin = token_.begin;
  if (token_.kind == Token::Kind::number || token_.kind == Token::Kind::text) {
    base::Json value = token_.number;
    if (token_.whole) value = *token_.whole;
    if (token_.kind == Token::Kind::text) value = std::move(token_.quoted);
    advance();
    return constant(std::move(value), begin);
  }
  if (token_.kind == Token::Kind::name) return name();
  if (take("[")) {
    ExpressionNode made = node(Kind::list, begin);
    made.children = values_until("]");
    return add(std::move(made));
  }
  if (at("(")) {
    if (!enter()) return 0;
    advance();
    const Id inner = either();
    expect(")");
    leave();
    return inner;
  }
  unexpected("a value");
  return 0;
}

ExpressionGrammar::Id ExpressionGrammar::name() {
  const std::size_t begin = token_.begin;
  std::string_view word = token_.written;
  if (word == "true" || word == "false" || word == "null") {
    advance();
    return constant(word == "null" ? base::Json() : base::Json(word == "true"), begin);
  }
  if (word == "and" || word == "or" || word == "not") {
    unexpected("a value");
    return 0;
  }
  const std::string_view hyphenated =
      functions_.empty() ? std::string_view() : scanner_.hyphenated_call(token_.begin);
  if (hyphenated.size() > word.size() &&
      std::find(functions_.begin(), functions_.end(), hyphenated) != functions_.end()) {
    word = token_.written = hyphenated;
    scanner_.skip_to(begin + word.size());
  }
  advance();
  if (at("(")) return call(word, begin);
  ExpressionNode made = node(Kind::name, begin);
  if (!whole_scope(word)) {
    made.name = word;
    return add(std::move(made));
  }
  // The name of the scope: what counts is the member behind it.
  made.via = word;
  if (at(".")) {
    const Step step = dotted(false);
    if (!error_ && step.kind == Step::Kind::includes) fail(step.begin, "the scope is no list");
    made.name = step.name;
  } else {
    fail(begin, base::in_quotes(word) + " must be followed by a dot and a name");
  }
  return add(std::move(made));
}

ExpressionGrammar::Id ExpressionGrammar::call(std::string_view word, std::size_t begin) {
  ExpressionNode made = node(Kind::named, begin);
  made.name = word;
  const BuiltinFunction* builtin = find_builtin(word);
  if (builtin == nullptr &&
      std::find(functions_.begin(), functions_.end(), word) == functions_.end()) {
    std::vector<std::string> known = functions_;
    for (const BuiltinFunction& one : builtin_functions()) known.emplace_back(one.name);
    const auto near = base::nearest_name(word, known);
    fail(begin, "there is no function and no named check " + base::in_quotes(word),
         near ? "did you mean " + *near + "()?" : "the functions are " + base::joined(known, ", "));
    return 0;
  }
  advance();
  made.children = values_until(")");
  if (error_) return 0;
  if (builtin == nullptr) {
    tree_.calls.push_back(made.name);
    return add(std::move(made));
  }
  if (made.children.size() != builtin->arguments) {
    fail(begin, made.name + "() takes " + base::counted(builtin->arguments, "value") + ", got " +
                    std::to_string(made.children.size()));
    return 0;
  }
  made.kind = Kind::builtin;
  made.builtin = builtin->builtin;
  note_constant_arguments(made);
  if (made.builtin == Builtin::matches) {
    if (const base::Json* pattern = constant_text(made.children[1])) {
      auto compiled = compile_pattern(pattern->get_ref<const std::string&>());
      if (!compiled) {
        fail(tree_.nodes[made.children[1]].begin, compiled.error().message, compiled.error().hint);
        return 0;
      }
      made.pattern = std::move(compiled).value();
    }
  }
  return add(std::move(made));
}

/// completed('x') and visits('x') read `steps.x`.
void ExpressionGrammar::note_constant_arguments(const ExpressionNode& made) {
  if (made.builtin != Builtin::completed && made.builtin != Builtin::visits) return;
  NamePath path = {"steps"};
  if (const base::Json* id = constant_text(made.children[0]))
    path.push_back(id->get<std::string>());
  tree_.paths.push_back(std::move(path));
}

}  // namespace phasegate::gating
