#include "world/checks/git_program.h"

#include <string_view>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world::checks {
namespace {

constexpr std::int64_t kGitMs = 300'000;  ///< generous: it reads every changed file
constexpr std::size_t kSaidBytesMax = 200;

using End = base::ProcessResult::End;

/// What would start a program, reach a network or hide a change, put right on the command line,
/// which is stronger than every configuration file.
constexpr std::string_view kSettings[] = {
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.untrackedCache=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.ignoreCase=false",
    "core.symlinks=true",
    "core.sparseCheckout=false",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "core.safecrlf=false",
    "diff.external=",
    "diff.autoRefreshIndex=true",
    "diff.noprefix=false",
    "protocol.allow=never",
    "credential.helper=",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "log.showSignature=false",
};

constexpr std::string_view kVariables[] = {
    "LC_ALL=C",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_ATTR_NOSYSTEM=1",
    "GIT_TERMINAL_PROMPT=0",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_LITERAL_PATHSPECS=1",
    "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_LFS_SKIP_SMUDGE=1",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM=1",
};

constexpr std::string_view kPath = "PATH=";

bool steers_git(std::string_view variable) {
  return variable.starts_with(kPath) || variable.starts_with("GIT_") ||
         variable.starts_with("LC_") || variable.starts_with("LANG");
}

/// Where git is looked for: the system's own folders come before what the caller's PATH names, so
/// that nobody puts another one in front. Of that only absolute folders count: any other is one of
/// the project, whose files anybody writes.
std::string path_of(const std::vector<std::string>& environment) {
  std::string path = "PATH=/usr/bin:/bin:/usr/local/bin";
  for (const std::string& variable : environment) {
    if (!variable.starts_with(kPath)) continue;
    for (const std::string_view folder :
         base::split(std::string_view(variable).substr(kPath.size()), ':')) {
      if (folder.starts_with('/')) path += ":" + std::string(folder);
    }
  }
  return path;
}

std::string said(std::string_view err) {
  const std::string_view first = base::trimmed(err.substr(0, err.find('\n')));
  constexpr std::string_view kFatal = "fatal: ";
  const std::string_view text = first.starts_with(kFatal) ? first.substr(kFatal.size()) : first;
  return base::shortened(base::to_utf8(without_machine_paths(text)), kSaidBytesMax);
}

base::Error explained(const base::ProcessResult& result) {
  if (result.end == End::not_started) {
    return {"git_missing", "git cannot be started: " + result.problem,
            "install git where the server finds it in PATH", ""};
  }
  if (result.end == End::timed_out || result.end == End::stopped) {
    return {"git_stopped", "git did not come to an end in its time", "try again", ""};
  }
  const std::string& err = result.err.text;
  if (err.find("dubious ownership") != std::string::npos) {
    return {"git_refused", "git refuses the repository because it belongs to another user",
            "a person makes the server's user its owner or allows it: git config --global --add "
            "safe.directory FOLDER",
            ""};
  }
  const std::string words = said(err);
  if (err.find("hash mismatch") != std::string::npos) return objects_mismatch(words);
  return {"git_failed", words.empty() ? "git failed without saying why" : "git says: " + words,
          "see what git status says in the project", ""};
}

}  // namespace

base::Error objects_mismatch(const std::string& what) {
  return {"git_mismatch", "the repository's objects are not what their ids say: " + what,
          "see what git fsck says in the project; bring the objects back, as from a fresh clone",
          ""};
}

std::string without_machine_paths(std::string_view text) {
  constexpr std::string_view kBefore = " '\"(=:`";
  constexpr std::string_view kAfter = " '\")`\n";
  std::string kept;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool begins =
        text[at] == '/' && (at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos);
    if (!begins) {
      kept += text[at++];
      continue;
    }
    kept += "…";
    const std::size_t end = text.find_first_of(kAfter, at);
    at = end == std::string_view::npos ? text.size() : end;
  }
  return kept;
}

std::vector<std::string> listed(const std::string& output) {
  std::vector<std::string> names;
  for (const std::string_view name : base::split(output, '\0')) {
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

base::Result<std::string> run_git(const GitCall& call) {
  base::ProcessRequest request;
  request.argv = {"git"};
  for (const std::string_view setting : kSettings) {
    request.argv.emplace_back("-c");
    request.argv.emplace_back(setting);
  }
  for (const char* option : {"--no-pager", "--no-optional-locks"})
    request.argv.emplace_back(option);
  request.argv.insert(request.argv.end(), call.arguments.begin(), call.arguments.end());
  request.folder = call.folder;
  request.input = call.input;
  for (const std::string& variable : call.environment) {
    if (!steers_git(variable)) request.environment.push_back(variable);
  }
  request.environment.push_back(path_of(call.environment));
  request.environment.insert(request.environment.end(), std::begin(kVariables),
                             std::end(kVariables));
  request.environment.insert(request.environment.end(), call.variables.begin(),
                             call.variables.end());
  request.timeout_ms = kGitMs;
  request.output_max = base::limits::kCheckOutputBytesMost;
  request.go_on = call.go_on;
  base::ProcessResult result = base::run_process(request);
  if (result.end != End::exited || result.code != 0) return explained(result);
  if (result.out.cut) {
    return base::Error{"git_failed", "git lists more than can be looked through",
                       "let .gitignore name what no check needs", ""};
  }
  return std::move(result.out.text);
}

}  // namespace phasegate::world::checks
