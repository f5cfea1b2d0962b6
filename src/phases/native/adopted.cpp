#include "phases/native/adopted.h"

#include <algorithm>

#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/gate_file_reader.h"
#include "phases/gate_files.h"
#include "phases/reading/document_reading.h"
#include "phases/requirement_reader.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

/// `phases/1/phase.md` of `phases/1/phase.md:12`.
std::string file_of(const std::string& source) {
  const auto colon = source.rfind(':');
  const bool line = colon != std::string::npos && colon + 1 < source.size() &&
                    source.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return line ? source.substr(0, colon) : source;
}

void read_documents(const YamlNode& node, const NativeReport& report, Adoption& adoption) {
  if (node.is_null()) return;
  if (node.kind != Kind::sequence || node.items.size() > base::limits::kPhasesMax) {
    return report.wrong_type(
        "adopted_from",
        "a list of at most " + std::to_string(base::limits::kPhasesMax) + " documents", node,
        "write - {file: PATH, sha256: …}");
  }
  for (const YamlNode& item : node.items) {
    if (item.kind != Kind::map) {
      report.wrong_type("an entry of adopted_from", "a map with file and sha256", item);
      continue;
    }
    report.refuse_other_keys(item, native_adopted_keys(), "an entry of adopted_from");
    const YamlNode* file = item.find("file");
    const YamlNode* digest = item.find("sha256");
    if (file == nullptr || digest == nullptr) {
      report.error(
          "missing_key",
          std::string("an entry of adopted_from has no ") + (file == nullptr ? "file" : "sha256"),
          "write {file: PATH, sha256: …}", report.at(item));
      continue;
    }
    const auto path = report.text(*file, "file of adopted_from");
    const bool sound = digest->kind == Kind::scalar && digest->scalar.size() == 64 &&
                       digest->scalar.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!sound) {
      report.wrong_type("sha256 of adopted_from", "64 hexadecimal digits", *digest);
    } else if (path) {
      adoption.documents.push_back({*path, digest->scalar, report.at(item)});
    }
  }
}

std::vector<std::string> texts_of(const YamlNode* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  for (const YamlNode& item : list->items) texts.push_back(item.scalar);
  return texts;
}

void read_step(const YamlNode& node, Adoption& adoption) {
  const YamlNode* id = node.find("id");
  const YamlNode* evidence = node.find("evidence");
  if (id == nullptr || evidence == nullptr) return;
  Adoption::Step step;
  step.id = id->scalar;
  step.asks_a_person = node.find("decision") != nullptr;
  for (const auto& field : evidence->members) {
    const YamlNode* source = field.value.find("source");
    if (source == nullptr || source->kind != Kind::scalar) continue;
    const YamlNode* type = field.value.find("type");
    step.fields[file_of(source->scalar)].push_back(
        {field.name, texts_of(field.value.find("aliases")), type == nullptr ? "" : type->scalar});
  }
  adoption.steps.push_back(std::move(step));
}

bool has_name(const AdoptedField& field, const std::string& name) {
  return field.name == name ||
         std::find(field.aliases.begin(), field.aliases.end(), name) != field.aliases.end();
}

/// What a document asks for now, on behalf of one step.
class PresentReading {
 public:
  PresentReading(const std::string& path, const std::string& text)
      : path_(path), text_(text), reading_(read_document(text, path)) {}

  struct Asked {
    std::vector<Requirement> requirements;
    bool approval = false;
  };

  [[nodiscard]] Asked of_step(const std::string& id) const {
    if (is_gate_file(path_)) {
      ReadGateFile gate = read_gate_file(text_, path_, id);
      return {std::move(gate.requirements), gate.human_approval || gate.decision};
    }
    for (const ReadPhase& phase : reading_.phases) {
      if (phase.number == id && !phase.criteria.exit.empty()) return asked_by(phase.criteria);
    }
    if (reading_.phases.empty() && !reading_.whole.exit.empty()) return asked_by(reading_.whole);
    ReadGate gate = PlainRequirementReader().read(text_, path_, id);
    return {std::move(gate.requirements), gate.human_approval};
  }

 private:
  static Asked asked_by(const ReadCriteria& criteria) {
    return {criteria.exit, criteria.human_approval};
  }

  const std::string& path_;
  const std::string& text_;
  DocumentReading reading_;
};

std::string listed(const char* head, std::vector<std::string> names) {
  if (names.empty()) return "";
  constexpr std::size_t kNamesShown = 6;
  if (names.size() > kNamesShown) {
    names.resize(kNamesShown);
    names.emplace_back("…");
  }
  return std::string(head) + base::joined(names, ", ");
}

/// `now also x; no longer y; other type z`; empty if the document asks for the same.
std::string difference(const std::vector<AdoptedField>& adopted,
                       const std::vector<Requirement>& present) {
  std::vector<std::string> added;
  std::vector<std::string> gone;
  std::vector<std::string> retyped;
  for (const Requirement& requirement : present) {
    const auto known = std::find_if(adopted.begin(), adopted.end(), [&](const AdoptedField& field) {
      return has_name(field, requirement.name);
    });
    if (known == adopted.end()) {
      added.push_back(requirement.name);
    } else if (value_type_from(known->type) != requirement.type) {
      retyped.push_back(known->name);
    }
  }
  for (const AdoptedField& field : adopted) {
    const bool there = std::any_of(
        present.begin(), present.end(),
        [&](const Requirement& requirement) { return has_name(field, requirement.name); });
    if (!there) gone.push_back(field.name);
  }
  std::vector<std::string> parts;
  for (std::string part : {listed("now also ", added), listed("no longer ", gone),
                           listed("another type: ", retyped)}) {
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return base::joined(parts, "; ");
}

void compare(const Adoption& adoption, const Adoption::Document& document, const std::string& text,
             FindingList& findings) {
  const PresentReading present(document.file, text);
  std::vector<std::string> sections;
  for (const Adoption::Step& step : adoption.steps) {
    const auto fields = step.fields.find(document.file);
    if (fields == step.fields.end()) continue;
    const PresentReading::Asked asked = present.of_step(step.id);
    std::string differs = difference(fields->second, asked.requirements);
    if (asked.approval && !step.asks_a_person) {
      differs += std::string(differs.empty() ? "" : "; ") + "now also a person's approval";
    }
    if (!differs.empty()) sections.push_back("step " + step.id + " (" + differs + ")");
  }
  findings.warning(
      "adopted_document_changed",
      base::in_quotes(base::shortened(document.file, 200)) + " changed since it was adopted; " +
          (sections.empty() ? std::string("it still asks for the same")
                            : "it asks for something else now in " + base::joined(sections, ", ")),
      "bring this file in step with it, then write its digest " + base::sha256_hex(text),
      document.source);
}

}  // namespace

Adoption read_adoption(const YamlNode& root, const NativeReport& report) {
  Adoption adoption;
  const YamlNode* documents = root.find("adopted_from");
  if (documents == nullptr) return adoption;
  read_documents(*documents, report, adoption);
  if (const YamlNode* steps = root.find("steps")) {
    for (const YamlNode& step : steps->items) read_step(step, adoption);
  }
  return adoption;
}

void check_adoption(const Adoption& adoption, const AdoptedBytes& bytes_of, FindingList& findings) {
  for (const Adoption::Document& document : adoption.documents) {
    const auto bytes = bytes_of(document.file);
    if (!bytes) {
      findings.info("adopted_document_missing",
                    base::in_quotes(base::shortened(document.file, 200)) +
                        ", from which the file was adopted, does not lie beside it; whether it "
                        "has changed is not looked at",
                    "", document.source);
    } else if (base::sha256_hex(*bytes) != document.sha256) {
      compare(adoption, document, *bytes, findings);
    }
  }
}

}  // namespace phasegate::phases
