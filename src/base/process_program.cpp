#include "base/process_program.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"

namespace phasegate::base {
namespace {

constexpr std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";

bool holds_nul(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return text.find('\0') != std::string::npos; });
}

}  // namespace

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

std::vector<std::string> places_of(const ProcessRequest& request) {
  const std::string& name = request.program.empty() ? request.argv.front() : request.program;
  if (name.find('/') != std::string::npos) return {name};
  std::string_view path = kUsualPath;
  for (const std::string& variable : request.environment) {
    if (variable.starts_with("PATH=")) path = std::string_view(variable).substr(5);
  }
  std::vector<std::string> places;
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.empty()) places.push_back(std::string(folder) + "/" + name);
  }
  return places;
}

std::string problem_of_request(const ProcessRequest& request) {
  if (request.argv.empty() || request.argv.front().empty()) return "no program is named";
  if (request.timeout_ms <= 0) return "the program has no time to run";
  if (holds_nul(request.argv) || holds_nul(request.environment)) {
    return "an argument or a variable holds a NUL byte, which no program can be given";
  }
  return "";
}

std::string problem_of_program(const ProcessRequest& request, int folder, int error) {
  const std::string shown = in_quotes(request.argv.front());
  const std::string& file = request.program.empty() ? request.argv.front() : request.program;
  const bool is_path = file.find('/') != std::string::npos;
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      if (!is_path) return "the program " + shown + " is not found in PATH";
      if (::faccessat(folder, file.c_str(), F_OK, 0) == 0) {
        return "the program " + shown +
               " is there, but the interpreter that its first line or its format names is not";
      }
      return "the program " + shown + " is not there";
    case EACCES:
      return "the program " + shown + " may not be executed (a folder, or no execute permission)";
    case ENOEXEC:
      return "the program " + shown +
             " is in no format that can be executed (a script begins with a line such as "
             "#!/bin/sh)";
    case E2BIG:
      return "the arguments and the environment of " + shown +
             " are longer than the operating system takes";
    default:
      return "the program " + shown + " cannot be started: " + reason_of(error);
  }
}

}  // namespace phasegate::base
