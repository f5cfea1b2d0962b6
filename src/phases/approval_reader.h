#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// True for a line that pairs a person with an approval, or is labelled as an approval.
[[nodiscard]] bool speaks_of_approval(std::string_view line);

/// Reads whether a text asks for a person's approval. In a gate section every line, heading, list
/// item and cell counts that pairs a person (human, user, stakeholder, …) with an approval (review,
/// sign-off, decision, …), and labels such as `**Approval**:`; only a value that is `no`, `none`,
/// `false`, `not required` or `n/a` as a whole denies it, and what is neither yes nor no counts as
/// yes (warning `human_approval_assumed`). Elsewhere only lines `Human Approval: …` count. Code and
/// comments never do. `inside` says for each block whether it stands in a gate section. Linear.
struct ApprovalReading {
  bool demanded = false;
  Source source;  ///< of the demand; empty without one
};

/// `from` and `to` bound the blocks that are looked at: those of one phase.
[[nodiscard]] ApprovalReading read_approval(const MarkdownTree& tree,
                                            const std::vector<bool>& inside, std::size_t from,
                                            std::size_t to, std::string_view path,
                                            const std::string& phase, FindingList& findings);

}  // namespace phasegate::phases
