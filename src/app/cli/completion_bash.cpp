#include <algorithm>

#include "app/cli/completion.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

std::string words_of(std::string_view choice) {
  std::string words(choice);
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

std::string command_names() {
  std::string names;
  for (const CommandSpec& command : commands()) {
    if (!command.hidden) names += (names.empty() ? "" : " ") + std::string(command.name);
  }
  return names;
}

std::string option_names(const CommandSpec& command) {
  std::string names;
  for (const OptionSpec& option : options()) {
    if (accepts(command.id, option)) names += (names.empty() ? "" : " ") + std::string(option.name);
  }
  return names;
}

/// Options that take a value, as a pattern of `case`.
std::string options_with_value(bool of_place_only) {
  std::string pattern;
  for (const OptionSpec& option : options()) {
    if (option.value.empty() || (of_place_only && option.value != "DIR")) continue;
    pattern += (pattern.empty() ? "" : "|") + std::string(option.name);
  }
  return pattern;
}

/// The statement that offers what is wanted.
std::string offer(Wanted wanted, std::string_view word) {
  switch (wanted) {
    case Wanted::choice:
      return "_phasegate_words '" + words_of(word) + "'";
    case Wanted::command:
      return "_phasegate_words '" + command_names() + "'";
    case Wanted::folder:
      return "_phasegate_paths -d";
    case Wanted::file:
      return "_phasegate_paths -f";
    case Wanted::path_or_workflow:
      return "_phasegate_ask workflows; _phasegate_paths -f";
    case Wanted::session:
    case Wanted::open_session:
    case Wanted::waiting_session:
    case Wanted::workflow:
    case Wanted::built_in:
    case Wanted::tool:
      return "_phasegate_ask " + std::string(list_of(wanted));
    case Wanted::nothing:
      return ":";
  }
  return ":";
}

std::string value_cases() {
  std::string cases;
  for (const OptionSpec& option : options()) {
    if (option.value.empty()) continue;
    cases += "    " + std::string(option.name) + ") " + offer(wanted_by(option), option.value) +
             "; return ;;\n";
  }
  return cases;
}

std::string option_cases() {
  std::string cases;
  for (const CommandSpec& command : commands()) {
    if (command.hidden) continue;
    cases += "      " + std::string(command.name) + ") _phasegate_words '" + option_names(command) +
             "' ;;\n";
  }
  return cases;
}

std::string argument_cases() {
  std::string cases;
  for (const CommandSpec& command : commands()) {
    const Wanted wanted = wanted_by(command);
    if (command.hidden || wanted == Wanted::nothing) continue;
    const std::string first = offer(wanted, without_brackets(command.argument));
    // What follows one of several words is a file.
    const bool files = command.repeats && wanted == Wanted::choice;
    cases += "    " + std::string(command.name) + ") " +
             (files ? "if [[ -z \"$argument\" ]]; then " + first + "; else " +
                          offer(Wanted::file, "") + "; fi"
                    : first) +
             " ;;\n";
  }
  return cases;
}

/// Commands whose argument may be followed by more of its kind, as a pattern of `case`.
std::string repeating_commands() {
  std::string pattern;
  for (const CommandSpec& command : commands()) {
    if (command.repeats) pattern += (pattern.empty() ? "" : "|") + std::string(command.name);
  }
  return pattern;
}

std::string every_option() {
  std::string names;
  for (const OptionSpec& option : options()) {
    names += (names.empty() ? "" : " ") + std::string(option.name);
  }
  return names;
}

constexpr std::string_view kHelpers =
    R"(# bash completion for phasegate, made by `phasegate completion bash`

# Adds the words that begin with what was typed.
_phasegate_words() {
  local word
  for word in $1; do
    if [[ "$word" == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}

# Adds a name that came from somewhere else, quoted so that nothing in it can be a command: what the
# shell quotes by itself lets `$` and backquotes through.
_phasegate_add() {
  local quoted
  if [[ "$1" == "~/"?* ]]; then printf -v quoted '~/%q' "${1:2}"; else printf -v quoted %q "$1"; fi
  COMPREPLY+=("$quoted")
}

_phasegate_paths() {
  local path
  while IFS= read -r path; do
    if [[ -d "${path/#\~\//$HOME/}" ]]; then path+=/; fi
    _phasegate_add "$path"
  done < <(compgen "$1" -- "${cur//\\/}")
  # Behind a folder its contents may follow.
  if [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" == */ ]]; then compopt -o nospace; fi 2>/dev/null
}

# Asks the program for names; it sees the same project as the command that is being typed.
_phasegate_ask() {
  local name about
  while IFS=$'\t' read -r name about; do
    if [[ "$name" == "${cur//\\/}"* ]]; then _phasegate_add "$name"; fi
  done < <("$program" complete "$1" "${places[@]}" 2>/dev/null)
}

_phasegate() {
  local cur="${COMP_WORDS[COMP_CWORD]}" program="${COMP_WORDS[0]/#\~/$HOME}"
  local command="" argument="" option="" word="" value=0 i=1
  local -a places=()
  COMPREPLY=()
  # `--name=value` comes as three words.
  if [[ "$cur" == "=" ]]; then cur=""; fi
  while ((i < COMP_CWORD)); do
    word="${COMP_WORDS[i]}"
    option=""
    case "$word" in
)";

}  // namespace

std::string bash_completion() {
  std::string text(kHelpers);
  text += "      " + options_with_value(false) + ")\n";
  text += R"(        value=$((i + 1))
        if [[ "${COMP_WORDS[value]}" == "=" ]] && ((value < COMP_CWORD)); then value=$((value + 1)); fi
        option="$word"
        if ((value >= COMP_CWORD)); then break; fi
        case "$word" in
)";
  text += "          " + options_with_value(true) +
          ") places+=(\"$word\" \"${COMP_WORDS[value]/#\\~/$HOME}\") ;;\n";
  text += R"(        esac
        option=""
        i=$value
        ;;
      -*) ;;
      *)
        if [[ -z "$command" ]]; then command="$word"; else argument="$word"; fi
        ;;
    esac
    i=$((i + 1))
  done
  case "$option" in
)";
  text += value_cases();
  text += R"(  esac
  if [[ "$cur" == -* ]]; then
    case "$command" in
)";
  text += option_cases();
  text += "      *) _phasegate_words '" + every_option() + "' ;;\n    esac\n    return\n  fi\n";
  text +=
      "  if [[ -z \"$command\" ]]; then _phasegate_words '" + command_names() + "'; return; fi\n";
  text += "  case \"$command\" in\n    " + repeating_commands() +
          ") ;;\n    *) if [[ -n \"$argument\" ]]; then return; fi ;;\n  esac\n"
          "  case \"$command\" in\n";
  text += argument_cases();
  return text + "  esac\n}\n\ncomplete -F _phasegate phasegate\n";
}

}  // namespace phasegate::app::cli
