#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "gating/run.h"

/// The command line: what may be typed, and what was. One table of commands and options is behind
/// reading it, help, completion, the man page and the tables of docs/command-line.md.
namespace phasegate::app::cli {

enum class CommandId {
  mcp,
  serve,
  workflows,
  new_workflow,
  validate,
  gates,
  adopt,
  sessions,
  status,
  watch,
  history,
  export_session,
  audit,
  cancel,
  inbox,
  decide,
  reopen,
  pause,
  resume,
  repin,
  trust,
  approvers,
  notify,
  work,
  db,
  search,
  index,
  call,
  backup,
  restore,
  prune,
  import_session,
  doctor,
  completion,
  help,
  version,
  complete
};

/// A command as it is documented.
struct CommandSpec {
  CommandId id;
  std::string_view name;
  /// `SESSION`, `bash|zsh` (one of these words), `[COMMAND]` (may be left out); empty: none.
  std::string_view argument;
  std::string_view summary;  ///< one line of `help`
  std::string_view details;  ///< what `help COMMAND` says; a line break ends a paragraph
  bool hidden = false;       ///< for scripts: works, and is not shown
  std::string_view second_argument = "";  ///< that may follow the first; empty: none
  bool repeats = false;                   ///< the argument may be given any number of times
};

/// An option as it is documented.
struct OptionSpec {
  std::string_view name;   ///< with its dashes
  std::string_view value;  ///< `DIR`, `TEXT`, `strict|as-written`; empty: a switch
  std::string_view summary;
  bool global = false;  ///< belongs to every command; may stand before it
  bool repeatable = false;
  std::span<const CommandId> commands;  ///< the commands that know it, unless global
};

/// Every command, in the order in which help shows them.
[[nodiscard]] std::span<const CommandSpec> commands();
/// Every option, the global ones last.
[[nodiscard]] std::span<const OptionSpec> options();
[[nodiscard]] const CommandSpec& spec_of(CommandId id);
/// True if the command knows the option.
[[nodiscard]] bool accepts(CommandId command, const OptionSpec& option);

/// The word of an argument or value without the brackets that say it may be left out.
[[nodiscard]] std::string_view without_brackets(std::string_view argument);
/// True for `bash|zsh`: one of these words is wanted.
[[nodiscard]] bool is_choice(std::string_view value);
/// `--limit N`, `status [SESSION]`: name and value as they are typed.
[[nodiscard]] std::string usage_of(const OptionSpec& option);
[[nodiscard]] std::string usage_of(const CommandSpec& command);

/// `--color`: automatic means on a terminal that can and may show colours.
enum class Colour { automatic, always, never };

/// A command line, understood.
struct Invocation {
  CommandId command = CommandId::mcp;
  std::string argument;  ///< SESSION, PATH, NAME or what help is wanted for; may be empty
  std::string second_argument;
  std::vector<std::string> arguments;  ///< all of them, of a command whose argument repeats

  std::optional<std::string> root;     ///< --root
  std::optional<std::string> state;    ///< --state
  std::optional<std::string> notify;   ///< --notify
  std::optional<std::string> url;      ///< --url
  std::vector<std::string> workflows;  ///< --workflows, in order
  gating::GatePolicy gates = gating::GatePolicy::strict;
  base::LogLevel log_level = base::LogLevel::warning;
  Colour colour = Colour::automatic;

  bool json = false;
  bool all = false;
  bool open = false;
  bool ended = false;
  bool full = false;
  bool strict = false;  ///< --strict, --fail-on warning
  bool force = false;
  bool list = false;    ///< trust --list
  bool revoke = false;  ///< trust --revoke
  bool man = false;
  bool markdown = false;
  std::optional<std::string> workflow;  ///< --workflow: only what is of this one
  std::optional<std::string> session;   ///< search --session
  std::optional<std::string> phase;     ///< search --phase
  std::vector<std::string> tags;        ///< --tag, in order
  bool rebuild = false;                 ///< index --rebuild
  bool show_status = false;             ///< index --status
  std::optional<std::string> branch;
  std::optional<std::size_t> limit;
  std::optional<std::string> from;
  std::optional<std::string> fail_on;  ///< --fail-on: `error` or `warning`
  std::optional<std::string> output;   ///< --output
  std::optional<std::string> reason;
  std::optional<std::string> listen;     ///< --listen
  std::optional<std::string> tokens;     ///< --tokens
  std::vector<std::string> allow_hosts;  ///< --allow-host, in order
  std::optional<std::size_t> requests_per_second;
  std::optional<std::string> token;  ///< --token: of a confirmed deletion
  std::vector<std::string> values;   ///< --value, in order
  std::vector<std::string> roles;    ///< --role, in order
  bool dry_run = false;
  bool set_aside = false;                 ///< restore --set-aside
  std::optional<std::size_t> keep;        ///< prune --keep
  std::optional<std::string> bundle;      ///< export --bundle
  std::optional<std::string> option;      ///< --option: id of the choice
  std::optional<std::string> input;       ///< --input
  std::optional<std::string> input_file;  ///< --input-file
  bool exit_code = false;                 ///< status --exit-code
  bool report = false;                    ///< audit --export
  std::optional<std::string> format;      ///< --format: `json` or `markdown`
  bool rotate_key = false;                ///< audit --rotate-key
  bool accept = false;                    ///< audit --accept

  friend bool operator==(const Invocation&, const Invocation&) = default;
};

/// Reads the arguments after the program's name. Pure; every text gives a result. Options may stand
/// before or after the command, as `--name value` or `--name=value`; `--` ends them; without a
/// command it is `mcp`. Errors (code `usage`, exit code 2): an unknown command or option (hint: the
/// nearest name), a missing, empty or unknown value, an option of another command, an option given
/// twice, options that contradict each other, too few or too many arguments.
[[nodiscard]] base::Result<Invocation> parse(std::span<const std::string> arguments);

}  // namespace phasegate::app::cli
