#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <sys/stat.h>

#include "base/descriptor.h"
#include "rag/source_judge.h"
#include "rag/source_paths.h"
#include "rag/sources.h"

namespace phasegate::rag {

/// A source, held: what is asked of it now is asked of this file, wherever its name leads by then.
struct OpenedSource {
  base::Descriptor file;
  struct stat status{};
  std::string target;  ///< where a link led; empty: it is no link
};

/// Opens a file that its path speaks for, and judges what was opened by its kind, its size and how
/// many names it has. Links are followed as far as SourceJudge takes their targets. O(parts of the
/// path).
[[nodiscard]] std::variant<OpenedSource, LeftOut> open_source(const SourceRules& rules,
                                                              SourceJudge& judge,
                                                              std::string_view path, Hold hold);

/// What shows that the file is still the same.
[[nodiscard]] SourceFile stamp_of(std::string_view path, const struct stat& status);
/// What the kind, the size and the names of a file say against it.
[[nodiscard]] std::optional<LeftOut> judge_status(const struct stat& status);
/// What errno says of a file or folder that could not be opened.
[[nodiscard]] LeftOut why_not_opened(int code);

}  // namespace phasegate::rag
