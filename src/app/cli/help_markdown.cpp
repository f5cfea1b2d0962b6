#include "app/cli/help.h"
#include "app/cli/invocation.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// As a cell of a table shows it: a bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string in_code(const std::string& text) {
  return "`" + cell(text) + "`";
}

bool is_known_by(const CommandSpec& command, std::string_view option_name) {
  for (const OptionSpec& option : options()) {
    if (option.name == option_name) return accepts(command.id, option);
  }
  return false;
}

std::string command_row(const CommandSpec& command) {
  std::string details;
  for (const std::string_view part : base::split(command.details, '\n')) {
    if (!part.empty()) details += " " + std::string(part);
  }
  std::string text(command.summary);
  text += "." + details;
  return "| " + in_code(usage_of(command)) + " | " + cell(text) + " | " +
         (is_known_by(command, "--json") ? "yes" : "") + " |\n";
}

std::string commands_of(const OptionSpec& option) {
  std::string names;
  for (const CommandId id : option.commands) {
    names += (names.empty() ? "`" : ", `") + std::string(spec_of(id).name) + "`";
  }
  return names;
}

}  // namespace

std::string help_markdown() {
  std::string text = "| command | does | `--json` |\n| --- | --- | --- |\n";
  for (const CommandSpec& command : commands()) {
    if (!command.hidden) text += command_row(command);
  }
  text += "\n| option | of | meaning |\n| --- | --- | --- |\n";
  for (const OptionSpec& option : options()) {
    text += "| " + in_code(usage_of(option)) + " | " +
            (option.global ? "every command" : commands_of(option)) + " | " + cell(option.summary) +
            " |\n";
  }
  return text;
}

}  // namespace phasegate::app::cli
