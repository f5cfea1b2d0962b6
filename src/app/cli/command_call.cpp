#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>

#include "app/cli/assistant_tools.h"
#include "app/cli/commands.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/standard_input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/protocol/local_call.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kSessionsNamed = 4;
constexpr std::size_t kIdShown = 8;

using base::Error;
using base::Json;
using base::Result;
using ToolOutcome = mcp::protocol::Outcome<mcp::protocol::ToolResult>;

Result<Json> arguments_from(const std::string& given) {
  Result<std::string> text = given == "-" ? read_standard_input(base::limits::kMessageBytesMax)
                                          : Result<std::string>(given);
  if (!text) return text.error();
  if (base::trimmed(*text).empty()) return Json(Json::object());
  constexpr base::JsonLimits kMessage{base::limits::kMessageBytesMax,
                                      base::limits::kMessageDepthMax};
  auto json = base::parse_json(*text, kMessage);
  if (!json) {
    return Error{"usage", "The arguments are no JSON: " + json.error().message + ".",
                 R"(Write an object in single quotes, such as '{"session_id": "…"}'.)", ""};
  }
  if (!json->is_object()) {
    return Error{"usage", "The arguments must be a JSON object.",
                 R"(Write for example '{"session_id": "…"}'.)", ""};
  }
  return std::move(*json);
}

/// Evidence for a session that was not meant would be on record there for ever.
Result<void> only_one_open(Program& program) {
  gating::engine::RunQuery query;
  query.which = gating::engine::RunQuery::Which::open;
  query.limit = kSessionsNamed;
  const auto page = program.engine().list(query);
  if (!page || page->runs.size() < 2) return {};
  std::vector<std::string> open;
  for (const auto& run : page->runs) {
    open.push_back(run.id.substr(0, kIdShown) + " (" + shown_value(run.workflow) + ", phase " +
                   shown_value(run.current_phase) + ")");
  }
  return Error{"ambiguous_session", "More than one session is open.",
               "Write \"session_id\" into the arguments, its beginning is enough: " +
                   base::joined(open, ", ") + (page->next_cursor.empty() ? "." : ", …"),
               ""};
}

/// A person may name a session as in other commands: by its beginning, or not at all for the open
/// one that has changed last.
Result<void> name_session(Json& arguments, const mcp::protocol::ToolDefinition& tool,
                          Program& program) {
  if (tool.input_schema.find("\"session_id\"") == std::string::npos) return {};
  const Json* given = base::find_member(arguments, "session_id");
  if (given != nullptr && !given->is_string()) return {};
  const std::string typed = given == nullptr ? "" : given->get<std::string>();
  // Documents are searched without a session just as well.
  if (typed.empty() && tool.name == "search_standards") return {};
  if (typed.empty() && tool.name == "complete_phase") {
    if (auto sure = only_one_open(program); !sure) return sure;
  }
  auto id = find_session_or_newest(program.engine(), typed, program.settings().options_here);
  if (!id) return id.error();
  arguments["session_id"] = *std::move(id);
  return {};
}

/// The answer's text as it may be printed: lines and tabs stay, other control characters are shown.
std::string printable(std::string_view text) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) {
    std::string shown_line;
    for (const std::string_view part : base::split(line, '\t')) {
      if (!shown_line.empty() || part.data() != line.data()) shown_line += '\t';
      shown_line += shown(part);
    }
    out += shown_line + '\n';
  }
  return out;
}

/// Between two looks at checks that another process carries out.
constexpr int kLookMs = 250;

bool waits_for_checks(const ToolOutcome& outcome) {
  const auto* answered = std::get_if<mcp::protocol::ToolResult>(&outcome);
  return answered != nullptr && answered->structured &&
         base::find_member(*answered->structured, "how_to_wait") != nullptr;
}

/// Calls once; while another process carries out the checks of this very evidence, again and again:
/// the answer is then that of the checks, and they are taken over should that process go away.
ToolOutcome called(mcp::protocol::Service& tools, const std::string& name, const Json& arguments) {
  mcp::protocol::LocalCall call(world::principal(), "phasegate call");
  auto outcome = tools.call_tool(name, arguments, call.context());
  if (!waits_for_checks(outcome)) return outcome;
  (void)write_all(
      STDERR_FILENO,
      "Another process carries out the checks; Ctrl-C ends this waiting and not them.\n");
  const Interrupt interrupt;
  while (waits_for_checks(outcome)) {
    (void)interrupt.wait_ms(STDOUT_FILENO, kLookMs);
    if (Interrupt::asked()) break;
    outcome = tools.call_tool(name, arguments, call.context());
  }
  return outcome;
}

}  // namespace

Outcome call_tool(const Invocation& invocation, Program& program) {
  const auto tools = assistant_tools(program);
  std::vector<std::string> names;
  const auto listed = tools->tools();
  for (const auto& tool : *listed) names.push_back(tool.name);
  const std::string& name = invocation.argument;
  const auto& all = *listed;
  const auto tool =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (tool == all.end()) {
    const auto nearest = base::nearest_name(name, names);
    return failed(ExitCode::usage, {"usage", "There is no tool " + base::in_quotes(name) + ".",
                                    nearest ? "Did you mean `" + *nearest + "`?"
                                            : "The tools are " + base::joined(names, ", ") + ".",
                                    ""});
  }
  auto arguments = arguments_from(invocation.second_argument);
  if (!arguments) return failed(ExitCode::usage, arguments.error());
  if (const auto named = name_session(*arguments, *tool, program); !named) {
    return failed(ExitCode::not_ok, named.error());
  }
  const auto outcome = called(*tools, name, *arguments);
  const auto* answered = std::get_if<mcp::protocol::ToolResult>(&outcome);
  if (answered == nullptr) {
    return failed(ExitCode::not_ok, {"not_here", "`" + name + "` has to ask its client first.",
                                     "It can be called by an assistant only.", ""});
  }
  const mcp::protocol::ToolResult& result = *answered;
  std::string out = invocation.json && result.structured
                        ? base::dump_pretty(*result.structured) + "\n"
                        : printable(result.text);
  const bool not_ok = result.is_error || waits_for_checks(outcome);
  return {not_ok ? ExitCode::not_ok : ExitCode::ok, std::move(out), ""};
}

}  // namespace phasegate::app::cli
