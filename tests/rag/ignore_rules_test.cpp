#include "rag/ignore_rules.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "base/text.h"
#include "rag/ignore_files.h"
#include "tests/support/files.h"
#include "tests/support/git_project.h"
#include "tests/support/program.h"

namespace phasegate::rag {
namespace {

Ignored judged(const IgnoreRules& rules, std::string_view path, bool is_folder) {
  std::uint64_t steps = kIgnoreStepsMax;
  return rules.judge(path, is_folder, steps);
}

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

bool git_is_installed() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  const auto parts = base::split(folders, ':');
  const bool found = std::any_of(parts.begin(), parts.end(), [](std::string_view folder) {
    return !folder.empty() && fs::exists(fs::path(folder) / "git");
  });
  if (!found) MESSAGE("skipped: git is not installed");
  return found;
}

/// Folders end with a slash.
const Paths& tree() {
  static const Paths kPaths = {
      "a",        "b.md",     "B.md",      "foo",           "foo.md",      "foobar",
      "x!y",      "#hash",    "!bang",     "sp ",           "t\\b",        "[a].md",
      "a*b",      "d/",       "d/a",       "d/b.md",        "d/foo",       "d/e/",
      "d/e/a",    "d/e/b.md", "d/e/f/",    "d/e/f/a",       "d/e/f/b.md",  "doc/",
      "doc/a.md", "doc/foo/", "doc/foo/a", "doc/foo/b.md",  "doc/x-1.md",  "doc/x-2.md",
      "foo.d/",   "foo.d/a",  "ab/",       "ab/c/",         "ab/c/foo",    "ab/c/d.md",
      "ab/cd",    "zz/",      "zz/foo.d/", "zz/foo.d/b.md", "\xC3\xA4.md", "q\xFF"};
  return kPaths;
}

bool is_folder(const std::string& path) {
  return path.ends_with('/');
}

std::string plain(std::string path) {
  if (is_folder(path)) path.pop_back();
  return path;
}

void make_tree(const fs::path& root) {
  for (const std::string& path : tree()) {
    if (is_folder(path)) {
      fs::create_directories(root / path);
    } else {
      test::write_file(root / path, "");
    }
  }
}

class Oracle {
 public:
  Oracle() { make_tree(project_.root()); }

  [[nodiscard]] const fs::path& root() const { return project_.root(); }
  void write(const std::string& path, std::string_view bytes) const { project_.write(path, bytes); }

  /// What git ignores of the tree, one path a line.
  [[nodiscard]] std::string ignored() const {
    test::ToRun run;
    run.arguments = {"check-ignore", "--no-index", "--stdin", "-z"};
    run.folder = root();
    for (const std::string& path : tree()) run.input += plain(path) + std::string(1, '\0');
    run.variables = {{"HOME", (project_.outside() / "home").string()},
                     {"GIT_CONFIG_NOSYSTEM", "1"},
                     {"LC_ALL", "C"}};
    const test::Ended ended = test::run_program("/usr/bin/env", with_git(run));
    REQUIRE_MESSAGE((ended.code == 0 || ended.code == 1), ended.err);
    std::set<std::string> found;
    for (const std::string_view path : base::split(ended.out, '\0')) {
      if (!path.empty()) found.emplace(path);
    }
    return lines(found);
  }

  [[nodiscard]] std::string ours() const {
    IgnoreFiles files(root(), "", root() / ".git");
    std::set<std::string> found;
    for (const std::string& path : tree()) {
      const auto verdict = files.judge(plain(path), is_folder(path));
      CHECK(verdict != IgnoreFiles::Verdict::unknown);
      if (verdict == IgnoreFiles::Verdict::ignored) found.insert(plain(path));
    }
    return lines(found);
  }

 private:
  static std::string lines(const std::set<std::string>& paths) {
    std::string text;
    for (const std::string& path : paths) text += path + "\n";
    return text;
  }

  static test::ToRun with_git(test::ToRun run) {
    run.arguments.insert(run.arguments.begin(), "git");
    return run;
  }

  test::GitProject project_;
};

std::string random_pattern(std::mt19937& random) {
  static const Paths kPieces = {
      "a",    "b",           "d",         "e",       "f",          "foo",  "doc", "ab",
      "c",    ".md",         "/",         "/",       "/",          "*",    "*",   "**",
      "**/",  "/**",         "?",         "[a-e]",   "!",          "#",    " ",   "\\ ",
      "\\",   "[",           "]",         "[!a]",    "[^b-]",      "-",    ".",   ".d",
      "x",    "[[:alpha:]]", "[[:foo:]]", "[]a]",    "***",        "/**/", "\\*", "1",
      "\xFF", "\xC3\xA4",    "[\\]a]",    "[a\\-e]", "[[:digit:]", "\r"};
  std::string text = random() % 4 == 0 ? "!" : "";
  const std::size_t count = 1 + random() % 6;
  for (std::size_t i = 0; i < count; ++i) text += kPieces[random() % kPieces.size()];
  if (random() % 5 == 0) text += "/";
  if (random() % 8 == 0) text += "  ";
  return text;
}

}  // namespace

TEST_CASE("ignore rules: one file (gitignore(5))") {
  struct Case {
    const char* text;
    Paths ignored;  // folders end with a slash
    Paths left;
  };
  const Case cases[] = {
      {"", {}, {"a", "d/"}},
      {"# comment\n\n   \n", {}, {"# comment", "a"}},
      {"\\#a\n\\!b\n", {"#a", "!b"}, {"a", "b"}},
      {"foo", {"foo", "d/foo", "d/foo/"}, {"foo.md", "foobar"}},
      {"foo/\n", {"foo/", "d/foo/"}, {"foo", "d/foo"}},
      {"/foo\n", {"foo", "foo/"}, {"d/foo"}},
      {"d/foo\n", {"d/foo"}, {"foo", "x/d/foo"}},
      {"*.md\n!b.md\n", {"a.md", "d/a.md"}, {"b.md", "d/b.md", "a"}},
      {"!b.md\n*.md\n", {"b.md"}, {}},
      {"d/*\n!d/e/\n", {"d/a"}, {"d/e/", "d/e/a", "d"}},
      {"**/foo\n", {"foo", "d/foo", "d/e/foo"}, {"foo.md"}},
      {"d/**\n", {"d/a", "d/e/a"}, {"d/", "a"}},
      {"d/**/a\n", {"d/a", "d/e/a", "d/e/f/a"}, {"a", "d/b", "da"}},
      {"d/*/a\n", {"d/e/a"}, {"d/a", "d/e/f/a"}},
      {"a**b\n", {"ab", "axxb", "d/axb"}, {"a/b"}},
      {"trail  \nkept\\ \n", {"trail", "kept "}, {"trail  ", "kept"}},
      {"crlf\r\nlast\r", {"crlf", "last"}, {"crlf\r"}},
      {"\xEF\xBB\xBF"
       "bom\n",
       {"bom"},
       {}},
      {"[a-c]?\n[!x]y\n[^z]w\n", {"ab", "by", "aw"}, {"db", "xy", "zw"}},
      {"[]-]\n[[:digit:]]x\n", {"]", "-", "1x"}, {"[", "ax"}},
      {"a[\nb\\\nc[[:none:]]\n", {}, {"a[", "b", "b\\", "cx"}},
      {"/\n//\n!\n!/\n", {}, {"a", "d/"}},
      {"cut\0off\nnext\n", {"cut"}, {"cut\\0off"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    // One of the texts holds a NUL.
    const bool with_nul = std::string_view(c.text) == "cut";
    const IgnoreRules rules(with_nul ? std::string_view(c.text, 13) : std::string_view(c.text));
    CHECK(rules.sound());
    for (const std::string& path : c.ignored) {
      CAPTURE(path);
      CHECK(judged(rules, plain(path), is_folder(path)) == Ignored::yes);
    }
    for (const std::string& path : c.left) {
      CAPTURE(path);
      CHECK(judged(rules, plain(path), is_folder(path)) != Ignored::yes);
    }
  }
  CHECK(judged(IgnoreRules("*.md\n!b.md\n"), "b.md", false) == Ignored::no);
  CHECK(judged(IgnoreRules("*.md\n"), "b", false) == Ignored::unsaid);
  CHECK(IgnoreRules("# nothing\n").empty());
  CHECK_FALSE(IgnoreRules("a\n").empty());
}

TEST_CASE("ignore rules: patterns built to explode stay linear, too many are not understood") {
  std::string stars;
  for (int i = 0; i < 1000; ++i) stars += "a*";
  const IgnoreRules rules(stars + "b\n**/" + stars + "/**/" + stars + "c\n");
  CHECK(rules.sound());
  CHECK(judged(rules, std::string(4000, 'a'), false) == Ignored::unsaid);
  CHECK(judged(rules, std::string(4000, 'a') + "b", false) == Ignored::yes);

  CHECK_FALSE(IgnoreRules("?" + std::string(kIgnorePatternBytesMax, 'a') + "\n").sound());
  std::string many;
  std::string plain_ones;
  for (std::size_t i = 0; i <= kIgnorePatternsMax; ++i) {
    many += "a?" + std::to_string(i) + "\n";
    plain_ones += "d/" + std::to_string(i) + "\n*." + std::to_string(i) + "\n";
  }
  CHECK_FALSE(IgnoreRules(many).sound());
  // What needs no going through has no such limit.
  const IgnoreRules all(plain_ones);
  CHECK(all.sound());
  CHECK(judged(all, "x/y.77", false) == Ignored::yes);
  CHECK(judged(all, "d/2000", false) == Ignored::yes);
  CHECK(judged(all, "d/2001", false) == Ignored::unsaid);
}

TEST_CASE("ignore files: those of all folders together, as git sees them") {
  if (!git_is_installed()) return;
  const Oracle oracle;
  struct Case {
    const char* root;
    const char* folder;  // d/.gitignore
    const char* exclude;
  };
  const Case cases[] = {
      {"*.md\n", "!b.md\n", ""},
      {"", "*\n!b.md\n", ""},
      {"", "*\n!*/\n!b.md\n", ""},
      {"d/e\n", "!e\n", ""},
      {"d/e/\n", "!e/\n!e/a\n", ""},
      {"", "", "*.md\nfoo\n"},
      {"!foo\n", "!b.md\n", "*.md\nfoo\n"},
      {"/d/e/f\n", "/e/a\nf/b.md\n", "a\n"},
      {"\xEF\xBB\xBF"
       "a\r\n!d/\r\n",
       "\xEF\xBB\xBF/a\r\n", ""},
      {"a/b**/c\nab**/foo\nd/e**/a\n", "", ""},
      {"sp\\ \nt\\\\b\n\\[a\\].md\na\\*b\n\\!bang\n\\#hash\n", "", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.root);
    CAPTURE(c.folder);
    CAPTURE(c.exclude);
    oracle.write(".gitignore", c.root);
    oracle.write("d/.gitignore", c.folder);
    oracle.write(".git/info/exclude", c.exclude);
    CHECK(oracle.ours() == oracle.ignored());
  }
}

TEST_CASE("ignore files: random patterns mean what they mean to git") {
  if (!git_is_installed()) return;
  const Oracle oracle;
  std::mt19937 random(20);
  for (int round = 0; round < 300; ++round) {
    std::string texts[3];
    for (std::string& text : texts) {
      const std::size_t lines = random() % 5;
      for (std::size_t i = 0; i < lines; ++i) {
        text += random_pattern(random) + (random() % 6 == 0 ? "\r\n" : "\n");
      }
      if (!text.empty() && random() % 8 == 0) text.pop_back();
    }
    oracle.write(".gitignore", texts[0]);
    oracle.write(random() % 2 == 0 ? "d/.gitignore" : "doc/.gitignore", texts[1]);
    oracle.write(".git/info/exclude", texts[2]);
    CAPTURE(texts[0]);
    CAPTURE(texts[1]);
    CAPTURE(texts[2]);
    REQUIRE(oracle.ours() == oracle.ignored());
  }
}

TEST_CASE("ignore files: one that cannot be understood hides what lies below its folder") {
  const test::TempFolder folder;
  const fs::path root = fs::canonical(folder.path());
  folder.write("big/.gitignore", std::string(base::limits::kIgnoreFileBytesMax + 1, 'x'));
  folder.write("fits/.gitignore", std::string(base::limits::kIgnoreFileBytesMax, 'x'));
  folder.write("seen/a.md", "");
  folder.write("target", "*\n");
  fs::create_directories(root / "linked");
  fs::create_symlink("../target", root / "linked" / ".gitignore");
  fs::create_directories(root / "folder" / ".gitignore");
  using Verdict = IgnoreFiles::Verdict;
  IgnoreFiles files(root, "", {});
  CHECK(files.judge("big", true) == Verdict::seen);
  CHECK(files.judge("big/a/b.md", false) == Verdict::unknown);
  CHECK(files.judge("fits/a.md", false) == Verdict::seen);
  CHECK(files.judge("seen/a.md", false) == Verdict::seen);
  CHECK(files.judge("linked/a.md", false) == Verdict::seen);
  CHECK(files.judge("folder/a.md", false) == Verdict::seen);
  CHECK(files.judge("nowhere/a/b/c.md", false) == Verdict::seen);
}

TEST_CASE("ignore files: what takes too many steps is unknown, and what takes none is not") {
  const test::TempFolder folder;
  const fs::path root = fs::canonical(folder.path());
  std::string hostile;
  for (std::size_t i = 0; i < kIgnorePatternsMax; ++i) {
    for (int part = 0; part < 10; ++part) hostile += "*a";
    hostile += "*[b-" + std::string(1, static_cast<char>('c' + i % 20)) + "]\n";
  }
  hostile += "plain.md\n";
  std::string in;
  for (int depth = 0; depth < 32; ++depth) {
    folder.write(in + ".gitignore", hostile);
    in += "d/";
  }
  using Verdict = IgnoreFiles::Verdict;
  IgnoreFiles files(root, "", {}, 10'000'000);
  CHECK(files.judge("plain.md", false) == Verdict::ignored);
  bool over = false;
  for (int i = 0; i < 2000; ++i) {
    const auto found = files.judge(in + std::string(100, 'a') + std::to_string(i) + ".md", false);
    over = over || found == Verdict::unknown;
    CHECK((!over || found == Verdict::unknown));
  }
  CHECK(over);
  CHECK(files.judge("plain.md", false) == Verdict::ignored);
}

}  // namespace phasegate::rag
