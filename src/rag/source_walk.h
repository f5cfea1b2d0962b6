#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "rag/source_judge.h"
#include "rag/source_paths.h"
#include "rag/sources.h"

namespace phasegate::rag {

/// Walks once. Neither recursion nor links; O(entries), at most kSearchEntriesMax of them.
class SourceWalk {
 public:
  /// All must outlive it.
  /// `go_on`: see SourceLook::list.
  SourceWalk(const SourceRules& rules, SourceJudge& judge, const std::function<bool()>& go_on)
      : rules_(rules), judge_(judge), go_on_(go_on) {}
  /// Its files are not sorted.
  [[nodiscard]] Listing run() &&;

 private:
  struct Problem {
    const char* code;
    std::string what;
    const char* hint;
  };
  void begin(const std::string& folder);
  bool is_there(const std::string& folder, std::optional<Problem>& problem);
  void limit_refused();
  void refuse(const std::string& folder, const Problem& problem);
  void look_into(const std::string& folder);
  void take(const base::Descriptor& in, const std::string& folder, const FolderEntry& entry);
  void take_link(const std::string& folder, const std::string& path);
  void leave_out(const std::string& path, LeftOut why);
  bool goes_on();

  const SourceRules& rules_;
  SourceJudge& judge_;
  const std::function<bool()>& go_on_;
  Listing found_;
  std::set<std::string> watched_{""};
  std::set<std::string> looked_into_;  ///< a hidden source's folder may lie in another source's
  std::vector<std::string> next_;      ///< folders to be looked into; the last comes first
  std::size_t entries_left_ = kSearchEntriesMax;
  std::size_t asked_ = 0;
};

}  // namespace phasegate::rag
