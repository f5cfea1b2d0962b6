#include "app/cli/help.h"

#include <algorithm>
#include <vector>

#include "app/cli/invocation.h"
#include "app/cli/text.h"

namespace phasegate::app::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string usage_of(const OptionSpec& option) {
  std::string text(option.name);
  if (!option.value.empty()) text.append(" ").append(option.value);
  return text;
}

std::string usage_of(const CommandSpec& command) {
  std::string text(command.name);
  if (!command.argument.empty()) text.append(" ").append(command.argument);
  return text;
}

std::string global_options() {
  Rows rows;
  for (const OptionSpec& option : options()) {
    if (option.global) rows.push_back({usage_of(option), std::string(option.summary)});
  }
  return "Options of every command (before or after it):\n" + columns(rows, 2);
}

std::string overview() {
  Rows rows;
  for (const CommandSpec& command : commands()) {
    rows.push_back({usage_of(command), std::string(command.summary)});
  }
  return "phasegate makes AI assistants work in phases: the next phase cannot be seen until the\n"
         "gate of this one has passed.\n\n"
         "Usage: phasegate [COMMAND] [OPTIONS]\n\nCommands:\n" +
         columns(rows, 2) +
         "\nSESSION is a session's id or at least the first 4 characters of it.\n\n" +
         global_options() +
         "\nExit codes: 0 ok; 1 what was asked about is not ok (errors found, session unknown);\n"
         "2 the command line cannot be understood; 3 the state cannot be used.\n";
}

std::string about(const CommandSpec& command) {
  std::string text = "Usage: phasegate " + usage_of(command) + " [OPTIONS]\n\n";
  std::string summary(command.summary);
  if (!summary.empty() && summary.front() >= 'a' && summary.front() <= 'z') {
    summary.front() = static_cast<char>(summary.front() - 'a' + 'A');
  }
  text += summary + ".\n";
  if (!command.details.empty()) text += std::string(command.details) + "\n";
  Rows own;
  for (const OptionSpec& option : options()) {
    if (!option.global && accepts(command.id, option)) {
      own.push_back({usage_of(option), std::string(option.summary)});
    }
  }
  if (!own.empty()) text += "\nOptions:\n" + columns(own, 2);
  return text + "\n" + global_options();
}

}  // namespace

std::string help_text(std::string_view command) {
  const auto found = std::find_if(commands().begin(), commands().end(),
                                  [&](const CommandSpec& spec) { return spec.name == command; });
  return found == commands().end() ? overview() : about(*found);
}

}  // namespace phasegate::app::cli
