#include "mcp/tools/search_tool.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/document_search.h"
#include "mcp/tools/passage_block.h"

namespace phasegate::mcp::tools {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// Around the passages: cursor, next call and punctuation.
constexpr std::size_t kFrameBytes = 512;
constexpr std::size_t kQueryShownBytes = 200;
constexpr std::size_t kMessageShownBytes = 200;
constexpr std::size_t kRefusedShown = 5;
/// Words and phrases are as long as somebody writes them.
constexpr std::size_t kWordShownBytes = 80;
constexpr std::size_t kNotesShown = 8;
constexpr std::size_t kMarkDigits = 8;

/// Ties a cursor to its query: with another it means nothing.
std::string mark_of(const rag::SearchRequest& request, const std::string& session) {
  base::Digest digest;
  digest.add(request.query).add(request.phase).add(request.workflow).add(session);
  for (const std::string& tag : request.tags) digest.add(tag);
  return digest.hex().substr(0, kMarkDigits);
}

Result<std::size_t> offset_of(const std::string& cursor, const std::string& mark) {
  if (cursor.empty()) return std::size_t{0};
  std::size_t offset = 0;
  const auto dash = cursor.find('-');
  const std::string number = cursor.substr(0, dash);
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), offset);
  if (dash == std::string::npos || failed != std::errc() || end != number.data() + number.size() ||
      cursor.substr(dash + 1) != mark || offset > base::limits::kSearchRankedMax) {
    return Error{"invalid_cursor",
                 "the cursor " + base::in_quotes(base::shortened(cursor, 40)) +
                     " belongs to no earlier page of this search",
                 "repeat the call of that page's `more`, or search without cursor", "cursor"};
  }
  return offset;
}

Result<std::vector<std::string>> tags_of(const Arguments& arguments) {
  std::vector<std::string> tags;
  const Json* given = arguments.value("filter_tags");
  if (given == nullptr || given->is_null()) return tags;
  const auto take = [&](const Json& one) {
    if (!one.is_string()) return false;
    for (const auto part : base::split(one.get_ref<const std::string&>(), ',')) {
      const std::string tag = base::lowered(base::trimmed(part));
      if (!tag.empty()) tags.push_back(tag);
    }
    return true;
  };
  bool understood = true;
  if (given->is_array()) {
    for (const Json& one : *given) understood = take(one) && understood;
  } else {
    understood = take(*given);
  }
  if (!understood || tags.size() > base::limits::kSearchTagsMax) {
    return Error{"invalid_argument",
                 "filter_tags: wanted a list of at most " +
                     std::to_string(base::limits::kSearchTagsMax) + " texts",
                 "for example [\"testing\"]; a passage with one of them is found", "filter_tags"};
  }
  return tags;
}

Result<std::string> phase_of(const Arguments& arguments) {
  const Json* given = arguments.value("filter_phase");
  if (given == nullptr || given->is_null()) return std::string();
  if (given->is_string()) return std::string(base::trimmed(given->get_ref<const std::string&>()));
  if (const auto number = base::as_integer(*given); number && *number >= 0) {
    return std::to_string(*number);
  }
  return Error{"invalid_argument", "filter_phase: wanted a phase id, such as \"1\"",
               "leave it out to search all phases", "filter_phase"};
}

/// The call that this one was, as far as the next page needs it.
std::string call_again(const Arguments& arguments) {
  std::string call = "search_standards(";
  for (const char* name : {"query", "n_results", "filter_phase", "filter_tags", "session_id",
                           "workflow", "max_tokens"}) {
    if (arguments.value(name) != nullptr) call += std::string(name) + " as before, ";
  }
  return call + "cursor=next_cursor)";
}

std::string nothing_found(const Searched& searched, const rag::SearchRequest& request,
                          const std::string& session) {
  if (!searched.answer.complete) {
    return "not every document has been read yet: search again in a moment";
  }
  if (searched.answer.searched == 0) {
    return "there is nothing to search: documents are looked for in standards/ and usage/ and in "
           "the folders that .phasegate/project.yaml names under `search:`";
  }
  std::string text = "search again with other words for the same thing, or fewer";
  if (!request.phase.empty() || !request.tags.empty()) text += ", or without filters";
  if (session.empty()) {
    text +=
        "; texts of a workflow are found with the session_id of a session that has reached them";
  }
  return text;
}

void add_notes(Answer& answer, Json& out, const Searched& searched) {
  if (!searched.answer.complete) {
    out["index"] = "building";
    answer.line("Not every document has been read yet: search again in a moment for all of them.");
  }
  if (!searched.answer.corrected.empty()) {
    Json corrected = Json::object();
    for (const rag::CorrectedWord& word : searched.answer.corrected) {
      if (corrected.size() == kNotesShown) break;
      const std::string written = base::shortened(word.written, kWordShownBytes);
      const std::string taken = base::shortened(word.taken, kWordShownBytes);
      corrected[written] = taken;
      answer.line("No document holds " + base::in_quotes(written) + ": searched for " +
                  base::in_quotes(taken) + ".");
    }
    out["corrected"] = std::move(corrected);
  }
  for (const std::string& phrase : searched.answer.phrases_missed) {
    const std::string missed = base::shortened(phrase, kWordShownBytes);
    out["phrases_missed"].push_back(missed);
    answer.line("No passage holds " + base::in_quotes(missed) +
                " as it stands: searched for its words.");
  }
  if (searched.failed) {
    const std::string why = base::shortened(searched.failed->message, kMessageShownBytes);
    out["index_problem"] = why;
    answer.line("Changed documents may be missing, because the index cannot be kept: " + why);
  }
  std::size_t shown = 0;
  for (const Error& refused : searched.refused) {
    if (shown++ == kRefusedShown) break;
    const std::string why = base::shortened(refused.message, kMessageShownBytes);
    out["folders_refused"].push_back(why);
    answer.line("Not searched: " + why);
  }
  if (searched.refused.size() > kRefusedShown) {
    answer.line("… and " + std::to_string(searched.refused.size() - kRefusedShown) +
                " more folders are not searched.");
  }
}

}  // namespace

protocol::ToolResult search_standards(const Hands& hands, const Arguments& arguments) {
  if (hands.context.search == nullptr) {
    return error_result(
        {"not_here", "nothing is searched here", "read the documents yourself", ""});
  }
  rag::SearchRequest request;
  request.query = arguments.text("query");
  // The schema bounds it as well.
  request.results =
      std::min(base::limits::kSearchResultsMax,
               static_cast<std::size_t>(
                   arguments.integer("n_results")
                       .value_or(static_cast<std::int64_t>(base::limits::kSearchResultsDefault))));
  request.workflow = arguments.text("workflow");
  auto phase = phase_of(arguments);
  if (!phase) return error_result(phase.error());
  request.phase = *std::move(phase);
  auto tags = tags_of(arguments);
  if (!tags) return error_result(tags.error());
  request.tags = *std::move(tags);
  const std::string session = arguments.text("session_id");
  const std::string mark = mark_of(request, session);
  const auto offset = offset_of(arguments.text("cursor"), mark);
  if (!offset) return error_result(offset.error());
  request.offset = *offset;

  const auto searched = hands.context.search->search(request, session);
  if (!searched) return error_result(searched.error());
  const rag::SearchAnswer& found = searched->answer;

  Answer answer;
  Json& out = answer.structured();
  out["query"] = base::shortened(request.query, kQueryShownBytes);
  out["retrieval_method"] = "bm25f";
  out["query_time_ms"] = std::round(searched->milliseconds * 1000) / 1000;
  add_notes(answer, out, *searched);
  const std::size_t tokens_max = static_cast<std::size_t>(
      arguments.integer("max_tokens").value_or(std::numeric_limits<std::int32_t>::max()));
  const PassagesShown shown =
      add_passages(answer, out, found, {base::limits::kPageBytesMax - kFrameBytes, tokens_max});
  out["total_tokens"] = shown.tokens;
  const bool left = shown.count < found.passages.size() || found.more;
  if (left && request.offset + shown.count < base::limits::kSearchRankedMax) {
    const std::string cursor = std::to_string(request.offset + shown.count) + "-" + mark;
    out["next_cursor"] = cursor;
    out["more"] = call_again(arguments);
    answer.line("… more: the same search with cursor=\"" + cursor + "\"");
  }
  if (shown.count == 0) {
    const std::string what_now = request.offset > 0 ? "these were all; search for something else"
                                                    : nothing_found(*searched, request, session);
    out["next_call"] = what_now;
    answer.line("Nothing found: " + what_now + ".");
  }
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
