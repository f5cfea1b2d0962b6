#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"
#include "mcp/protocol/tool.h"

namespace phasegate::mcp::tools {

/// An answer in the making: every fact is put once into the structured object and once into the
/// text, since clients give the model only one of the two.
class Answer {
 public:
  Answer();
  Answer(Answer&&) noexcept;
  Answer& operator=(Answer&&) noexcept;
  ~Answer();

  [[nodiscard]] base::Json& structured() { return *structured_; }
  [[nodiscard]] const base::Json& structured() const { return *structured_; }

  /// Appends a line to the text.
  Answer& line(std::string_view text);
  /// Appends text as it is.
  Answer& raw(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t text_bytes() const { return text_.size(); }
  /// Size of the structured object as it is written.
  [[nodiscard]] std::size_t structured_bytes() const;
  /// Bytes that either representation may still grow by, if a page of text has to follow; for what
  /// can be said shorter or left out.
  [[nodiscard]] std::size_t room() const;

  [[nodiscard]] protocol::ToolResult finish(bool is_error = false) &&;

 private:
  std::unique_ptr<base::Json> structured_;
  std::string text_;
};

/// A refusal that is no gate's: wrong arguments, an unknown session, a store that fails. Says what
/// was wrong and what to do next, in both representations.
[[nodiscard]] protocol::ToolResult error_result(const base::Error& error);

}  // namespace phasegate::mcp::tools
