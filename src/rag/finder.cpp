#include "rag/finder.h"

#include <algorithm>
#include <list>
#include <map>
#include <utility>
#include <variant>

#include "base/log.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "rag/index_collection.h"
#include "rag/indexer.h"
#include "rag/joint_collection.h"
#include "rag/query.h"
#include "rag/ranking.h"
#include "rag/session_passages.h"
#include "rag/spelling.h"

namespace phasegate::rag {
namespace {

/// Sessions whose texts stay at hand.
constexpr std::size_t kSessionsKept = 4;
/// Files that change while they are searched: how often the search begins again.
constexpr int kRounds = 4;
/// Beside what is shown: passages that may turn out to be duplicates.
constexpr std::size_t kSpare = 32;

bool any_tag(const std::vector<std::string>& wanted, const std::vector<std::string>& tags) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& tag) {
           return std::find(tags.begin(), tags.end(), tag) != tags.end();
         });
}

FoundPassage shown(PassageRow row) {
  FoundPassage passage;
  passage.id = std::move(row.name);
  passage.file = std::move(row.file);
  passage.section = section_of(row.path, row.title);
  passage.phase = std::move(row.phase);
  passage.tags = std::move(row.tags);
  passage.content = std::move(row.content);
  passage.line_first = row.line_first;
  passage.line_last = row.line_last;
  passage.tokens = row.tokens;
  return passage;
}

/// Nothing is searched.
class NoPassages final : public Collection {
 public:
  std::size_t size() override { return 0; }
  PassageId bound() override { return 0; }
  const std::array<double, kFields>& mean_lengths() override { return means_; }
  const Counts& lengths(PassageId) override { return lengths_; }
  void postings(std::string_view, std::vector<Posting>& into) override { into.clear(); }
  std::size_t frequency(std::string_view) override { return 0; }
  PassageFields fields(PassageId) override { return {}; }
  void terms_beginning(std::string_view,
                       const std::function<void(std::string_view, std::size_t)>&) override {}

 private:
  std::array<double, kFields> means_{};
  Counts lengths_{};
};

}  // namespace

/// One search at one moment of the index.
class Round {
 public:
  Round(const SearchRequest& request, const SourceRules& rules, IndexDb& index,
        IndexCollection& collection, SessionPassages* reached)
      : request_(request),
        rules_(rules),
        index_(index),
        collection_(collection),
        reached_(reached),
        look_(rules),
        joint_(collection,
               reached == nullptr ? static_cast<Collection&>(nothing_) : reached->collection()) {}

  /// `last`: files that are not as they were when they were read are left out, not reported.
  [[nodiscard]] base::Result<SearchAnswer> search(bool last);
  /// Files to be read again before the answer counts.
  [[nodiscard]] const std::vector<std::string>& stale() const { return stale_; }

 private:
  [[nodiscard]] std::vector<bool> accepted();
  [[nodiscard]] Ranking ranked(Query& query, SearchAnswer& answer);
  /// `shown_here`: it may be shown, so its file is looked at.
  void take(const Ranked& ranked, bool shown_here,
            std::vector<std::pair<FoundPassage, std::string>>& folded);
  [[nodiscard]] bool is_as_read(const std::string& file);

  const SearchRequest& request_;
  const SourceRules& rules_;
  IndexDb& index_;
  IndexCollection& collection_;
  SessionPassages* reached_;
  SourceLook look_;
  NoPassages nothing_;
  JointCollection joint_;
  std::map<std::string, bool> seen_;  ///< whether a file is as it was read
  std::vector<std::string> stale_;
};

std::vector<bool> Round::accepted() {
  std::vector<bool> accepted(joint_.bound(), false);
  if (request_.workflow.empty()) {
    for (const PassageId id : index_.passages_of(
             request_.phase, [&](const auto& tags) { return any_tag(request_.tags, tags); })) {
      if (id < collection_.bound()) accepted[id] = true;
    }
  }
  for (PassageId id = collection_.bound(); id < joint_.bound(); ++id) {
    const FoundPassage passage = reached_->found(joint_.own_id(id));
    accepted[id] = (request_.phase.empty() || passage.phase == request_.phase) &&
                   any_tag(request_.tags, passage.tags);
  }
  return accepted;
}

Ranking Round::ranked(Query& query, SearchAnswer& answer) {
  RankWish wish;
  wish.results =
      std::min(base::limits::kSearchRankedMax, 2 * (request_.offset + request_.results) + kSpare);
  std::vector<bool> accepted_ids;
  if (!request_.phase.empty() || !request_.tags.empty() || !request_.workflow.empty()) {
    accepted_ids = accepted();
    wish.accepts = [&](PassageId id) { return accepted_ids[id]; };
  }
  Ranking ranking = rank(query, joint_, wish);
  if (ranking.found == 0) {
    Spelling spelling = spelling_of(query, joint_, wish.accepts);
    for (Correction& one : spelling.corrections) {
      answer.corrected.push_back({std::move(one.word), std::move(one.meant)});
    }
    if (auto corrected = parse_query(spelling.text); !answer.corrected.empty() && corrected) {
      query = *std::move(corrected);
      ranking = rank(query, joint_, wish);
    }
  }
  if (ranking.phrases == Phrases::not_held) {
    for (const auto& phrase : query.phrases) {
      answer.phrases_missed.push_back(base::joined(phrase, " "));
    }
  }
  return ranking;
}

bool Round::is_as_read(const std::string& file) {
  if (const auto known = seen_.find(file); known != seen_.end()) return known->second;
  const auto judge = [&] {
    const auto row = index_.file(file);
    if (!row || rules_.withheld.digests.contains(row->digest) ||
        rules_.withheld.digests.contains(row->plain_digest)) {
      return false;
    }
    const auto found = look_.look_at(file);
    const auto* now = std::get_if<SourceFile>(&found);
    if (now == nullptr) return false;
    SourceFile stamp = *now;
    // Read so soon after it was written that its time says nothing.
    const bool unsure = row->file.changed_ns == 0;
    if (unsure) stamp.changed_ns = 0;
    if (stamp != row->file) return false;
    if (!unsure) return true;
    const auto read = look_.read(file);
    const auto* text = std::get_if<SourceText>(&read);
    return text != nullptr && text->digest == row->digest;
  };
  return seen_.emplace(file, judge()).first->second;
}

void Round::take(const Ranked& ranked, bool shown_here,
                 std::vector<std::pair<FoundPassage, std::string>>& folded) {
  FoundPassage passage;
  std::string digest;
  if (joint_.is_of_second(ranked.passage)) {
    passage = reached_->found(joint_.own_id(ranked.passage));
    digest = reached_->content_digest(joint_.own_id(ranked.passage));
  } else {
    auto row = index_.passage(ranked.passage);
    if (!row) {
      throw gating::engine::StoreFailure({"damaged",
                                          "the search index is damaged: a passage is missing",
                                          "it is made anew from the documents", ""});
    }
    digest = row->digest;
    passage = shown(*std::move(row));
    if (shown_here && !is_as_read(passage.file)) {
      stale_.push_back(passage.file);
      return;
    }
    Passage stored;
    stored.content = passage.content;
    if (passage_digest(stored) != digest) {
      throw gating::engine::StoreFailure({"damaged",
                                          "the search index is damaged: a passage has changed",
                                          "it is made anew from the documents", ""});
    }
  }
  const auto same = std::find_if(folded.begin(), folded.end(),
                                 [&](const auto& other) { return other.second == digest; });
  if (same != folded.end()) {
    FoundPassage& first = same->first;
    // A passage of the session stays with its workflow.
    if (shown_here && first.workflow == passage.workflow) first.also_in.push_back(passage.file);
    return;
  }
  passage.relevance = ranked.relevance;
  folded.emplace_back(std::move(passage), std::move(digest));
}

base::Result<SearchAnswer> Round::search(bool last) {
  auto query = parse_query(request_.query);
  if (!query) return query.error();
  SearchAnswer answer;
  answer.complete = collection_.totals().complete;
  answer.searched = joint_.size();
  const Ranking ranking = ranked(*query, answer);
  // As far as this page and one passage more, so that duplicates are folded the same on each page.
  std::vector<std::pair<FoundPassage, std::string>> folded;
  const std::size_t wanted = request_.offset + request_.results;
  for (const Ranked& one : ranking.passages) {
    if (folded.size() > wanted) break;
    // Of the one behind the page only that there is one matters.
    take(one, folded.size() < wanted, folded);
  }
  if (!last && !stale_.empty()) return answer;
  answer.more = folded.size() > wanted;
  for (std::size_t i = request_.offset; i < std::min(wanted, folded.size()); ++i) {
    answer.passages.push_back(std::move(folded[i].first));
  }
  return answer;
}

struct Finder::State {
  explicit State(std::filesystem::path folder) : indexer(std::move(folder)) {}

  [[nodiscard]] SessionPassages* reached(const SessionText* session);
  [[nodiscard]] base::Result<SearchAnswer> search(const SearchRequest& request,
                                                  const SourceRules& rules,
                                                  const SessionText* session);
  /// Reads files again; false: the index cannot be written now.
  [[nodiscard]] bool read_again(const SourceRules& rules, const std::vector<std::string>& files);

  Indexer indexer;
  std::string collection_of;  ///< name of the index that `collection` reads
  std::unique_ptr<IndexCollection> collection;
  std::list<SessionPassages> sessions;  ///< used last first
};

Finder::Finder(std::filesystem::path folder) : state_(std::make_unique<State>(std::move(folder))) {}
Finder::~Finder() = default;

bool Finder::knows(std::string_view digest) const {
  return std::any_of(state_->sessions.begin(), state_->sessions.end(),
                     [&](const SessionPassages& held) { return held.digest() == digest; });
}

void Finder::drop_withheld(const SourceRules& rules) {
  state_->collection.reset();
  state_->indexer.drop_withheld(rules);
}

SessionPassages* Finder::State::reached(const SessionText* session) {
  if (session == nullptr) return nullptr;
  const auto known =
      std::find_if(sessions.begin(), sessions.end(),
                   [&](const SessionPassages& held) { return held.digest() == session->digest; });
  if (known != sessions.end()) {
    sessions.splice(sessions.begin(), sessions, known);
  } else {
    sessions.emplace_front(*session);
    if (sessions.size() > kSessionsKept) sessions.pop_back();
  }
  return &sessions.front();
}

bool Finder::State::read_again(const SourceRules& rules, const std::vector<std::string>& files) {
  try {
    indexer.look_at(rules, files);
    return true;
  } catch (const gating::engine::StoreFailure& failure) {
    // What has opened the index may be gone with it.
    collection.reset();
    if (is_damage(failure)) throw;
    base::log_warning("the search index cannot be brought up to date",
                      {{"why", failure.error().message}});
    return false;
  }
}

base::Result<SearchAnswer> Finder::State::search(const SearchRequest& request,
                                                 const SourceRules& rules,
                                                 const SessionText* session) {
  SessionPassages* texts = reached(session);
  bool writable = true;
  for (int i = 1;; ++i) {
    IndexDb& index = indexer.index();
    if (!collection || collection_of != index.name()) {
      collection = std::make_unique<IndexCollection>(index);
      collection_of = index.name();
    }
    const bool last = i == kRounds || !writable;
    std::vector<std::string> stale;
    {
      const state::Snapshot one_moment(index.db());
      collection->refresh();
      Round round(request, rules, index, *collection, texts);
      auto answer = round.search(last);
      if (!answer || round.stale().empty()) return answer;
      if (last) {
        answer->complete = false;
        return answer;
      }
      stale = round.stale();
    }
    writable = read_again(rules, stale);
  }
}

base::Result<SearchAnswer> Finder::search(const SearchRequest& request, const SourceRules& rules,
                                          const SessionText* session) {
  try {
    return state_->search(request, rules, session);
  } catch (const std::exception& failure) {
    // What it refers to may be gone.
    state_->collection.reset();
    if (!is_damage(failure)) throw;
    base::log_warning("the search index is damaged and is made anew", {{"why", failure.what()}});
    state_->indexer.abandon();
  }
  return state_->search(request, rules, session);
}

}  // namespace phasegate::rag
