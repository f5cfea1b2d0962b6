#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "bench/retrieval_collection.h"

namespace phasegate::bench {

/// One answer to a question, by rank.
struct Answer {
  std::string file;
  std::size_t line_first = 0;
  std::size_t line_last = 0;
  std::size_t tokens = 0;
};

/// How good answers were, on average over the questions of a collection.
struct Quality {
  std::size_t questions = 0;
  double ndcg = 0;         ///< at 10; gain is the grade
  double reciprocal = 0;   ///< of the rank of the first relevant answer (MRR)
  double first = 0;        ///< share of questions answered by the first answer
  double first_three = 0;  ///< … by one of the first three
  /// Tokens of the first three answers, by those of the files that hold the answers.
  double tokens = 0;
};

/// Adds one question up.
class QualityMeter {
 public:
  /// `by_lines`: an answer counts if it overlaps relevant lines, and only grade 2 answers a
  /// question; else documents count, each once, where the best of its passages stands.
  QualityMeter(const Collection& collection, bool by_lines);

  void add(const Question& question, const std::vector<Answer>& answers);
  [[nodiscard]] Quality mean() const;

 private:
  const Collection& collection_;
  bool by_lines_;
  Quality sum_;
  double tokens_shown_ = 0;
  double tokens_of_files_ = 0;
};

}  // namespace phasegate::bench
