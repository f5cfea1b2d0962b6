#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace phasegate::base {

enum class LogLevel { debug, info, warning, error };

/// One named value of a log line.
struct LogField {
  std::string_view name;
  std::string value;
};

/// Sends log lines at or above `level` to standard error. Before the first call only warnings and
/// errors are written. Standard output is never touched: it belongs to the protocol.
void log_to_stderr(LogLevel level);

/// Writes one line: `time level event name="value" …`. Control characters in values are escaped,
/// so that text from outside cannot forge a line. Thread-safe.
void log_debug(std::string_view event, std::initializer_list<LogField> fields = {});
void log_info(std::string_view event, std::initializer_list<LogField> fields = {});
void log_warning(std::string_view event, std::initializer_list<LogField> fields = {});
void log_error(std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace phasegate::base
