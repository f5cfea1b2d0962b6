#include "mcp/tools/outline_block.h"

#include <algorithm>

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"
#include "gating/visibility.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

constexpr std::size_t kPhasesShownMax = 30;
constexpr std::size_t kTitleBytes = 60;
constexpr std::size_t kBytesMax = 1500;

}  // namespace

void add_outline(Answer& answer, const gating::engine::RunView& view) {
  const phases::Workflow& workflow = view.workflow();
  if (!workflow.outline) return;
  const gating::Visible shown = gating::visible(workflow, view.run);
  Json list = Json::array();
  std::vector<std::string> words;
  const std::size_t bytes_max = std::min(kBytesMax, answer.room());
  std::size_t used = 0;
  for (const phases::Phase& phase : workflow.phases) {
    if (!shown.title(phase.id)) continue;
    const std::string title = base::shortened(phase.title, kTitleBytes);
    Json entry = base::object_with_room(2);
    entry["phase"] = phase.id;
    entry["title"] = title;
    std::string line = phase.id + " " + title;
    used += std::max(line.size() + 2, base::dump_size(entry) + 1);
    if (list.size() == kPhasesShownMax || used > bytes_max) {
      words.push_back("…");
      answer.structured()["phases_shortened"] = true;
      break;
    }
    list.push_back(std::move(entry));
    words.push_back(std::move(line));
  }
  answer.line("Phases: " + base::joined(words, "; "));
  answer.structured()["phases"] = std::move(list);
}

}  // namespace phasegate::mcp::tools
