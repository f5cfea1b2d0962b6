#include "app/cli/invocation.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/cli/help.h"
#include "app/cli/layout.h"
#include "base/limits.h"
#include "base/text.h"

namespace cli = phasegate::app::cli;
using cli::CommandId;
using Words = std::vector<std::string>;

TEST_CASE("command line: every command is understood, alone and with its options") {
  struct Row {
    Words words;
    cli::Invocation wanted;
  };
  const auto made = [](CommandId command, std::string argument = "") {
    cli::Invocation invocation;
    invocation.command = command;
    invocation.argument = std::move(argument);
    return invocation;
  };
  const auto with = [](cli::Invocation invocation, auto change) {
    change(invocation);
    return invocation;
  };
  const std::vector<Row> rows = {
      {{}, made(CommandId::mcp)},
      {{"mcp"}, made(CommandId::mcp)},
      {{"serve"}, made(CommandId::serve)},
      {{"serve", "--listen", "unix:a", "--tokens", "t", "--allow-host", "a.b", "--allow-host=[::1]",
        "--requests-per-second", "0"},
       with(made(CommandId::serve),
            [](auto& i) {
              i.listen = "unix:a";
              i.tokens = "t";
              i.allow_hosts = {"a.b", "[::1]"};
              i.requests_per_second = 0;
            })},
      {{"workflows", "--json"}, with(made(CommandId::workflows), [](auto& i) { i.json = true; })},
      {{"--json", "workflows"}, with(made(CommandId::workflows), [](auto& i) { i.json = true; })},
      {{"validate", "a folder"}, made(CommandId::validate, "a folder")},
      {{"validate", "--", "--odd"}, made(CommandId::validate, "--odd")},
      {{"validate", "-"}, made(CommandId::validate, "-")},
      {{"sessions", "--open"}, with(made(CommandId::sessions), [](auto& i) { i.open = true; })},
      {{"status", "abcd", "--all"},
       with(made(CommandId::status, "abcd"), [](auto& i) { i.all = true; })},
      {{"history", "abcd"}, made(CommandId::history, "abcd")},
      {{"history", "abcd", "--full"},
       with(made(CommandId::history, "abcd"), [](auto& i) { i.full = true; })},
      {{"validate"}, made(CommandId::validate)},
      {{"validate", "--strict"}, with(made(CommandId::validate), [](auto& i) { i.strict = true; })},
      {{"validate", "--fail-on", "warning"},
       with(made(CommandId::validate), [](auto& i) { i.fail_on = "warning"; })},
      {{"gates", "a.md", "-", "--json", "b.md"},
       with(made(CommandId::gates, "a.md"),
            [](auto& i) {
              i.arguments = {"a.md", "-", "b.md"};
              i.json = true;
            })},
      {{"adopt", "flow", "--output", "mine.yaml", "--force"},
       with(made(CommandId::adopt, "flow"),
            [](auto& i) {
              i.arguments = {"flow"};
              i.output = "mine.yaml";
              i.force = true;
            })},
      {{"status"}, made(CommandId::status)},
      {{"db", "exec", "a.db", "SQL", "--value", "1", "--value=x", "--token", "t"},
       with(made(CommandId::db, "exec"),
            [](auto& i) {
              i.arguments = {"exec", "a.db", "SQL"};
              i.values = {"1", "x"};
              i.token = "t";
            })},
      {{"db", "migrate", "a.db", "m", "--dry-run"},
       with(made(CommandId::db, "migrate"),
            [](auto& i) {
              i.arguments = {"migrate", "a.db", "m"};
              i.dry_run = true;
            })},
      {{"watch", "--all"}, with(made(CommandId::watch), [](auto& i) { i.all = true; })},
      {{"new", "mine", "--from", "feature"},
       with(made(CommandId::new_workflow, "mine"), [](auto& i) { i.from = "feature"; })},
      {{"sessions", "--ended", "--workflow", "w", "--branch", "b", "--limit", "7"},
       with(made(CommandId::sessions),
            [](auto& i) {
              i.ended = true;
              i.workflow = "w";
              i.branch = "b";
              i.limit = 7;
            })},
      {{"completion", "bash"}, made(CommandId::completion, "bash")},
      {{"complete", "sessions"}, made(CommandId::complete, "sessions")},
      {{"help", "--man"}, with(made(CommandId::help), [](auto& i) { i.man = true; })},
      {{"--color", "never", "doctor"},
       with(made(CommandId::doctor), [](auto& i) { i.colour = cli::Colour::never; })},
      {{"export", "abcd"}, made(CommandId::export_session, "abcd")},
      {{"cancel", "abcd", "--reason", "no longer needed"},
       with(made(CommandId::cancel, "abcd"), [](auto& i) { i.reason = "no longer needed"; })},
      {{"cancel", "abcd", "--reason=-"},
       with(made(CommandId::cancel, "abcd"), [](auto& i) { i.reason = "-"; })},
      {{"doctor"}, made(CommandId::doctor)},
      {{"help"}, made(CommandId::help)},
      {{"help", "status"}, made(CommandId::help, "status")},
      {{"--help"}, made(CommandId::help)},
      {{"-h"}, made(CommandId::help)},
      {{"status", "--help"}, made(CommandId::help, "status")},
      {{"--version"}, made(CommandId::version)},
      {{"-V"}, made(CommandId::version)},
      {{"--root", "/p", "sessions", "--state=/s", "--workflows", "a", "--workflows", "b", "--gates",
        "as-written", "--log-level", "debug"},
       with(made(CommandId::sessions),
            [](auto& i) {
              i.root = "/p";
              i.state = "/s";
              i.workflows = {"a", "b"};
              i.gates = phasegate::gating::GatePolicy::as_written;
              i.log_level = phasegate::base::LogLevel::debug;
            })},
      {{"--root=a=b"}, with(made(CommandId::mcp), [](auto& i) { i.root = "a=b"; })},
      {{"--root=--x"}, with(made(CommandId::mcp), [](auto& i) { i.root = "--x"; })},
  };
  for (const Row& row : rows) {
    CAPTURE(phasegate::base::joined(row.words, " "));
    const auto parsed = cli::parse(row.words);
    REQUIRE_MESSAGE(parsed.ok(), phasegate::base::to_text(parsed.error()));
    CHECK(*parsed == row.wanted);
  }
}

TEST_CASE("command line: what cannot be understood names what was wanted and the nearest name") {
  struct Row {
    Words words;
    std::string message;  // part of it
    std::string hint;     // part of it
  };
  const std::vector<Row> rows = {
      {{"statsu", "abcd"}, "no command \"statsu\"", "`status`"},
      {{"sesions"}, "no command \"sesions\"", "`sessions`"},
      {{"zzzzzzzz"}, "no command \"zzzzzzzz\"", "phasegate help"},
      {{"evil\x1b[2J"}, "\"evil\\u001b[2J\"", ""},
      {{"--jso", "sessions"}, "no option \"--jso\"", "`--json`"},
      {{"-x"}, "no option \"-x\"", "phasegate help"},
      {{"--root"}, "--root needs a value: --root DIR", "--root=VALUE"},
      {{"--root", "--json"}, "--root needs a value", "--root=VALUE"},
      {{"--root="}, "--root needs a value", ""},
      {{"--root", ""}, "--root needs a value", ""},
      {{"--json=yes", "sessions"}, "--json takes no value", ""},
      {{"--gates", "srtict"}, "--gates is strict, as-written, not \"srtict\"", "`strict`"},
      {{"--log-level", "loud"}, "--log-level is debug, info, warning, error", ""},
      {{"--root", "a", "--root", "b"}, "--root is given twice", ""},
      {{"cancel", "abcd", "--json"}, "--json is no option of `cancel`", "phasegate help cancel"},
      {{"--all"}, "--all is no option of `mcp`", ""},
      {{"sessions", "--all", "--open"}, "contradict", ""},
      {{"export"}, "`export` needs SESSION", "phasegate sessions"},
      {{"new"}, "`new` needs NAME", "phasegate help new"},
      {{"status", "a", "b"}, "takes one argument, [SESSION]; \"b\" is one too many", ""},
      {{"completion", "fish"}, "argument of `completion` is bash, zsh, not \"fish\"", ""},
      {{"completion", "zhs"}, "not \"zhs\"", "`zsh`"},
      {{"complet"}, "no command \"complet\"", "`completion`"},  // never the hidden one
      {{"sessions", "--open", "--ended"}, "--open and --ended contradict", ""},
      {{"sessions", "--all", "--limit", "3"}, "--all and --limit contradict", ""},
      {{"help", "--man", "--markdown"}, "--man and --markdown contradict", ""},
      {{"sessions", "--limit", "0"}, "--limit is a number from 1 to 100000, not \"0\"", "--all"},
      {{"sessions", "--limit", "3x"}, "not \"3x\"", ""},
      {{"sessions", "--limit=-1"}, "not \"-1\"", ""},
      {{"sessions", "--limit", "99999999999999999999999"}, "--limit is a number", ""},
      {{"sessions", "--color", "alwas"}, "--color is auto, always, never", "`always`"},
      {{"doctor", "now"}, "takes no argument; \"now\"", ""},
      {{"status", ""}, "argument of `status` is empty", ""},
      {{"help", "statu"}, "no command \"statu\"", "`status`"},
      {{"cancel", "abcd", "--reason", "\xff\xfe"}, "not UTF-8", ""},
      {{"cancel", "abcd", "--reason",
        std::string(phasegate::base::limits::kReasonBytesMax + 1, 'x')},
       "4097 bytes; at most 4096",
       "fewer"},
  };
  for (const Row& row : rows) {
    CAPTURE(phasegate::base::joined(row.words, " "));
    const auto parsed = cli::parse(row.words);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().code == "usage");
    CAPTURE(parsed.error().message);
    CHECK(parsed.error().message.find(row.message) != std::string::npos);
    CAPTURE(parsed.error().hint);
    CHECK(parsed.error().hint.find(row.hint) != std::string::npos);
  }
}

TEST_CASE("command line: help names every command and every option with its exit codes") {
  const std::string overview = cli::help_text("", {});
  for (const cli::CommandSpec& command : cli::commands()) {
    CAPTURE(command.name);
    const bool shown = overview.find("\n  " + std::string(command.name) + " ") != std::string::npos;
    CHECK(shown != command.hidden);
    const std::string own = cli::help_text(command.name, {});
    CHECK(own.find("Usage: phasegate " + std::string(command.name)) == 0);
    for (const cli::OptionSpec& option : cli::options()) {
      CAPTURE(option.name);
      const std::string name = "\n  " + std::string(option.name);
      const bool named = own.find(name + " ") != std::string::npos;
      CHECK(named == cli::accepts(command.id, option));
    }
  }
  CHECK(overview.find("Exit codes: 0") != std::string::npos);
  for (const cli::OptionSpec& option : cli::options()) {
    CHECK((option.global || !option.commands.empty()));
  }
}

TEST_CASE("command line: help stays within the terminal, however narrow") {
  for (const std::size_t width : {20U, 40U, 80U, 200U}) {
    cli::Page page;
    page.width = width;
    for (const std::string topic : {"", "validate", "sessions", "watch"}) {
      const std::string text = cli::help_text(topic, page);
      for (const std::string_view line : phasegate::base::split(text, '\n')) {
        CAPTURE(line);
        CHECK(cli::display_width(line) <= width);
      }
    }
  }
}
