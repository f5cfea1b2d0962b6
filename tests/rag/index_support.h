#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rag/finder.h"
#include "rag/indexer.h"
#include "tests/support/files.h"

namespace phasegate::test {

/// A project with documents in `standards`, and a place for its index.
class Library {
 public:
  Library() {
    rules_.root = std::filesystem::canonical(project_.path());
    rules_.folders = {"standards"};
  }

  void write(std::string_view path, std::string_view text) { project_.write(path, text); }
  /// As editors save: a new file takes the name of the old one.
  void replace(std::string_view path, std::string_view text) {
    project_.write(std::string(path) + ".new", text);
    std::filesystem::rename(at(std::string(path) + ".new"), at(path));
  }
  void remove(std::string_view path) { std::filesystem::remove(at(path)); }
  void move(std::string_view from, std::string_view to) {
    std::filesystem::create_directories(at(to).parent_path());
    std::filesystem::rename(at(from), at(to));
  }
  [[nodiscard]] std::filesystem::path at(std::string_view path) const {
    return project_.path() / path;
  }
  [[nodiscard]] rag::SourceRules& rules() { return rules_; }
  [[nodiscard]] const std::filesystem::path& index() const { return index_.path(); }

 private:
  TempFolder project_;
  TempFolder index_;
  rag::SourceRules rules_;
};

inline bool always() {
  return true;
}

/// The files of the passages that a search finds, best first.
[[nodiscard]] inline std::vector<std::string> files_found(rag::Finder& finder,
                                                          const rag::SourceRules& rules,
                                                          const std::string& query) {
  rag::SearchRequest request;
  request.query = query;
  request.results = 20;
  const auto answer = finder.search(request, rules, nullptr);
  std::vector<std::string> files;
  if (!answer) return {"error: " + answer.error().code};
  for (const rag::FoundPassage& passage : answer->passages) files.push_back(passage.file);
  return files;
}

}  // namespace phasegate::test
