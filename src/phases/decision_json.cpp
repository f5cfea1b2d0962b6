#include "phases/decision_json.h"

#include <cstdint>

#include "base/json.h"
#include "phases/stored_members.h"

namespace phasegate::phases {

using base::Json;

namespace {

constexpr std::int64_t kCountMax = 1000;

/// The value of a word that `known` knows; the first one and an error otherwise.
template <typename Enum>
Enum word(StoredMembers& members, const char* name,
          std::optional<Enum> (*known)(std::string_view)) {
  const auto value = known(members.text(name));
  if (!value) members.fail(name, "a known word");
  return value.value_or(Enum{});
}

DecisionOption read_option(const Json& json, const std::string& where,
                           std::optional<base::Error>& error) {
  StoredMembers members(json, where, error);
  DecisionOption option;
  option.id = members.text("id");
  option.label = members.text("label");
  option.effect = word(members, "effect", decision_effect_from);
  option.phase = members.optional_text("phase").value_or("");
  option.input = word(members, "input", decision_input_from);
  members.finish();
  return option;
}

}  // namespace

Json to_json(const DecisionDemand& demand) {
  Json json = Json::object();
  json["prompt"] = demand.prompt;
  if (!demand.show.empty()) json["show"] = demand.show;
  json["options"] = Json::array();
  for (const DecisionOption& option : demand.options) {
    Json item = {{"id", option.id}, {"label", option.label}, {"effect", to_text(option.effect)}};
    if (!option.phase.empty()) item["phase"] = option.phase;
    item["input"] = to_text(option.input);
    json["options"].push_back(std::move(item));
  }
  if (!demand.role.empty()) json["role"] = demand.role;
  json["count"] = demand.count;
  if (demand.not_submitter) json["not_submitter"] = true;
  json["channel"] = to_text(demand.channel);
  if (demand.remind_after_ms > 0) json["remind_after_ms"] = demand.remind_after_ms;
  json["source"] = Json::array({demand.source.file, demand.source.line, demand.source.line_end});
  return json;
}

DecisionDemand read_decision_demand(const Json& json, const std::string& where,
                                    std::optional<base::Error>& error) {
  StoredMembers members(json, where, error);
  DecisionDemand demand;
  demand.prompt = members.text("prompt");
  demand.show = members.optional_texts("show");
  std::size_t index = 0;
  for (const Json& item : members.array("options")) {
    demand.options.push_back(
        read_option(item, where + "/options/" + std::to_string(index++), error));
    if (error) return demand;
  }
  if (demand.options.empty()) members.fail("options", "at least one option");
  demand.role = members.optional_text("role").value_or("");
  demand.count = static_cast<int>(members.whole("count", 1, kCountMax));
  demand.not_submitter = members.optional_flag("not_submitter", false);
  demand.channel = word(members, "channel", decision_channel_from);
  demand.remind_after_ms = members.optional_length("remind_after_ms").value_or(0);
  demand.source = members.source("source");
  members.finish();
  return demand;
}

}  // namespace phasegate::phases
