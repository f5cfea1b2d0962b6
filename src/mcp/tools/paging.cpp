#include "mcp/tools/paging.h"

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"
#include "base/text.h"
#include "rag/chunker.h"

namespace phasegate::mcp::tools {

using base::Error;
using base::Json;

namespace {

constexpr std::size_t kSmallestPage = 1024;
/// Room for the cursor, keys and punctuation that are added around the page.
constexpr std::size_t kFrameBytes = 256;

std::string mark_of(std::string_view text) {
  return base::sha256_hex(text).substr(0, 8);
}

std::size_t room(std::size_t used, std::size_t bytes_max) {
  const std::size_t limit = bytes_max - kFrameBytes;
  return std::max(kSmallestPage, limit > used ? limit - used : 0);
}

/// The first page of what is left. Where a page ends depends on its own bytes only, so the chunker
/// gets no more of the text than it needs to see that more follows.
std::string_view first_page(std::string_view rest, std::size_t bytes_max) {
  return rag::split_pages(rest.substr(0, base::utf8_boundary(rest, bytes_max + kFrameBytes)),
                          bytes_max)
      .front();
}

}  // namespace

base::Result<TextPages> TextPages::at(std::string_view text, std::string_view cursor) {
  if (cursor.empty()) return TextPages(text, 0);
  const auto dash = cursor.find('-');
  std::size_t offset = 0;
  const auto number = cursor.substr(0, dash);
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), offset);
  if (dash == std::string_view::npos || failed != std::errc() ||
      end != number.data() + number.size() || cursor.substr(dash + 1) != mark_of(text) ||
      offset >= text.size() || base::utf8_boundary(text, offset) != offset) {
    return Error{"invalid_cursor",
                 "the cursor " + base::in_quotes(base::shortened(cursor, 40)) +
                     " does not belong to this text",
                 "call again without cursor for the first page", "cursor"};
  }
  return TextPages(text, offset);
}

void TextPages::add(Answer& answer, Json& object, const PageFrame& frame) const {
  const std::string_view rest = text_.substr(offset_);
  const std::string_view call = frame.call;
  const std::size_t text_room = room(answer.text_bytes() + call.size(), frame.bytes_max);
  const std::size_t json_room =
      room(answer.structured_bytes() + base::dump_size(object) + call.size(), frame.bytes_max);
  std::size_t wanted = std::min(text_room, json_room);
  std::string_view page = first_page(rest, wanted);
  // Escaping can make a text up to six times as long; shrink until it fits.
  while (wanted > kSmallestPage && base::json_string_size(page) > json_room) {
    wanted = std::max(kSmallestPage, wanted * 3 / 4);
    page = first_page(rest, wanted);
  }
  object["content"] = page;
  answer.raw(page);
  if (!page.ends_with('\n')) answer.raw("\n");
  if (page.size() >= rest.size()) return;
  const std::string cursor = std::to_string(offset_ + page.size()) + "-" + mark_of(text_);
  object["next_cursor"] = cursor;
  const std::string next = std::string(call) + (call.ends_with('(') ? "" : ", ") + "cursor=";
  object["more"] = next + "next_cursor)";
  answer.line("… continues: " + next + "\"" + cursor + "\")");
}

}  // namespace phasegate::mcp::tools
