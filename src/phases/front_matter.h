#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "phases/checks/checks_reader.h"
#include "phases/finding_list.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// The map at the top of a document, between `---` on its first line and the next `---` or `...`;
/// its lines are the document's. Null where there is none, and where it is no plain YAML, which
/// says nothing about a document that somebody wrote for another program. `text` is the document
/// from its first byte on. Linear in the head.
[[nodiscard]] YamlNode front_matter_of(std::string_view text);

/// The list `checks` of the front matter: what is looked at to leave the phase `phase`, whose text
/// the document is. A head that cannot be read and holds such a key is an error, since its checks
/// would be left out in silence. `path` is the document's name for findings.
[[nodiscard]] ReadChecks checks_of_head(std::string_view text, const std::string& path,
                                        const std::string& phase, FindingList& findings);

}  // namespace phasegate::phases
