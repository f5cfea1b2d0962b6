#include "rag/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "tests/support/files.h"

namespace phasegate::rag {
namespace {

namespace fs = std::filesystem;
namespace limits = base::limits;
using Paths = std::vector<std::string>;
using Reasons = std::map<std::string, LeftOut>;

class Project {
 public:
  Project() : root_(folder_.path() / "project") { fs::create_directories(root_); }

  [[nodiscard]] fs::path root() const { return fs::canonical(root_); }
  [[nodiscard]] fs::path outside() const { return fs::canonical(folder_.path()); }
  void write(const std::string& path, std::string_view bytes = "# Text\n") const {
    test::write_file(root_ / path, bytes);
  }
  void link(const std::string& path, const fs::path& target) const {
    fs::create_directories((root_ / path).parent_path());
    fs::create_symlink(target, root_ / path);
  }
  [[nodiscard]] SourceRules rules(Paths folders = {}) const {
    SourceRules rules;
    rules.root = root();
    rules.folders = folders.empty() ? default_source_folders() : std::move(folders);
    return rules;
  }

 private:
  test::TempFolder folder_;
  fs::path root_;
};

base::Globs globs(const Paths& patterns) {
  auto compiled = base::Globs::compile(patterns, base::Hidden::included);
  if (!compiled) FAIL(compiled.error().message);
  return std::move(compiled).value();
}

Paths paths_of(const Listing& listing) {
  Paths paths;
  for (const SourceFile& file : listing.files) paths.push_back(file.path);
  return paths;
}

Reasons reasons_of(const Listing& listing) {
  return {listing.examples.begin(), listing.examples.end()};
}

Paths codes_of(const Listing& listing) {
  Paths codes;
  for (const base::Error& error : listing.refused) codes.push_back(error.where + ": " + error.code);
  return codes;
}

std::variant<SourceFile, LeftOut> look_at(const SourceRules& rules, std::string_view path) {
  return SourceLook(rules).look_at(path);
}

std::variant<SourceText, LeftOut> read_source(const SourceRules& rules, std::string_view path) {
  return SourceLook(rules).read(path);
}

std::optional<LeftOut> why_of(const SourceRules& rules, std::string_view path) {
  const auto found = look_at(rules, path);
  const auto* why = std::get_if<LeftOut>(&found);
  return why == nullptr ? std::nullopt : std::optional(*why);
}

std::optional<LeftOut> why_unread(const SourceRules& rules, std::string_view path) {
  const auto read = read_source(rules, path);
  const auto* why = std::get_if<LeftOut>(&read);
  return why == nullptr ? std::nullopt : std::optional(*why);
}

/// What is listed can be looked at and gives the same; what is left out by its name, too.
void check_consistent(const SourceRules& rules, const Listing& listing) {
  for (const SourceFile& file : listing.files) {
    CAPTURE(file.path);
    const auto seen = look_at(rules, file.path);
    REQUIRE(std::holds_alternative<SourceFile>(seen));
    CHECK(std::get<SourceFile>(seen) == file);
  }
  for (const auto& [path, why] : listing.examples) {
    CAPTURE(path);
    if (!path.ends_with('/')) CHECK(why_of(rules, path) == why);
  }
}

}  // namespace

TEST_CASE("sources: the usual folders, where they exist, and documents only") {
  const Project project;
  for (const char* path :
       {"standards/a.md", "standards/x/b.MARKDOWN", "standards/c.txt", "standards/d.rst",
        "usage/e.adoc", ".phasegate/standards/f.mdx", ".praxis-os/standards/deep/er/g.md",
        ".praxis-os/usage/h.md", ".agent-os/standards/i.md",
        // None of these:
        "README.md", "docs/x.md", ".praxis-os/workflows/w/x.md", "standards/code.py",
        "standards/.hidden.md", "standards/.obsidian/x.md", "standards/.git/x.md", "standards/md",
        "standards/.md", ".phasegate/project.yaml", "src/standards/x.md"}) {
    project.write(path);
  }
  const SourceRules rules = project.rules();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{".agent-os/standards/i.md", ".phasegate/standards/f.mdx",
                                   ".praxis-os/standards/deep/er/g.md", ".praxis-os/usage/h.md",
                                   "standards/a.md", "standards/c.txt", "standards/d.rst",
                                   "standards/x/b.MARKDOWN", "usage/e.adoc"});
  CHECK(listing.left_out.empty());
  CHECK(listing.refused.empty());
  CHECK(listing.folders == Paths{"", ".agent-os", ".agent-os/standards", ".phasegate",
                                 ".phasegate/standards", ".praxis-os", ".praxis-os/standards",
                                 ".praxis-os/standards/deep", ".praxis-os/standards/deep/er",
                                 ".praxis-os/usage", "standards", "standards/x", "usage"});
  check_consistent(rules, listing);
  for (const char* path :
       {"README.md", "standards/code.py", "standards/.hidden.md", "standards/../README.md",
        "/etc/passwd", "", ".", "standards", "a\nb.md"}) {
    CAPTURE(path);
    CHECK(why_of(rules, path) == LeftOut::not_chosen);
    CHECK(why_unread(rules, path) == LeftOut::not_chosen);
  }
  CHECK(why_of(rules, "standards/none.md") == LeftOut::gone);
}

TEST_CASE("sources: nothing at all is an empty list") {
  const Project project;
  const Listing listing = list_sources(project.rules());
  CHECK(listing.files.empty());
  CHECK(listing.folders == Paths{""});
  SourceRules rules = project.rules();
  rules.root = project.root() / "gone";
  CHECK(list_sources(rules).files.empty());
}

TEST_CASE("sources: configured folders, and what cannot be one") {
  const Project project;
  for (const char* path : {"docs/a.md", "docs/x/b.md", ".github/docs/c.md", "docs/.d/e.md",
                           "docs/.d/.f/g.md", "standards/s.md", "top.md", "file"}) {
    project.write(path);
  }
  test::write_file(project.outside() / "out" / "x.md", "x");
  project.link("leads-out", project.outside() / "out");
  project.link("within", "docs");
  project.link("docs/linked", "../standards");
  SUBCASE("several, one within another, a hidden one, one that is not there") {
    const SourceRules rules =
        project.rules({"docs", "docs/x/", "./.github/docs", "docs/.d", "none/x"});
    const Listing listing = list_sources(rules);
    CHECK(paths_of(listing) ==
          Paths{".github/docs/c.md", "docs/.d/e.md", "docs/a.md", "docs/x/b.md"});
    CHECK(listing.refused.empty());
    check_consistent(rules, listing);
  }
  SUBCASE("the root") {
    const SourceRules rules = project.rules({".", "docs/.d"});
    const Listing listing = list_sources(rules);
    CHECK(paths_of(listing) ==
          Paths{"docs/.d/e.md", "docs/a.md", "docs/x/b.md", "standards/s.md", "top.md"});
    check_consistent(rules, listing);
  }
  SUBCASE("none that leads out, and none behind a link") {
    const SourceRules rules = project.rules({"../x", "/etc", "leads-out", "leads-out/y", "within",
                                             "file", "a\nb", ".git/hooks", "docs/.git", "~/x"});
    const Listing listing = list_sources(rules);
    CHECK(listing.files.empty());
    CHECK(codes_of(listing) == Paths{"../x: invalid_path", "/etc: invalid_path",
                                     "a\nb: invalid_path", ".git/hooks: invalid_path",
                                     "docs/.git: invalid_path", "file: not_a_folder",
                                     "leads-out: not_a_folder", "within: not_a_folder"});
    for (const base::Error& error : listing.refused) {
      CAPTURE(error.message);
      CHECK(error.message.find("is not searched") != std::string::npos);
      CHECK(error.message.find(project.outside().string()) == std::string::npos);
    }
    for (const char* path : {"leads-out/x.md", "within/a.md", "../x/y.md"}) {
      CAPTURE(path);
      CHECK(why_of(rules, path).has_value());
      CHECK(why_unread(rules, path).has_value());
    }
  }
}

TEST_CASE("sources: what is refused tells nothing of a workflow, nor of where links lead") {
  const Project project;
  project.write("kept/phases/2/phase.md", "locked\n");
  project.write("places/kept/phases/2/phase.md", "locked\n");
  project.link("kept/phases/2/link", "../1");
  project.link("to-workflow", "kept/phases/2");
  project.link("to-nothing", "kept/phases/3");
  project.link("to-folder", "places");
  project.link("out", "/");
  project.link("out-to-nothing", "/none/such");
  const auto message_of = [&](const std::string& folder) {
    SourceRules rules = project.rules({folder});
    rules.withheld.folders = {project.root() / "places"};
    const Listing listing = list_sources(rules);
    CHECK(listing.files.empty());
    CHECK(listing.left_out.empty());
    REQUIRE(listing.refused.size() == 1);
    std::string message = listing.refused.front().message + listing.refused.front().hint;
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.replace(at, folder.size(), "X");
    return message;
  };
  const std::string withheld = message_of("kept");
  for (const char* folder :
       {"kept/phases", "kept/phases/2", "kept/phases/2/phase.md", "kept/phases/2/link",
        "kept/phases/2/link/x", "kept/phases/3", "kept/phases/2/x/y", "kept/x", "places",
        "places/kept", "places/kept/phases/2/phase.md", "places/none", "places/none/x"}) {
    CAPTURE(folder);
    CHECK(message_of(folder) == withheld);
  }
  const std::string link = message_of("to-workflow");
  for (const char* folder : {"to-nothing", "to-folder", "out", "out-to-nothing"}) {
    CAPTURE(folder);
    CHECK(message_of(folder) == link);
  }
}

TEST_CASE("sources: many and long names are refused in a few words") {
  const Project project;
  Paths folders;
  for (int i = 0; i < 25; ++i) {
    folders.push_back("../" + std::string(5000, 'x') + std::to_string(i));
    project.write("file" + std::to_string(i));
    folders.push_back("file" + std::to_string(i));
  }
  const Listing listing = list_sources(project.rules(folders));
  REQUIRE(listing.refused.size() == kRefusedMax);
  for (const base::Error& error : listing.refused) {
    CHECK(error.message.size() < 200);
    CHECK(error.where.size() <= 80);
  }
  CHECK(listing.refused.back().code == "more_refused");
  CHECK(listing.refused.back().message == "41 more folders are not searched");
}

TEST_CASE("sources: patterns widen, narrow and take away") {
  const Project project;
  for (const char* path : {"standards/a.md", "standards/b.py", "standards/x/c.md",
                           "standards/x/d.yaml", "docs/e.md", "standards/.f.md"}) {
    project.write(path);
  }
  struct Case {
    Paths include;
    Paths exclude;
    Paths files;
  };
  const Case cases[] = {
      {{}, {"**/x/"}, {"standards/a.md"}},
      {{}, {"**"}, {}},
      {{"**/*.py", "**/*.yaml"}, {}, {"standards/b.py", "standards/x/d.yaml"}},
      {{"standards/x/*.md", "docs/*.md"}, {}, {"standards/x/c.md"}},
      {{"**", "!**/*.py"}, {"standards/x/d.yaml"}, {"standards/a.md", "standards/x/c.md"}},
  };
  for (const Case& c : cases) {
    SourceRules rules = project.rules();
    if (!c.include.empty()) rules.include = globs(c.include);
    if (!c.exclude.empty()) rules.exclude = globs(c.exclude);
    const Listing listing = list_sources(rules);
    CHECK(paths_of(listing) == c.files);
    check_consistent(rules, listing);
  }
}

TEST_CASE("sources: what git ignores is no source, and is told") {
  const Project project;
  project.write(".gitignore", "drafts/\n*.tmp.md\n/usage\n");
  project.write("standards/.gitignore", "!keep.tmp.md\nlocal.md\n");
  project.write(".git/info/exclude", "mine.md\n");
  for (const char* path :
       {"standards/a.md", "standards/x.tmp.md", "standards/keep.tmp.md", "standards/local.md",
        "standards/mine.md", "standards/drafts/b.md", "usage/c.md", "standards/big/d.md"}) {
    project.write(path);
  }
  project.write("standards/big/.gitignore", std::string(limits::kIgnoreFileBytesMax + 1, '\n'));
  SourceRules rules = project.rules();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{"standards/a.md", "standards/keep.tmp.md"});
  CHECK(reasons_of(listing) == Reasons{{"standards/big/d.md", LeftOut::unreadable},
                                       {"standards/drafts/", LeftOut::ignored},
                                       {"standards/local.md", LeftOut::ignored},
                                       {"standards/mine.md", LeftOut::ignored},
                                       {"standards/x.tmp.md", LeftOut::ignored},
                                       {"usage/", LeftOut::ignored}});
  check_consistent(rules, listing);
  CHECK(why_of(rules, "standards/drafts/b.md") == LeftOut::ignored);
  CHECK(why_unread(rules, "usage/c.md") == LeftOut::ignored);
  // A worktree's exclude lies elsewhere.
  test::write_file(project.outside() / "common" / "info" / "exclude", "a.md\n");
  rules.git_folder = project.outside() / "common";
  CHECK(paths_of(list_sources(rules)) == Paths{"standards/keep.tmp.md", "standards/mine.md"});
}

TEST_CASE("sources: what git ignores above the project's root is none either") {
  const Project project;
  test::write_file(project.outside() / ".gitignore",
                   "*.tmp.md\n/project/standards/own.md\n/own.md\n");
  test::write_file(project.outside() / ".git/info/exclude", "/project/standards/mine.md\n");
  project.write(".gitignore", "!kept.tmp.md\n");
  for (const char* path : {"standards/a.md", "standards/b.tmp.md", "standards/kept.tmp.md",
                           "standards/own.md", "standards/mine.md", "own.md"}) {
    project.write(path);
  }
  SourceRules rules = project.rules({"."});
  CHECK(paths_of(list_sources(rules)).size() == 6);
  rules.worktree = project.outside();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{"own.md", "standards/a.md", "standards/kept.tmp.md"});
  check_consistent(rules, listing);
  // One that is not above the root says nothing of it.
  rules.worktree = project.root() / "standards";
  CHECK(paths_of(list_sources(rules)).size() == 6);
  rules.worktree = project.outside();
  test::write_file(project.outside() / ".gitignore", "project/\n");
  CHECK(list_sources(rules).files.empty());
}

TEST_CASE("sources: what feeds a workflow is withheld, under any name") {
  const Project project;
  project.write("standards/a.md");
  project.write("standards/specs/Tasks.MD", "# Tasks\n");
  project.write(".phasegate/workflows/w/phases/1/phase.md", "locked\n");
  project.write("standards/placed/x.md", "in a place\n");
  const fs::path locked = project.root() / ".phasegate/workflows/w/phases/1/phase.md";
  fs::create_hard_link(locked, project.root() / "standards/hard.md");
  fs::create_hard_link(project.root() / "standards/a.md", project.root() / "standards/twin.md");
  project.link("standards/soft.md", "../.phasegate/workflows/w/phases/1/phase.md");
  project.link("standards/soft-tasks.md", "specs/Tasks.MD");
  project.link("standards/soft-placed.md", "placed/x.md");
  project.write("standards/copy.md", "locked\n");
  project.write("standards/crlf.md", "\xEF\xBB\xBFlocked\r\n");
  SourceRules rules = project.rules();
  rules.withheld.folders = {project.root() / ".phasegate/workflows",
                            project.root() / "standards/placed", project.root() / "nowhere"};
  rules.withheld.names = {"TASKS.md"};
  rules.withheld.digests = {base::sha256_hex("locked\n")};
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{"standards/copy.md", "standards/crlf.md"});
  CHECK(reasons_of(listing) == Reasons{
                                   // Whatever the other name is, and wherever.
                                   {"standards/a.md", LeftOut::linked},
                                   {"standards/hard.md", LeftOut::linked},
                                   {"standards/twin.md", LeftOut::linked},
                                   {"standards/placed/", LeftOut::withheld},
                                   {"standards/soft-placed.md", LeftOut::withheld},
                                   {"standards/soft-tasks.md", LeftOut::withheld},
                                   {"standards/specs/Tasks.MD", LeftOut::withheld},
                                   // Hidden where it is, and no source's folder.
                               });
  check_consistent(rules, listing);
  for (const char* path : {"standards/copy.md", "standards/crlf.md", "standards/specs/Tasks.MD",
                           "standards/placed/x.md", "standards/soft-placed.md"}) {
    CAPTURE(path);
    CHECK(why_unread(rules, path) == LeftOut::withheld);
  }
  CHECK(why_unread(rules, "standards/soft.md").has_value());
  CHECK(why_unread(rules, "standards/hard.md") == LeftOut::linked);
  CHECK(why_unread(rules, "standards/twin.md") == LeftOut::linked);
  // A root within a place of workflows has no sources.
  rules.withheld.folders = {project.outside()};
  CHECK(list_sources(rules).files.empty());
}

TEST_CASE("sources: a workflow's folder is withheld wherever it lies") {
  struct Case {
    const char* file;
    const char* other;
    bool workflow;
  };
  const Case cases[] = {
      {"metadata.json", "phases/1/phase.md", true},
      {"workflow.yaml", "x.txt", true},
      {"workflow.yml", "x.txt", true},
      {"workflow.json", "x.txt", true},
      {"gate-definition.yaml", "x.txt", true},
      {"phases/2/gate-definition.yml", "x.txt", true},
      {"phases/metadata.json", "x.txt", true},
      {"metadata.json", "core/phases/1.md", true},
      {"phases/1/phase.md", "x.txt", true},
      {"metadata.json", "x.txt", false},
      {"phases/1/readme.md", "x.txt", true},
      {"phases/2-design/a.md", "x.txt", true},
      {"phases/phase-1-plan.md", "x.txt", true},
      {"phases/step-01-plan.md", "x.txt", true},
      {"phases/dynamic/template.md", "x.txt", true},
      {"Phases/Phase-2/a.md", "x.txt", true},
      {"Metadata.json", "PHASES/x.md", true},
      {"metadata.json", "Core/Phases/a.md", true},
      {"phases/Moon/Phase.md", "x.txt", true},
      {"WORKFLOW.YAML", "x.txt", true},
      {"Gate-definition.yaml", "x.txt", true},
      {"phases/of-the-moon.md", "phases/full/a.md", false},
      {"phases.md", "workflow.md", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.file);
    CAPTURE(c.other);
    const Project project;
    project.write("standards/w/README.md", "about\n");
    project.write("standards/w/deep/er/y.md", "more\n");
    project.write(std::string("standards/w/") + c.file, "{}");
    project.write(std::string("standards/w/") + c.other, "x");
    project.write("standards/near.md");
    project.link("standards/soft.md", "w/README.md");
    const SourceRules rules = project.rules();
    const Listing listing = list_sources(rules);
    const Paths paths = paths_of(listing);
    const auto has = [&](const char* path) {
      return std::find(paths.begin(), paths.end(), path) != paths.end();
    };
    CHECK(has("standards/near.md"));
    for (const char* path :
         {"standards/w/README.md", "standards/w/deep/er/y.md", "standards/soft.md"}) {
      CAPTURE(path);
      CHECK(has(path) != c.workflow);
      CHECK(why_of(rules, path).has_value() == c.workflow);
      CHECK(why_unread(rules, path).has_value() == c.workflow);
    }
    check_consistent(rules, listing);
    // The source's folder itself.
    const Listing itself = list_sources(project.rules({"standards/w"}));
    CHECK(itself.files.empty() == c.workflow);
    CHECK(itself.refused.empty() != c.workflow);
    if (c.workflow) CHECK(itself.refused.front().code == "withheld");
  }
}

TEST_CASE("sources: a project that describes a workflow at its top keeps its standards") {
  const Project project;
  project.write("workflow.yaml", "id: x\n");
  project.write("standards/a.md");
  project.write("Phases/1.md");
  project.write("core/phases/a.md");
  project.write("core/b.md");
  project.link("standards/soft.md", "../Phases/1.md");
  project.link("standards/softer.md", "../core/phases/a.md");
  CHECK(paths_of(list_sources(project.rules({"standards", "Phases", "core"}))) ==
        Paths{"core/b.md", "standards/a.md"});
  CHECK(codes_of(list_sources(project.rules({"Phases", "core/phases/x"}))) ==
        Paths{"Phases: withheld", "core/phases/x: withheld"});
  CHECK(list_sources(project.rules({"."})).files.empty());
  fs::remove(project.root() / "workflow.yaml");
  CHECK(list_sources(project.rules({"Phases"})).files.empty());
}

TEST_CASE("sources: links to files are followed within the project") {
  const Project project;
  project.write("docs/real.md", "real\n");
  project.write("standards/a.md");
  project.write(".secrets/x.md");
  project.write("docs/credentials.json", "{}");
  project.write("docs/ignored.md");
  project.write(".gitignore", "docs/ignored.md\n");
  test::write_file(project.outside() / "out.md", "out\n");
  project.link("standards/link.md", "../docs/real.md");
  project.link("standards/absolute.md", project.root() / "docs/real.md");
  project.link("standards/chain.md", "link.md");
  project.link("standards/out.md", project.outside() / "out.md");
  project.link("standards/through.md", "../../out.md");
  project.link("standards/loop.md", "loop.md");
  project.link("standards/nowhere.md", "none.md");
  project.link("standards/hidden.md", "../.secrets/x.md");
  project.link("standards/secret.md", "../docs/credentials.json");
  project.link("standards/ignored.md", "../docs/ignored.md");
  project.link("standards/folder.md", "../docs");
  project.link("standards/dir", "../docs");
  const SourceRules rules = project.rules();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{"standards/a.md", "standards/absolute.md", "standards/chain.md",
                                   "standards/link.md"});
  CHECK(reasons_of(listing) == Reasons{{"standards/folder.md", LeftOut::not_a_file},
                                       {"standards/ignored.md", LeftOut::ignored},
                                       {"standards/loop.md", LeftOut::gone},
                                       {"standards/nowhere.md", LeftOut::gone},
                                       {"standards/out.md", LeftOut::outside_root},
                                       {"standards/secret.md", LeftOut::secret},
                                       {"standards/through.md", LeftOut::outside_root}});
  check_consistent(rules, listing);
  CHECK(listing.linked.count("docs") == 3);
  CHECK(listing.linked.find("docs")->second == "standards");
  CHECK(std::find(listing.folders.begin(), listing.folders.end(), "docs") != listing.folders.end());
  const auto read = read_source(rules, "standards/chain.md");
  REQUIRE(std::holds_alternative<SourceText>(read));
  CHECK(std::get<SourceText>(read).bytes == "real\n");
  CHECK(std::get<SourceText>(read).file.path == "standards/chain.md");
  CHECK(why_unread(rules, "standards/out.md") == LeftOut::outside_root);
  CHECK(why_unread(rules, "standards/dir/real.md") == LeftOut::gone);
}

TEST_CASE("sources: a text, its stamp and its digest belong together") {
  const Project project;
  project.write("standards/a.md", "one\n");
  project.write("standards/empty.md", "");
  const SourceRules rules = project.rules();
  const auto first = read_source(rules, "standards/a.md");
  REQUIRE(std::holds_alternative<SourceText>(first));
  const SourceText& text = std::get<SourceText>(first);
  CHECK(text.bytes == "one\n");
  CHECK(text.digest == base::sha256_hex("one\n"));
  CHECK(text.file.bytes == 4);
  const auto seen = std::get<SourceFile>(look_at(rules, "standards/a.md"));
  CHECK(seen.inode == text.file.inode);
  CHECK(seen.modified_ns == text.file.modified_ns);
  // Just written: its times would not show another change, so it is not yet taken for settled.
  CHECK((text.file.changed_ns == 0 || text.file == seen));
  CHECK(std::get<SourceText>(read_source(rules, "standards/empty.md")).bytes.empty());
  // Saved by way of another file.
  project.write("standards/new", "two\n");
  fs::rename(project.root() / "standards/new", project.root() / "standards/a.md");
  CHECK(std::get<SourceFile>(look_at(rules, "standards/a.md")).inode != seen.inode);
  CHECK(std::get<SourceText>(read_source(rules, "standards/a.md")).bytes == "two\n");
}

TEST_CASE("sources: whatever is put in a file's place meanwhile, nothing from outside is read") {
  const Project project;
  test::write_file(project.outside() / "out" / "a.md", "outside\n");
  project.write("standards/x/a.md", "one\n");
  const fs::path x = project.root() / "standards/x";
  const fs::path file = x / "a.md";
  const SourceRules rules = project.rules();
  std::jthread swapper([&](const std::stop_token& stop) {
    const fs::path aside = project.root() / "aside";
    for (int i = 0; !stop.stop_requested(); ++i) {
      std::error_code ignored;
      switch (i % 4) {
        case 0:  // a link out in the file's place
          fs::create_symlink(project.outside() / "out" / "a.md", aside, ignored);
          fs::rename(aside, file, ignored);
          break;
        case 1:  // a pipe
          ::mkfifo(aside.c_str(), 0600);
          fs::rename(aside, file, ignored);
          break;
        case 2:  // a link out in the folder's place
          fs::rename(x, project.root() / "x-aside", ignored);
          fs::create_directory_symlink(project.outside() / "out", x, ignored);
          fs::remove(x, ignored);
          fs::rename(project.root() / "x-aside", x, ignored);
          break;
        default:  // another text
          std::ofstream(aside) << "two, which is longer\n";
          fs::rename(aside, file, ignored);
          break;
      }
    }
  });
  SourceLook look(rules);
  for (int i = 0; i < 2000; ++i) {
    const auto read = look.read("standards/x/a.md");
    if (const auto* text = std::get_if<SourceText>(&read)) {
      CHECK((text->bytes == "one\n" || text->bytes == "two, which is longer\n"));
      CHECK(text->file.bytes == text->bytes.size());
      CHECK(text->digest == base::sha256_hex(text->bytes));
    }
    const Listing listing = list_sources(rules);
    CHECK(listing.files.size() <= 1);
  }
}

TEST_CASE("sources: what a text must not be") {
  const Project project;
  const std::pair<const char*, std::string> texts[] = {
      {"standards/nul.md", std::string("a\0b", 3)},
      {"standards/utf16.md",
       "\xFF\xFE"
       "a"},
      {"standards/utf16be.md",
       "\xFE\xFF"
       "a"},
      {"standards/latin1.md", "gr\xFC\xDF\n"},
      {"standards/cut.md", "\xE2\x82"},
      {"standards/key.md",
       std::string("-----BEGIN PRIV") + "ATE KEY-----\n" +
           "MC4CAQAwBQYDK2VwBCIEIJ2fUoHs5gPnEaXiWtQkVlBuDyCjNzKq9bZ0dLw8JmYc\n"},
      {"standards/bom.md", "\xEF\xBB\xBF# Title\r\n"},
      {"standards/full.md", std::string(limits::kSearchFileBytesMax, 'a')},
  };
  for (const auto& [path, bytes] : texts) project.write(path, bytes);
  const SourceRules rules = project.rules();
  const std::map<std::string, std::optional<LeftOut>> wanted = {
      {"standards/nul.md", LeftOut::binary},     {"standards/utf16.md", LeftOut::binary},
      {"standards/utf16be.md", LeftOut::binary}, {"standards/latin1.md", LeftOut::not_utf8},
      {"standards/cut.md", LeftOut::not_utf8},   {"standards/key.md", LeftOut::secret},
      {"standards/bom.md", std::nullopt},        {"standards/full.md", std::nullopt}};
  for (const auto& [path, why] : wanted) {
    CAPTURE(path);
    CHECK(why_of(rules, path) == std::nullopt);
    CHECK(why_unread(rules, path) == why);
  }
}

TEST_CASE("sources: large files, pipes, devices and odd names are left out unread") {
  const Project project;
  project.write("standards/a.md");
  project.write("standards/large.md", "x");
  fs::resize_file(project.root() / "standards/large.md", 100U << 20U);  // sparse
  project.write("standards/over.md", std::string(limits::kSearchFileBytesMax + 1, 'a'));
  REQUIRE(::mkfifo((project.root() / "standards/pipe.md").c_str(), 0600) == 0);
  fs::create_directories(project.root() / "standards/folder.md");
  project.write("standards/credentials.txt", "x");
  project.write("standards/new\nline.md");
  project.write("standards/latin\xFC.md");
  project.write("standards/\xFC/x.md");
  const SourceRules rules = project.rules();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{"standards/a.md"});
  CHECK(reasons_of(listing) == Reasons{{"standards/credentials.txt", LeftOut::secret},
                                       {"standards/large.md", LeftOut::too_large},
                                       {"standards/latin\xFC.md", LeftOut::not_utf8},
                                       {"standards/new\nline.md", LeftOut::not_utf8},
                                       {"standards/over.md", LeftOut::too_large},
                                       {"standards/pipe.md", LeftOut::not_a_file},
                                       {"standards/\xFC/", LeftOut::not_utf8}});
  CHECK(why_unread(rules, "standards/pipe.md") == LeftOut::not_a_file);
  CHECK(why_unread(rules, "standards/large.md") == LeftOut::too_large);
  CHECK(why_unread(rules, "standards/folder.md") == LeftOut::not_a_file);
  if (::geteuid() == 0) return;  // root may read everything
  fs::permissions(project.root() / "standards/a.md", fs::perms::none);
  CHECK(why_unread(rules, "standards/a.md") == LeftOut::unreadable);
}

TEST_CASE("sources: folders nested without end are looked into to a limit") {
  const Project project;
  std::string deep = "standards";
  for (std::size_t i = 1; i < limits::kSearchFolderDepthMax; ++i) deep += "/d";
  project.write(deep + "/last.md");
  project.write(deep + "/d/too-deep.md");
  fs::path far = project.root() / deep;
  for (int i = 0; i < 300; ++i) far /= "d";
  fs::create_directories(far);
  const SourceRules rules = project.rules();
  const Listing listing = list_sources(rules);
  CHECK(paths_of(listing) == Paths{deep + "/last.md"});
  CHECK(reasons_of(listing) == Reasons{{deep + "/d/", LeftOut::too_many}});
  CHECK(why_of(rules, deep + "/d/too-deep.md") == LeftOut::too_many);
}

TEST_CASE("sources: many files are one list, and what is left out is counted") {
  const Project project;
  constexpr std::size_t kFiles = 3000;
  for (std::size_t i = 0; i < kFiles; ++i) {
    project.write("standards/" + std::to_string(i % 50) + "/" + std::to_string(i) + ".md", "x");
  }
  project.write("standards/.gitignore", "1*.md\n");
  const Listing listing = list_sources(project.rules());
  CHECK(listing.files.size() + listing.left_out.at(LeftOut::ignored) == kFiles);
  CHECK(listing.examples.size() == kLeftOutExamplesMax);
  CHECK(std::is_sorted(listing.files.begin(), listing.files.end(),
                       [](const auto& a, const auto& b) { return a.path < b.path; }));
}

TEST_CASE("sources: a list that is told to stop says so") {
  const Project project;
  for (int i = 0; i < 1000; ++i) project.write("standards/" + std::to_string(i) + ".md");
  const SourceRules rules = project.rules();
  int asked = 0;
  const Listing part = SourceLook(rules).list([&] { return ++asked < 5; });
  CHECK_FALSE(part.finished);
  CHECK(part.files.size() < 1000);
  CHECK(asked == 5);
  CHECK_FALSE(is_surely_gone(part, "standards/none.md"));
  const Listing all = SourceLook(rules).list([] { return true; });
  CHECK(all.finished);
  CHECK(all.files.size() == 1000);
  CHECK(is_surely_gone(all, "standards/none.md"));
}

TEST_CASE("sources: what cannot be looked at now is not gone") {
  const Project project;
  project.write("standards/x/a.md");
  project.write("usage/b.md");
  const SourceRules rules = project.rules();
  struct rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  struct rlimit none = before;
  // The next descriptor is one too many.
  const int next = ::dup(0);
  REQUIRE(next >= 0);
  ::close(next);
  none.rlim_cur = static_cast<rlim_t>(next);
  SourceLook look(rules);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const Listing listing = look.list();
  const auto seen = look.look_at("standards/x/a.md");
  const auto read = look.read("usage/b.md");
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(listing.files.empty());
  CHECK(listing.left_out == std::map<LeftOut, std::size_t>{{LeftOut::unknown, 8}});
  CHECK_FALSE(is_surely_gone(listing, "standards/x/a.md"));
  CHECK_FALSE(is_surely_gone(listing, "usage/b.md"));
  CHECK(is_surely_gone(listing, "docs/b.md"));
  CHECK(std::get<LeftOut>(seen) == LeftOut::unknown);
  CHECK(std::get<LeftOut>(read) == LeftOut::unknown);
  CHECK(list_sources(rules).files.size() == 2);
}

TEST_CASE("sources: one look answers for many files") {
  const Project project;
  for (const char* path : {"standards/a.md", "standards/b.md", "standards/tasks.md"})
    project.write(path);
  test::write_file(project.outside() / "tasks.md", "elsewhere\n");
  fs::create_hard_link(project.outside() / "tasks.md", project.root() / "standards/c.md");
  SourceRules rules = project.rules();
  rules.withheld.names = {"tasks.md"};
  SourceLook look(rules);
  CHECK(std::get<LeftOut>(look.read("standards/c.md")) == LeftOut::linked);
  CHECK(std::get<LeftOut>(look.look_at("standards/c.md")) == LeftOut::linked);
  CHECK(std::get<SourceText>(look.read("standards/a.md")).bytes == "# Text\n");
  CHECK(paths_of(look.list()) == Paths{"standards/a.md", "standards/b.md"});
  CHECK(paths_of(look.list()) == Paths{"standards/a.md", "standards/b.md"});
  // With its other name it is a file like any other.
  fs::remove(project.outside() / "tasks.md");
  CHECK(std::holds_alternative<SourceText>(look.read("standards/c.md")));
  CHECK(std::holds_alternative<SourceFile>(look.look_at("standards/b.md")));
}

TEST_CASE("sources: real standards are searched, all of them") {
  const auto documents = test::real_documents("retrieval/standards");
  if (!documents) return;
  SourceRules rules;
  rules.root = *documents;
  rules.folders = {"docs"};
  const Listing listing = list_sources(rules);
  CHECK(listing.files.size() == 62);
  CHECK(listing.left_out.empty());
  SourceLook look(rules);
  for (const SourceFile& file : listing.files) {
    CAPTURE(file.path);
    CHECK(std::holds_alternative<SourceText>(look.read(file.path)));
  }
}

TEST_CASE("sources: the rules of a project's file") {
  const Project project;
  for (const char* path : {"standards/a.md", "docs/b.md", "docs/old/c.md", "docs/d.py"}) {
    project.write(path);
  }
  phases::SearchConfig config;
  config.folders = {"docs"};
  config.exclude = {"docs/old/"};
  auto rules = source_rules(project.root(), config);
  REQUIRE(rules.ok());
  CHECK(paths_of(list_sources(*rules)) == Paths{"docs/b.md", "standards/a.md"});
  config.include = {"**/*.py"};
  CHECK(paths_of(list_sources(*source_rules(project.root(), config))) == Paths{"docs/d.py"});
  config.include = {"a["};
  CHECK(source_rules(project.root(), config).error().code == "invalid_glob");
  config.sound = false;
  CHECK(source_rules(project.root(), config).error().code == "unsound_search");
}

TEST_CASE("sources: every reason has its words") {
  for (int i = 0; i <= static_cast<int>(LeftOut::unsteady); ++i) {
    CHECK_FALSE(to_text(static_cast<LeftOut>(i)).empty());
  }
}

}  // namespace phasegate::rag
