#include "app/cli/help.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/cli/invocation.h"
#include "app/cli/layout.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kUsageWidthMax = 30;

std::string heading(std::string_view text, const Page& page) {
  return "\n" + wrapped(page.in(Tone::strong, text), page.width, 0, 0);
}

std::string paragraphs(std::string_view text, const Page& page) {
  std::string out;
  for (const std::string_view paragraph : base::split(text, '\n')) {
    out += wrapped(paragraph, page.width, 0, 0);
  }
  return out;
}

std::string global_options(const Page& page) {
  Entries entries;
  for (const OptionSpec& option : options()) {
    if (option.global) entries.emplace_back(usage_of(option), option.summary);
  }
  return heading("Options of every command (before or after it):", page) +
         definitions(entries, 2, page.width);
}

std::string overview(const Page& page) {
  Entries entries;
  for (const CommandSpec& command : commands()) {
    if (command.hidden) continue;
    std::string usage = usage_of(command);
    // One long line would take the room of all summaries; `help COMMAND` has it whole.
    if (usage.size() > kUsageWidthMax) usage = std::string(command.name) + " …";
    entries.emplace_back(std::move(usage), command.summary);
  }
  return paragraphs(
             "phasegate makes AI assistants work in phases: the next phase cannot be seen until "
             "the gate of this one has passed.\n",
             page) +
         "\n" + paragraphs("Usage: phasegate [COMMAND] [OPTIONS]", page) +
         heading("Commands:", page) + definitions(entries, 2, page.width) + "\n" +
         paragraphs("SESSION is a session's id or at least the first 4 characters of it.", page) +
         global_options(page) + "\n" +
         paragraphs(
             "Exit codes: 0 ok; 1 what was asked about is not ok (errors found, session unknown); "
             "2 the command line cannot be understood; 3 the state cannot be used.",
             page);
}

std::string about(const CommandSpec& command, const Page& page) {
  std::string text =
      wrapped("Usage: phasegate " + usage_of(command) + " [OPTIONS]", page.width, 0, 2) + "\n";
  std::string summary(command.summary);
  if (!summary.empty() && summary.front() >= 'a' && summary.front() <= 'z') {
    summary.front() = static_cast<char>(summary.front() - 'a' + 'A');
  }
  text += paragraphs(summary + ".", page) + paragraphs(command.details, page);
  Entries own;
  for (const OptionSpec& option : options()) {
    if (!option.global && accepts(command.id, option)) {
      own.emplace_back(usage_of(option), option.summary);
    }
  }
  if (!own.empty()) text += heading("Options:", page) + definitions(own, 2, page.width);
  return text + global_options(page);
}

}  // namespace

std::string help_text(std::string_view command, const Page& page) {
  const auto found = std::find_if(commands().begin(), commands().end(),
                                  [&](const CommandSpec& spec) { return spec.name == command; });
  return found == commands().end() ? overview(page) : about(*found, page);
}

}  // namespace phasegate::app::cli
