#include "phases/reading/document_reading.h"

#include "base/text.h"
#include "phases/markdown.h"
#include "phases/requirement_reader.h"

namespace phasegate::phases {

DocumentReading read_document(std::string_view text, std::string_view path) {
  DocumentReading reading;
  const MarkdownTree tree = parse_markdown(text);
  for (const Block& block : tree.blocks()) {
    if (block.kind != BlockKind::heading) continue;
    const std::string_view title = tree.text(block);
    if (reading.title.empty()) reading.title = std::string(title);
    if (!base::lowered(title).starts_with("phase ")) continue;
    const auto colon = title.find(':');
    if (colon == std::string_view::npos) continue;
    ReadPhase phase;
    phase.number = std::string(base::trimmed(title.substr(6, colon - 6)));
    phase.title = std::string(base::trimmed(title.substr(colon + 1)));
    phase.line = tree.line(block);
    phase.begin = static_cast<std::uint32_t>(text.rfind('\n', block.begin) + 1);
    phase.end = static_cast<std::uint32_t>(text.size());
    if (!reading.phases.empty()) {
      reading.phases.back().end = phase.begin;
      reading.phases.back().line_end = phase.line - 1;
    }
    reading.phases.push_back(std::move(phase));
  }
  for (ReadPhase& phase : reading.phases) {
    if (phase.line_end == 0) phase.line_end = tree.line_of(phase.end);
    std::string slice(static_cast<std::size_t>(phase.line - 1), '\n');
    slice += text.substr(phase.begin, phase.end - phase.begin);
    ReadGate gate = PlainRequirementReader().read(slice, path, phase.number);
    phase.criteria.exit = std::move(gate.requirements);
    phase.criteria.source = gate.source;
  }
  return reading;
}

}  // namespace phasegate::phases
