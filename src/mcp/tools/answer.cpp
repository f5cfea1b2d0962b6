#include "mcp/tools/answer.h"

#include <algorithm>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

/// What most answers hold at most, of members and of text.
constexpr std::size_t kMembersUsual = 24;
constexpr std::size_t kTextBytesUsual = 2048;

}  // namespace

Answer::Answer() : structured_(std::make_unique<Json>(base::object_with_room(kMembersUsual))) {
  text_.reserve(kTextBytesUsual);
}
Answer::Answer(Answer&&) noexcept = default;
Answer& Answer::operator=(Answer&&) noexcept = default;
Answer::~Answer() = default;

Answer& Answer::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
  return *this;
}

Answer& Answer::raw(std::string_view text) {
  text_ += text;
  return *this;
}

std::size_t Answer::structured_bytes() const {
  return base::dump_size(*structured_);
}

std::size_t Answer::room() const {
  // The smallest page of text with its title, tasks and links.
  constexpr std::size_t kPageOfText = 2048;
  const std::size_t used = std::max(text_bytes(), structured_bytes()) + kPageOfText;
  return base::limits::kPageBytesMax - std::min(base::limits::kPageBytesMax, used);
}

protocol::ToolResult Answer::finish(bool is_error) && {
  protocol::ToolResult result;
  while (!text_.empty() && text_.back() == '\n') text_.pop_back();
  result.text = std::move(text_);
  result.structured = std::shared_ptr<const Json>(std::move(structured_));
  result.is_error = is_error;
  return result;
}

protocol::ToolResult error_result(const base::Error& error) {
  Answer answer;
  Json& out = answer.structured();
  out["error"] = error.code;
  out["message"] = error.message;
  if (!error.where.empty()) out["where"] = error.where;
  if (!error.hint.empty()) out["required_action"] = error.hint;
  answer.line("Refused (" + error.code + "): " + error.message);
  if (!error.where.empty()) answer.line("Where: " + error.where);
  if (!error.hint.empty()) answer.line("What to do: " + error.hint);
  return std::move(answer).finish(true);
}

}  // namespace phasegate::mcp::tools
