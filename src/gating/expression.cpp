#include "gating/expression.h"

#include "base/json.h"
#include "gating/expression_eval.h"
#include "gating/expression_parser.h"

namespace phasegate::gating {

struct Expression::Parsed {
  ExpressionTree tree;
  std::vector<std::string> names;
};

Expression::Expression(std::unique_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

base::Result<Expression> Expression::parse(std::string_view text,
                                           const std::vector<std::string>& functions) {
  auto tree = parse_expression(text, functions);
  if (!tree) return tree.error();
  auto parsed = std::make_unique<Parsed>();
  parsed->tree = std::move(tree).value();
  parsed->names = first_parts(parsed->tree.paths);
  return Expression(std::unique_ptr<const Parsed>(std::move(parsed)));
}

base::Result<base::Json> Expression::evaluate(const base::Json& scope,
                                              const CheckCaller& call) const {
  return evaluate_expression(parsed_->tree, scope, call);
}

const std::vector<std::string>& Expression::names() const {
  return parsed_->names;
}

const std::vector<NamePath>& Expression::paths() const {
  return parsed_->tree.paths;
}

const std::vector<std::string>& Expression::calls() const {
  return parsed_->tree.calls;
}

const std::string& Expression::text() const {
  return parsed_->tree.text;
}

}  // namespace phasegate::gating
