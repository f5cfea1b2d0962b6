#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/text.h"

namespace phasegate::base {
namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> kLogger = [] {
    auto made = std::make_shared<spdlog::logger>("phasegate",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *kLogger;
}

void write(spdlog::level::level_enum level, std::string_view event,
           std::initializer_list<LogField> fields) {
  if (!logger().should_log(level)) return;
  std::string line(event);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    line += in_quotes(field.value);
  }
  logger().log(level, line);
}

}  // namespace

void log_to_stderr(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      logger().set_level(spdlog::level::debug);
      break;
    case LogLevel::info:
      logger().set_level(spdlog::level::info);
      break;
    case LogLevel::warning:
      logger().set_level(spdlog::level::warn);
      break;
    case LogLevel::error:
      logger().set_level(spdlog::level::err);
      break;
  }
}

void log_debug(std::string_view event, std::initializer_list<LogField> fields) {
  write(spdlog::level::debug, event, fields);
}
void log_info(std::string_view event, std::initializer_list<LogField> fields) {
  write(spdlog::level::info, event, fields);
}
void log_warning(std::string_view event, std::initializer_list<LogField> fields) {
  write(spdlog::level::warn, event, fields);
}
void log_error(std::string_view event, std::initializer_list<LogField> fields) {
  write(spdlog::level::err, event, fields);
}

}  // namespace phasegate::base
