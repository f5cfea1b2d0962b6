#include <algorithm>
#include <array>

#include "app/cli/invocation.h"

namespace phasegate::app::cli {
namespace {

using enum CommandId;

constexpr std::array kCommands = {
    CommandSpec{mcp, "mcp", "", "serve assistants over the Model Context Protocol (the default)",
                "Reads JSON-RPC from standard input and answers on standard output until the "
                "input ends.\nA client starts it; started by hand on a terminal it first says how "
                "to connect one."},
    CommandSpec{serve, "serve", "", "serve assistants over HTTP",
                "Listens on an address of this machine (`--listen`) and serves any number of "
                "clients of this project at the path /mcp, until Ctrl-C or SIGTERM.\nWhoever can "
                "reach the address can use it: on the loopback that is every user of this machine, "
                "with `unix:PATH` only yourself, with `--tokens` whoever has a token. Other "
                "addresses are refused without tokens."},
    CommandSpec{workflows, "workflows", "", "list the workflows that can be found here",
                "Shows every workflow of every place, where it lies and whether it can be "
                "started.\nWhy one cannot be started is shown by `phasegate validate`."},
    CommandSpec{new_workflow, "new", "NAME", "begin a workflow of your own",
                "Writes .phasegate/workflows/NAME.yaml in the project, and beside that folder the "
                "JSON Schema by which editors know its keys. Nothing that exists is "
                "overwritten.\nThe workflow is a small one to be changed, or with `--from` a copy "
                "of one that the program carries."},
    CommandSpec{
        validate, "validate", "[PATH|NAME]", "check workflows and show what they will ask",
        "PATH is a workflow's file (NAME.yaml, NAME.md) or folder, or a folder of workflows; NAME "
        "is a workflow that "
        "`phasegate workflows` lists; without either, everything in this project's places is "
        "checked, but for what the program carries itself.\nPrints what the author should know, "
        "with file and line, then phase by phase what must be handed over. Exit code 1 if there "
        "are errors, with `--fail-on warning` also if there are warnings."},
    CommandSpec{gates, "gates", "FILE...",
                "show how documents are read: phases and what each asks for",
                "FILE is a markdown document; `-` reads standard input. Prints each phase with its "
                "line and what is asked for there, by name, type and rules, and how sure the "
                "reading is where it is not certain.\nNeeds no project and changes nothing. What "
                "is read wrong is corrected in a file beside the document; see the documentation, "
                "\"Correct what was read\". A file that cannot be read is reported, the others are "
                "still printed, and the exit code is 1.",
                false, "", true},
    CommandSpec{adopt, "adopt", "PATH...", "write what was read as a workflow file to be edited",
                "PATH is a workflow's folder, a document, or several documents in their order. "
                "Prints a workflow file in the native format with everything that was read: "
                "phases, texts, and the evidence with its rules and where each came from. With "
                "`--output` it goes to a file instead.\nFrom then on the file counts, and the "
                "documents can be changed without changing a gate; `phasegate validate` warns "
                "when they have. What the format cannot say is printed to standard error and "
                "stands in the file as a comment.",
                false, "", true},
    CommandSpec{sessions, "sessions", "", "list the sessions of this project",
                "Shows the 20 newest sessions, open or ended. `--open` shows all that are open, "
                "`--all` every one. Sessions are named by the beginning of their id."},
    CommandSpec{status, "status", "[SESSION]", "show how far a session is and what it waits for",
                "Without SESSION it is the open session that has changed last. Shows the phases "
                "that were reached, what is missing in the open one, and who is waited for.\n"
                "With `--exit-code` the exit code says the same, for hooks and programs.\n"
                "`--all` also shows the phases that are still to come. An assistant that reads "
                "them knows them; the option is meant for people."},
    CommandSpec{watch, "watch", "[SESSION]", "follow a session as it goes on",
                "Prints the last ten entries of its history (`--full`: all of it), then a line for "
                "whatever happens, until the session ends. Without SESSION it is the open session "
                "that has changed last; `--all` follows every open one, and those that begin "
                "meanwhile.\nCtrl-C ends it, with exit code 0. With `--json` each line is one JSON "
                "object."},
    CommandSpec{history, "history", "[SESSION]", "show everything that has happened in a session",
                "Prints the session's journal: starts, refusals, completed phases with what was "
                "accepted, waits and ends. Without SESSION it is the open session that has "
                "changed last. Long values are shortened; `--full` shows all of them."},
    CommandSpec{
        export_session, "export", "SESSION", "print a session as one JSON document",
        "Prints id, workflow, phases, evidence and times of a session for other "
        "programs. With `--bundle` all of it goes into a file that `phasegate import` takes "
        "in on another machine."},
    CommandSpec{import_session, "import", "FILE", "take a session in from another machine",
                "FILE is what `export --bundle` has made there. Shows what it is, and on yes takes "
                "it in with its workflow and history, which is sealed anew here; at its end stands "
                "who took it in, when, and from where. What happened before rests on the word of "
                "whoever made the file.\nFor people: it wants a terminal, and the secret of an "
                "approver once one is enrolled. Exit code 1 if nothing was taken in."},
    CommandSpec{
        audit, "audit", "[SESSION]", "verify that histories are as they were written",
        "Verifies the seals of every session, or of one: its checkpoint, every entry of its "
        "journal, its evidence and decisions, its workflow and documents; without SESSION also "
        "that "
        "no session is missing or was put back, and that the state is not older than it was. Names "
        "the first entry that differs, session by session. Only reads, while others write.\n"
        "`--export` prints a report of one session with all that vouches for it, as Markdown or "
        "JSON. `--rotate-key` begins a new key. `--accept` lets the state be used as it is after "
        "an older copy was put back or seal-anchor was lost: for people, it wants a terminal, and "
        "the secret of an approver once one is enrolled; it is shown by every audit from then "
        "on.\nExit code 0: sound, 1: something differs, 3: it cannot be read."},
    CommandSpec{cancel, "cancel", "SESSION", "end an open session",
                "The session stays readable; it cannot go on. Its evidence is kept."},
    CommandSpec{
        inbox, "inbox", "", "list what waits for a person, in all your projects",
        "Shows each decision that somebody has to make, with its project, and below what is "
        "paused or has not changed for half an hour. With `--state` only what lies there. A "
        "state that cannot be read is named and left out."},
    CommandSpec{
        decide, "decide", "[SESSION]", "decide where a session waits for a person",
        "Shows what is to be decided and all that it rests on: what was handed over, what checks "
        "found, which files have changed. Then asks for the option, for words where the option "
        "takes some, and for the name and the secret of an approver. Without SESSION it is the one "
        "that waits; if several do, they are listed.\nFor people: it wants a terminal of their "
        "own, and the secret comes from there only. `--json` prints what would be shown and "
        "decides "
        "nothing. Exit code 0 if something was decided, otherwise 1."},
    CommandSpec{reopen, "reopen", "SESSION", "go back to a phase that a session has been in",
                "Shows which phases will count no more, and asks for the name and the secret of an "
                "approver. What was handed over stays in the history. The reason (`--reason`) is "
                "what the assistant is told.\nFor people: it wants a terminal of their own.",
                false, "PHASE"},
    CommandSpec{pause, "pause", "SESSION", "stop a session for a while",
                "The assistant is told to stop, and no gate opens until somebody resumes the "
                "session.\nFor people: it wants a terminal of their own, and the secret of an "
                "approver once one is enrolled."},
    CommandSpec{
        resume, "resume", "SESSION", "let a session go on that was paused",
        "It goes on where it was; the assistant sees it with its next call.\nFor people: it "
        "wants a terminal of their own, and the secret of an approver once one is "
        "enrolled."},
    CommandSpec{
        repin, "repin", "SESSION", "go on with a workflow that has changed",
        "A session keeps the workflow as it was when it began. Shows what is different in "
        "the workflow as it is now and asks; on yes the session goes on with that. Only if "
        "every phase that it has completed is unchanged, and the open one is still there.\n"
        "For people: it wants a terminal, and the secret of an approver once one is enrolled. "
        "Exit code 1 if nothing was changed."},
    CommandSpec{trust, "trust", "[WORKFLOW]", "allow a workflow to run programs here",
                "Shows exactly what the workflow would start in this project, with the commands of "
                ".phasegate/project.yaml, and asks whether it may. Without that it cannot be "
                "started. A changed workflow or configuration is asked for again.\n`--list` shows "
                "what is trusted, `--revoke` takes it back. For people: it wants a terminal, "
                "and the secret of an approver once one is enrolled."},
    CommandSpec{
        approvers, "approvers", "[list|add|remove|passwd]",
        "say who decides where a person is asked",
        "`list` (the default) shows who is enrolled. `add NAME` enrols somebody, with roles by "
        "`--role`; their secret is typed twice and is what counts: it is asked for wherever a "
        "person decides. `remove NAME` takes somebody out, `passwd NAME` sets another secret.\n"
        "The first one is enrolled by whoever sits at the terminal; from then on every change asks "
        "for the secret of somebody who is enrolled. After five wrong ones in a row there is a "
        "wait, which grows. For people: all but `list` wants a terminal of their own. Exit code 1 "
        "if nothing was changed.",
        false, "[NAME]"},
    CommandSpec{
        notify, "notify", "[TARGET]", "show who is told of what, or try it",
        "Shows the targets of ~/.config/phasegate/notify.yaml with their events, and what is wrong "
        "with the file. With TARGET that one is told of a test now, and what came of it is "
        "printed.\nExit code 1 if something is wrong, or could not be told."},
    CommandSpec{work, "work", "", "carry out the checks that sessions wait for",
                "Carries out what was left open, for example because the server ended while checks "
                "ran, and tells people what they have not been told; prints what came of each, "
                "then ends. A running server does this by itself. Ctrl-C gives back what is "
                "unfinished."},
    CommandSpec{
        db, "db", "query|exec|confirm|backup|backups|restore|migrate",
        "work on a database of the project behind a rail",
        "`query FILE SQL` reads. `exec FILE SQL` inserts, updates, and with `--token` deletes "
        "rows, one statement in one transaction. `confirm FILE SQL` shows a person on a "
        "terminal what a statement would delete and gives the token for it, good for ten "
        "minutes and once.\n`backup FILE` makes a verified copy in the folder backups beside "
        "the database, `backups FILE` lists them, `restore FILE BACKUP` puts one back, on a "
        "terminal; BACKUP may be `latest`. Once an approver is enrolled, `confirm` and "
        "`restore` ask for their secret.\n`migrate FILE FOLDER` runs the numbered files "
        "(0001-name.sql) of the folder that the database has not had. Tables are created, "
        "changed and dropped there only.\nFILE is a SQLite database inside the project. Exit "
        "code 1 if the statement was refused.",
        false, "FILE [SQL|BACKUP|FOLDER]", true},
    CommandSpec{search, "search", "QUERY...", "search the project's documents",
                "Prints the passages of standards/, usage/ and the folders that "
                ".phasegate/project.yaml names which answer QUERY best, as an assistant gets them. "
                "Words in double quotes must stand together (write '\"like this\"' in a "
                "shell).\nTexts of a workflow are found only with `--session`, as far as that "
                "session has reached them. Exit code 1 if nothing was found.",
                false, "", true},
    CommandSpec{index, "index", "", "bring the search index up to date",
                "Reads what has changed since the last time and says what is searched and what is "
                "left out, and why. A running server and every search do the same by themselves; "
                "`--status` only looks. `--rebuild` makes the index anew, which nothing but a "
                "broken disk asks for; the folder search beside state.db may be deleted at any "
                "time.\nExit code 1 if the index is damaged or a folder cannot be searched."},
    CommandSpec{
        call, "call", "TOOL", "call a tool as an assistant does, and print the answer",
        "ARGUMENTS is a JSON object; `-` reads it from standard input. Prints the text that an "
        "assistant would be given, or with `--json` the structured answer. Exit code 1 if the "
        "call was refused. A session_id may be the beginning of one; left out it is the open "
        "session that has changed last; evidence is handed over without one only if one session is "
        "open. Waits for checks to their end.\nFor trying out a workflow: what is handed over "
        "counts, as if an "
        "assistant had done it.",
        false, "[ARGUMENTS]"},
    CommandSpec{
        backup, "backup", "[FILE]", "copy the state of this project",
        "Copies everything that is stored about this project's sessions while they go on, "
        "reads the copy back and says where it is: in FILE, which must not be there yet, "
        "or in the folder backups beside state.db, where the ten newest are kept. `--list` "
        "shows those, and the copies from before upgrades. Exit code 1 if the state does not "
        "verify: it is copied all the same, and called doubtful.\nKeep seal-keys, which lies "
        "beside state.db, in another place than the copies: without it nobody can tell "
        "that they are unchanged, and with both anybody can write another history."},
    CommandSpec{restore, "restore", "[FILE]", "put a copy of the state back",
                "FILE is a copy that `phasegate backup` has made, by its path or its name, or "
                "`latest`. It is verified; then what would be lost is shown, and on yes what is "
                "here now is copied, too, and the copy takes its place; `latest` never means "
                "such a copy. Servers that run go on with it, and who accepted what until now "
                "stays known.\nA state that cannot be used (damaged, another program's, a newer "
                "version's) gets a new name in the same folder. `--set-aside` without FILE does "
                "only that, also with what is left of a state that is gone.\nFor people: it wants "
                "a terminal, and the secret of an approver once "
                "one is enrolled. Exit code 1 if nothing was changed."},
    CommandSpec{prune, "prune", "", "remove the oldest sessions that have ended",
                "Keeps the 200 that ended last, or as many as `--keep` says, and every session "
                "that is open, whose checks or notices are not carried out yet, or that does not "
                "verify. Of each that goes a sealed line stays: its id, workflow, outcome and "
                "times. `--dry-run` only shows what would go. A running server does the same by "
                "itself once more than 220 have ended.\nTo keep fewer than 200 is a person's to "
                "say: it wants a terminal, and the secret of an approver once one is enrolled. "
                "Exit code 1 if a session does not verify."},
    CommandSpec{doctor, "doctor", "", "show what is used here and whether it is sound",
                "Shows the project, the state file and the workflow places, and checks each. "
                "Changes nothing.\nExit code 1 if something is wrong."},
    CommandSpec{completion, "completion", "bash|zsh", "print a script that completes commands",
                "For bash: `phasegate completion bash` into "
                "~/.local/share/bash-completion/completions/phasegate. For zsh: `phasegate "
                "completion zsh` into a file _phasegate in a folder of your fpath."},
    CommandSpec{help, "help", "[COMMAND]", "show this, or more about a command",
                "`--man` prints the manual page, `--markdown` the tables of the documentation."},
    CommandSpec{version, "version", "", "print the version", ""},
    CommandSpec{
        complete, "complete", "sessions|open-sessions|waiting-sessions|workflows|built-in|tools",
        "print names for a completion script",
        "One a line, with a tab and a few words about it. Left out is what a shell might take "
        "for more than a name. Never fails.",
        true},
};

constexpr std::array kWithJson = {
    workflows, new_workflow,   validate, gates, sessions, status,    watch, history,
    doctor,    export_session, db,       call,  trust,    approvers, inbox, decide,
    notify,    backup,         prune,    audit, search,   index};
constexpr std::array kWithAll = {sessions, status, watch};
constexpr std::array kWithFull = {watch, history, decide};
constexpr std::array kSessionsOnly = {sessions};
constexpr std::array kWithLimit = {sessions, search};
constexpr std::array kSearchOnly = {search};
constexpr std::array kIndexOnly = {index};
constexpr std::array kWithReason = {cancel, reopen, pause};
constexpr std::array kDecideOnly = {decide};
constexpr std::array kStatusOnly = {status};
constexpr std::array kAuditOnly = {audit};
constexpr std::array kServeOnly = {serve};
constexpr std::array kValidateOnly = {validate};
constexpr std::array kNewOnly = {new_workflow};
constexpr std::array kAdoptOnly = {adopt};
constexpr std::array kTrustOnly = {trust};
constexpr std::array kWithList = {trust, backup};
constexpr std::array kRestoreOnly = {restore};
constexpr std::array kPruneOnly = {prune};
constexpr std::array kExportOnly = {export_session};
constexpr std::array kWithDryRun = {db, prune};
constexpr std::array kApproversOnly = {approvers};
constexpr std::array kHelpOnly = {help};
constexpr std::array kDbOnly = {db};

constexpr OptionSpec own(std::string_view name, std::string_view value, std::string_view summary,
                         std::span<const CommandId> commands) {
  return {name, value, summary, false, false, commands};
}

constexpr OptionSpec own_repeatable(std::string_view name, std::string_view value,
                                    std::string_view summary, std::span<const CommandId> commands) {
  return {name, value, summary, false, true, commands};
}

constexpr OptionSpec of_all(std::string_view name, std::string_view value, std::string_view summary,
                            bool repeatable = false) {
  return {name, value, summary, true, repeatable, {}};
}

constexpr std::array kOptions = {
    own("--json", "", "print data instead of text", kWithJson),
    own("--all", "", "everything: every session, or the phases still to come", kWithAll),
    own("--open", "", "only sessions that are open, all of them", kSessionsOnly),
    own("--ended", "", "only sessions that have ended", kSessionsOnly),
    own("--workflow", "ID", "only sessions, or texts, of this workflow", kWithLimit),
    own("--branch", "BRANCH", "only sessions that were started on this branch", kSessionsOnly),
    own("--limit", "N", "at most so many (default: 20 sessions, 5 passages)", kWithLimit),
    own("--session", "SESSION", "also what this session has reached of its workflow", kSearchOnly),
    own("--phase", "PHASE", "only documents of this phase", kSearchOnly),
    own_repeatable("--tag", "TAG", "only documents with this tag, or another; may be repeated",
                   kSearchOnly),
    own("--status", "", "only say how the index is", kIndexOnly),
    own("--rebuild", "", "make the index anew", kIndexOnly),
    own("--full", "", "leave nothing out: all evidence, or all that has happened", kWithFull),
    own("--strict", "", "the same as `--fail-on warning`", kValidateOnly),
    own("--fail-on", "error|warning", "what makes the exit code 1 (default: error)", kValidateOnly),
    own("--output", "FILE", "write to this file, which must not be there yet", kAdoptOnly),
    own("--force", "", "replace the file of `--output`", kAdoptOnly),
    own("--from", "ID", "copy this workflow of the program instead of the small one", kNewOnly),
    own("--reason", "TEXT", "why; kept in the history", kWithReason),
    own("--option", "OPTION", "choose this option, by its id", kDecideOnly),
    own("--input", "TEXT", "what to say with the option", kDecideOnly),
    own("--input-file", "FILE", "the same, from a file", kDecideOnly),
    own("--exit-code", "", "say by the exit code what the session waits for", kStatusOnly),
    own("--export", "", "print a report of SESSION that stands by itself", kAuditOnly),
    own("--format", "json|markdown", "of the report (default: markdown)", kAuditOnly),
    own("--rotate-key", "", "seal with a new key from now on", kAuditOnly),
    own("--accept", "", "let the state be used as it is; shown by every audit from then on",
        kAuditOnly),
    own("--listen", "ADDRESS", "HOST:PORT or unix:PATH (default: 127.0.0.1:8765)", kServeOnly),
    own("--url", "URL", "how people reach this server, for the addresses of decisions", kServeOnly),
    own("--tokens", "FILE", "ask for one of the bearer tokens in this file", kServeOnly),
    own_repeatable("--allow-host", "NAME",
                   "a host name by which clients may call the server; may be repeated", kServeOnly),
    own("--requests-per-second", "N", "of one client, over a while (default: 2000; 0: no limit)",
        kServeOnly),
    own("--list", "", "only show what there is: trusted workflows, or copies", kWithList),
    own("--revoke", "", "the workflow may not run programs any more", kTrustOnly),
    own_repeatable("--role", "ROLE", "a role of who is added; may be repeated", kApproversOnly),
    own("--token", "TOKEN", "what `db confirm` gave for this statement", kDbOnly),
    own_repeatable(
        "--value", "VALUE",
        "a value for the next `?` of the statement: a number, null, text, or text as JSON; "
        "may be repeated",
        kDbOnly),
    own("--dry-run", "", "say what `db migrate` or `prune` would do, and do nothing", kWithDryRun),
    own("--bundle", "FILE", "write all of the session to this file, which must not be there yet",
        kExportOnly),
    own("--keep", "N", "so many sessions that have ended stay (default: 200)", kPruneOnly),
    own("--set-aside", "", "only move a state away that cannot be used", kRestoreOnly),
    own("--man", "", "print the manual page, as roff", kHelpOnly),
    own("--markdown", "", "print the tables of the documentation", kHelpOnly),
    of_all("--root", "DIR",
           "the project (default: CLAUDE_PROJECT_DIR, else the working directory)"),
    of_all("--state", "DIR",
           "where state.db lies (default: PHASEGATE_STATE, else a folder per project)"),
    of_all("--notify", "FILE", "who is told of what (default: ~/.config/phasegate/notify.yaml)"),
    of_all("--workflows", "DIR", "look for workflows here first; may be repeated", true),
    of_all("--gates", "strict|as-written",
           "as-written honours a gate that asks for leniency, and marks it; strict (the default) "
           "does not"),
    of_all("--color", "auto|always|never",
           "colours; auto (the default): on a terminal, unless NO_COLOR is set or TERM is dumb"),
    of_all("--log-level", "debug|info|warning|error",
           "what is logged to standard error (default: warning)"),
    of_all("--help", "", "show help"),
    of_all("--version", "", "print the version"),
};

}  // namespace

std::span<const CommandSpec> commands() {
  return kCommands;
}

std::span<const OptionSpec> options() {
  return kOptions;
}

const CommandSpec& spec_of(CommandId id) {
  return *std::find_if(kCommands.begin(), kCommands.end(),
                       [id](const CommandSpec& spec) { return spec.id == id; });
}

bool accepts(CommandId command, const OptionSpec& option) {
  return option.global || std::find(option.commands.begin(), option.commands.end(), command) !=
                              option.commands.end();
}

std::string_view without_brackets(std::string_view argument) {
  if (!argument.starts_with('[') || !argument.ends_with(']')) return argument;
  return argument.substr(1, argument.size() - 2);
}

bool is_choice(std::string_view value) {
  // `PATH|NAME` are kinds of things, `bash|zsh` are words to type.
  return value.find('|') != std::string_view::npos && value.front() >= 'a' && value.front() <= 'z';
}

std::string usage_of(const OptionSpec& option) {
  std::string text(option.name);
  if (!option.value.empty()) text.append(" ").append(option.value);
  return text;
}

std::string usage_of(const CommandSpec& command) {
  std::string text(command.name);
  if (!command.argument.empty()) text.append(" ").append(command.argument);
  if (!command.second_argument.empty()) text.append(" ").append(command.second_argument);
  return text;
}

}  // namespace phasegate::app::cli
