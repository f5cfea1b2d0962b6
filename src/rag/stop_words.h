#pragma once
#include <string_view>

namespace phasegate::rag {

/// True for an English word that holds a sentence together and says nothing of what it is about:
/// articles, pronouns, auxiliaries, prepositions, conjunctions, question words and what is left of
/// contractions. Quantities, degrees and negations (`all`, `no`, `only`, `before`) are none of
/// them: in rules they are the point. `word` is a token's text, in lower case. O(log words).
[[nodiscard]] bool is_stop_word(std::string_view word);

}  // namespace phasegate::rag
