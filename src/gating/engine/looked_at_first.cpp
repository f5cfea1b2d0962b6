#include "gating/engine/looked_at_first.h"

#include <string>

namespace phasegate::gating::engine {
namespace {

using phases::Check;
using phases::CheckKind;

bool may_start_program(const Check& check, bool named) {
  return check.kind == CheckKind::command || check.kind == CheckKind::tests ||
         (check.kind == CheckKind::expr && named);
}

bool asks_for_changes(const Check& check) {
  return (check.kind == CheckKind::guard || check.kind == CheckKind::git) &&
         check.parameters.find("checks.") == std::string::npos;
}

}  // namespace

std::vector<std::size_t> looked_at_first(const std::vector<const Check*>& due, bool named) {
  std::vector<std::size_t> first;
  bool started = false;
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (started && asks_for_changes(*due[i])) first.push_back(i);
    started = started || may_start_program(*due[i], named);
  }
  return first;
}

}  // namespace phasegate::gating::engine
