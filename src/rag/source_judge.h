#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rag/ignore_files.h"
#include "rag/sources.h"

namespace phasegate::rag {

/// Judges paths by the rules: what their names and folders say, before anything is opened. What
/// folders say is looked up once. Paths are relative to the root and normalised.
class SourceJudge {
 public:
  /// `rules` must outlive it.
  explicit SourceJudge(const SourceRules& rules);

  /// The folders of the rules that can be meant, normalised, sorted, none within another one that
  /// covers it; and the others.
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }
  [[nodiscard]] const std::vector<base::Error>& refused() const { return refused_; }

  enum class As {
    source,
    target,  ///< of a link: need not be in a source's folder, nor be named like a document
  };
  /// Why a file cannot be a source; nullopt: it may be.
  [[nodiscard]] std::optional<LeftOut> file(std::string_view path, As as);
  /// Why nothing in a folder can be; a hidden one is not_chosen unless it is a source's.
  [[nodiscard]] std::optional<LeftOut> folder(std::string_view path);

  /// True for SHA-256 of a text that is withheld.
  [[nodiscard]] bool has_withheld_digest(std::string_view digest) const {
    return rules_.withheld.digests.contains(digest);
  }

 private:
  [[nodiscard]] std::optional<LeftOut> judged_folder(std::string_view path);
  [[nodiscard]] std::optional<LeftOut> ignored(std::string_view path, bool is_folder);
  [[nodiscard]] std::optional<std::string> meant_folder(const std::string& written);
  [[nodiscard]] bool is_covered(std::string_view path) const;
  [[nodiscard]] bool has_withheld_name(std::string_view path) const;
  [[nodiscard]] std::optional<LeftOut> withheld_folder(std::string_view path);
  [[nodiscard]] std::optional<bool> is_workflow(std::string_view folder);
  [[nodiscard]] std::optional<bool> lies_in_workflow(std::string_view folder);

  const SourceRules& rules_;
  IgnoreFiles ignore_;
  std::vector<std::string> folders_;
  std::vector<base::Error> refused_;
  std::set<std::string> names_;        ///< withheld, in lower case
  std::vector<std::string> withheld_;  ///< folders below the root
  bool all_withheld_ = false;          ///< the root lies in a withheld folder
  /// Folders: hold a workflow themselves; nullopt: nobody can say just now.
  std::map<std::string, std::optional<bool>, std::less<>> workflow_;
  std::map<std::string, std::optional<LeftOut>, std::less<>> verdicts_;  ///< of folders
};

/// True for a path that can be a source's: UTF-8 without control characters.
[[nodiscard]] bool is_plain_path(std::string_view path);

}  // namespace phasegate::rag
