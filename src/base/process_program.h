#pragma once
#include <string>
#include <vector>

#include "base/process.h"

/// Which file a request means, and what people are told if it cannot be started.
namespace phasegate::base {

/// What errno means, in words.
[[nodiscard]] std::string reason_of(int error);
/// Why nothing can be started for it whatever lies where; empty: nothing speaks against it.
[[nodiscard]] std::string problem_of_request(const ProcessRequest& request);
/// The files to try, in order. As execvp looks for a program, but in the environment that the
/// program gets, and an empty part of PATH is not the working folder.
[[nodiscard]] std::vector<std::string> places_of(const ProcessRequest& request);
/// Why the program was not started, as `error` (errno) says. `folder`: the working folder, open.
[[nodiscard]] std::string problem_of_program(const ProcessRequest& request, int folder, int error);

}  // namespace phasegate::base
