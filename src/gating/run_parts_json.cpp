#include "gating/run_parts_json.h"

#include <string>
#include <utility>

#include "base/json.h"

namespace phasegate::gating {

base::Json files_json(const std::vector<FileDigest>& files) {
  base::Json json = base::Json::array();
  for (const FileDigest& file : files) json.push_back({file.path, file.sha256});
  return json;
}

void read_files(StateMembers& members, std::vector<FileDigest>& files) {
  const base::Json* list = members.array("files");
  if (list == nullptr) return;
  for (const base::Json& item : *list) {
    if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_string()) {
      return members.fail("files", "holds something that is no path with its digest");
    }
    files.push_back({item[0].get<std::string>(), item[1].get<std::string>()});
  }
}

void read_texts(StateMembers& members, std::string_view name, std::vector<std::string>& texts) {
  const base::Json* list = members.array(name);
  if (list == nullptr) return;
  for (const base::Json& item : *list) {
    if (!item.is_string()) {
      return members.fail(members.path(name), "holds something that is not a text");
    }
    texts.push_back(item.get_ref<const std::string&>());
  }
}

base::Json results_json(const std::vector<CheckResult>& results) {
  base::Json json = base::Json::array();
  for (const CheckResult& result : results) json.push_back(to_json(result));
  return json;
}

std::optional<base::Error> read_results(StateMembers& members, std::string_view name,
                                        std::vector<CheckResult>& results) {
  const base::Json* list = members.array(name);
  if (list == nullptr) return std::nullopt;
  for (const base::Json& item : *list) {
    auto result = check_result_from_json(item);
    if (!result) return result.error();
    results.push_back(std::move(result).value());
  }
  return std::nullopt;
}

base::Json to_json(const Pending& pending) {
  base::Json aliases = base::Json::array();
  for (const AliasTaken& taken : pending.aliases_taken)
    aliases.push_back({taken.alias, taken.name});
  return {{"attempt", pending.attempt},
          {"evidence", pending.evidence},
          {"evidence_digest", pending.evidence_digest},
          {"aliases_taken", std::move(aliases)},
          {"actor", pending.actor},
          {"since_ms", pending.since.ms}};
}

std::optional<base::Error> read_pending(const base::Json& json, Pending& out) {
  StateMembers members(json, "pending");
  members.read("attempt", out.attempt, 1);
  members.read("evidence", out.evidence);
  members.read("evidence_digest", out.evidence_digest);
  if (const base::Json* aliases = members.array("aliases_taken")) {
    for (const base::Json& item : *aliases) {
      if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_string()) {
        members.fail("pending.aliases_taken", "holds something that is no pair of names");
        break;
      }
      out.aliases_taken.push_back({item[0].get<std::string>(), item[1].get<std::string>()});
    }
  }
  members.read("actor", out.actor);
  members.read("since_ms", out.since);
  return members.finish();
}

}  // namespace phasegate::gating
