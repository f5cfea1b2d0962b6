#include "mcp/tools/content_digest.h"

#include "base/hash.h"

namespace phasegate::mcp::tools {

using gating::engine::PhaseView;
using gating::engine::TaskView;

namespace {

constexpr std::size_t kDigitsShown = 16;

void add_list(base::Digest& digest, const std::vector<std::string>& pieces) {
  digest.add(std::to_string(pieces.size()));
  for (const std::string& piece : pieces) digest.add(piece);
}

}  // namespace

std::string content_digest(const PhaseView& phase, std::string_view text) {
  base::Digest digest;
  digest.add("phase").add(phase.view.definition->hash).add(phase.phase->id).add(text);
  // A review holds other parts than the open phase, an ended run shows no criteria.
  digest.add(phase.current ? "open" : "review");
  digest.add(gating::is_open(phase.view.run.status) ? "going on" : "ended");
  add_list(digest, phase.links);
  digest.add(std::to_string(phase.artifacts.size()));
  for (const auto& row : phase.artifacts) {
    digest.add(row.artifact.phase).add(row.artifact.digest);
  }
  return digest.hex().substr(0, kDigitsShown);
}

std::string content_digest(const TaskView& task) {
  base::Digest digest;
  digest.add("task").add(task.view.definition->hash).add(task.phase->id);
  digest.add(task.task == nullptr ? "" : task.task->number);
  digest.add(task.file).add(task.content);
  add_list(digest, task.links);
  return digest.hex().substr(0, kDigitsShown);
}

}  // namespace phasegate::mcp::tools
