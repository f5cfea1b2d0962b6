#include "bench/retrieval_quality.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace phasegate::bench {
namespace {

constexpr std::size_t kDepth = 10;

double discount(std::size_t rank) {
  return 1 / std::log2(static_cast<double>(rank) + 2);
}

/// How well an answer answers; 0: not at all.
int grade_of(const Question& question, const Answer& answer) {
  int grade = 0;
  for (const Relevant& relevant : question.relevant) {
    if (relevant.file != answer.file) continue;
    const bool overlaps = relevant.line_first == 0 || (answer.line_first <= relevant.line_last &&
                                                       answer.line_last >= relevant.line_first);
    if (overlaps) grade = std::max(grade, relevant.grade);
  }
  return grade;
}

}  // namespace

QualityMeter::QualityMeter(const Collection& collection, bool by_lines)
    : collection_(collection), by_lines_(by_lines) {}

void QualityMeter::add(const Question& question, const std::vector<Answer>& answers) {
  ++sum_.questions;
  const int answers_it = by_lines_ ? 2 : 1;
  std::set<std::string> seen;
  std::size_t rank = 0;
  std::size_t first = 0;  // from 1
  double gain = 0;
  for (const Answer& answer : answers) {
    if (!by_lines_ && !seen.insert(answer.file).second) continue;
    const int grade = grade_of(question, answer);
    if (rank < kDepth) gain += grade * discount(rank);
    ++rank;
    if (first == 0 && grade >= answers_it) first = rank;
    if (rank <= 3) tokens_shown_ += static_cast<double>(answer.tokens);
  }
  std::vector<int> grades;
  std::set<std::string> files;
  for (const Relevant& relevant : question.relevant) {
    grades.push_back(relevant.grade);
    if (relevant.grade >= answers_it) files.insert(relevant.file);
  }
  std::sort(grades.begin(), grades.end(), std::greater<>());
  double ideal = 0;
  for (std::size_t i = 0; i < std::min(kDepth, grades.size()); ++i)
    ideal += grades[i] * discount(i);
  if (ideal > 0) sum_.ndcg += std::min(1.0, gain / ideal);
  if (first > 0) sum_.reciprocal += 1 / static_cast<double>(first);
  if (first == 1) ++sum_.first;
  if (first >= 1 && first <= 3) ++sum_.first_three;
  for (const Document& document : collection_.documents) {
    constexpr std::size_t kTokenBytes = 4;
    if (files.contains(document.file)) {
      tokens_of_files_ += static_cast<double>((document.text.size() + 3) / kTokenBytes);
    }
  }
}

Quality QualityMeter::mean() const {
  Quality mean = sum_;
  const double count = std::max<double>(1, static_cast<double>(sum_.questions));
  mean.ndcg /= count;
  mean.reciprocal /= count;
  mean.first /= count;
  mean.first_three /= count;
  mean.tokens = tokens_of_files_ > 0 ? tokens_shown_ / tokens_of_files_ : 0;
  return mean;
}

}  // namespace phasegate::bench
