#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/outside_text.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using mcp::tools::Searched;
using rag::FoundPassage;

Json passage_json(const FoundPassage& passage) {
  Json json = {{"id", passage.id},
               {"file", passage.file},
               {"section", passage.section},
               {"line_first", passage.line_first},
               {"line_last", passage.line_last},
               {"relevance_score", passage.relevance},
               {"tokens", passage.tokens},
               {"tags", passage.tags},
               {"also_in", passage.also_in},
               {"content", passage.content}};
  json["workflow"] = passage.workflow.empty() ? Json(nullptr) : Json(passage.workflow);
  json["phase"] = passage.phase.empty() ? Json(nullptr) : Json(passage.phase);
  return json;
}

Json answer_json(const std::string& query, const Searched& searched) {
  Json json = {{"query", query}, {"results", Json::array()}, {"corrected", Json::object()}};
  std::size_t tokens = 0;
  for (const FoundPassage& passage : searched.answer.passages) {
    json["results"].push_back(passage_json(passage));
    tokens += passage.tokens;
  }
  json["total_tokens"] = tokens;
  json["more"] = searched.answer.more;
  json["retrieval_method"] = "bm25f";
  json["query_time_ms"] = searched.milliseconds;
  for (const rag::CorrectedWord& word : searched.answer.corrected) {
    json["corrected"][word.written] = word.taken;
  }
  json["phrases_missed"] = searched.answer.phrases_missed;
  return json;
}

std::string percent(double relevance) {
  constexpr double kWhole = 100;
  return std::to_string(static_cast<int>(relevance * kWhole + 0.5)) + " %";
}

std::string passage_text(const FoundPassage& passage, const Page& page) {
  std::string where = shown(passage.file) + ":" + std::to_string(passage.line_first) + "-" +
                      std::to_string(passage.line_last);
  std::string text = page.in(Tone::strong, where) + "  " + percent(passage.relevance) + "\n";
  if (!passage.workflow.empty()) {
    text += wrapped("of the workflow " + shown_value(passage.workflow) +
                        (passage.phase.empty() ? "" : ", phase " + shown_value(passage.phase)),
                    page.width, 2, 2);
  }
  if (!passage.section.empty()) text += wrapped(shown_value(passage.section), page.width, 2, 2);
  text += quoted_block(passage.content, 2, true, page);
  for (const std::string& other : passage.also_in) {
    text += wrapped("the same in " + shown_value(other), page.width, 2, 4);
  }
  return text;
}

std::string answer_text(const Searched& searched, const Page& page) {
  std::string text;
  for (const rag::CorrectedWord& word : searched.answer.corrected) {
    text += wrapped("No document holds " + base::in_quotes(word.written) + "; searched for " +
                        base::in_quotes(word.taken) + ".",
                    page.width, 0, 2);
  }
  for (const std::string& phrase : searched.answer.phrases_missed) {
    text += wrapped(
        "No passage holds " + base::in_quotes(phrase) + " as it stands; searched for its words.",
        page.width, 0, 2);
  }
  if (searched.failed) {
    text += wrapped("Changed documents may be missing, because the index cannot be kept: " +
                        shown_value(searched.failed->message),
                    page.width, 0, 2);
  }
  for (const base::Error& refused : searched.refused) {
    text += wrapped("Not searched: " + shown_value(refused.message), page.width, 0, 2);
  }
  for (const FoundPassage& passage : searched.answer.passages) {
    text += (text.empty() ? "" : "\n") + passage_text(passage, page);
  }
  if (searched.answer.more) text += "\nThere is more: --limit N shows more of it.\n";
  if (!searched.answer.passages.empty()) return text;
  if (!searched.answer.complete) return text + "Nothing found, but not everything is read yet.\n";
  return text + (searched.answer.searched == 0
                     ? "There is nothing to search. Documents are looked for in standards/ and "
                       "usage/, and in the folders that\n.phasegate/project.yaml names under "
                       "`search:`.\n"
                     : "Nothing found.\n");
}

}  // namespace

Outcome search_documents(const Invocation& invocation, Program& program, const Page& page) {
  rag::SearchRequest request;
  request.query = base::joined(invocation.arguments, " ");
  request.results = invocation.limit.value_or(base::limits::kSearchResultsDefault);
  request.phase = invocation.phase.value_or("");
  request.workflow = invocation.workflow.value_or("");
  for (const std::string& tag : invocation.tags) request.tags.push_back(base::lowered(tag));
  std::string session;
  if (invocation.session) {
    auto found =
        find_session(program.engine(), *invocation.session, program.settings().options_here);
    if (!found) return failed(ExitCode::not_ok, found.error());
    session = *std::move(found);
  }
  const auto searched = program.search().search(request, session);
  if (!searched) return failed(ExitCode::not_ok, searched.error());
  const ExitCode code = searched->answer.passages.empty() ? ExitCode::not_ok : ExitCode::ok;
  if (invocation.json) {
    return {code, base::dump_pretty(answer_json(request.query, *searched)) + "\n", ""};
  }
  return {code, answer_text(*searched, page), ""};
}

}  // namespace phasegate::app::cli
