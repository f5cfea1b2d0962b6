#pragma once
#include <string>
#include <vector>

#include "rag/collection.h"

namespace phasegate::rag {

/// The passages that hold the words of all phrases in any form and order, by ascending id: the only
/// ones that can hold the phrases. Looks up a bounded number of words, the rarest; the others are
/// left to whoever looks at the texts.
[[nodiscard]] std::vector<PassageId> passages_with_words_of(
    const std::vector<std::vector<std::string>>& phrases, Collection& collection);

}  // namespace phasegate::rag
