#include "mcp/tools/phase_names.h"

#include "base/text.h"
#include "gating/visibility.h"

namespace phasegate::mcp::tools {
namespace {

bool joins(char c) {
  return c == ' ' || c == '-' || c == '_';
}

/// An id without its case, its joining characters and a leading `phase`.
std::string core_of(std::string_view id) {
  const std::string rest = without_phase_word(id);
  std::string core;
  for (const char c : base::lowered(rest.empty() ? id : std::string_view(rest))) {
    if (!joins(c)) core += c;
  }
  return core;
}

}  // namespace

std::string without_phase_word(std::string_view text) {
  constexpr std::string_view kWord = "phase";
  std::string_view rest = base::trimmed(text);
  if (!base::lowered(rest).starts_with(kWord)) return "";
  rest.remove_prefix(kWord.size());
  while (!rest.empty() && joins(rest.front())) rest.remove_prefix(1);
  return phases::is_phase_id(rest) ? std::string(rest) : "";
}

std::optional<std::string> meant_phase(const gating::engine::RunView& view,
                                       std::string_view asked) {
  const gating::Visible shown = gating::visible(view.workflow(), view.run);
  const std::string wanted = core_of(asked);
  for (const phases::Phase& phase : view.workflow().phases) {
    if (shown.phase(phase.id) && phase.id != asked && core_of(phase.id) == wanted) return phase.id;
  }
  return std::nullopt;
}

}  // namespace phasegate::mcp::tools
