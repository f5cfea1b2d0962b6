#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/render_gates.h"
#include "app/standard_input.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

base::Result<std::string> read_named(const std::string& typed, const fs::path& working_folder) {
  const std::string shown = base::in_quotes(typed);
  if (typed == "-") return read_standard_input(base::limits::kDocumentBytesMax);
  std::error_code error;
  const fs::path path = fs::canonical(working_folder / typed, error);
  if (error)
    return base::Error{"not_found", shown + " cannot be read: " + error.message() + ".", "", ""};
  if (fs::is_directory(path, error)) {
    return base::Error{"not_a_file", shown + " is a folder; `gates` reads documents.",
                       "Name its files, such as " + typed + (typed.ends_with('/') ? "" : "/") +
                           "*.md; `phasegate validate` reads the folder of a workflow.",
                       ""};
  }
  auto text = base::read_file_below(path.parent_path(), path.filename().string(),
                                    base::limits::kDocumentBytesMax);
  if (!text) {
    return base::Error{text.error().code, shown + " cannot be read: " + text.error().message + ".",
                       text.error().hint, ""};
  }
  return text;
}

}  // namespace

Outcome show_gates(const Invocation& invocation, const Environment& environment, const Page& page) {
  Outcome outcome;
  base::Json documents = base::Json::array();
  for (const std::string& typed : invocation.arguments) {
    const auto text = read_named(typed, environment.working_folder);
    if (!text) {
      const Outcome refused = failed(ExitCode::not_ok, text.error());
      outcome.code = refused.code;
      outcome.err += refused.err;
      continue;
    }
    const ReadGates gates{typed, phases::read_document(*text, typed)};
    if (invocation.json) {
      documents.push_back(gates_json(gates));
    } else {
      outcome.out += (outcome.out.empty() ? "" : "\n") + gates_text(gates, page);
    }
  }
  if (invocation.json) outcome.out = base::dump_pretty(documents) + "\n";
  return outcome;
}

}  // namespace phasegate::app::cli
