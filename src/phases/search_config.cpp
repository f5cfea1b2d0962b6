#include "phases/search_config.h"

#include <algorithm>
#include <optional>

#include "base/globs.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/checks/check_paths.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
namespace limits = base::limits;

class SearchReader {
 public:
  explicit SearchReader(const NativeReport& report) : report_(report) {}

  SearchConfig read(const YamlNode& node) {
    if (node.is_null()) return std::move(config_);
    if (node.kind != Kind::map) {
      config_.sound = false;
      report_.wrong_type("search", "a map with folders, include or exclude", node,
                         "write search: {folders: [docs]}");
      return std::move(config_);
    }
    for (const auto& member : node.members) {
      const auto& keys = search_config_keys();
      if (std::find(keys.begin(), keys.end(), member.name) == keys.end()) config_.sound = false;
    }
    report_.refuse_other_keys(node, {search_config_keys(), {}}, "search");
    if (const YamlNode* folders = node.find("folders")) read_folders(*folders);
    if (const YamlNode* globs = node.find("include")) {
      read_globs(*globs, "include", config_.include);
    }
    if (const YamlNode* globs = node.find("exclude")) {
      read_globs(*globs, "exclude", config_.exclude);
    }
    return std::move(config_);
  }

 private:
  void error(const char* code, std::string message, std::string hint, const YamlNode& at) {
    config_.sound = false;
    report_.error(code, std::move(message), std::move(hint), report_.at(at));
  }

  void read_folders(const YamlNode& node) {
    if (node.is_null()) return;
    if (node.kind != Kind::sequence) return read_folder(node, "folders of search");
    if (node.items.size() > limits::kSearchFoldersMax) {
      return error("out_of_range",
                   "folders of search has " + std::to_string(node.items.size()) +
                       " items, the limit is " + std::to_string(limits::kSearchFoldersMax),
                   "name a folder that holds them, and exclude what is too much", node);
    }
    for (const YamlNode& item : node.items) read_folder(item, "an item of folders of search");
  }

  void read_folder(const YamlNode& node, const std::string& what) {
    const auto text = report_.text(node, what);
    if (!text) {
      config_.sound = false;
      return;
    }
    if (*text == "." || *text == "./") return config_.folders.emplace_back("."), void();
    const auto path = base::normalised_relative(*text);
    const auto parts = base::split(path ? std::string_view(*path) : std::string_view(), '/');
    const bool in_git = std::find(parts.begin(), parts.end(), ".git") != parts.end();
    if (path && !in_git && !text->starts_with("~/")) return config_.folders.push_back(*path);
    error("invalid_path",
          what + " is " + base::in_quotes(base::shortened(*text, 120)) +
              (in_git ? ", and nothing in .git is searched"
                      : ", which is no path within the project") +
              (text->starts_with("~/") ? ": ~ is not expanded" : ""),
          "write a folder from the project's root, such as docs", node);
  }

  void read_globs(const YamlNode& node, const std::string& key, std::vector<std::string>& into) {
    if (node.is_null()) return;
    const auto read = read_check_globs(node, key + " of search", report_);
    if (!read) {
      config_.sound = false;
      return;
    }
    std::vector<std::string> globs;
    for (const base::Json& glob : *read) globs.push_back(glob.get<std::string>());
    const auto compiled = base::Globs::compile(globs, base::Hidden::included);
    if (compiled) {
      into = std::move(globs);
      return;
    }
    const base::Error& problem = compiled.error();
    const auto wrong = std::find(globs.begin(), globs.end(), problem.where);
    const auto index = static_cast<std::size_t>(wrong - globs.begin());
    const bool is_item = node.kind == Kind::sequence && index < node.items.size();
    error(problem.code.c_str(), key + " of search: " + problem.message, problem.hint,
          is_item ? node.items[index] : node);
  }

  const NativeReport& report_;
  SearchConfig config_;
};

}  // namespace

SearchConfig read_search_config(const YamlNode& node, const NativeReport& report) {
  return SearchReader(report).read(node);
}

const std::vector<std::string>& search_config_keys() {
  static const std::vector<std::string> kKeys = {"folders", "include", "exclude"};
  return kKeys;
}

}  // namespace phasegate::phases
