#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/reading/document_reading.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/statements.h"

namespace phasegate::test {

/// What a markdown text says, statement by statement.
inline std::vector<phases::Statement> said(std::string_view text) {
  return phases::statements_of(phases::parse_markdown(text, phases::Html::tags), text);
}

inline phases::FoundPhases found_in(std::string_view text, std::string_view path = "doc.md") {
  const auto tree = phases::parse_markdown(text, phases::Html::tags);
  return phases::find_phases(phases::statements_of(tree, text), tree, path);
}

/// `1 Gather | 2 Build`: the numbers and titles of phases in their order.
inline std::string outline(const phases::FoundPhases& found) {
  std::string all;
  for (const phases::PhaseSpan& one : found.phases) {
    if (!all.empty()) all += " | ";
    all += one.number + (one.number.empty() || one.title.empty() ? "" : " ") + one.title;
  }
  return all;
}

inline std::string outline(std::string_view text, std::string_view path = "doc.md") {
  return outline(found_in(text, path));
}

/// `tests_pass, coverage`: the names of requirements in their order.
inline std::string names_of(const std::vector<phases::Requirement>& requirements) {
  std::string all;
  for (const phases::Requirement& one : requirements) {
    if (!all.empty()) all += ", ";
    all += one.name;
  }
  return all;
}

inline std::vector<phases::Finding> findings_with(const phases::DocumentReading& reading,
                                                  std::string_view code) {
  std::vector<phases::Finding> found;
  std::copy_if(reading.findings.begin(), reading.findings.end(), std::back_inserter(found),
               [&](const phases::Finding& one) { return one.code == code; });
  return found;
}

/// The codes of all findings, in their order, for failing checks.
inline std::string codes_of(const phases::DocumentReading& reading) {
  std::string all;
  for (const phases::Finding& one : reading.findings) all += one.code + " ";
  return all;
}

}  // namespace phasegate::test
