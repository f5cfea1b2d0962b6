#include "rag/source_judge.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "rag/secret_files.h"
#include "rag/source_paths.h"
#include "rag/workflow_folders.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
namespace {

bool has_hidden_part(std::string_view path) {
  return path.starts_with('.') || path.find("/.") != std::string_view::npos;
}

bool has_git_part(std::string_view path) {
  const auto parts = base::split(path, '/');
  return std::find(parts.begin(), parts.end(), ".git") != parts.end();
}

/// Whether a source's folder reaches a path: it lies in it, and nothing on the way is hidden.
bool covers(std::string_view folder, std::string_view path) {
  if (!lies_in(path, folder)) return false;
  std::string_view rest = path.substr(folder.size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  return !has_hidden_part(rest);
}

IgnoreFiles ignore_files(const SourceRules& rules) {
  const std::string below = rules.root.lexically_relative(rules.worktree).generic_string();
  const bool has_worktree = !rules.worktree.empty() && !below.empty() && !lies_in(below, "..");
  const fs::path& top = has_worktree ? rules.worktree : rules.root;
  return {top, has_worktree && below != "." ? below : "",
          rules.git_folder.empty() ? top / ".git" : rules.git_folder};
}

}  // namespace

bool is_plain_path(std::string_view path) {
  const bool controls = std::any_of(path.begin(), path.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  return !controls && base::is_utf8(path);
}

bool is_document_name(std::string_view path) {
  constexpr std::array<std::string_view, 6> kEndings = {".md",  ".markdown", ".mdx",
                                                        ".txt", ".rst",      ".adoc"};
  const std::string name = base::lowered(name_of(path));
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

bool shapes_sources(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {
      ".gitignore",    "metadata.json",        "workflow.yaml",       "workflow.yml",
      "workflow.json", "gate-definition.yaml", "gate-definition.yml", "phase.md"};
  return std::find(kNames.begin(), kNames.end(), base::lowered(name)) != kNames.end();
}

SourceJudge::SourceJudge(const SourceRules& rules) : rules_(rules), ignore_(ignore_files(rules)) {
  for (const std::string& name : rules.withheld.names) names_.insert(base::lowered(name));
  for (const fs::path& folder : rules.withheld.folders) {
    const std::string below = folder.lexically_relative(rules.root).generic_string();
    if (below == "." || lies_in(rules.root.generic_string(), folder.generic_string())) {
      all_withheld_ = true;
    } else if (!below.empty() && !lies_in(below, "..")) {
      withheld_.push_back(below);
    }
  }
  std::set<std::string> meant;
  for (const std::string& written : rules.folders) {
    if (auto folder = meant_folder(written)) meant.insert(*std::move(folder));
  }
  // Sorted, what covers comes before what is covered.
  for (const std::string& folder : meant) {
    if (!is_covered(folder)) folders_.push_back(folder);
  }
}

std::optional<std::string> SourceJudge::meant_folder(const std::string& written) {
  if (written.empty() || written == "." || written == "./") return std::string();
  const auto refuse = [&](const char* why, const char* hint) {
    constexpr std::size_t kShownBytesMax = 80;
    const std::string shown = base::shortened(written, kShownBytesMax);
    refused_.push_back({"invalid_path",
                        "the folder " + base::in_quotes(shown) + " is not searched: " + why, hint,
                        shown});
  };
  auto folder = base::normalised_relative(written);
  if (!folder) {
    refuse("it is no path within the project", "name a folder below the project's root");
    return std::nullopt;
  }
  if (has_git_part(*folder) || !is_plain_path(*folder)) {
    refuse("nothing in .git is, and nothing that is no UTF-8",
           "name a folder that holds documents");
    return std::nullopt;
  }
  return *std::move(folder);
}

bool SourceJudge::is_covered(std::string_view path) const {
  return std::any_of(folders_.begin(), folders_.end(),
                     [&](const std::string& folder) { return covers(folder, path); });
}

bool SourceJudge::has_withheld_name(std::string_view path) const {
  return names_.contains(base::lowered(name_of(path)));
}

std::optional<LeftOut> SourceJudge::folder(std::string_view path) {
  auto at = verdicts_.find(path);
  if (at == verdicts_.end()) at = verdicts_.emplace(path, judged_folder(path)).first;
  return at->second;
}

std::optional<LeftOut> SourceJudge::judged_folder(std::string_view path) {
  if (!is_plain_path(path)) return LeftOut::not_utf8;
  if (has_git_part(path) || (has_hidden_part(path) && !is_covered(path))) {
    return LeftOut::not_chosen;
  }
  if (depth_of(path) > base::limits::kSearchFolderDepthMax) return LeftOut::too_many;
  if (const auto why = withheld_folder(path)) return why;
  return ignored(path, true);
}

std::optional<LeftOut> SourceJudge::ignored(std::string_view path, bool is_folder) {
  switch (ignore_.judge(path, is_folder)) {
    case IgnoreFiles::Verdict::ignored:
      return LeftOut::ignored;
    case IgnoreFiles::Verdict::unknown:
      return LeftOut::unreadable;
    case IgnoreFiles::Verdict::not_now:
      return LeftOut::unknown;
    case IgnoreFiles::Verdict::seen:
      return std::nullopt;
  }
  return LeftOut::unreadable;
}

std::optional<LeftOut> SourceJudge::file(std::string_view path, As as) {
  const std::string_view in = folder_of(path);
  if (as == As::source) {
    if (path.empty() || !is_covered(path)) return LeftOut::not_chosen;
    if (rules_.include ? !rules_.include->matches(path) : !is_document_name(path)) {
      return LeftOut::not_chosen;
    }
  } else if (has_hidden_part(path) && !is_covered(path)) {
    return LeftOut::not_chosen;
  }
  if (!is_plain_path(path)) return LeftOut::not_utf8;
  if (rules_.exclude && rules_.exclude->matches(path)) return LeftOut::not_chosen;
  if (const auto why = folder(in)) return why;
  if (has_withheld_name(path)) return LeftOut::withheld;
  if (const auto why = ignored(path, false)) return why;
  if (has_secret_name(path)) return LeftOut::secret;
  return std::nullopt;
}

std::optional<LeftOut> SourceJudge::withheld_folder(std::string_view path) {
  const bool named = std::any_of(withheld_.begin(), withheld_.end(),
                                 [&](const std::string& folder) { return lies_in(path, folder); });
  if (all_withheld_ || named) return LeftOut::withheld;
  const auto found = lies_in_workflow(path);
  if (!found) return LeftOut::unknown;
  return *found ? std::optional(LeftOut::withheld) : std::nullopt;
}

std::optional<bool> SourceJudge::is_workflow(std::string_view folder) {
  auto at = workflow_.find(folder);
  if (at == workflow_.end()) {
    const base::Descriptor open = open_folder(rules_.root, folder);
    std::optional<bool> found = false;
    if (open.open()) {
      found = holds_workflow(open);
    } else if (is_passing(errno)) {
      found.reset();
    }
    at = workflow_.emplace(folder, found).first;
  }
  return at->second;
}

/// That a project describes a workflow at its top says nothing of its folder of standards: then
/// only its phases are withheld, unless the root is searched itself.
std::optional<bool> SourceJudge::lies_in_workflow(std::string_view folder) {
  const bool root_too = !folders_.empty() && folders_.front().empty();
  for (std::size_t end = 0;;) {
    const std::string_view part = folder.substr(0, end);
    const bool of_root = depth_of(part) <= 2 && is_phases_name(name_of(part));
    if (part.empty() ? root_too : of_root) {
      const auto found = is_workflow("");
      if (!found || *found) return found;
    }
    if (!part.empty()) {
      const auto found = is_workflow(part);
      if (!found || *found) return found;
    }
    if (end == folder.size()) return false;
    end = std::min(folder.find('/', end + (end == 0 ? 0 : 1)), folder.size());
  }
}

}  // namespace phasegate::rag
