// How fast documents are read: megabytes of markdown a second to phases and requirements, beside
// the parser alone (md4c with our tree), and how the time grows with the size. Without arguments it
// makes its own documents; files that are named are read instead.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "phases/markdown.h"
#include "phases/reading/document_reading.h"

namespace {

using phasegate::phases::Html;
using phasegate::phases::parse_markdown;
using phasegate::phases::read_document;

/// A process as people write it: text, lists, code, a table, and a gate in every phase.
std::string made_document(std::size_t bytes) {
  std::string text =
      "# Process\n\nHow the work is done, from the first look to the last check.\n\n";
  for (int phase = 1; text.size() < bytes; ++phase) {
    const std::string number = std::to_string(phase);
    text += "## Phase " + number + ": Part " + number + "\n\n**Goal:** one part of the whole.\n\n";
    for (int line = 0; line < 6; ++line) {
      text +=
          "Read the files that belong to this part, note what they promise, and compare it with\n"
          "what the callers expect; see [the notes](notes.md) and `src/part.cpp`.\n\n";
    }
    text +=
        "1. **Look**\n   - read the code\n   - run it once\n2. **Change**\n   - one thing at a "
        "time\n\n";
    text +=
        "```sh\nmake test  # must pass\n```\n\n| File | Role |\n|---|---|\n| a.cpp | part |\n\n";
    text +=
        "### Validation Gate\n\nBefore advancing:\n- [ ] All callers were read\n"
        "- [ ] Coverage ≥ 80 %\n- [ ] No more than 3 open questions\n- [ ] Notes written (if "
        "any)\n\n";
  }
  return text;
}

double seconds_of(const std::function<void()>& work) {
  constexpr double kEnough = 1.0;
  int runs = 0;
  const auto begin = std::chrono::steady_clock::now();
  double seconds = 0;
  do {
    work();
    ++runs;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  } while (seconds < kEnough);
  return seconds / runs;
}

void measure(const char* name, const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  const double megabytes = static_cast<double>(bytes) / 1e6;
  const double floor = seconds_of([&] {
    for (const std::string& text : texts) (void)parse_markdown(text, Html::tags);
  });
  const double reading = seconds_of([&] {
    for (const std::string& text : texts) (void)read_document(text, "document.md");
  });
  std::printf("%-24s %8.2f MB   tree %6.1f MB/s   read %6.1f MB/s   %4.1f x the tree\n", name,
              megabytes, megabytes / floor, megabytes / reading, reading / floor);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) {
    std::vector<std::string> texts;
    for (int i = 1; i < count; ++i) {
      std::ifstream file(arguments[i], std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      texts.push_back(text.str());
    }
    measure("files", texts);
    return 0;
  }
  for (const std::size_t kilobytes : {10U, 100U, 1000U, 4000U}) {
    measure((std::to_string(kilobytes) + " KB").c_str(), {made_document(kilobytes * 1000)});
  }
  std::string boxes = "## Validation Gate\n";
  for (int i = 0; boxes.size() < 1'000'000; ++i) boxes += "- [ ] item " + std::to_string(i) + "\n";
  measure("boxes only", {boxes});
  std::string headings;
  for (int i = 0; headings.size() < 1'000'000; ++i)
    headings += "## Phase " + std::to_string(i) + ": x\n";
  measure("headings only", {headings});
}
