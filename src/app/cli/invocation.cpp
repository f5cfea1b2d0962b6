#include "app/cli/invocation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/option_values.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// The command line sorted into options and the rest.
struct Words {
  std::vector<GivenOption> options;
  std::vector<std::string> rest;
};

std::string see_help(std::string_view command = "") {
  return "`phasegate help" + (command.empty() ? "" : " " + std::string(command)) +
         "` shows what there is.";
}

base::Error unknown(std::string_view what, std::string_view typed,
                    std::span<const std::string> candidates) {
  auto nearest = base::nearest_name(typed, candidates);
  // `val` is far from `validate` by its letters, and yet the beginning of it.
  for (const std::string& candidate : candidates) {
    if (!nearest && candidate.starts_with(typed)) nearest = candidate;
  }
  return usage_error("There is no " + std::string(what) + " " + base::in_quotes(typed) + ".",
                     nearest ? "Did you mean `" + *nearest + "`?" : see_help());
}

std::string_view long_form(std::string_view option) {
  if (option == "-h") return "--help";
  if (option == "-V") return "--version";
  return option;
}

base::Result<Words> sort_words(std::span<const std::string> arguments) {
  Words words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      words.rest.insert(words.rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        arguments.end());
      break;
    }
    if (word.size() < 2 || word.front() != '-') {
      words.rest.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string_view name = long_form(std::string_view(word).substr(0, equals));
    const auto spec = std::find_if(options().begin(), options().end(),
                                   [&](const OptionSpec& option) { return option.name == name; });
    if (spec == options().end()) {
      std::vector<std::string> names;
      for (const OptionSpec& option : options()) names.emplace_back(option.name);
      return unknown("option", name, names);
    }
    GivenOption given{&*spec, ""};
    if (spec->value.empty()) {
      if (equals != std::string::npos) {
        return usage_error(std::string(name) + " takes no value.", see_help());
      }
    } else if (equals != std::string::npos) {
      given.value = word.substr(equals + 1);
    } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      given.value = arguments[++i];
    }
    if (!spec->value.empty() && given.value.empty()) {
      return usage_error(
          std::string(name) + " needs a value: " + std::string(name) + " " +
              std::string(spec->value) + ".",
          "A value that begins with -- is written as " + std::string(name) + "=VALUE.");
    }
    words.options.push_back(std::move(given));
  }
  return words;
}

base::Result<const CommandSpec*> find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandSpec& spec : commands()) {
    if (spec.name == name) return &spec;
    if (!spec.hidden) names.emplace_back(spec.name);
  }
  return unknown("command", name, names);
}

/// Options of which one alone makes sense.
base::Result<void> refuse_contradictions(const Invocation& invocation) {
  const std::array<std::pair<std::string_view, bool>, 4> kWhich = {{
      {"--all", invocation.all},
      {"--open", invocation.open},
      {"--ended", invocation.ended},
      {"--limit", invocation.all && invocation.limit.has_value()},
  }};
  const std::array<std::pair<std::string_view, bool>, 2> kSeverities = {
      {{"--strict", invocation.strict}, {"--fail-on error", invocation.fail_on == "error"}}};
  const std::array<std::pair<std::string_view, bool>, 2> kForms = {
      {{"--man", invocation.man}, {"--markdown", invocation.markdown}}};
  const std::array<std::pair<std::string_view, bool>, 2> kInputs = {
      {{"--input", invocation.input.has_value()},
       {"--input-file", invocation.input_file.has_value()}}};
  const std::array<std::pair<std::string_view, bool>, 3> kAudits = {
      {{"--export", invocation.report},
       {"--rotate-key", invocation.rotate_key},
       {"--accept", invocation.accept}}};
  const std::array<std::pair<std::string_view, bool>, 3> kAuditsAsText = {
      {{"--rotate-key", invocation.rotate_key},
       {"--accept", invocation.accept},
       {"--json", invocation.json}}};
  const std::array<std::pair<std::string_view, bool>, 2> kIndexing = {
      {{"--status", invocation.show_status}, {"--rebuild", invocation.rebuild}}};
  const std::array<std::pair<std::string_view, bool>, 2> kReports = {
      {{"--json", invocation.json}, {"--format markdown", invocation.format == "markdown"}}};
  for (const auto& group : {std::span<const std::pair<std::string_view, bool>>(kWhich),
                            std::span<const std::pair<std::string_view, bool>>(kSeverities),
                            std::span<const std::pair<std::string_view, bool>>(kForms),
                            std::span<const std::pair<std::string_view, bool>>(kInputs),
                            std::span<const std::pair<std::string_view, bool>>(kAudits),
                            std::span<const std::pair<std::string_view, bool>>(kAuditsAsText),
                            std::span<const std::pair<std::string_view, bool>>(kIndexing),
                            std::span<const std::pair<std::string_view, bool>>(kReports)}) {
    std::vector<std::string> given;
    for (const auto& [name, is_given] : group) {
      if (is_given) given.emplace_back(name);
    }
    if (given.size() < 2) continue;
    return usage_error(given[0] + " and " + given[1] + " contradict each other.",
                       "Leave one of them out.");
  }
  return {};
}

base::Result<void> apply_all(const std::vector<GivenOption>& given, const CommandSpec& command,
                             Invocation& invocation) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const OptionSpec& option = *given[i].spec;
    if (!accepts(command.id, option)) {
      return usage_error(
          std::string(option.name) + " is no option of `" + std::string(command.name) + "`.",
          see_help(command.name));
    }
    const bool again =
        std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const GivenOption& earlier) { return earlier.spec->name == option.name; });
    if (again && !option.repeatable && !option.value.empty()) {
      return usage_error(std::string(option.name) + " is given twice.", "Leave one of them out.");
    }
    if (auto applied = apply(given[i], invocation); !applied) return applied;
  }
  return refuse_contradictions(invocation);
}

base::Result<void> take_arguments(const CommandSpec& command, std::span<const std::string> given,
                                  Invocation& invocation) {
  const std::string name(command.name);
  const bool optional = command.argument.starts_with('[');
  const std::size_t most = command.argument.empty()          ? 0
                           : command.repeats                 ? given.size() + 1
                           : command.second_argument.empty() ? 1
                                                             : 2;
  if (given.size() > most) {
    const std::string wanted = most == 0   ? "no argument"
                               : most == 1 ? "one argument, " + std::string(command.argument)
                                           : std::string(command.argument) + " and " +
                                                 std::string(command.second_argument);
    return usage_error("`" + name + "` takes " + wanted + "; " + base::in_quotes(given.back()) +
                           " is one too many.",
                       "Text with spaces needs quotes. " + see_help(name));
  }
  const std::size_t checked =
      command.repeats ? given.size() : std::min<std::size_t>(given.size(), 1);
  if (std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(checked),
                  [](const std::string& word) { return word.empty(); })) {
    return usage_error("The argument of `" + name + "` is empty.", see_help(name));
  }
  if (given.empty() && !command.argument.empty() && !optional) {
    const std::string next =
        command.argument == "SESSION" ? "`phasegate sessions` lists them." : see_help(name);
    return usage_error("`" + name + "` needs " + std::string(command.argument) + ".", next);
  }
  if (!given.empty()) invocation.argument = given.front();
  if (command.repeats) invocation.arguments.assign(given.begin(), given.end());
  if (given.size() > 1 && !command.repeats) invocation.second_argument = given[1];
  const std::string_view wanted = without_brackets(command.argument);
  if (is_choice(wanted) && !invocation.argument.empty() &&
      !is_one_of(wanted, invocation.argument)) {
    return not_a_choice("The argument of `" + name + "`", wanted, invocation.argument);
  }
  return {};
}

bool has(const Words& words, std::string_view option) {
  return std::any_of(words.options.begin(), words.options.end(),
                     [&](const GivenOption& given) { return given.spec->name == option; });
}

}  // namespace

base::Result<Invocation> parse(std::span<const std::string> arguments) {
  auto words = sort_words(arguments);
  if (!words) return std::move(words).error();

  const CommandSpec* command = &spec_of(CommandId::mcp);
  if (!words->rest.empty()) {
    auto found = find_command(words->rest.front());
    if (!found) return std::move(found).error();
    command = *found;
  }
  Invocation invocation;
  if (has(*words, "--version")) {
    invocation.command = CommandId::version;
    return invocation;
  }
  if (has(*words, "--help")) {
    invocation.command = CommandId::help;
    if (!words->rest.empty()) invocation.argument = command->name;
    return invocation;
  }
  invocation.command = command->id;
  if (auto applied = apply_all(words->options, *command, invocation); !applied) {
    return std::move(applied).error();
  }
  const std::span<const std::string> rest(words->rest);
  if (auto taken = take_arguments(*command, rest.empty() ? rest : rest.subspan(1), invocation);
      !taken) {
    return std::move(taken).error();
  }
  if (invocation.command == CommandId::help && !invocation.argument.empty()) {
    if (auto topic = find_command(invocation.argument); !topic) return std::move(topic).error();
  }
  return invocation;
}

}  // namespace phasegate::app::cli
