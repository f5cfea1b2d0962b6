#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "base/limits.h"
#include "bench/plain_search.h"
#include "bench/retrieval_collection.h"
#include "bench/retrieval_quality.h"
#include "rag/background_index.h"
#include "rag/finder.h"
#include "rag/indexer.h"
#include "rag/passages.h"

/// How well and how fast the product's own search finds, beside SQLite's full-text search as it is:
/// same passages, same queries, same run, by turns.
namespace phasegate::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPassagesOfSpeed = 10'000;
constexpr std::size_t kShortQueries = 300;
constexpr std::size_t kShown = 10;

double micros(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

/// A folder that goes with the object.
class WorkFolder {
 public:
  WorkFolder() {
    std::string made = (fs::temp_directory_path() / "phasegate-retrieval-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = fs::canonical(made);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Documents in a project, indexed.
class Searched {
 public:
  explicit Searched(const std::vector<Document>& documents)
      : index_(folder_.path() / "index"), finder_(index_) {
    rules_.root = folder_.path() / "project";
    rules_.folders = {"documents"};
    for (const Document& document : documents) write(document);
    const auto begun = Clock::now();
    report_ = rag::Indexer(index_).look(rules_, [] { return true; });
    seconds_ = micros(begun) / 1e6;
  }

  void write(const Document& document) {
    const fs::path file = rules_.root / "documents" / document.file;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << document.text;
  }

  std::vector<Answer> search(const std::string& query, std::size_t results) {
    rag::SearchRequest request;
    request.query = query;
    request.results = results;
    const auto found = finder_.search(request, rules_, nullptr);
    std::vector<Answer> answers;
    if (!found) return answers;
    constexpr std::size_t kFolder = sizeof("documents/") - 1;
    for (const rag::FoundPassage& passage : found->passages) {
      answers.push_back(
          {passage.file.substr(kFolder), passage.line_first, passage.line_last, passage.tokens});
    }
    return answers;
  }

  [[nodiscard]] const rag::LookReport& report() const { return report_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] const rag::SourceRules& rules() const { return rules_; }
  [[nodiscard]] const fs::path& index() const { return index_; }

 private:
  WorkFolder folder_;
  fs::path index_;
  rag::SourceRules rules_;
  rag::Finder finder_;
  rag::LookReport report_;
  double seconds_ = 0;
};

/// The passages of all documents, for the floor.
struct Passages {
  std::vector<std::string> texts;
  std::vector<Answer> places;
};

Passages passages_of(const std::vector<Document>& documents) {
  Passages all;
  for (const Document& document : documents) {
    for (const rag::Passage& passage : rag::read_passages(document.file, document.text).passages) {
      all.texts.push_back(passage.path + "\n" + passage.content);
      all.places.push_back({document.file, passage.line_first, passage.line_last, passage.tokens});
    }
  }
  return all;
}

struct Times {
  std::vector<double> micros;
  [[nodiscard]] double part(double share) {
    if (micros.empty()) return 0;
    std::sort(micros.begin(), micros.end());
    const auto at = static_cast<std::size_t>(share * static_cast<double>(micros.size()));
    return micros[std::min(at, micros.size() - 1)];
  }
};

void print_quality(const char* who, const Quality& quality, bool by_lines, Times& times) {
  std::printf("  %-12s nDCG@10 %.4f  MRR %.4f", who, quality.ndcg, quality.reciprocal);
  if (by_lines) {
    std::printf("  hit@1 %.3f  hit@3 %.3f  tokens of 3 %.3f", quality.first, quality.first_three,
                quality.tokens);
  }
  std::printf("  p50 %.0f us  p95 %.0f us\n", times.part(0.5), times.part(0.95));
}

void print_collection(const Collection& collection) {
  Searched searched(collection.documents);
  const Passages passages = passages_of(collection.documents);
  WorkFolder folder;
  PlainSearch plain(folder.path() / "plain.db");
  plain.add(passages.texts);
  QualityMeter ours(collection, collection.by_lines);
  QualityMeter floor(collection, collection.by_lines);
  Times our_times;
  Times floor_times;
  // So deep that ten different documents are among the passages.
  constexpr std::size_t kDeep = 50;
  for (const Question& question : collection.questions) {
    ours.add(question, searched.search(question.text, kDeep));
    std::vector<Answer> answers;
    for (const std::int64_t id : plain.search(question.text, kDeep)) {
      answers.push_back(passages.places.at(static_cast<std::size_t>(id)));
    }
    floor.add(question, answers);
  }
  for (const Question& question : collection.questions) {
    auto begun = Clock::now();
    static_cast<void>(searched.search(question.text, kShown));
    our_times.micros.push_back(micros(begun));
    begun = Clock::now();
    static_cast<void>(plain.search(question.text, kShown));
    floor_times.micros.push_back(micros(begun));
  }
  std::printf("%s: %zu documents, %zu passages, %zu questions\n", collection.name.c_str(),
              collection.documents.size(), passages.texts.size(), collection.questions.size());
  print_quality("phasegate", ours.mean(), collection.by_lines, our_times);
  print_quality("plain FTS5", floor.mean(), collection.by_lines, floor_times);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

/// Documents of one passage each, as many as are wanted: those of the collections, then halves of
/// two of them put together.
std::vector<Document> many_documents(const std::vector<Collection>& collections,
                                     std::mt19937& random) {
  std::vector<std::string> texts;
  for (const Collection& collection : collections) {
    for (const std::string& text : passages_of(collection.documents).texts) {
      texts.push_back(text);
    }
  }
  if (texts.empty()) throw std::runtime_error("no passages in the collections");
  std::shuffle(texts.begin(), texts.end(), random);
  const std::size_t real = std::min(texts.size(), kPassagesOfSpeed);
  texts.resize(real);
  while (texts.size() < kPassagesOfSpeed) {
    const std::string& first = texts[random() % real];
    const std::string& second = texts[random() % real];
    texts.push_back(first.substr(0, first.find(' ', first.size() / 2)) + " " +
                    second.substr(std::min(second.size(), second.find(' ', second.size() / 2))));
  }
  std::vector<Document> documents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = std::to_string(i / 100) + "/" + std::to_string(i) + ".txt";
    documents.push_back({name, name, texts[i] + "\n"});
  }
  return documents;
}

void print_speed(const char* what, const std::vector<std::string>& queries, Searched& searched,
                 PlainSearch& plain) {
  Times ours;
  Times floor;
  for (int round = 0; round < 2; ++round) {
    ours.micros.clear();
    floor.micros.clear();
    for (const std::string& query : queries) {
      auto begun = Clock::now();
      static_cast<void>(searched.search(query, kShown));
      ours.micros.push_back(micros(begun));
      begun = Clock::now();
      static_cast<void>(plain.search(query, kShown));
      floor.micros.push_back(micros(begun));
    }
  }
  std::printf("  %-22s p50 %6.0f us (floor %6.0f, %.2f x)   p95 %6.0f us (floor %6.0f, %.2f x)\n",
              what, ours.part(0.5), floor.part(0.5), ours.part(0.5) / floor.part(0.5),
              ours.part(0.95), floor.part(0.95), ours.part(0.95) / floor.part(0.95));
}

/// How long a changed file takes to be found, from the last write on, without the pause that
/// settling needs.
double visible_after_ms(Searched& searched) {
  rag::BackgroundIndex kept(searched.index(), searched.rules().root, [&] {
    rag::SourceRules rules;
    rules.root = searched.rules().root;
    rules.folders = searched.rules().folders;
    return rules;
  });
  if (!kept.ready(60'000)) throw std::runtime_error("the index is not ready");
  Times times;
  // So different that none is taken for the misspelt form of another, which would lead to the file.
  const std::vector<std::string> words = {
      "zyxaardvark", "qwbassoon",    "jvkcoriander", "xpdodecagon", "vqespresso",
      "kzjfandango", "wqxgazebo",    "zvhalibut",    "qjkicicle",   "xwjamboree",
      "vzkangaroo",  "jqxlabyrinth", "kwvmarzipan",  "zqnectarine", "xjvoboe"};
  for (const std::string& word : words) {
    searched.write({"0/0.txt", "0/0.txt", "A text with " + word + " in it.\n"});
    const auto begun = Clock::now();
    // With a word that others hold, so that no search goes looking for a spelling.
    const auto is_found = [&] {
      const std::vector<Answer> answers = searched.search(word + " experimental", 1);
      return !answers.empty() && answers.front().file == "0/0.txt";
    };
    while (!is_found()) {
      if (micros(begun) > 10e6) throw std::runtime_error("a changed file was never found");
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    times.micros.push_back(micros(begun));
  }
  return times.part(0.5) / 1000 - static_cast<double>(base::limits::kSearchSettleMs);
}

void print_speed_of_all(const std::vector<Collection>& collections) {
  std::mt19937 random(3);  // NOLINT: the same queries each time
  const std::vector<Document> documents = many_documents(collections, random);
  Searched searched(documents);
  std::vector<std::string> texts;
  for (const Document& document : documents) texts.push_back(document.text);
  WorkFolder folder;
  PlainSearch plain(folder.path() / "plain.db");
  auto begun = Clock::now();
  plain.add(texts);
  const double plain_seconds = micros(begun) / 1e6;
  const double megabytes = static_cast<double>(searched.report().bytes_read) / 1e6;
  std::printf("%zu passages of all of them, halves put together where there are too few\n",
              documents.size());

  std::vector<std::string> three_words;
  while (three_words.size() < kShortQueries) {
    std::set<std::string> chosen;
    const std::vector<std::string> words = words_of(texts[random() % texts.size()]);
    for (int i = 0; i < 100 && chosen.size() < 3 && !words.empty(); ++i) {
      const std::string& word = words[random() % words.size()];
      if (word.size() > 3) chosen.insert(word);
    }
    if (chosen.size() < 3) continue;
    std::string query;
    for (const std::string& word : chosen) query += word + " ";
    three_words.push_back(query);
  }
  std::vector<std::string> sentences;
  for (const Collection& collection : collections) {
    for (const Question& question : collection.questions) {
      constexpr std::size_t kSentenceWords = 6;
      if (words_of(question.text).size() >= kSentenceWords) sentences.push_back(question.text);
    }
  }
  print_speed("three words", three_words, searched, plain);
  if (!sentences.empty()) print_speed("sentences", sentences, searched, plain);
  std::printf("  indexing               %.1f MB/s (floor %.1f), with files read and looked at\n",
              megabytes / searched.seconds(), megabytes / plain_seconds);
  std::printf("  one changed file       found %.1f ms after its event settled (median)\n",
              visible_after_ms(searched));
}

}  // namespace
}  // namespace phasegate::bench

int main(int count, char** arguments) {
  using phasegate::bench::Collection;
  if (count < 2 || std::string(arguments[1]) == "--help") {
    std::fprintf(stderr,
                 "bench_retrieval DIR...: how well passages are ranked, and how fast.\n"
                 "DIR holds docs.jsonl, queries.jsonl and qrels.tsv, or docs/ and "
                 "questions.jsonl; see bench/README.md.\n");
    return count < 2 ? 2 : 0;
  }
  try {
    // A line is seen as soon as it is measured, also in a pipe.
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::vector<Collection> collections;
    for (int i = 1; i < count; ++i) {
      collections.push_back(phasegate::bench::read_collection(arguments[i]));
    }
    for (const Collection& collection : collections) {
      phasegate::bench::print_collection(collection);
    }
    phasegate::bench::print_speed_of_all(collections);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bench_retrieval: %s\n", problem.what());
    return 1;
  }
  return 0;
}
