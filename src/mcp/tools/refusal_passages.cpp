#include "mcp/tools/refusal_passages.h"

#include <algorithm>
#include <exception>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/tools/document_search.h"
#include "mcp/tools/passage_block.h"

namespace phasegate::mcp::tools {
namespace {

constexpr std::size_t kFieldsAskedMax = 5;
constexpr std::size_t kPlacesMax = 3;
constexpr std::size_t kNameShownBytes = 300;
/// Less has a word in common with what is missing, and little more.
constexpr double kRelevanceLeast = 0.2;

bool misses_something(const gating::engine::CompleteReply& reply) {
  if (reply.reply.kind != gating::Reply::Kind::refused || !reply.reply.refusal) return false;
  const gating::RefusalKind kind = reply.reply.refusal->kind;
  return kind == gating::RefusalKind::incomplete_checkpoint ||
         kind == gating::RefusalKind::checks_failed;
}

/// The names and descriptions of what is missing, and what failed checks say.
std::string query_of(const gating::engine::CompleteReply& reply) {
  std::string query;
  std::size_t fields = 0;
  for (const gating::FieldProblem& problem : reply.reply.verdict.problems) {
    if (fields++ == kFieldsAskedMax) break;
    query += problem.field + " " + problem.description + " ";
  }
  for (const gating::CheckResult& result : reply.reply.checks) {
    if (result.lets_through() || fields++ >= kFieldsAskedMax) continue;
    query += result.name + " " + result.error + " ";
  }
  return query;
}

}  // namespace

std::vector<rag::FoundPassage> passages_for(const Hands& hands,
                                            const gating::engine::CompleteReply& reply) {
  if (hands.context.search == nullptr || !reply.view.workflow().passages_on_refusal ||
      !misses_something(reply)) {
    return {};
  }
  rag::SearchRequest request;
  request.query = query_of(reply);
  request.results = kPlacesMax;
  try {
    auto searched = hands.context.search->search(request, reply.view.run.id);
    if (!searched) return {};
    std::vector<rag::FoundPassage>& passages = searched->answer.passages;
    passages.erase(std::remove_if(passages.begin(), passages.end(),
                                  [](const rag::FoundPassage& passage) {
                                    return passage.relevance < kRelevanceLeast;
                                  }),
                   passages.end());
    return std::move(passages);
  } catch (const std::exception& failure) {
    // The refusal itself must be said whatever happens here.
    base::log_warning("no passages for a refused gate", {{"why", failure.what()}});
    return {};
  }
}

void add_places(Answer& answer, const std::vector<rag::FoundPassage>& passages) {
  if (passages.empty()) return;
  base::Json places = base::Json::array();
  answer.line("What the documents say about it (search_standards shows the text):");
  for (const rag::FoundPassage& passage : passages) {
    places.push_back(
        {{"file", base::shortened(passage.file, kNameShownBytes)},
         {"section", base::shortened(passage.section, kNameShownBytes)},
         {"lines", std::to_string(passage.line_first) + "-" + std::to_string(passage.line_last)}});
    if (!passage.workflow.empty()) places.back()["workflow"] = passage.workflow;
    answer.line("- " + passage_heading(passage));
  }
  answer.structured()["passages"] = std::move(places);
}

}  // namespace phasegate::mcp::tools
