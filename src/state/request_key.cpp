#include "state/request_key.h"

#include "state/key_file.h"

namespace phasegate::state {

namespace {

constexpr KeyFile kRequestKey = {kRequestKeyFileName,
                                 "what waits for an answer has to be asked again"};

}  // namespace

std::string request_key(const std::filesystem::path& folder) {
  return key_in(folder, kRequestKey);
}

std::optional<base::Error> request_key_problem(const std::filesystem::path& folder) {
  return key_problem(folder, kRequestKey);
}

}  // namespace phasegate::state
