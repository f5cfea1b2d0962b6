#include "app/cli/connect_help.h"

#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;

/// A TOML basic string; JSON's escapes are among TOML's.
std::string toml_string(const std::string& text) {
  return base::dump(Json(text));
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (const std::string_view line : base::split(text, '\n')) {
    out += indent + std::string(line) + "\n";
  }
  return out;
}

}  // namespace

std::string connect_help(const std::filesystem::path& executable,
                         const std::vector<std::string>& arguments) {
  const std::string program = executable.string();
  std::string command = shell_word(program);
  std::string toml_arguments;
  for (const std::string& argument : arguments) {
    command += " " + shell_word(argument);
    toml_arguments += (toml_arguments.empty() ? "" : ", ") + toml_string(argument);
  }
  Json server = Json::object();
  server["command"] = program;
  server["args"] = arguments;
  Json servers = Json::object();
  servers["mcpServers"] = Json::object();
  servers["mcpServers"]["phasegate"] = std::move(server);
  const std::string json = indented(base::dump_pretty(servers), "      ");

  return "This is the phasegate MCP server. It speaks JSON-RPC on standard input and is meant to "
         "be\n"
         "started by a client:\n\n"
         "  Claude Code   claude mcp add phasegate -- " +
         command + "\n  Codex         in ~/.codex/config.toml:\n      [mcp_servers.phasegate]\n" +
         "      command = " + toml_string(program) + "\n      args = [" + toml_arguments +
         "]\n  Cursor        in .cursor/mcp.json\n  Gemini CLI    in .gemini/settings.json\n"
         "  VS Code       in .vscode/mcp.json, with \"servers\" instead of \"mcpServers\":\n" +
         json + "\n`phasegate help` shows the other commands. Ctrl-D ends the server.\n";
}

}  // namespace phasegate::app::cli
