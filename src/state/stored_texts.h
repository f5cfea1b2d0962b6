#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "state/store_file.h"

namespace phasegate::state {

/// The texts of every workflow that a session here is or was pinned to, for who must not hand them
/// out in another place. Nothing is verified: a changed text is one more.
class StoredTexts {
 public:
  explicit StoredTexts(StoreFile& file) : file_(file) {}

  /// Another text whenever a workflow has come or gone; empty: there is none. O(workflows). Throws
  /// StoreFailure.
  [[nodiscard]] std::string mark();
  /// Calls `take` with each text's SHA-256 and bytes. Throws StoreFailure.
  void each(const std::function<void(const std::string& hash, std::string_view bytes)>& take);

 private:
  StoreFile& file_;
};

}  // namespace phasegate::state
