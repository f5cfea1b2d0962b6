#include "state/evidence_key.h"

#include "state/key_file.h"

namespace phasegate::state {

namespace {

constexpr KeyFile kEvidenceKey = {
    kEvidenceKeyFileName,
    "secret evidence that is handed over a second time counts as other evidence"};

}  // namespace

std::string evidence_key(const std::filesystem::path& folder) {
  return key_in(folder, kEvidenceKey);
}

std::optional<base::Error> evidence_key_problem(const std::filesystem::path& folder) {
  return key_problem(folder, kEvidenceKey);
}

}  // namespace phasegate::state
