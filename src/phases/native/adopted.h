#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "phases/native/report.h"

namespace phasegate::phases {

/// A field of evidence that came from a document.
struct AdoptedField {
  std::string name;
  std::vector<std::string> aliases;
  std::string type;
};

/// What a native file says about the documents that it was made from (`adopted_from`, `source`).
struct Adoption {
  struct Document {
    std::string file;  ///< relative to the folder of the workflow file
    std::string sha256;
    Source source;
  };
  struct Step {
    std::string id;
    std::map<std::string, std::vector<AdoptedField>> fields;  ///< by the document's path
    bool asks_a_person = false;
  };
  std::vector<Document> documents;
  std::vector<Step> steps;
};

/// Reads them; what is malformed is an error among the report's findings. The values that the
/// readers of steps and evidence refuse are passed over here.
[[nodiscard]] Adoption read_adoption(const YamlNode& root, const NativeReport& report);

/// The bytes of a document by its path; nullopt if it cannot be had.
using AdoptedBytes = std::function<std::optional<std::string>(const std::string& path)>;

/// Compares the documents with what they were: `adopted_document_changed` (warning) names the steps
/// for which the document asks for something else now, by name and type, or for a person's
/// approval that they do not ask for;
/// `adopted_document_missing` (info) says that nothing can be compared. Reads each changed document
/// again: linear in their bytes.
void check_adoption(const Adoption& adoption, const AdoptedBytes& bytes_of, FindingList& findings);

}  // namespace phasegate::phases
