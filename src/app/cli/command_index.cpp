#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "app/search_rules.h"
#include "base/json.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "rag/indexer.h"

namespace phasegate::app::cli {
namespace {

using base::Json;

/// The index and what became of it.
struct Kept {
  bool there = false;
  std::size_t files = 0;
  std::size_t passages = 0;
  std::uint64_t bytes = 0;
  std::string problem;  ///< why it is of no use; empty: it is sound
  rag::LookReport report;
  std::map<rag::LeftOut, std::size_t> left_out;
};

void look_into(rag::IndexDb& index, Kept& kept) {
  kept.there = true;
  kept.problem = index.check();
  if (!kept.problem.empty()) return;
  for (const auto& [path, why] : index.left_out()) {
    ++kept.left_out[why];
    if (kept.report.listing.examples.size() < rag::kLeftOutExamplesMax) {
      kept.report.listing.examples.emplace_back(path, why);
    }
  }
  kept.files = index.count_files();
  kept.passages = index.totals().passages;
}

/// Makes nothing, not even an empty index.
Kept seen(const std::filesystem::path& folder, const rag::SourceRules& rules) {
  Kept kept;
  kept.report.listing = rag::list_sources(rules);
  const rag::IndexFolder place(folder);
  kept.bytes = place.bytes();
  try {
    if (const auto index = place.open_existing()) look_into(*index, kept);
  } catch (const gating::engine::StoreFailure& failure) {
    if (failure.error().code != "damaged" && failure.error().code != "not_a_database") throw;
    kept.there = true;
    kept.problem = failure.error().message;
  }
  return kept;
}

Kept brought_up_to_date(const std::filesystem::path& folder, const rag::SourceRules& rules,
                        bool rebuild) {
  rag::Indexer indexer(folder);
  const auto always = [] { return true; };
  Kept kept;
  kept.report = rebuild ? indexer.rebuild(rules, always) : indexer.look(rules, always);
  kept.bytes = indexer.folder().bytes();
  look_into(indexer.index(), kept);
  return kept;
}

std::string left_out_text(const std::map<rag::LeftOut, std::size_t>& left_out) {
  std::string text;
  for (const auto& [why, count] : left_out) {
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + " " + std::string(rag::to_text(why));
  }
  return text;
}

Json kept_json(const std::string& folder, const Kept& kept) {
  Json json = {{"folder", folder},
               {"files", kept.files},
               {"passages", kept.passages},
               {"bytes", kept.bytes},
               {"documents_found", kept.report.listing.files.size()},
               {"added", kept.report.added},
               {"changed", kept.report.changed},
               {"removed", kept.report.removed},
               {"problem", kept.problem},
               {"left_out", Json::object()},
               {"refused", Json::array()}};
  for (const auto& [why, count] : kept.left_out) {
    json["left_out"][std::string(rag::to_text(why))] = count;
  }
  for (const base::Error& refused : kept.report.listing.refused) {
    json["refused"].push_back(refused.message);
  }
  return json;
}

std::string kept_text(const std::string& folder, const Kept& kept, bool only_looked,
                      const Page& page) {
  std::vector<std::pair<std::string, std::string>> rows = {{"Index", shown(folder)}};
  if (!kept.there) {
    rows.emplace_back("Holds", "nothing yet: the first search makes it");
  } else if (kept.problem.empty()) {
    rows.emplace_back("Holds", base::counted(kept.files, "document") + " in " +
                                   base::counted(kept.passages, "passage") + ", " +
                                   base::counted(kept.bytes, "byte"));
  } else {
    rows.emplace_back("Damaged", shown_value(kept.problem) +
                                     "; the next search makes it anew, or `phasegate index "
                                     "--rebuild` now");
  }
  rows.emplace_back("Found", base::counted(kept.report.listing.files.size(), "document"));
  if (!only_looked) {
    rows.emplace_back("Changes", std::to_string(kept.report.added) + " new, " +
                                     std::to_string(kept.report.changed) + " changed, " +
                                     std::to_string(kept.report.removed) + " gone");
  }
  if (!kept.report.finished) {
    rows.emplace_back("Not done", "something cannot be looked at now; the index stays as it was");
  }
  if (!kept.left_out.empty()) rows.emplace_back("Left out", left_out_text(kept.left_out));
  for (const auto& [path, why] : kept.report.listing.examples) {
    rows.emplace_back("", shown_value(path) + ": " + std::string(rag::to_text(why)));
  }
  for (const base::Error& refused : kept.report.listing.refused) {
    rows.emplace_back("Refused", shown_value(refused.message));
  }
  return definitions(rows, 0, page.width);
}

}  // namespace

Outcome keep_index(const Invocation& invocation, Program& program, const Page& page) {
  const auto rules = program.search().rules();
  if (!rules) return failed(ExitCode::not_ok, rules.error());
  const std::filesystem::path folder = search_folder(program.settings());
  Kept kept = invocation.show_status ? seen(folder, *rules)
                                     : brought_up_to_date(folder, *rules, invocation.rebuild);
  for (const auto& [why, count] : kept.report.listing.left_out) kept.left_out[why] += count;
  if (const auto withheld = kept.report.left_out_by_text.find(rag::LeftOut::withheld);
      withheld != kept.report.left_out_by_text.end()) {
    kept.left_out[withheld->first] += withheld->second;
  }
  const bool sound =
      kept.problem.empty() && kept.report.listing.refused.empty() && kept.report.finished;
  const ExitCode code = sound ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) {
    return {code, base::dump_pretty(kept_json(folder.string(), kept)) + "\n", ""};
  }
  return {code, kept_text(folder.string(), kept, invocation.show_status, page), ""};
}

}  // namespace phasegate::app::cli
