#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "phases/markdown.h"

namespace phasegate::phases {

/// The sentence behind an item's box: `- [ ] …`, and what is meant as one: `- [] …`, `- [ x] …`,
/// `- ☐ …`, `- ☑ …`. Empty for a box without words; nullopt for an item without a box.
[[nodiscard]] std::optional<std::string> box_sentence(const MarkdownTree& tree, std::size_t item);

}  // namespace phasegate::phases
