#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/scope_paths.h"

/// An expression as the parser leaves it. Nodes lie in one list and name each other by number, so
/// that nothing recurses when a tree goes away; chains of one precedence (`a && b && c`) are one
/// node, so that a tree is only as deep as its text is nested.
namespace phasegate::gating {

enum class ExpressionOp { eq, ne, lt, le, gt, ge, add, subtract, multiply, divide };

/// The functions of the language, docs/expressions.md.
enum class Builtin {
  count,
  any,
  is_empty,
  contains,
  starts_with,
  ends_with,
  matches,
  lower,
  completed,
  visits,
};

struct ExpressionNode {
  enum class Kind {
    literal,     ///< tree.literals[`literal`]
    list,        ///< of `children`
    name,        ///< `name`, a member of the scope
    postfix,     ///< children[0] and `steps` behind it
    builtin,     ///< `builtin` of `children`
    named,       ///< the check `name`, called with `children`
    inverse,     ///< not children[0]
    negative,    ///< -children[0]
    comparison,  ///< children[0] `ops[0]` children[1]
    chain,       ///< children[0] ops[0] children[1] ops[1] …, from the left
    all,         ///< and
    some,        ///< or
  };
  /// What stands behind a value.
  struct Step {
    enum class Kind { member, index, length, includes };
    Kind kind = Kind::member;
    std::string name;         ///< of the member; of length, how it is written
    std::uint32_t child = 0;  ///< the index or what is to be included
    std::uint32_t begin = 0;  ///< byte in the text
    std::uint32_t end = 0;
  };

  Kind kind = Kind::literal;
  std::uint32_t begin = 0;  ///< bytes in the text, for messages
  std::uint32_t end = 0;
  std::uint32_t literal = 0;
  std::string name;
  std::string via;  ///< `ctx` in `ctx.count`: a name for the whole scope, unless it has one like it
  Builtin builtin = Builtin::count;
  std::vector<std::uint32_t> children;
  std::vector<Step> steps;
  std::vector<ExpressionOp> ops;
  std::unique_ptr<const RE2> pattern;  ///< of matches(), if it is constant
};

struct ExpressionTree {
  std::string text;
  std::vector<ExpressionNode> nodes;
  std::vector<base::Json> literals;
  std::uint32_t root = 0;
  std::vector<NamePath> paths;     ///< that it reads, as far as they are constant
  std::vector<std::string> calls;  ///< named checks

  /// The node's part of the text.
  [[nodiscard]] std::string_view written(const ExpressionNode& node) const {
    return std::string_view(text).substr(node.begin, node.end - node.begin);
  }
};

/// An error of the expression `text` at its byte `at`: `column 9 of "a > ": an operand is missing`.
[[nodiscard]] base::Error expression_error(std::string_view code, std::string_view text,
                                           std::size_t at, const std::string& problem,
                                           std::string hint = "");

/// Compiles a pattern of RE2 with the limits that all patterns have. Errors (`invalid_pattern`): it
/// is too long or does not compile.
[[nodiscard]] base::Result<std::unique_ptr<const RE2>> compile_pattern(const std::string& pattern);

}  // namespace phasegate::gating
