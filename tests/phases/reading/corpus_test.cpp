#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/reading/document_reading.h"
#include "phases/requirement_names.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::read_file;
using phasegate::test::real_documents;
namespace base = phasegate::base;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_below(const fs::path& root, std::string_view ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().extension() == ending)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool stands_in(const ReadPhase& phase, int line) {
  return phase.line <= line && line <= phase.line_end;
}

/// Names say something and no two are the same.
void check_names(const std::vector<Requirement>& requirements) {
  std::set<std::string> names;
  for (const Requirement& one : requirements) {
    CAPTURE(one.name);
    CAPTURE(one.source.line);
    CHECK_FALSE(one.name.empty());
    CHECK(has_letters(one.name));
    CHECK(one.source.line > 0);
    CHECK(names.insert(one.name).second);
  }
}

/// Where a gate stands decides; one that names its phase may stand outside of all phases, yet never
/// in another one.
void check_place(const DocumentReading& reading, const ReadPhase& phase, bool unit) {
  for (const auto* list : {&phase.criteria.exit, &phase.criteria.entry}) {
    for (const Requirement& one : *list) {
      if (unit || stands_in(phase, one.source.line)) continue;
      CAPTURE(one.name);
      CAPTURE(one.source.line);
      CHECK(std::none_of(reading.phases.begin(), reading.phases.end(), [&](const ReadPhase& other) {
        return stands_in(other, one.source.line);
      }));
    }
  }
}

void check_reading(const DocumentReading& reading, const std::string& text) {
  const bool unit = reading.phases.size() == 1;
  std::size_t end = 0;
  int line = 0;
  for (const ReadPhase& phase : reading.phases) {
    CAPTURE(phase.number);
    CHECK(phase.begin >= end);
    CHECK(phase.end >= phase.begin);
    CHECK(phase.end <= text.size());
    CHECK(phase.line > line);
    CHECK(phase.line_end >= phase.line);
    end = phase.end;
    line = phase.line_end;
    check_names(phase.criteria.exit);
    check_names(phase.criteria.entry);
    check_place(reading, phase, unit);
  }
  check_names(reading.whole.exit);
  check_names(reading.whole.entry);
}

}  // namespace

TEST_CASE("real documents: what holds for every reading (004-11, 004-12, 004-15)") {
  const auto root = real_documents("corpus/docs");
  if (!root) return;
  std::size_t documents = 0;
  for (const fs::path& file : files_below(*root, ".md")) {
    const std::string path = fs::relative(file, *root).generic_string();
    CAPTURE(path);
    const std::string text = read_file(file);
    const DocumentReading reading = read_document(text, path);
    check_reading(reading, text);
    for (const Finding& finding : reading.findings) {
      CHECK_FALSE(finding.code.empty());
      CHECK(finding.source.file == path);
    }
    ++documents;
  }
  CHECK(documents >= 50);
}

TEST_CASE("real documents: the phases are those that people have labelled (004-12)") {
  const auto root = real_documents("corpus");
  if (!root) return;
  std::size_t documents = 0;
  std::size_t same = 0;
  std::string others;
  for (const fs::path& file : files_below(*root / "labels", ".json")) {
    const auto labels = base::parse_json(read_file(file), {1U << 20U, 64});
    REQUIRE(labels.ok());
    const std::string path = base::string_member(*labels, "doc").value_or("");
    const base::Json* phases = base::find_member(*labels, "phases");
    REQUIRE(phases != nullptr);
    std::set<std::string> wanted;
    for (const base::Json& phase : *phases) {
      if (base::string_member(phase, "kind") != "phase") continue;
      if (const auto number = base::string_member(phase, "number")) wanted.insert(*number);
    }
    std::set<std::string> got;
    for (const ReadPhase& phase : read_document(read_file(*root / path), path).phases) {
      if (!phase.number.empty()) got.insert(phase.number);
    }
    ++documents;
    same += got == wanted ? 1U : 0U;
    if (got != wanted) others += "\n  " + path;
  }
  CAPTURE(others);
  CHECK(documents == 35);
  CHECK(same >= 33);
}
