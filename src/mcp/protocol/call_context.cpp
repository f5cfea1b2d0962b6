#include "mcp/protocol/call_context.h"

#include <array>
#include <cmath>

#include "base/json.h"
#include "mcp/protocol/notification.h"

namespace phasegate::mcp::protocol {
namespace {

constexpr std::array<std::string_view, 8> kLogLevels{"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

}  // namespace

std::string_view log_level_name(LogLevel level) {
  return kLogLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level_of(std::string_view name) {
  for (std::size_t i = 0; i < kLogLevels.size(); ++i) {
    if (kLogLevels[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

bool Round::first() const {
  return once.empty() && (responses == nullptr || responses->empty());
}

void CallContext::progress(double progress, double total, std::string_view message) {
  if (wishes_.progress_token.empty() || !std::isfinite(progress)) return;
  if (reported_ && progress <= *reported_) return;
  reported_ = progress;
  exchange_.send(progress_notification(wishes_.progress_token, progress, total, message));
}

void CallContext::log(LogLevel level, std::string_view logger, const base::Json& data) {
  if (!wishes_.log_level || level < *wishes_.log_level) return;
  exchange_.send(log_notification(log_level_name(level), logger, data));
}

}  // namespace phasegate::mcp::protocol
