#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::phases {

/// A stable name for a sentence (P-6, 004-15): its words in lower case (ASCII; other scripts as
/// they are) joined by `_`, at most limits::kRequirementNameCharsMax bytes, cut between words. The
/// same sentence always gives the same name. Marks without any letter give `item_` and a short
/// hash.
[[nodiscard]] std::string name_from_sentence(std::string_view sentence);

/// The name with a short hash of `sentence`, for a second sentence that gives the same name; no
/// longer than the limit.
[[nodiscard]] std::string name_with_hash(std::string_view name, std::string_view sentence);

/// The sentence on one line without the ✅/❌ marks at its end and with ill-formed bytes replaced.
[[nodiscard]] std::string plain_sentence(std::string_view text);

/// True where the words make it conditional: `(if Phase 0 completed)`, `if applicable`,
/// `(optional)`, `(when …)`, `(unless …)`.
[[nodiscard]] bool is_conditional(std::string_view sentence);

/// True if a boolean of this name says that something is wrong (`tests_failed`, `files_missing`,
/// `has_errors`), or says the opposite of its description (`stubs_detected`: "No stubs found").
[[nodiscard]] bool is_negative(std::string_view name, std::string_view description);

/// True for a name that evidence can carry as it is: letters of any script, digits, `_`, `-`, `.`,
/// at most 100 bytes, not beginning with a digit.
[[nodiscard]] bool is_plain_name(std::string_view name);

/// True if a text holds a letter or digit of any script.
[[nodiscard]] bool has_letters(std::string_view text);

/// Lower-case ASCII words (letters and digits) of a text.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

}  // namespace phasegate::phases
