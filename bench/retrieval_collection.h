#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace phasegate::bench {

struct Document {
  std::string id;
  std::string file;  ///< relative to the collection's documents
  std::string text;
};

/// What answers a question, and how well: a document, or lines of one.
struct Relevant {
  std::string file;
  std::size_t line_first = 0;  ///< 0: the whole document
  std::size_t line_last = 0;
  int grade = 1;
};

struct Question {
  std::string id;
  std::string text;
  std::vector<Relevant> relevant;
};

/// Documents and questions whose answers are known.
struct Collection {
  std::string name;
  std::vector<Document> documents;
  std::vector<Question> questions;
  bool by_lines = false;  ///< answers are lines, not whole documents
};

/// Reads one of two forms. A test collection: docs.jsonl (`id`, `title`, `text`), queries.jsonl
/// (`id`, `text`), qrels.tsv (query, document, grade). Documents with labelled questions: a folder
/// `docs`, and questions.jsonl (`id`, `text`, `relevant`: `file`, `start_line`, `end_line`,
/// `grade`). Throws std::runtime_error.
[[nodiscard]] Collection read_collection(const std::filesystem::path& folder);

}  // namespace phasegate::bench
