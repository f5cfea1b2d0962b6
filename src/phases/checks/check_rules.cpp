#include "phases/checks/check_rules.h"

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/sql_words.h"

namespace phasegate::phases {
namespace {

using base::Json;

/// The rules of one kind's members; each function is one kind's.
class KindRules {
 public:
  KindRules(const YamlNode& node, const std::string& what, Json& parameters,
            const NativeReport& report)
      : node_(node), what_(what), parameters_(parameters), report_(report) {}

  bool check(CheckKind kind) {
    switch (kind) {
      case CheckKind::file:
        file();
        break;
      case CheckKind::command:
        program();
        between("output_max", 1, static_cast<double>(base::limits::kCheckOutputBytesMost));
        each_between("exit", 0, 255);
        break;
      case CheckKind::tests:
        program();
        between("output_max", 1, static_cast<double>(base::limits::kCheckOutputBytesMost));
        tests();
        break;
      case CheckKind::json:
        json();
        break;
      case CheckKind::sqlite:
        sqlite();
        break;
      case CheckKind::git:
        if (parameters_.empty()) {
          missing(
              "asks for nothing",
              "write clean, changed, commit, branch, touched, untouched, within or within_plan");
        }
        break;
      case CheckKind::count:
      case CheckKind::expr:
        break;
      case CheckKind::http:
        http();
        break;
      case CheckKind::junit:
        break;
      case CheckKind::coverage:
        between("min", 0, 100);
        break;
      case CheckKind::guard:
        if (!has("paths") && !is_true("project")) {
          missing("has neither paths nor project: true",
                  "write the patterns of the files that must not change, or project: true for "
                  "those of .phasegate/project.yaml");
        }
        needs("if_missing", "project", "it says what happens where the project protects nothing");
        break;
    }
    return sound_;
  }

 private:
  [[nodiscard]] bool has(std::string_view name) const {
    return base::find_member(parameters_, name) != nullptr;
  }
  [[nodiscard]] bool is_true(std::string_view name) const {
    return base::bool_member(parameters_, name) == true;
  }
  /// Where a member is written; the check itself for one written short.
  [[nodiscard]] Source at(std::string_view name) const {
    for (const auto& member : node_.members) {
      if (member.name == name) return report_.at(member);
    }
    return report_.at(node_);
  }

  void error(const char* code, std::string message, std::string hint, Source source) {
    sound_ = false;
    report_.error(code, what_ + " " + std::move(message), std::move(hint), std::move(source));
  }
  void missing(std::string message, std::string hint) {
    error("missing_key", std::move(message), std::move(hint), report_.at(node_));
  }
  void contradict(std::string_view one, std::string_view other) {
    error("contradicting_keys",
          "has " + std::string(one) + " and " + std::string(other) + ", and only one can hold",
          "keep one of the two", at(other));
  }
  void needs(std::string_view name, std::string_view other, std::string hint) {
    if (!has(name) || has(other)) return;
    error("missing_key", "has " + std::string(name) + " without " + std::string(other),
          std::move(hint), at(name));
  }
  void between(std::string_view name, double least, double most) {
    const Json* value = base::find_member(parameters_, name);
    if (value == nullptr || !value->is_number()) return;
    if (value->get<double>() >= least && value->get<double>() <= most) return;
    out_of_range(name, least, most);
  }
  void each_between(std::string_view name, double least, double most) {
    const Json* list = base::find_member(parameters_, name);
    if (list == nullptr) return;
    for (const Json& item : *list) {
      if (item.get<double>() < least || item.get<double>() > most) {
        return out_of_range(name, least, most);
      }
    }
  }
  void out_of_range(std::string_view name, double least, double most) {
    error("out_of_range",
          "has a " + std::string(name) + " that is not between " + base::number_text(least) +
              " and " + base::number_text(most),
          "", at(name));
  }

  void file() {
    if (is_true("exists") && is_true("absent")) return contradict("exists", "absent");
    if (base::bool_member(parameters_, "exists") == false) {
      error("contradicting_keys", "has exists: false", "write absent: true", at("exists"));
    }
    const bool folder = base::string_member(parameters_, "type") == "folder";
    if (is_true("absent") && has("type")) contradict("absent", "type");
    for (const char* name : {"min_size", "matches", "lacks", "matches_all", "sha256"}) {
      if (!has(name)) continue;
      if (is_true("absent")) contradict("absent", name);
      if (folder) contradict("type: folder", name);
    }
    if (folder && is_true("changed_since_step")) contradict("type: folder", "changed_since_step");
  }

  /// One of the three ways to say which program, and nothing that belongs to another.
  void program() {
    std::vector<std::string_view> ways;
    for (const std::string_view name : {"argv", "run", "project"}) {
      if (has(name)) ways.push_back(name);
    }
    if (ways.empty()) {
      missing("does not say what to run",
              "write argv: [make, test], or {shell: true, run: \"…\"}, or project: NAME for a "
              "command of .phasegate/project.yaml");
    }
    for (std::size_t i = 1; i < ways.size(); ++i) contradict(ways.front(), ways[i]);
    if (has("run") && !is_true("shell")) {
      error("missing_key", "has a line for a shell without shell: true",
            "write argv: […], which needs no shell, or shell: true beside run", at("run"));
    }
    if (is_true("shell") && !has("run") && !has("project")) {
      missing("has shell: true without run", "write run: \"the line\"");
    }
    needs("if_missing", "project", "it says what happens where the project has no such command");
  }

  /// A command of the project may bring the reports and files with it.
  void tests() {
    between("min_coverage", 0, 100);
    report_below_root("junit");
    report_below_root("coverage");
    if (const Json* ratchet = base::find_member(parameters_, "ratchet")) check_ratchet(*ratchet);
    if (base::bool_member(parameters_, "passes_now") == false && !has("fails_at")) {
      error("contradicting_keys", "has passes_now: false and asks for nothing else",
            "write fails_at: start beside it, or leave it out", at("passes_now"));
    }
    if (has("project")) return;
    needs("fails_at", "files",
          "name the files that hold the tests (files: tests/**): they alone are put into the tree "
          "as it was at the start");
    needs("min_tests", "junit", "name the report that the tests write: junit: build/junit.xml");
    needs("max_skipped", "junit", "name the report that the tests write: junit: build/junit.xml");
    needs("min_coverage", "coverage",
          "name the report that the tests write: coverage: coverage.xml");
  }

  void check_ratchet(const Json& words) {
    static const std::vector<std::string> kWords = {"tests", "skipped", "coverage"};
    for (const Json& word : words) {
      const std::string& text = word.get_ref<const std::string&>();
      const bool known = text == "tests" || text == "skipped" || text == "coverage";
      if (!known) {
        const auto nearest = base::nearest_name(text, kWords);
        error(
            "unknown_value",
            "has " + base::in_quotes(base::shortened(text, 60)) + " in ratchet, which is not known",
            nearest ? "did you mean " + *nearest + "?" : "ratchet: tests, skipped, coverage",
            at("ratchet"));
        continue;
      }
      const char* report = text == "coverage" ? "coverage" : "junit";
      if (has(report) || has("project")) continue;
      error("missing_key",
            "has " + text + " in ratchet without " + report + ", the report that it is read from",
            std::string("write ") + report + ": PATH of the report", at("ratchet"));
    }
  }

  void json() {
    if (has("file") == has("evidence")) {
      if (has("file")) return contradict("file", "evidence");
      return missing("says neither file nor evidence", "write file: PATH, or evidence: FIELD");
    }
    if (has("schema") && has("schema_file")) contradict("schema", "schema_file");
    if (!has("schema") && !has("schema_file") && !has("that")) {
      missing("does not say what must hold of it",
              "write schema: {…}, schema_file: PATH, or that: an expression");
    }
  }

  void sqlite() {
    if (has("expect") && has("rows")) contradict("expect", "rows");
    if (!has("expect") && !has("rows")) parameters_["expect"] = "row";
    const auto query = base::string_member(parameters_, "query");
    if (!query) return;
    const SqlWords words = sql_words(*query);
    if (!words.reads) {
      error("query_not_allowed", "has a query that does not begin like one that reads",
            "write one SELECT (or WITH, VALUES, PRAGMA data_version or page_size)", at("query"));
    }
    const Json* given = base::find_member(parameters_, "parameters");
    for (const std::string& name : words.parameters) {
      // Every query is given these two.
      if (name == "run" || name == "arg") continue;
      if (given != nullptr && given->contains(name)) continue;
      error("missing_key",
            "has " + base::in_quotes(":" + base::shortened(name, 60)) +
                " in its query and no such parameter",
            "write parameters: {" + base::shortened(name, 60) + ": \"{{evidence.…}}\"}",
            at("query"));
    }
  }

  /// A report is looked for among what the run wrote below the root.
  void report_below_root(std::string_view name) {
    const auto path = base::string_member(parameters_, name);
    if (!path || !path->starts_with('/')) return;
    error("invalid_path",
          "has a " + std::string(name) + " outside the project, where no report is read",
          "write a path from the project's root, such as build/junit.xml", at(name));
  }

  void http() {
    const auto url = base::string_member(parameters_, "url");
    if (url && !url->starts_with("http://") && !url->starts_with("https://")) {
      error("invalid_url", "has a url that begins with neither http:// nor https://",
            "write it whole: http://127.0.0.1:8080/health", at("url"));
    }
    each_between("status", 100, 599);
  }

  const YamlNode& node_;
  const std::string& what_;
  Json& parameters_;
  const NativeReport& report_;
  bool sound_ = true;
};

}  // namespace

bool check_kind_rules(CheckKind kind, const YamlNode& node, const std::string& what,
                      Json& parameters, const NativeReport& report) {
  return KindRules(node, what, parameters, report).check(kind);
}

}  // namespace phasegate::phases
