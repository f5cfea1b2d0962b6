#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// The values of a sample call or object in a fence: `evidence={ "tests_created": True, … }`. Empty
/// if the fence holds none. `path` names the document for sources. Linear in the fence.
[[nodiscard]] std::vector<Requirement> sample_call_evidence(const MarkdownTree& tree,
                                                            const Block& fence,
                                                            std::string_view path);

/// The fields of an evidence block in YAML: `evidence:` and below it `name: value  # should be 0`,
/// or `name:` with a `type:` of its own. Empty if there is none.
[[nodiscard]] std::vector<Requirement> yaml_evidence(const MarkdownTree& tree, const Block& fence,
                                                     std::string_view path);

/// The members of the one JSON object that a fence shows as the shape of what is handed over.
[[nodiscard]] std::vector<Requirement> shown_object(const MarkdownTree& tree, const Block& fence,
                                                    std::string_view path);

/// The fields of a form in a fence: `Tests: [PASS/FAIL]`, `- [ ] item`, `### Verdict: PASS | FAIL`.
[[nodiscard]] std::vector<Requirement> form_fields(const MarkdownTree& tree, const Block& fence,
                                                   std::string_view path);

}  // namespace phasegate::phases
