#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include <doctest/doctest.h>

#include "app/cli/help.h"
#include "app/cli/inbox.h"
#include "state/approvers/approver_book.h"
#include "tests/app/deciding.h"

namespace cli = phasegate::app::cli;
namespace fs = std::filesystem;
using phasegate::base::Json;
using phasegate::test::Ended;
using phasegate::test::Project;

namespace {

fs::path docs_file() {
  return phasegate::test::source_folder() / "docs" / "command-line.md";
}

/// The code block behind a line that begins with `title`.
std::string block_after(const std::string& docs, const std::string& title) {
  const std::size_t at = docs.find("\n" + title);
  REQUIRE_MESSAGE(at != std::string::npos, title);
  const std::size_t begin = docs.find("```\n", at) + 4;
  return docs.substr(begin, docs.find("```", begin) - begin);
}

/// Reads a shape as the documentation writes it, `{"a", "b": [{"c"}]}`, into the paths of its
/// members: `a`, `b`, `b.c`. Words that are no JSON stand for any value.
class Shape {
 public:
  explicit Shape(std::string text) : text_(std::move(text)) { value(""); }

  [[nodiscard]] bool names(const std::string& path) const { return members_.contains(path); }
  [[nodiscard]] bool describes(const std::string& path) const { return described_.contains(path); }
  [[nodiscard]] const std::set<std::string>& members() const { return members_; }

 private:
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string quoted() {
    const std::size_t end = text_.find('"', at_ + 1);
    REQUIRE(end != std::string::npos);
    std::string word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }

  /// A value ends at a comma or bracket of the level around it.
  void value(const std::string& path) {
    for (char c = peek(); c != '\0' && c != ',' && c != '}' && c != ']'; c = peek()) {
      if (c == '{') {
        object(path);
      } else if (c == '[') {
        ++at_;
        value(path);
        REQUIRE(peek() == ']');
        ++at_;
      } else if (c == '"') {
        static_cast<void>(quoted());
      } else {
        ++at_;
      }
    }
  }

  void object(const std::string& path) {
    described_.insert(path);
    ++at_;
    while (peek() == '"') {
      const std::string member = (path.empty() ? "" : path + ".") + quoted();
      members_.insert(member);
      if (peek() == ':') {
        ++at_;
        value(member);
      }
      if (peek() == ',') ++at_;
    }
    REQUIRE_MESSAGE(peek() == '}', text_.substr(at_));
    ++at_;
  }

  std::string text_;
  std::size_t at_ = 0;
  std::set<std::string> members_;
  std::set<std::string> described_;
};

/// Adds the paths of what was printed, as deep as the documentation goes.
void collect(const Json& value, const std::string& path, const Shape& shape,
             std::set<std::string>& into) {
  if (value.is_array()) {
    for (const Json& item : value) collect(item, path, shape, into);
  } else if (value.is_object() && shape.describes(path)) {
    for (const auto& [name, member] : value.items()) {
      const std::string inner = (path.empty() ? "" : path + ".") + name;
      into.insert(inner);
      collect(member, inner, shape, into);
    }
  }
}

void replace_all(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    text.replace(at, word.size(), by);
    at += by.size();
  }
}

/// What the command printed in several situations must be what is documented, together all of it.
void compare(const std::string& title, const std::vector<Json>& printed) {
  CAPTURE(title);
  const std::string docs = phasegate::test::read_file(docs_file());
  std::string text = block_after(docs, "`" + title + "`");
  replace_all(text, "FINDING", block_after(docs, "`reason` is null"));
  if (text.find("REQUIREMENT") != std::string::npos) {
    replace_all(text, "REQUIREMENT", block_after(docs, "`REQUIREMENT` is"));
  }
  const Shape shape(text);
  std::set<std::string> seen;
  for (const Json& one : printed) collect(one, "", shape, seen);
  for (const std::string& member : seen) {
    CHECK_MESSAGE(shape.names(member), "printed, not documented: ", member);
  }
  for (const std::string& member : shape.members()) {
    // A finding has the members that say something; its code is always there.
    if (member.find("findings.") != std::string::npos) continue;
    CHECK_MESSAGE(seen.contains(member), "documented, not printed: ", member);
  }
}

}  // namespace

TEST_CASE("docs: the tables of the command line are the program's own") {
  const std::string begin = "<!-- tables: made by `phasegate help --markdown` -->\n";
  const std::string end = "<!-- end of tables -->\n";
  std::string docs = phasegate::test::read_file(docs_file());
  const std::size_t from = docs.find(begin);
  const std::size_t to = docs.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const std::size_t inside = from + begin.size();
  const char* update = std::getenv("PHASEGATE_UPDATE_SNAPSHOTS");
  if (update != nullptr && std::string_view(update) == "1") {
    docs.replace(inside, to - inside, cli::help_markdown());
    std::ofstream(docs_file(), std::ios::binary) << docs;
    return;
  }
  // Changed on purpose: run this test once with PHASEGATE_UPDATE_SNAPSHOTS=1.
  CHECK(docs.substr(inside, to - inside) == cli::help_markdown());
}

TEST_CASE("docs: the members that are documented are the members that are printed") {
  const Project project;
  compare("workflows --json", {project.run_json({"workflows", "--json"})});
  compare("new --json", {project.run_json({"new", "mine", "--json"})});
  compare("validate --json", {project.run_json({"validate", ".phasegate/workflows", "--json"}, 1),
                              project.run_json({"validate", "feature", "--json"})});

  const std::string id = project.start("src/a.cpp");
  const Json open = project.run_json({"status", "--json", "--all"});
  static_cast<void>(project.call(
      {{"complete_phase",
        {{"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", true}}}}}}));
  const Json accepted = project.run_json({"status", id, "--json"});
  const phasegate::test::Deciding deciding;
  deciding.make_git();
  const std::string asked = deciding.waiting();
  phasegate::test::write_file(deciding.root() / "new.txt", "x\n");
  const Json person = deciding.run_json({"status", asked, "--json"});
  const Json answers = {
      {"answers", {{{"approver", ""}, {"option", ""}, {"input", ""}, {"at", ""}}}}};
  Json decide = deciding.run_json({"decide", "--json"});
  compare("decide --json", {decide, answers});
  Json inbox = deciding.run_json({"inbox", "--json"});
  phasegate::app::cli::Inbox others;
  others.others.emplace_back();
  compare("inbox --json", {inbox, phasegate::app::cli::inbox_json(others)});
  const Json sent_back = {
      {"feedback", {{"by", ""}, {"from_phase", ""}, {"option", ""}, {"input", ""}, {"at", ""}}},
      {"paused", {{"by", ""}, {"reason", ""}, {"at", ""}}}};
  compare("status --json", {open, accepted, person, sent_back});
  compare("sessions --json", {project.run_json({"sessions", "--json"})});
  compare("history --json", {project.run_json({"history", id, "--json"})});
  compare("export", {project.run_json({"export", id})});
  phasegate::state::SqliteApproverBook book(project.state(), {4, 8, 1});
  REQUIRE(book.add("ada", {"qa"}, "green kettle hums", {"root", {}}, {1}).ok());
  compare("approvers --json", {project.run_json({"approvers", "--json"})});
  compare("doctor --json", {project.run_json({"doctor", "--json"}, 1)});

  static_cast<void>(project.run({"cancel", id}));
  const Ended watched = project.run({"watch", id, "--json"});
  std::vector<Json> events;
  std::istringstream lines(watched.out);
  for (std::string line; std::getline(lines, line);) events.push_back(Project::parsed(line));
  compare("watch --json", events);
}

TEST_CASE("docs: a shape is read as it is written") {
  const Shape shape(R"({"a", "b": [{"c": "x" | "y", "d"}], "e": null | {"f"}, "g": [name],
                        "h": JSON Schema})");
  CHECK(shape.members() == std::set<std::string>{"a", "b", "b.c", "b.d", "e", "e.f", "g", "h"});
  CHECK(shape.describes("b"));
  CHECK_FALSE(shape.describes("h"));
}
