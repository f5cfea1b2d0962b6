#pragma once
#include <nlohmann/json_fwd.hpp>

namespace phasegate::base {

/// Our JSON value. Object keys keep the order in which they were written: answers are read by
/// people and models, and schemas are compared as text.
using Json = nlohmann::ordered_json;

}  // namespace phasegate::base
