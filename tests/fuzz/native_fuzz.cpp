// Any bytes as a native workflow file, in YAML and in JSON: the reader must neither crash nor call
// startable what is not whole. The first byte chooses the form.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "gating/definition.h"
#include "phases/native/reader.h"
#include "phases/workflow_json.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace phases = phasegate::phases;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool json = !text.empty() && text.front() == 'j';
  if (!text.empty()) text.remove_prefix(1);
  const std::string_view name = json ? "w.json" : "w.yaml";
  const phases::LoadedWorkflow loaded = phases::read_native_text(name, text);

  require(loaded.workflow.documents.at(std::string(name)).withheld);
  for (const phases::Finding& finding : loaded.findings) {
    require(!finding.code.empty() && !finding.message.empty());
    require(finding.severity != phases::Severity::error || !loaded.startable());
  }
  for (const auto& [path, document] : loaded.workflow.documents) {
    require(loaded.blobs.contains(document.hash));
    require(document.withheld || !document.phase.empty());
  }
  require(phases::read_native_text(name, text).content_hash == loaded.content_hash);
  if (!loaded.startable()) return 0;

  require(!loaded.workflow.phases.empty());
  for (const phases::Phase& phase : loaded.workflow.phases) {
    require(loaded.workflow.documents.at(phase.file).phase == phase.id);
    require(phase.gate.none || !phase.gate.requirements.empty());
  }
  const auto again = phases::workflow_from_json(phases::to_json(loaded.workflow));
  require(again.ok() && *again == loaded.workflow);
  (void)phasegate::gating::definition_of(loaded);
  return 0;
}
