#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// Patterns of paths, as checks hold them in `files`, `inputs`, `touched` and `protected`
/// (docs/checks.md), and as a project says what is searched.
namespace phasegate::base {

/// Whether `*` and a folder's name reach files whose name, or whose folder's name, begins with a
/// dot. A pattern that writes the dot (`.github/*.yml`) reaches them either way.
enum class Hidden {
  if_named,
  included,
};

/// A list of patterns, compiled. A path matches if one of the patterns takes it and none that is
/// written with `!` in front takes it away, in whichever order.
///
/// `*` any characters of one part, `?` one character, `[a-z]` and `[!a-z]` one of a set, `{a,b}`
/// either, `**` any number of whole parts, `\` before one of these characters: itself. A pattern
/// that ends with `/`, or whose last part is a plain name, also takes everything below it.
class Globs {
 public:
  /// Errors (`invalid_glob`, `where` = the pattern): an empty list or pattern, an absolute one, one
  /// with `..` or a control character, one that names `.git`, `**` that is no whole part, brackets
  /// or braces that are not closed, more than the limits, nothing but `!` patterns.
  [[nodiscard]] static Result<Globs> compile(const std::vector<std::string>& patterns,
                                             Hidden hidden = Hidden::if_named);
  Globs(Globs&&) noexcept;
  Globs& operator=(Globs&&) noexcept;
  ~Globs();

  /// `path`: of a file, relative and normalised; bytes that are no UTF-8 count as characters.
  /// Nothing in a folder `.git` matches. Linear in the path.
  [[nodiscard]] bool matches(std::string_view path) const;
  /// Whether something below this folder (`""` is the root) may match: where to look.
  [[nodiscard]] bool may_match_below(std::string_view folder) const;

 private:
  struct Compiled;
  explicit Globs(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace phasegate::base
