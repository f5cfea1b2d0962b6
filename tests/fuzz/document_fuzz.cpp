// Any bytes as a markdown document, standing for itself and as the text of one phase: the reader
// must neither crash nor name a place outside of the document, and a workflow made of it is whole.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "gating/definition.h"
#include "phases/document_workflow.h"
#include "phases/reading/document_reading.h"

namespace {

namespace phases = phasegate::phases;

void require(bool holds) {
  if (!holds) std::abort();
}

int lines_of(std::string_view text) {
  int lines = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'))) {
      ++lines;
    }
  }
  return lines;
}

void check(const phases::ReadCriteria& criteria, int lines) {
  std::set<std::string> names;
  for (const phases::Requirement& one : criteria.exit) {
    require(!one.name.empty() && names.insert(one.name).second);
    require(one.source.line >= 1 && one.source.line <= lines);
  }
}

void check(const phases::DocumentReading& reading, std::string_view text) {
  const int lines = lines_of(text);
  for (const phases::ReadPhase& phase : reading.phases) {
    require(phase.begin <= phase.end && phase.end <= text.size());
    require(phase.line >= 1 && phase.line <= phase.line_end && phase.line_end <= lines);
    check(phase.criteria, lines);
  }
  check(reading.whole, lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(phases::read_document(text, "d.md"), text);
  const phases::DocumentReading unit = phases::read_phase_document(text, "phases/1/phase.md", "1");
  require(unit.phases.size() == 1);
  check(unit, text);

  const phases::LoadedWorkflow loaded = phases::read_document_text("d.md", text);
  require(phases::read_document_text("d.md", text).content_hash == loaded.content_hash);
  if (!loaded.startable()) return 0;
  require(!loaded.workflow.phases.empty());
  for (const phases::Phase& phase : loaded.workflow.phases) {
    require(loaded.workflow.documents.at(phase.file).phase == phase.id);
    require(phase.gate.none || !phase.gate.requirements.empty());
  }
  (void)phasegate::gating::definition_of(loaded);
  return 0;
}
