#include "gating/state_members.h"

#include <limits>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating {

StateMembers::StateMembers(const base::Json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) fail(where_.empty() ? "the state" : where_, "is not an object");
}

void StateMembers::read(std::string_view name, std::string& out) {
  if (const base::Json* value = member(name)) {
    if (value->is_string()) {
      out = value->get_ref<const std::string&>();
    } else {
      fail(path(name), "is not a text");
    }
  }
}

void StateMembers::read(std::string_view name, bool& out) {
  if (const base::Json* value = member(name)) {
    if (value->is_boolean()) {
      out = value->get<bool>();
    } else {
      fail(path(name), "is not a boolean");
    }
  }
}

void StateMembers::read(std::string_view name, std::int64_t& out, std::int64_t lowest) {
  if (const base::Json* value = member(name)) {
    const auto number = base::as_integer(*value);
    if (number && *number >= lowest) {
      out = *number;
    } else {
      fail(path(name), "is not a whole number of at least " + std::to_string(lowest));
    }
  }
}

void StateMembers::read(std::string_view name, int& out, int lowest) {
  std::int64_t wide = lowest;
  read(name, wide, lowest);
  if (wide > std::numeric_limits<int>::max()) {
    fail(path(name), "is too large");
  } else {
    out = static_cast<int>(wide);
  }
}

void StateMembers::read(std::string_view name, base::TimePoint& out) {
  read(name, out.ms, std::numeric_limits<std::int64_t>::min());
}

const base::Json* StateMembers::array(std::string_view name) {
  const base::Json* value = member(name);
  if (value != nullptr && !value->is_array()) {
    fail(path(name), "is not an array");
    return nullptr;
  }
  return value;
}

bool StateMembers::has(std::string_view name) const {
  return !problem_ && base::find_member(object_, name) != nullptr;
}

const base::Json* StateMembers::member(std::string_view name) {
  if (problem_) return nullptr;
  const base::Json* value = base::find_member(object_, name);
  if (value == nullptr) {
    fail(path(name), "is missing");
  } else {
    ++known_;
  }
  return value;
}

std::optional<base::Error> StateMembers::finish() {
  if (!problem_ && object_.size() != known_) {
    fail(where_.empty() ? "the state" : where_, "has members that this version does not know");
  }
  return std::move(problem_);
}

void StateMembers::fail(const std::string& what, const std::string& why) {
  if (problem_) return;
  problem_ = base::Error{"damaged_state", what + " " + why, "", what};
}

std::string StateMembers::path(std::string_view name) const {
  return where_.empty() ? std::string(name) : where_ + "." + std::string(name);
}

void StateMembers::fail_value(std::string_view name, const std::string& text) {
  fail(path(name), "has the unknown value " + base::in_quotes(base::shortened(text, 64)));
}

}  // namespace phasegate::gating
