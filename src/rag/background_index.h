#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "rag/sources.h"

namespace phasegate::rag {

/// How the index of a process's project is doing, for people and answers.
struct IndexState {
  bool begun = false;     ///< somebody has asked for it
  bool looked = false;    ///< every file has been looked at since then
  bool watching = false;  ///< changes are told by the system; otherwise looked for now and then
  std::vector<base::Error> refused;   ///< folders that cannot be searched
  std::optional<base::Error> failed;  ///< why it cannot be brought up to date now
};

/// Keeps a project's index in line with its files from a thread of its own, from the first time
/// that somebody wants to search: watches the folders, reads what has changed once the changes have
/// settled, and looks at everything now and then, should an event have been lost. Making one does
/// nothing. All functions may be called from any thread.
class BackgroundIndex {
 public:
  /// `folder`: of the index. `rules`: asked from the thread before every look.
  using Rules = std::function<base::Result<SourceRules>()>;
  BackgroundIndex(std::filesystem::path folder, std::filesystem::path root, Rules rules);
  ~BackgroundIndex();
  BackgroundIndex(const BackgroundIndex&) = delete;
  BackgroundIndex& operator=(const BackgroundIndex&) = delete;

  /// Begins if it has not, and waits until every file has been looked at, at most `wait_ms`.
  /// True: it has been.
  bool ready(std::int64_t wait_ms);
  /// Look at everything once more: something was found that does not fit.
  void look_again();
  [[nodiscard]] IndexState state() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::rag
