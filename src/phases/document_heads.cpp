#include "phases/document_heads.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "phases/front_matter.h"
#include "phases/markdown.h"
#include "phases/requirement_names.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {
namespace {

/// The first paragraph that stands by itself; a row of badges says nothing.
std::string first_paragraph(std::string_view preamble) {
  const MarkdownTree tree = parse_markdown(preamble);
  for (const Block& block : tree.blocks()) {
    if (block.kind != BlockKind::paragraph || block.parent != 0) continue;
    std::string words = plain_sentence(tree.text(block));
    if (!base::is_blank(words)) return words;
  }
  return {};
}

std::string text_member(const YamlNode& map, std::string_view name) {
  const YamlNode* node = map.find(name);
  const bool text = node != nullptr && node->kind == YamlNode::Kind::scalar;
  return text && !base::is_blank(node->scalar) ? plain_sentence(node->scalar) : std::string();
}

}  // namespace

DocumentHeads heads_of(const DocumentReading& reading, std::string_view preamble,
                       const PhaseNames& phases) {
  DocumentHeads heads;
  const YamlNode front = front_matter_of(preamble);
  for (const std::string& title :
       {text_member(front, "title"), plain_sentence(reading.title), text_member(front, "name")}) {
    if (base::is_blank(title) || phases.named_in(title)) continue;
    heads.title = base::shortened(title, base::limits::kTitleBytesMax);
    break;
  }
  std::string description = reading.description;
  if (base::is_blank(description)) description = text_member(front, "description");
  if (base::is_blank(description)) {
    description = first_paragraph(preamble);
    // The author wrote front matter to be listed; a paragraph may be an overview of the phases.
    if (phases.clearly_named_in(description)) description.clear();
  }
  heads.description =
      base::shortened(base::to_utf8(description), base::limits::kWorkflowTextBytesMax);
  return heads;
}

}  // namespace phasegate::phases
