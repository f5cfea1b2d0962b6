#include <algorithm>

#include "app/cli/completion.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// Text within single quotes in a description of `_arguments` or `_describe`.
std::string described(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += std::string("\\") + c;
    } else if (c != '`') {
      out += c;
    }
  }
  return out;
}

/// What `_arguments` does for a word: `folder:_files -/`.
std::string action(Wanted wanted, std::string_view word) {
  switch (wanted) {
    case Wanted::choice: {
      std::string words(word);
      std::replace(words.begin(), words.end(), '|', ' ');
      return "word:(" + words + ")";
    }
    case Wanted::command:
      return "command:_phasegate_commands";
    case Wanted::folder:
      return "folder:_files -/";
    case Wanted::file:
      return "file:_files";
    case Wanted::path_or_workflow:
      return "workflow:_phasegate_workflow_or_path";
    case Wanted::session:
    case Wanted::open_session:
    case Wanted::waiting_session:
    case Wanted::workflow:
    case Wanted::built_in:
    case Wanted::tool: {
      const std::string list(list_of(wanted));
      // The space keeps zsh from putting options of its own before the argument.
      return list + ": _phasegate_ask " + list;
    }
    case Wanted::nothing:
      return described(base::lowered(word)) + ": ";
  }
  return "";
}

std::string option_spec(const OptionSpec& option) {
  const std::string repeat = option.repeatable ? "*" : "";
  const std::string name(option.name);
  std::string text = "'" + repeat + name + (option.value.empty() ? "" : "=") + "[" +
                     described(option.summary) + "]";
  if (!option.value.empty()) text += ":" + action(wanted_by(option), option.value);
  return text + "'";
}

std::string commands_function() {
  std::string text = "_phasegate_commands() {\n  local -a commands=(\n";
  for (const CommandSpec& command : commands()) {
    if (command.hidden) continue;
    text += "    '" + std::string(command.name) + ":" + described(command.summary) + "'\n";
  }
  return text + "  )\n  _describe command commands\n}\n\n";
}

std::string command_case(const CommandSpec& command) {
  std::string text = "        " + std::string(command.name) + ")\n          _arguments $global";
  for (const OptionSpec& option : options()) {
    if (!option.global && accepts(command.id, option))
      text += " \\\n            " + option_spec(option);
  }
  if (!command.argument.empty()) {
    const Wanted wanted = wanted_by(command);
    // What follows one of several words is a file.
    const bool files = command.repeats && wanted == Wanted::choice;
    text += " \\\n            '" + std::string(command.repeats && !files ? "*:" : "1:") +
            action(wanted, without_brackets(command.argument)) + "'";
    if (files) text += " \\\n            '*:" + action(Wanted::file, "") + "'";
  }
  return text + "\n          ;;\n";
}

constexpr std::string_view kAsk =
    R"zsh(# Asks the program for names; it sees the same project as the command that is being typed.
_phasegate_ask() {
  local list=$1 line name value i
  local -a names places
  local program=${(Q)phasegate_words[1]}
  for ((i = 2; i < ${#phasegate_words}; i++)); do
    case ${phasegate_words[i]} in
      --root|--state|--workflows)
        # Never expanded as a pattern: a pattern of zsh may hold a command.
        value=${(Q)phasegate_words[i+1]}
        places+=("${phasegate_words[i]}" "${value/#\~\//$HOME/}")
        ;;
      --root=*|--state=*|--workflows=*) places+=("${(Q)phasegate_words[i]}") ;;
    esac
  done
  for line in ${(f)"$("${program/#\~\//$HOME/}" complete $list $places 2>/dev/null)"}; do
    name=${line%%$'\t'*}
    name=${name//\\/\\\\}
    names+=("${name//:/\\:}:${line#*$'\t'}")
  done
  _describe $list names
}

_phasegate_workflow_or_path() {
  _alternative 'workflows:workflow: _phasegate_ask workflows' 'files:file:_files'
}

)zsh";

}  // namespace

std::string zsh_completion() {
  std::string text =
      "#compdef phasegate\n# zsh completion for phasegate, made by `phasegate completion zsh`\n\n";
  text += commands_function();
  text += kAsk;
  text +=
      "_phasegate() {\n  local curcontext=\"$curcontext\" context state line ret=1\n"
      "  local -a phasegate_words=(\"${words[@]}\")\n  typeset -A opt_args\n"
      "  local -a global=(\n";
  for (const OptionSpec& option : options()) {
    if (option.global) text += "    " + option_spec(option) + "\n";
  }
  text +=
      "  )\n  _arguments -C $global '1:command:_phasegate_commands' '*::argument:->argument' && "
      "ret=0\n"
      "  case $state in\n    argument)\n      case $words[1] in\n";
  for (const CommandSpec& command : commands()) {
    if (!command.hidden) text += command_case(command);
  }
  text += "      esac && ret=0\n      ;;\n  esac\n  return ret\n}\n\n";
  // Loaded by itself from a folder of fpath it is the function's body; sourced, it registers.
  return text +
         "if [[ ${funcstack[1]} == _phasegate ]]; then\n  _phasegate \"$@\"\nelse\n"
         "  compdef _phasegate phasegate\nfi\n";
}

}  // namespace phasegate::app::cli
