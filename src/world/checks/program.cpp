#include "world/checks/program.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/expression.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/printed.h"
#include "world/checks/verdict.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;
using gating::CheckOutcome;
using gating::CheckResult;
using End = base::ProcessResult::End;

namespace {

constexpr std::size_t kShownBytesMax = 200;

/// The first template in `text` that names something a workflow can name; empty if there is none.
/// Other braces (`docker ps --format '{{.Names}}'`) are the program's own.
std::string template_in(std::string_view text) {
  for (std::size_t open = text.find("{{"); open != std::string_view::npos;
       open = text.find("{{", open + 2)) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) break;
    const std::string_view whole = text.substr(open, close + 2 - open);
    const std::string_view path = base::trimmed(whole.substr(2, whole.size() - 4));
    const std::string_view root = path.substr(0, path.find_first_of(".["));
    for (const char* known : {"input", "evidence", "steps", "checks", "run", "args", "arg"}) {
      if (root == known) return std::string(whole);
    }
  }
  return "";
}

Error invalid(std::string message, std::string hint) {
  return {"invalid_check", std::move(message), std::move(hint), ""};
}

/// The arguments, each filled by itself.
Result<std::vector<std::string>> arguments_of(const Parameters& parameters) {
  const std::vector<std::string> written = parameters.texts("argv");
  if (written.empty()) return invalid("no program is named", "write argv: [program, argument]");
  if (written.front().find("{{") != std::string::npos) {
    return invalid(
        "the program " + base::in_quotes(written.front()) + " would be chosen by a value",
        "name the program itself; its arguments may hold {{…}}");
  }
  auto filled = parameters.all_filled("argv");
  if (!filled) return filled;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if ((*filled)[i].starts_with('-') && !written[i].starts_with('-')) {
      return Error{"unsafe_argument",
                   base::in_quotes(written[i]) + " became " + base::in_quotes((*filled)[i]) +
                       ", which the program would read as an option",
                   "hand over a value that does not begin with -, or write ./{{…}} or "
                   "--name={{…}} in the workflow",
                   ""};
    }
  }
  return filled;
}

/// The line that a shell is to read: taken as it is.
Result<std::string> shell_line(const Parameters& parameters) {
  if (!parameters.flag("shell")) {
    return invalid("run is written without shell: true",
                   "write shell: true beside run, or argv: [program, argument]");
  }
  std::string line = parameters.text("run").value_or("");
  if (line.find('\0') != std::string::npos) {
    return invalid("run holds a NUL byte, which no program can be given", "write it without one");
  }
  if (const std::string found = template_in(line); !found.empty()) {
    return invalid(
        "run holds " + base::in_quotes(found) + ": values are never put into a shell's text",
        "hand it over in env, e.g. env: {VALUE: \"" + found + "\"}, and write \"$VALUE\" in run");
  }
  return line;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

/// The given environment with the check's own variables, in order of name.
Result<std::vector<std::string>> environment_of(const Ask& ask, const Parameters& parameters) {
  std::map<std::string, std::string> variables;
  for (const std::string& variable : ask.place.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) continue;
    variables[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  auto own = parameters.map("env");
  if (!own) return own.error();
  for (auto& [name, value] : *own) {
    if (!is_variable_name(name)) {
      return invalid(base::in_quotes(name) + " cannot be the name of a variable",
                     "names in env hold no = and are not empty");
    }
    variables[name] = std::move(value);
  }
  std::vector<std::string> environment;
  environment.reserve(variables.size());
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

Result<OpenedFile> folder_of(const Ask& ask, const Parameters& parameters) {
  std::string path = ask.place.root.string();
  if (parameters.has("cwd") && parameters.text("cwd") != ".") {
    auto written = parameters.path("cwd");
    if (!written) return written.error();
    path = std::move(written).value();
  }
  auto folder = OpenedFile::open(ask.place.root, path);
  if (!folder) return folder.error();
  if (!folder->is_folder()) {
    return invalid("cwd " + base::in_quotes(path) + " is no folder",
                   "name a folder of the project");
  }
  return folder;
}

/// The check's command line; an error also if it is to be the project's, which has none.
Result<std::vector<std::string>> argv_of(const Parameters& parameters) {
  if (parameters.has("argv")) return arguments_of(parameters);
  auto line = shell_line(parameters);
  if (!line) return line.error();
  return std::vector<std::string>{"/bin/sh", "-c", std::move(line).value()};
}

std::string digest_of(const std::vector<std::string>& texts) {
  base::Digest digest;
  for (const std::string& text : texts) digest.add(text);
  return digest.hex();
}

CheckResult unclear(const Ask& ask, const Error& error) {
  return checks::unclear(ask, error.message, error.hint);
}

CheckResult without_command(const Ask& ask, const std::string& name) {
  CheckResult result =
      checks::unclear(ask, "the project names no command " + base::in_quotes(name),
                      "a person adds it to .phasegate/project.yaml, e.g. commands: {" + name +
                          ": [make, " + name + "]}");
  if (Parameters(ask).text("if_missing") == "skip") result.outcome = CheckOutcome::skipped;
  return result;
}

std::string seconds_text(std::int64_t ms) {
  return base::number_text(static_cast<double>(ms) / 1000.0) + " s";
}

}  // namespace

std::string command_line(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  std::string line;
  for (const std::string& word : argv) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

std::variant<Program, CheckResult> program_of(const Ask& ask) {
  const Parameters parameters(ask);
  if (!parameters.has("argv") && !parameters.has("run")) {
    if (const auto name = parameters.text("project")) return without_command(ask, *name);
  }
  auto argv = argv_of(parameters);
  if (!argv) return unclear(ask, argv.error());
  auto environment = environment_of(ask, parameters);
  if (!environment) return unclear(ask, environment.error());
  auto folder = folder_of(ask, parameters);
  if (!folder) return unclear(ask, folder.error());
  std::string input;
  if (parameters.has("stdin")) {
    auto filled = parameters.filled("stdin");
    if (!filled) return unclear(ask, filled.error());
    input = std::move(filled).value();
  }

  const bool by_shell = !parameters.has("argv");
  std::string shown = by_shell ? argv->back() : command_line(*argv);
  base::ProcessRequest request;
  // A path is the project's, wherever the program is to work.
  if (!argv->front().starts_with('/') && argv->front().find('/') != std::string::npos) {
    request.program = (ask.place.root / argv->front()).string();
  }
  request.argv = std::move(argv).value();
  // By descriptor: the folder that was judged is the one that is entered.
  request.folder = "/proc/self/fd/" + std::to_string(folder->descriptor());
  request.environment = std::move(environment).value();
  request.input = std::move(input);
  request.timeout_ms = std::min(parameters.whole("timeout").value_or(base::limits::kCheckMs),
                                base::limits::kCheckMsMax);
  request.output_max = std::min(
      static_cast<std::size_t>(parameters.whole("output_max")
                                   .value_or(std::int64_t{base::limits::kCheckOutputBytesMax})),
      base::limits::kCheckOutputBytesMost);
  request.go_on = ask.scene.go_on;
  std::string digest = digest_of(request.environment);
  return Program{std::move(request), base::shortened(base::to_utf8(shown), kShownBytesMax),
                 std::move(digest), std::move(folder).value()};
}

CheckResult result_of(const Ask& ask, const Program& program, const base::ProcessResult& process) {
  std::vector<std::int64_t> wanted = Parameters(ask).wholes("exit");
  if (wanted.empty()) wanted = {0};
  CheckResult result = passed(ask);
  switch (process.end) {
    case End::exited:
      result.exit_code = process.code;
      if (std::find(wanted.begin(), wanted.end(), process.code) == wanted.end()) {
        result = failed(
            ask, "exit code " + std::to_string(process.code) + ", wanted " + wanted_text(wanted));
        result.exit_code = process.code;
      }
      break;
    case End::signalled:
      result = failed(ask, "ended by signal " + std::to_string(process.code) +
                               ", wanted exit code " + wanted_text(wanted));
      break;
    case End::timed_out:
      result = checks::unclear(
          ask, "timed out after " + seconds_text(program.request.timeout_ms),
          "it gets no terminal and no input but stdin, so it must not ask; a slow one needs a "
          "longer timeout in the workflow");
      break;
    case End::stopped:
      result = checks::unclear(ask, "it was given up before it had ended",
                               "call again: the check runs anew");
      break;
    case End::not_started:
      result = checks::unclear(
          ask, process.problem,
          "it is started in the project's root, or in cwd, with the PATH that the terminal "
          "had on which the workflow was trusted: a person says phasegate trust "
          "again where it is found");
      break;
  }
  result.subject = program.shown;
  result.output_tail = tail_of(process.out, process.err);
  result.output_digest = process.digest;
  result.duration_ms = process.duration_ms;
  result.environment_digest = program.environment_digest;
  return result;
}

}  // namespace phasegate::world::checks
