// Progress and log messages while a call is being answered.
#include <chrono>
#include <string_view>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::LogLevel;
using mcp::protocol::Outcome;
using mcp::protocol::ToolResult;

namespace {

constexpr std::chrono::milliseconds kPause{50};  // so that messages arrive one by one
constexpr std::string_view kLogger = "fixture";

void log(CallContext& context, std::string_view text) {
  context.log(LogLevel::info, kLogger, Json(text));
}

Outcome<ToolResult> with_progress(const Json&, CallContext& context) {
  constexpr double kTotal = 100;
  context.progress(0, kTotal, "");
  if (!context.wait(kPause)) return said("Cancelled");
  context.progress(kTotal / 2, kTotal, "");
  if (!context.wait(kPause)) return said("Cancelled");
  context.progress(kTotal, kTotal, "");
  return said("All steps are done");
}

Outcome<ToolResult> with_logging(const Json&, CallContext& context) {
  log(context, "Tool execution started");
  if (!context.wait(kPause)) return said("Cancelled");
  log(context, "Tool processing data");
  if (!context.wait(kPause)) return said("Cancelled");
  log(context, "Tool execution completed");
  return said("Three messages were logged");
}

Outcome<ToolResult> log_once(const Json&, CallContext& context) {
  log(context, "Only for those who asked for it");
  return said("A message was logged, if it was wanted");
}

}  // namespace

std::vector<FixtureTool> reporting_tools() {
  return {
      {defined_waiting("test_tool_with_progress", "Reports progress in three steps."),
       with_progress},
      {defined_waiting("test_tool_with_logging", "Logs three messages."), with_logging},
      {defined_waiting("test_logging_tool", "Logs a message if the request wants messages."),
       log_once},
  };
}

}  // namespace phasegate::conformance
