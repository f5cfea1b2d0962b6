#include "mcp/tools/passage_block.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

/// The least of a passage that is worth showing.
constexpr std::size_t kShortestBytes = 400;
/// About: what a token has in bytes (rag::Passage::tokens).
constexpr std::size_t kTokenBytes = 4;
/// A row's names and punctuation in JSON, and the lines around it in the text.
constexpr std::size_t kRowFrame = 64;
constexpr std::size_t kOtherFilesMax = 3;
/// A path or the headings above a passage; whole ones are rarely half as long.
constexpr std::size_t kNameShownBytes = 300;
constexpr std::size_t kTagShownBytes = 60;
constexpr std::size_t kTagsShownMax = 8;
constexpr double kRelevanceDigits = 1000;

Json row_of(const rag::FoundPassage& passage) {
  Json row = Json::object();
  row["content"] = "";
  row["file"] = base::shortened(passage.file, kNameShownBytes);
  row["section"] = base::shortened(passage.section, kNameShownBytes);
  row["lines"] = std::to_string(passage.line_first) + "-" + std::to_string(passage.line_last);
  row["relevance_score"] = std::round(passage.relevance * kRelevanceDigits) / kRelevanceDigits;
  row["tokens"] = passage.tokens;
  row["id"] = passage.id;
  if (!passage.workflow.empty()) row["workflow"] = passage.workflow;
  if (!passage.phase.empty()) row["phase"] = passage.phase;
  const auto add_some = [&](const char* name, const std::vector<std::string>& all, std::size_t most,
                            std::size_t bytes_max) {
    for (const std::string& one : all) {
      if (row.contains(name) && row[name].size() == most) return;
      row[name].push_back(base::shortened(one, bytes_max));
    }
  };
  add_some("tags", passage.tags, kTagsShownMax, kTagShownBytes);
  add_some("also_in", passage.also_in, kOtherFilesMax, kNameShownBytes);
  return row;
}

/// As much of `text` as `bytes_max` holds, to the end of a line if there is one in its second half.
std::string_view beginning(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::string_view part = text.substr(0, base::utf8_boundary(text, bytes_max));
  const auto line = part.rfind('\n');
  if (line != std::string_view::npos && line > part.size() / 2) part = part.substr(0, line + 1);
  return part;
}

}  // namespace

std::string passage_heading(const rag::FoundPassage& passage) {
  std::string text = base::shortened(passage.file, kNameShownBytes) + ":" +
                     std::to_string(passage.line_first) + "-" + std::to_string(passage.line_last);
  if (!passage.section.empty()) text += " · " + base::shortened(passage.section, kNameShownBytes);
  return text;
}

PassagesShown add_passages(Answer& answer, Json& object, const rag::SearchAnswer& found,
                           PassageRoom room) {
  PassagesShown shown;
  Json rows = Json::array();
  std::size_t json_used = answer.structured_bytes() + base::dump_size(object);
  for (const rag::FoundPassage& passage : found.passages) {
    Json row = row_of(passage);
    const std::string heading =
        std::to_string(shown.count + 1) + ". " + passage_heading(passage) + " · " +
        base::number_text(std::round(passage.relevance * kRelevanceDigits) / kRelevanceDigits);
    const std::size_t row_bytes = base::dump_size(row) + kRowFrame;
    const auto left = [&](std::size_t used) {
      return room.bytes_max > used ? room.bytes_max - used : std::size_t{0};
    };
    const std::size_t json_left = left(json_used + row_bytes);
    const std::size_t text_left = left(answer.text_bytes() + heading.size() + kRowFrame);
    const std::size_t tokens_left =
        room.tokens_max > shown.tokens ? room.tokens_max - shown.tokens : 0;
    std::string_view content = passage.content;
    const bool fits = base::json_string_size(content) <= json_left && content.size() <= text_left &&
                      passage.tokens <= tokens_left;
    if (!fits && shown.count > 0) break;
    if (!fits) {
      const std::size_t most = std::min({json_left, text_left, tokens_left * kTokenBytes});
      const std::size_t least = std::min(kShortestBytes, tokens_left * kTokenBytes);
      content = beginning(content, std::max(least, most));
      while (base::json_string_size(content) > json_left && content.size() > least) {
        content = beginning(content, std::max(least, content.size() * 3 / 4));
      }
      row["shortened"] = content.size() < passage.content.size();
    }
    const std::size_t tokens =
        fits ? passage.tokens : (content.size() + kTokenBytes - 1) / kTokenBytes;
    row["content"] = content;
    row["tokens"] = tokens;
    json_used += base::dump_size(row) + 1;
    rows.push_back(std::move(row));
    answer.line(heading).line("").raw(content);
    if (!content.ends_with('\n')) answer.raw("\n");
    if (content.size() < passage.content.size()) answer.line("… (shortened)");
    answer.line("");
    shown.tokens += tokens;
    ++shown.count;
    if (!fits) break;
  }
  object["results"] = std::move(rows);
  return shown;
}

}  // namespace phasegate::mcp::tools
