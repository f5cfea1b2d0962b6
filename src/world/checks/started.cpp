#include "world/checks/started.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// Room for the most paths that are looked through, each as long as a path may be.
constexpr std::size_t kStartedBytesMax = 512U << 20U;
constexpr std::size_t kStartedDepthMax = 8;
constexpr std::size_t kNamedMax = 10;
constexpr std::size_t kNamedBytesMax = 200;

std::string stored(const std::string& path) {
  if (base::is_utf8(path)) return path;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(1, '\0');
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

int digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

std::string restored(const std::string& text) {
  if (text.empty() || text.front() != '\0') return text;
  std::string path;
  for (std::size_t i = 1; i + 1 < text.size(); i += 2) {
    path += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return path;
}

/// Pairs in a list: looking a name up in a JSON object takes time in proportion to its size.
Json digests_json(const Started::Digests& digests) {
  Json json = Json::array();
  for (const auto& [path, digest] : digests) {
    json.push_back(Json::array({stored(path), digest}));
  }
  return json;
}

std::optional<Started::Digests> read_digests(const Json* json) {
  if (json == nullptr || !json->is_array()) return std::nullopt;
  Started::Digests digests;
  for (const Json& pair : *json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
      return std::nullopt;
    }
    digests[restored(pair[0].get<std::string>())] = pair[1].get<std::string>();
  }
  return digests;
}

Error damaged() {
  return {"not_observed", "what was observed when the run began is damaged", "start a new run", ""};
}

}  // namespace

std::string to_text(const Started& started) {
  Json json = Json::object();
  json["commit"] = started.commit;
  json["ignored"] = started.ignored;
  json["dirty"] = digests_json(started.dirty);
  Json guarded = Json::object();
  for (const auto& [glob, digests] : started.guarded) guarded[glob] = digests_json(digests);
  json["guarded"] = std::move(guarded);
  json["problems"] = started.problems;
  return base::dump(json);
}

Result<Started> read_started(std::string_view text) {
  if (text.empty()) {
    return Error{"not_observed", "nothing was observed when the run began",
                 "start a new run of this workflow", ""};
  }
  const auto json = base::parse_json(text, {kStartedBytesMax, kStartedDepthMax});
  if (!json) return damaged();
  Started started;
  started.commit = base::string_member(*json, "commit").value_or("");
  started.ignored = base::string_member(*json, "ignored").value_or("");
  auto dirty = read_digests(base::find_member(*json, "dirty"));
  const Json* guarded = base::find_member(*json, "guarded");
  const Json* problems = base::find_member(*json, "problems");
  if (!dirty || guarded == nullptr || !guarded->is_object() || problems == nullptr ||
      !problems->is_array()) {
    return damaged();
  }
  started.dirty = *std::move(dirty);
  for (const auto& [glob, digests] : guarded->items()) {
    auto read = read_digests(&digests);
    if (!read) return damaged();
    started.guarded[glob] = *std::move(read);
  }
  for (const Json& problem : *problems) {
    if (!problem.is_string()) return damaged();
    started.problems.push_back(problem.get<std::string>());
  }
  return started;
}

Result<std::string> start_commit(const Repository& repository, const Started& started) {
  if (started.commit.empty()) {
    const std::string why = started.problems.empty() ? "" : ": " + started.problems.front();
    return Error{"not_observed", "the run began without a commit to compare with" + why,
                 "start a new run once the project is a git repository with a commit", ""};
  }
  auto commit = repository.find_commit(started.commit);
  if (!commit) return commit.error();
  if (*commit) return **std::move(commit);
  return Error{"start_gone",
               "commit " + started.commit.substr(0, 12) +
                   ", from which the run began, is not in the repository any more" +
                   (repository.shallow() ? " (its history is cut off: shallow)" : ""),
               "bring the commit back, or start a new run", ""};
}

Repository::Ignored ignored_since_start(const Repository& repository, const Started* started) {
  return started != nullptr && repository.ignore_lists() == started->ignored
             ? Repository::Ignored::personal_too
             : Repository::Ignored::gitignore_only;
}

Error since_start(Error error, std::string_view started) {
  if (error.code != "git_none" && error.code != "damaged_git" && error.code != "git_unborn") {
    return error;
  }
  const auto seen = read_started(started);
  if (!seen || seen->commit.empty()) return error;
  error.message += "; there was one when the run began, at commit " + seen->commit.substr(0, 12);
  error.hint =
      ".git was removed, moved or changed since then: put it back as it was, or start a "
      "new run";
  return error;
}

Result<std::vector<std::string>> changed_since_start(const Repository& repository,
                                                     const Started& started, const Place& place,
                                                     const std::function<bool()>& go_on) {
  const auto commit = start_commit(repository, started);
  if (!commit) return commit.error();
  auto now = repository.differing(*commit, ignored_since_start(repository, &started));
  if (!now) return now.error();
  std::set<std::string> candidates(now->begin(), now->end());
  for (const auto& [path, digest] : started.dirty) candidates.insert(path);
  std::vector<std::string> changed;
  for (const std::string& path : candidates) {
    if (go_on && !go_on()) return Error{"git_stopped", "looking at the changes was ended", "", ""};
    const auto before = started.dirty.find(path);
    const bool same = before != started.dirty.end() &&
                      same_entry(before->second, look_at(place.root, path).digest);
    if (!same) changed.push_back(path);
  }
  return changed;
}

std::string named_paths(const std::vector<std::string>& paths) {
  std::string text = base::counted(paths.size(), "path") + ": ";
  for (std::size_t i = 0; i < paths.size() && i < kNamedMax; ++i) {
    text += (i == 0 ? "" : ", ") +
            base::in_quotes(base::shortened(base::to_utf8(paths[i]), kNamedBytesMax));
  }
  return paths.size() > kNamedMax ? text + ", …" : text;
}

}  // namespace phasegate::world::checks
