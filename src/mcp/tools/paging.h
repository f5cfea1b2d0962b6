#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/limits.h"
#include "base/result.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// How a page goes on.
struct PageFrame {
  std::string_view call;  ///< the call that gives the next page, without cursor and closing bracket
  std::size_t bytes_max = base::limits::kPageBytesMax;  ///< of one representation of the answer
};

/// Where a page of a text begins. A cursor belongs to one text: used with another it is refused.
class TextPages {
 public:
  /// `cursor` empty: the first page. Errors: `invalid_cursor`.
  [[nodiscard]] static base::Result<TextPages> at(std::string_view text, std::string_view cursor);

  [[nodiscard]] bool first() const { return offset_ == 0; }

  /// Puts the page into `object["content"]` (and `next_cursor`, if more follows) and into the text
  /// of `answer`, so that neither representation of the answer grows over the frame's bytes. Fill
  /// everything else in before, and put `object` into the answer afterwards. A page holds at least
  /// 1 KB, so that paging always ends.
  void add(Answer& answer, base::Json& object, const PageFrame& frame) const;

 private:
  TextPages(std::string_view text, std::size_t offset) : text_(text), offset_(offset) {}
  std::string_view text_;
  std::size_t offset_;
};

}  // namespace phasegate::mcp::tools
