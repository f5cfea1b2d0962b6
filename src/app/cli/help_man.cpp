#include "app/cli/help.h"
#include "app/cli/invocation.h"
#include "app/cli/layout.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kLineWidth = 70;
/// When what the page says last changed in kind; roff wants a date.
constexpr const char* kPageDate = "2026-11-28";

/// Text for roff: what it would take for a request or an escape is written so that it is not.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '`') {
      continue;  // marks code in our texts; a page has no use for it
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

/// A paragraph, a sentence to a line, as roff likes it.
std::string sentences(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t stop = text.find(". ");
    const std::size_t end = stop == std::string_view::npos ? text.size() : stop + 1;
    // A line of more than 80 characters is bad style in roff.
    const std::string lines = wrapped(text.substr(0, end), kLineWidth, 0, 0);
    for (const std::string_view line : base::split(lines, '\n')) {
      if (!line.empty()) out += roff(line) + "\n";
    }
    text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 2);
  }
  return out;
}

std::string entry(const std::string& usage, std::string_view text) {
  return ".TP\n.B " + roff(usage) + "\n" + sentences(text);
}

std::string about(const CommandSpec& command) {
  std::string text = entry(usage_of(command), std::string(command.summary) + ".");
  for (const std::string_view part : base::split(command.details, '\n')) {
    if (!part.empty()) text += sentences(part);
  }
  bool has_own = false;
  for (const OptionSpec& option : options()) {
    if (option.global || !accepts(command.id, option)) continue;
    if (!has_own) text += ".RS\n";
    has_own = true;
    text += entry(usage_of(option), std::string(option.summary) + ".");
  }
  return has_own ? text + ".RE\n" : text;
}

std::string commands_section() {
  std::string text = ".SH COMMANDS\n";
  for (const CommandSpec& command : commands()) {
    if (!command.hidden) text += about(command);
  }
  return text + ".PP\n" +
         sentences("SESSION is a session's id or at least the first 4 characters of it.");
}

std::string options_section() {
  std::string text = ".SH OPTIONS\n" + sentences("Every command knows these, before or after it.");
  for (const OptionSpec& option : options()) {
    if (option.global) text += entry(usage_of(option), std::string(option.summary) + ".");
  }
  return text;
}

}  // namespace

std::string help_man(std::string_view program_version) {
  return std::string(".TH PHASEGATE 1 ") + kPageDate + " \"phasegate " + roff(program_version) +
         "\" \"User Commands\"\n"
         ".SH NAME\n"
         "phasegate \\- makes AI assistants work in phases\n"
         ".SH SYNOPSIS\n"
         ".B phasegate\n"
         ".RI [ COMMAND ]\n"
         ".RI [ OPTIONS ]\n"
         ".SH DESCRIPTION\n" +
         sentences(
             "An MCP server that hands out one phase of a workflow at a time: the next phase "
             "cannot be seen until the gate of this one has passed. Without a command it serves an "
             "assistant on standard input and output; the commands let a person see and steer what "
             "happens.") +
         commands_section() + options_section() + ".SH \"EXIT STATUS\"\n" +
         entry("0", "All is well.") +
         entry("1", "What was asked about is not: errors were found, a session is unknown.") +
         entry("2", "The command line cannot be understood.") +
         entry("3", "The surroundings do not allow it: the state cannot be used.") +
         ".SH ENVIRONMENT\n" +
         entry("CLAUDE_PROJECT_DIR", "The project, unless --root names one.") +
         entry("PHASEGATE_STATE", "The folder of state.db, unless --state names one.") +
         entry("NO_COLOR", "If it is not empty, nothing is coloured.") +
         entry("COLUMNS", "The width that text is laid out for.") + ".SH FILES\n" +
         entry(".phasegate/workflows/", "The project's workflows.") +
         entry("~/.config/phasegate/workflows/", "The user's workflows.") +
         entry("~/.local/state/phasegate/", "The state of every project, a folder each.");
}

}  // namespace phasegate::app::cli
