#include <optional>
#include <utility>

#include "base/globs.h"
#include "rag/sources.h"

namespace phasegate::rag {
namespace {

base::Result<std::optional<base::Globs>> compiled(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return std::optional<base::Globs>();
  auto globs = base::Globs::compile(patterns, base::Hidden::included);
  if (!globs) return globs.error();
  return std::optional<base::Globs>(std::move(globs).value());
}

}  // namespace

base::Result<SourceRules> source_rules(std::filesystem::path root,
                                       const phases::SearchConfig& config) {
  if (!config.sound) {
    return base::Error{
        "unsound_search", "what the project says of searching has errors, so nothing is searched",
        "mend search in .phasegate/project.yaml: phasegate validate shows where", ""};
  }
  auto include = compiled(config.include);
  if (!include) return include.error();
  auto exclude = compiled(config.exclude);
  if (!exclude) return exclude.error();
  SourceRules rules;
  rules.root = std::move(root);
  rules.folders = default_source_folders();
  rules.folders.insert(rules.folders.end(), config.folders.begin(), config.folders.end());
  rules.include = std::move(include).value();
  rules.exclude = std::move(exclude).value();
  return rules;
}

std::string_view to_text(LeftOut why) {
  switch (why) {
    case LeftOut::not_chosen:
      return "not among the files that are searched";
    case LeftOut::ignored:
      return "ignored by .gitignore";
    case LeftOut::withheld:
      return "belongs to a workflow";
    case LeftOut::secret:
      return "looks like a secret";
    case LeftOut::binary:
      return "is no text";
    case LeftOut::not_utf8:
      return "is not UTF-8";
    case LeftOut::too_large:
      return "is too large";
    case LeftOut::outside_root:
      return "is a link out of the project";
    case LeftOut::linked:
      return "has several names (hard links)";
    case LeftOut::not_a_file:
      return "is not a regular file";
    case LeftOut::unreadable:
      return "cannot be read, or a .gitignore above it cannot";
    case LeftOut::too_many:
      return "lies too deep, or there are too many files";
    case LeftOut::gone:
      return "does not exist";
    case LeftOut::unknown:
      return "cannot be looked at now";
    case LeftOut::unsteady:
      return "changes all the time";
  }
  return "";
}

const std::vector<std::string>& default_source_folders() {
  static const std::vector<std::string> kFolders = {"standards",
                                                    "usage",
                                                    ".phasegate/standards",
                                                    ".phasegate/usage",
                                                    ".praxis-os/standards",
                                                    ".praxis-os/usage",
                                                    ".agent-os/standards",
                                                    ".agent-os/usage"};
  return kFolders;
}

}  // namespace phasegate::rag
