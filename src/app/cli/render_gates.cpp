#include "app/cli/render_gates.h"

#include <optional>

#include "app/cli/layout.h"
#include "app/cli/render_findings.h"
#include "app/cli/requirement_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/constraint.h"
#include "phases/decision_json.h"
#include "phases/decision_words.h"
#include "phases/requirement_words.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using phases::ReadCriteria;
using phases::ReadPhase;
using phases::Requirement;

Json requirement_json(const Requirement& requirement) {
  Json json = Json::object();
  json["name"] = requirement.name;
  json["type"] = phases::to_text(requirement.type);
  json["required"] = requirement.required;
  json["constraint"] = phases::constraint_of(requirement);
  json["line"] = requirement.source.line;
  json["kind"] = "exit";
  json["source"] = phases::to_text(requirement.kind);
  json["confidence"] = phases::to_text(requirement.confidence);
  json["description"] = requirement.description;
  return json;
}

Json exit_json(const ReadCriteria& criteria) {
  Json list = Json::array();
  for (const Requirement& requirement : criteria.exit)
    list.push_back(requirement_json(requirement));
  return list;
}

void add_entry(const ReadCriteria& criteria, const Json& phase, Json& list) {
  for (const Requirement& requirement : criteria.entry) {
    Json json = requirement_json(requirement);
    json["kind"] = "entry";
    json["phase"] = phase;
    list.push_back(std::move(json));
  }
}

Json number_of(const ReadPhase& phase) {
  return phase.number.empty() ? Json(nullptr) : Json(phase.number);
}

std::string list_text(const char* head, const std::vector<Requirement>& requirements,
                      const Page& page) {
  if (requirements.empty()) return "";
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Requirement& requirement : requirements) {
    entries.emplace_back(
        shown_value(requirement.name),
        shown_value(phases::type_and_rules(requirement)) + "  " +
            page.in(Tone::faint, "(line " + std::to_string(requirement.source.line) +
                                     doubt_text(requirement) + ")"));
  }
  return std::string("    ") + head + "\n" + definitions(entries, 6, page.width);
}

/// What a person is asked where the document wants their approval: by phase, or for the whole.
std::optional<phases::DecisionDemand> demand_of(const ReadCriteria& criteria,
                                                const ReadPhase* phase) {
  if (!criteria.human_approval) return std::nullopt;
  if (phase == nullptr || phase->number.empty()) {
    return phases::standard_decision("Is the work done as it should be?", "",
                                     criteria.human_approval_source);
  }
  phases::Phase asked;
  asked.id = phase->number;
  asked.title = phase->title;
  asked.gate.human_approval = true;
  asked.gate.human_approval_source = criteria.human_approval_source;
  return phases::decision_demand(asked);
}

Json decision_json(const ReadCriteria& criteria, const ReadPhase* phase) {
  const auto demand = demand_of(criteria, phase);
  if (!demand) return nullptr;
  Json json = phases::to_json(*demand);
  json.erase("source");
  json["line"] = demand->source.line;
  return json;
}

std::string decision_text(const ReadCriteria& criteria, const ReadPhase* phase, const Page& page) {
  const auto demand = demand_of(criteria, phase);
  if (!demand) return "";
  std::vector<std::string> options;
  for (const phases::DecisionOption& option : demand->options) options.push_back(option.id);
  return wrapped("a person decides (line " + std::to_string(demand->source.line) + "; " +
                     phases::deciders_in_words(*demand) + "): " + shown_value(demand->prompt) +
                     " " + base::joined(options, ", "),
                 page.width, 4, 6);
}

std::string criteria_text(const ReadCriteria& criteria, const ReadPhase* phase, const Page& page) {
  std::string text = list_text("to begin it:", criteria.entry, page);
  text += list_text("asks for:", criteria.exit, page);
  text += decision_text(criteria, phase, page);
  return text.empty() ? wrapped("asks for nothing", page.width, 4, 6) : text;
}

bool is_empty(const ReadCriteria& criteria) {
  return criteria.exit.empty() && criteria.entry.empty() && !criteria.human_approval;
}

std::string phase_text(const ReadPhase& phase, const Page& page) {
  std::string head = phase.number.empty() ? "Phase" : "Phase " + shown_value(phase.number);
  head += "  " + shown_value(phase.title);
  return "\n" +
         wrapped(page.in(Tone::strong, head) + "  " +
                     page.in(Tone::faint, "(lines " + std::to_string(phase.line) + " to " +
                                              std::to_string(phase.line_end) + ")"),
                 page.width, 2, 4) +
         criteria_text(phase.criteria, &phase, page);
}

}  // namespace

std::string gates_text(const ReadGates& gates, const Page& page) {
  const phases::DocumentReading& reading = gates.reading;
  std::string head = page.in(Tone::strong, shown_value(gates.document));
  if (!reading.title.empty()) head += "  " + shown_value(reading.title);
  std::string text = wrapped(head, page.width, 0, 2);
  text += findings_text(reading.findings, "", {}, page);
  for (const ReadPhase& phase : reading.phases) text += phase_text(phase, page);
  if (reading.phases.empty() || !is_empty(reading.whole)) {
    text += "\n" + wrapped(page.in(Tone::strong, "As a whole"), page.width, 2, 4) +
            criteria_text(reading.whole, nullptr, page);
  }
  return text;
}

Json gates_json(const ReadGates& gates) {
  const phases::DocumentReading& reading = gates.reading;
  Json json = Json::object();
  json["doc"] = gates.document;
  json["phases"] = Json::array();
  Json entry = Json::array();
  add_entry(reading.whole, nullptr, entry);
  for (const ReadPhase& phase : reading.phases) {
    Json one = Json::object();
    one["number"] = number_of(phase);
    one["title"] = phase.title;
    one["start_line"] = phase.line;
    one["end_line"] = phase.line_end;
    one["requirements"] = exit_json(phase.criteria);
    one["decision"] = decision_json(phase.criteria, &phase);
    json["phases"].push_back(std::move(one));
    add_entry(phase.criteria, number_of(phase), entry);
  }
  json["requirements"] = exit_json(reading.whole);
  json["decision"] = decision_json(reading.whole, nullptr);
  json["entry"] = std::move(entry);
  json["findings"] = Json::array();
  for (const phases::Finding& finding : reading.findings) {
    json["findings"].push_back(phases::to_json(finding));
  }
  return json;
}

}  // namespace phasegate::app::cli
