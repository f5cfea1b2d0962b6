#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "rag/sources.h"

namespace phasegate::rag {

/// A text of a workflow that a session has reached.
struct SessionDocument {
  std::string path;   ///< relative to the workflow's folder
  std::string phase;  ///< it belongs to; empty: shared
  std::string text;   ///< UTF-8
};

/// What a session adds to what is searched: only what gating says it may be shown.
struct SessionText {
  std::string workflow;                    ///< id
  std::string digest;                      ///< of all documents
  std::vector<SessionDocument> documents;  ///< not looked at if Finder::knows(digest)
};

struct SearchRequest {
  std::string query;
  std::size_t results = base::limits::kSearchResultsDefault;
  std::size_t offset = 0;         ///< passages that earlier pages have shown
  std::string phase;              ///< only passages of documents of this phase; empty: all
  std::vector<std::string> tags;  ///< only of documents with one of these; empty: all
  std::string workflow;           ///< only texts of this workflow; empty: all
};

struct FoundPassage {
  std::string id;  ///< stable while its document's headings are
  std::string
      workflow;         ///< id of the workflow that it belongs to; empty: a document of the project
  std::string file;     ///< from the project's root, or within the workflow's folder
  std::string section;  ///< its headings from the document's on, with ` > `
  std::string phase;    ///< may be empty
  std::vector<std::string> tags;
  std::vector<std::string> also_in;  ///< other files that hold the same passage
  std::string content;
  std::size_t line_first = 0;  ///< in the file, from 1
  std::size_t line_last = 0;
  std::size_t tokens = 0;  ///< about
  double relevance = 0;    ///< 0 … 1, higher is better
};

/// A word that stands nowhere, and what was searched in its place.
struct CorrectedWord {
  std::string written;
  std::string taken;
};

struct SearchAnswer {
  std::vector<FoundPassage> passages;  ///< best first
  bool more = false;                   ///< there are others behind them
  std::size_t searched = 0;            ///< passages that were looked through
  std::vector<CorrectedWord> corrected;
  std::vector<std::string> phrases_missed;  ///< quoted, stand nowhere: searched as words
  bool complete = true;                     ///< false: not every file has been read as it is
};

/// Searches a project's index and what a session has reached. What it answers is in the files at
/// that moment: every passage's file is looked at, and one that has changed is read and searched
/// again. One thread.
class Finder {
 public:
  /// `folder`: of the index.
  explicit Finder(std::filesystem::path folder);
  ~Finder();
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;

  /// The texts of a session with this digest are still at hand.
  [[nodiscard]] bool knows(std::string_view digest) const;
  /// Takes out of the index what the rules withhold by its text. To be called when that has
  /// changed: until then words of such texts may count. Throws as search.
  void drop_withheld(const SourceRules& rules);

  /// `session` may be null: then nothing of any workflow is found. Errors: `invalid_query`. Throws
  /// gating::engine::StoreFailure if the index cannot be read; one that is damaged is emptied, and
  /// the answer is not `complete`. Where it cannot be written, what has changed is left out, and
  /// the answer is not `complete` either.
  [[nodiscard]] base::Result<SearchAnswer> search(const SearchRequest& request,
                                                  const SourceRules& rules,
                                                  const SessionText* session);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::rag
