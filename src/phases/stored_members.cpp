#include "phases/stored_members.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::phases {

using base::Json;

StoredMembers::StoredMembers(const Json& json, std::string where, std::optional<base::Error>& error)
    : json_(json), where_(std::move(where)), error_(error) {
  if (!json_.is_object()) fail("", "an object");
}

void StoredMembers::finish() {
  if (error_ || !json_.is_object()) return;
  for (const auto& [name, value] : json_.items()) {
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
      fail(name, "no such member");
    }
  }
}

std::string StoredMembers::text(const char* name) {
  const Json* value = required(name);
  if (value == nullptr) return {};
  if (!value->is_string()) return fail(name, "a string"), std::string();
  return value->get<std::string>();
}

bool StoredMembers::flag(const char* name) {
  const Json* value = required(name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return fail(name, "a boolean"), false;
  return value->get<bool>();
}

std::int64_t StoredMembers::whole(const char* name, std::int64_t low, std::int64_t high) {
  const Json* value = required(name);
  if (value == nullptr) return low;
  const auto number = base::as_integer(*value);
  if (!number || *number < low || *number > high) return fail(name, "a whole number"), low;
  return *number;
}

const Json& StoredMembers::array(const char* name) {
  static const Json kEmpty = Json::array();
  const Json* value = required(name);
  if (value == nullptr) return kEmpty;
  if (!value->is_array()) return fail(name, "an array"), kEmpty;
  return *value;
}

std::vector<std::string> StoredMembers::texts(const char* name) {
  std::vector<std::string> list;
  for (const Json& item : array(name)) {
    if (!item.is_string()) return fail(name, "an array of strings"), list;
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::vector<std::string> StoredMembers::optional_texts(const char* name) {
  if (base::find_member(json_, name) == nullptr) return optional(name), std::vector<std::string>();
  return texts(name);
}

Source StoredMembers::source(const char* name) {
  const Json& parts = array(name);
  if (error_) return {};
  const auto line_at = [&](std::size_t i) {
    const std::int64_t line = parts.size() == 3 ? base::as_integer(parts[i]).value_or(-1) : -1;
    return line > INT32_MAX ? -1 : static_cast<int>(line);
  };
  const int line = line_at(1);
  const int line_end = line_at(2);
  if (line < 0 || line_end < 0 || !parts[0].is_string()) {
    return fail(name, "[file, line, line_end]"), Source();
  }
  return {parts[0].get<std::string>(), line, line_end};
}

bool StoredMembers::optional_flag(const char* name, bool otherwise) {
  const Json* value = optional(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) return fail(name, "a boolean"), otherwise;
  return value->get<bool>();
}

std::vector<Scalar> StoredMembers::optional_scalars(const char* name) {
  std::vector<Scalar> scalars;
  const Json* values = optional(name);
  if (values == nullptr) return scalars;
  if (!values->is_array() || values->empty()) return fail(name, "a list of values"), scalars;
  for (const Json& value : *values) {
    if (auto one = scalar(name, value)) scalars.push_back(*one);
  }
  return scalars;
}

std::optional<double> StoredMembers::optional_number(const char* name) {
  const Json* value = optional(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) return fail(name, "a number"), std::nullopt;
  return value->get<double>();
}

std::optional<std::int64_t> StoredMembers::optional_length(const char* name) {
  const Json* value = optional(name);
  if (value == nullptr) return std::nullopt;
  const auto number = base::as_integer(*value);
  if (!number || *number < 0) return fail(name, "a length"), std::nullopt;
  return number;
}

std::optional<std::string> StoredMembers::optional_text(const char* name) {
  const Json* value = optional(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) return fail(name, "a string"), std::nullopt;
  return value->get<std::string>();
}

std::optional<Scalar> StoredMembers::scalar(const char* name, const Json& value) {
  if (value.is_boolean()) return Scalar(value.get<bool>());
  if (value.is_string()) return Scalar(value.get<std::string>());
  if (value.is_number_float()) return Scalar(value.get<double>());
  if (const auto number = base::as_integer(value)) return Scalar(*number);
  return fail(name, "a single value"), std::nullopt;
}

const Json* StoredMembers::optional(const char* name) {
  asked_.emplace_back(name);
  return error_ ? nullptr : base::find_member(json_, name);
}

const Json* StoredMembers::required(const char* name) {
  const Json* value = optional(name);
  if (value == nullptr && !error_) fail(name, "a member that is there");
  return value;
}

void StoredMembers::fail(const std::string& name, const std::string& wanted) {
  if (error_) return;
  const std::string at = name.empty() ? where_ : where_ + "/" + name;
  error_ =
      base::Error{std::string(kCode),
                  "the stored workflow is damaged at " + base::in_quotes(at) + ": wanted " + wanted,
                  "start a new run of the workflow", at};
}

}  // namespace phasegate::phases
