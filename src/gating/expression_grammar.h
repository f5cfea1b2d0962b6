#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/expression_scanner.h"
#include "gating/expression_tree.h"

namespace phasegate::gating {

/// Recursive descent, a function per precedence (expression_parser.cpp) and per kind of operand
/// (expression_operands.cpp). After the first problem there is nothing but the end of the text, so
/// that every function returns at once. What is given outlives the object.
class ExpressionGrammar {
 public:
  ExpressionGrammar(std::string_view text, const std::vector<std::string>& functions)
      : text_(text), scanner_(text), functions_(functions) {
    tree_.text = text;
  }
  /// Parses the text, once.
  [[nodiscard]] base::Result<ExpressionTree> parse();

 private:
  using Id = std::uint32_t;
  using Kind = ExpressionNode::Kind;
  using Step = ExpressionNode::Step;
  using Token = ExpressionToken;

  void fail(std::size_t at, const std::string& problem, std::string hint = "");
  /// What came is not what the grammar wants.
  void unexpected(const std::string& wanted);

  void advance();
  [[nodiscard]] bool at(std::string_view sign) const {
    return token_.kind == Token::Kind::sign && token_.written == sign;
  }
  [[nodiscard]] bool at_word(std::string_view word) const {
    return token_.kind == Token::Kind::name && token_.written == word;
  }
  bool take(std::string_view sign);
  void expect(std::string_view sign);
  /// Something within something else; false beyond the limit.
  bool enter();
  void leave() { --depth_; }

  [[nodiscard]] static ExpressionNode node(Kind kind, std::size_t begin);
  /// The node ends where the last word that was taken does.
  Id add(ExpressionNode made);

  void arrow();
  template <typename Operand>
  Id logical(Kind kind, std::string_view sign, std::string_view word, Operand operand);
  template <typename Operand>
  Id chain(std::string_view one, ExpressionOp one_op, std::string_view other, ExpressionOp other_op,
           Operand operand);
  Id either();
  Id both();
  Id inverse();
  [[nodiscard]] std::optional<ExpressionOp> comparing() const;
  Id comparison();
  Id sum();
  Id product();
  Id unary();

  Id postfix();
  Id primary();
  Id name();
  Id call(std::string_view name, std::size_t begin);
  Id constant(base::Json value, std::size_t begin);
  std::vector<Id> values_until(std::string_view sign);
  Step dotted(bool id);
  std::optional<Step> bracketed();
  void note_path(const ExpressionNode& base, const std::vector<Step>& steps);
  void note_constant_arguments(const ExpressionNode& made);
  [[nodiscard]] bool whole_scope(std::string_view name) const;
  /// The text that a node is, or null.
  [[nodiscard]] const base::Json* constant_text(Id id) const;

  std::string_view text_;  ///< what words point into
  ExpressionTree tree_;
  ExpressionScanner scanner_;
  const std::vector<std::string>& functions_;
  std::string_view parameter_;  ///< of an arrow
  Token token_;
  Id end_ = 0;  ///< of the last word that was taken
  std::size_t depth_ = 0;
  std::optional<base::Error> error_;
};

}  // namespace phasegate::gating
