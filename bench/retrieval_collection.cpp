#include "bench/retrieval_collection.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "base/json.h"

namespace phasegate::bench {
namespace fs = std::filesystem;
namespace {

using base::Json;

std::ifstream opened(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return stream;
}

std::string read_whole(const fs::path& file) {
  std::ostringstream text;
  text << opened(file).rdbuf();
  return text.str();
}

void each_line_of_json(const fs::path& file, const std::function<void(const Json&)>& take) {
  std::ifstream stream = opened(file);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty()) continue;
    const auto json = base::parse_json(line, {64U << 20U, 16});
    if (!json) {
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " +
                               json.error().message);
    }
    take(*json);
  }
}

std::string text_of(const Json& object, const char* name) {
  return base::string_member(object, name).value_or("");
}

std::size_t number_of(const Json& object, const char* name) {
  return static_cast<std::size_t>(base::integer_member(object, name).value_or(0));
}

void read_judgements(const fs::path& file, std::vector<Question>& questions,
                     const std::map<std::string, std::string>& files) {
  std::map<std::string, std::vector<Relevant>> relevant;
  std::ifstream stream = opened(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    std::string query;
    std::string document;
    int grade = 0;
    if (!(fields >> query >> document >> grade) || grade <= 0) continue;
    const auto found = files.find(document);
    if (found != files.end()) relevant[query].push_back({found->second, 0, 0, grade});
  }
  for (Question& question : questions) question.relevant = relevant[question.id];
}

Collection test_collection(const fs::path& folder) {
  Collection collection;
  std::map<std::string, std::string> files;
  each_line_of_json(folder / "docs.jsonl", [&](const Json& json) {
    Document document;
    document.id = text_of(json, "id");
    document.file = document.id + ".md";
    const std::string title = text_of(json, "title");
    if (!title.empty()) document.text = "# " + title + "\n\n";
    document.text += text_of(json, "text") + "\n";
    files[document.id] = document.file;
    collection.documents.push_back(std::move(document));
  });
  each_line_of_json(folder / "queries.jsonl", [&](const Json& json) {
    collection.questions.push_back({text_of(json, "id"), text_of(json, "text"), {}});
  });
  read_judgements(folder / "qrels.tsv", collection.questions, files);
  return collection;
}

Collection labelled_documents(const fs::path& folder) {
  Collection collection;
  collection.by_lines = true;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "docs")) {
    if (!entry.is_regular_file()) continue;
    const std::string file = entry.path().lexically_relative(folder / "docs").generic_string();
    collection.documents.push_back({file, file, read_whole(entry.path())});
  }
  std::sort(collection.documents.begin(), collection.documents.end(),
            [](const Document& a, const Document& b) { return a.file < b.file; });
  each_line_of_json(folder / "questions.jsonl", [&](const Json& json) {
    Question question{text_of(json, "id"), text_of(json, "text"), {}};
    const Json* relevant = base::find_member(json, "relevant");
    if (relevant == nullptr || !relevant->is_array()) {
      throw std::runtime_error("question " + question.id + " has no list `relevant`");
    }
    for (const Json& one : *relevant) {
      question.relevant.push_back({text_of(one, "file"), number_of(one, "start_line"),
                                   number_of(one, "end_line"),
                                   static_cast<int>(number_of(one, "grade"))});
    }
    collection.questions.push_back(std::move(question));
  });
  return collection;
}

}  // namespace

Collection read_collection(const fs::path& folder) {
  Collection collection =
      fs::exists(folder / "questions.jsonl") ? labelled_documents(folder) : test_collection(folder);
  collection.name = fs::absolute(folder).lexically_normal().filename().string();
  if (collection.name.empty()) {
    collection.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  }
  // A question that nothing answers measures nothing.
  std::erase_if(collection.questions,
                [](const Question& question) { return question.relevant.empty(); });
  return collection;
}

}  // namespace phasegate::bench
