#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/support/document.h"
#include "tests/support/files.h"
#include "tests/support/program.h"

namespace fs = std::filesystem;
using phasegate::test::Block;
using phasegate::test::blocks_of;

namespace {

std::vector<fs::path> documents() {
  const fs::path source = phasegate::test::source_folder();
  std::vector<fs::path> found{source / "README.md"};
  for (const auto& entry : fs::directory_iterator(source / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A project of its own, in which the blocks of one document run one after the other.
class Reader {
 public:
  phasegate::test::Ended paste(const std::string& commands) {
    phasegate::test::ToRun shell;
    shell.arguments = {"-euo", "pipefail", "-s"};
    shell.input = "export PATH=" + phasegate::test::phasegate_binary().parent_path().string() +
                  ":\"$PATH\"\nshopt -s expand_aliases\n" + commands;
    shell.folder = project_;
    shell.variables = {{"PHASEGATE_STATE", (folder_.path() / "state").string()},
                       {"HOME", folder_.path().string()},
                       {"NO_COLOR", "1"}};
    return phasegate::test::run_program("/bin/bash", shell);
  }
  Reader() { fs::create_directory(project_); }

 private:
  phasegate::test::TempFolder folder_;
  fs::path project_ = folder_.path() / "project";
};

}  // namespace

TEST_CASE("documentation: every command shown runs, or says why it is not run here") {
  std::size_t ran = 0;
  for (const fs::path& path : documents()) {
    Reader reader;
    std::string output;
    for (const Block& block : blocks_of(phasegate::test::read_file(path))) {
      CAPTURE(path.filename().string());
      CAPTURE(block.line);
      CAPTURE(block.text);
      if (block.mark == "prints") {
        std::string missing;
        CAPTURE(output);
        const bool same = phasegate::test::printed(output, block.text, missing);
        CHECK_MESSAGE(same, "not printed: ", missing);
        continue;
      }
      if (block.language != "sh") continue;
      const bool explained = block.mark.starts_with("not run: ") && block.mark.size() > 20;
      CHECK_MESSAGE((explained || block.mark == "run" || block.mark == "run, fails"),
                    "mark the block: <!-- run -->, <!-- run, fails --> or <!-- not run: why -->");
      if (explained) continue;
      const auto ended = reader.paste(block.text);
      output = ended.out + ended.err;
      CAPTURE(output);
      CHECK((ended.code == 0) == (block.mark == "run"));
      ++ran;
    }
  }
  CHECK(ran >= 5);
}

TEST_CASE("documentation: every JSON block is JSON, every workflow shown can be started") {
  std::size_t seen = 0;
  for (const fs::path& path : documents()) {
    for (const Block& block : blocks_of(phasegate::test::read_file(path))) {
      CAPTURE(path.filename().string());
      CAPTURE(block.line);
      if (block.language == "json") {
        const phasegate::base::JsonLimits limits{64U << 10U, 32};
        CHECK(phasegate::base::parse_json(block.text, limits).ok());
        ++seen;
      }
      const std::size_t head = ("\n" + block.text).find("\nworkflow: ");
      if (block.language != "yaml" || head == std::string::npos) continue;
      const std::size_t name = head + std::string_view("workflow: ").size();
      const std::string id = block.text.substr(name, block.text.find('\n', name) - name);
      Reader reader;
      const auto ended =
          reader.paste("mkdir -p .phasegate/workflows\ncat > .phasegate/workflows/" + id +
                       ".yaml <<'END_OF_BLOCK'\n" + block.text +
                       "END_OF_BLOCK\nphasegate validate .phasegate/workflows/" + id + ".yaml\n");
      CAPTURE(ended.out);
      CHECK(ended.code == 0);
      ++seen;
    }
  }
  CHECK(seen >= 4);
}

TEST_CASE("documentation: links between our documents lead somewhere") {
  for (const fs::path& path : documents()) {
    const std::string text = phasegate::test::read_file(path);
    for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
      if (target.starts_with("http") || target.starts_with("#")) continue;
      target = target.substr(0, target.find('#'));
      CAPTURE(path.filename().string());
      CAPTURE(target);
      CHECK(fs::exists(path.parent_path() / target));
    }
  }
}
