#include "gating/expression_parser.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/expression_grammar.h"

namespace phasegate::gating {

using base::Error;
using base::Result;

Result<ExpressionTree> ExpressionGrammar::parse() {
  advance();
  arrow();
  tree_.root = either();
  if (!error_ && token_.kind != Token::Kind::end) unexpected("an operator");
  if (error_) return *error_;
  sort_and_unique(tree_.paths);
  std::sort(tree_.calls.begin(), tree_.calls.end());
  tree_.calls.erase(std::unique(tree_.calls.begin(), tree_.calls.end()), tree_.calls.end());
  return std::move(tree_);
}

void ExpressionGrammar::fail(std::size_t at, const std::string& problem, std::string hint) {
  if (error_) return;
  error_ = expression_error("invalid_expression", tree_.text, at, problem, std::move(hint));
  token_ = {};
}

void ExpressionGrammar::unexpected(const std::string& wanted) {
  if (error_) return;
  if (token_.kind == Token::Kind::end) {
    fail(tree_.text.size(), wanted + " is missing at the end");
    return;
  }
  std::string hint;
  if (token_.written == "=") hint = "to compare, write ===; there is no assignment";
  if (token_.written == "&" || token_.written == "|") {
    hint = "write " + std::string(token_.written) + std::string(token_.written);
  }
  fail(token_.begin,
       "wanted " + wanted + ", got " + base::in_quotes(base::shortened(token_.written, 40)),
       std::move(hint));
}

void ExpressionGrammar::advance() {
  if (error_) return;
  end_ = token_.begin + static_cast<Id>(token_.written.size());
  token_ = scanner_.next();
  if (token_.kind == Token::Kind::bad) fail(token_.begin, token_.problem);
}

bool ExpressionGrammar::take(std::string_view sign) {
  if (!at(sign)) return false;
  advance();
  return true;
}

void ExpressionGrammar::expect(std::string_view sign) {
  if (!take(sign)) unexpected(base::in_quotes(sign));
}

bool ExpressionGrammar::enter() {
  if (++depth_ <= base::limits::kExpressionDepthMax) return true;
  fail(token_.begin,
       "this is nested more than " + std::to_string(base::limits::kExpressionDepthMax) + " deep");
  return false;
}

ExpressionNode ExpressionGrammar::node(Kind kind, std::size_t begin) {
  ExpressionNode made;
  made.kind = kind;
  made.begin = static_cast<Id>(begin);
  return made;
}

ExpressionGrammar::Id ExpressionGrammar::add(ExpressionNode made) {
  made.end = end_;
  tree_.nodes.push_back(std::move(made));
  return static_cast<Id>(tree_.nodes.size() - 1);
}

/// `ctx => …`, `(ctx) => …`: the name stands for the scope.
void ExpressionGrammar::arrow() {
  if (text_.find("=>") == std::string_view::npos) return;
  const ExpressionScanner scanner = scanner_;
  const Token first = token_;
  const bool bracket = take("(");
  const std::string_view name =
      token_.kind == Token::Kind::name ? token_.written : std::string_view();
  if (!name.empty()) advance();
  if (!name.empty() && (!bracket || take(")")) && at("=>")) {
    parameter_ = name;
    advance();
    return;
  }
  // No arrow: from the start again. What was bad will be so again.
  error_.reset();
  scanner_ = scanner;
  token_ = first;
  if (token_.kind == Token::Kind::bad) fail(token_.begin, token_.problem);
}

template <typename Operand>
ExpressionGrammar::Id ExpressionGrammar::logical(Kind kind, std::string_view sign,
                                                 std::string_view word, Operand operand) {
  const std::size_t begin = token_.begin;
  const Id first = operand();
  if (!at(sign) && !at_word(word)) return first;
  ExpressionNode made = node(kind, begin);
  made.children.push_back(first);
  while (at(sign) || at_word(word)) {
    advance();
    made.children.push_back(operand());
  }
  return add(std::move(made));
}

template <typename Operand>
ExpressionGrammar::Id ExpressionGrammar::chain(std::string_view one, ExpressionOp one_op,
                                               std::string_view other, ExpressionOp other_op,
                                               Operand operand) {
  const std::size_t begin = token_.begin;
  const Id first = operand();
  if (!at(one) && !at(other)) return first;
  ExpressionNode made = node(Kind::chain, begin);
  made.children.push_back(first);
  while (at(one) || at(other)) {
    made.ops.push_back(at(one) ? one_op : other_op);
    advance();
    made.children.push_back(operand());
  }
  return add(std::move(made));
}

ExpressionGrammar::Id ExpressionGrammar::either() {
  return logical(Kind::some, "||", "or", [this] { return both(); });
}

ExpressionGrammar::Id ExpressionGrammar::both() {
  return logical(Kind::all, "&&", "and", [this] { return inverse(); });
}

/// `not` reaches as far as the comparison behind it; `!` only as far as the next operand.
ExpressionGrammar::Id ExpressionGrammar::inverse() {
  if (!at_word("not")) return comparison();
  ExpressionNode made = node(Kind::inverse, token_.begin);
  if (!enter()) return 0;
  advance();
  made.children.push_back(inverse());
  leave();
  return add(std::move(made));
}

std::optional<ExpressionOp> ExpressionGrammar::comparing() const {
  if (at("===") || at("==")) return ExpressionOp::eq;
  if (at("!==") || at("!=")) return ExpressionOp::ne;
  if (at("<")) return ExpressionOp::lt;
  if (at("<=")) return ExpressionOp::le;
  if (at(">")) return ExpressionOp::gt;
  if (at(">=")) return ExpressionOp::ge;
  return std::nullopt;
}

ExpressionGrammar::Id ExpressionGrammar::comparison() {
  const std::size_t begin = token_.begin;
  const Id first = sum();
  const auto op = comparing();
  if (!op) return first;
  ExpressionNode made = node(Kind::comparison, begin);
  made.ops.push_back(*op);
  advance();
  made.children.push_back(first);
  made.children.push_back(sum());
  if (comparing()) {
    fail(token_.begin, "comparisons cannot follow each other",
         "write both, joined by && or with brackets");
  }
  return add(std::move(made));
}

ExpressionGrammar::Id ExpressionGrammar::sum() {
  return chain("+", ExpressionOp::add, "-", ExpressionOp::subtract, [this] { return product(); });
}

ExpressionGrammar::Id ExpressionGrammar::product() {
  return chain("*", ExpressionOp::multiply, "/", ExpressionOp::divide, [this] { return unary(); });
}

ExpressionGrammar::Id ExpressionGrammar::unary() {
  if (!at("!") && !at("-")) return postfix();
  ExpressionNode made = node(at("!") ? Kind::inverse : Kind::negative, token_.begin);
  if (!enter()) return 0;
  advance();
  made.children.push_back(unary());
  leave();
  return add(std::move(made));
}

Result<ExpressionTree> parse_expression(std::string_view text,
                                        const std::vector<std::string>& functions) {
  if (text.size() > base::limits::kExpressionBytesMax) {
    return Error{"invalid_expression",
                 "an expression may have " + std::to_string(base::limits::kExpressionBytesMax) +
                     " bytes, this one has " + std::to_string(text.size()),
                 "split it into several checks", ""};
  }
  if (!base::is_utf8(text)) {
    return Error{"invalid_expression", "the expression is not valid UTF-8", "", ""};
  }
  return ExpressionGrammar(text, functions).parse();
}

}  // namespace phasegate::gating
