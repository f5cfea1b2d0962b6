#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads the members of one stored object and remembers the first thing that is wrong, so that a
/// reader is a plain list of members. Every member must be asked for: what nobody asked for is
/// unknown. After the first error every member reads as nothing.
class StoredMembers {
 public:
  static constexpr std::string_view kCode = "damaged_definition";

  /// `json` and `error` must outlive this; `where` is the object's place, as a JSON Pointer.
  StoredMembers(const base::Json& json, std::string where, std::optional<base::Error>& error);
  ~StoredMembers() = default;
  StoredMembers(const StoredMembers&) = delete;
  StoredMembers& operator=(const StoredMembers&) = delete;

  /// Reports members that nobody asked for.
  void finish();
  // Members that are always written. What is missing or of another type is the error, and reads as
  // an empty value.
  std::string text(const char* name);
  bool flag(const char* name);
  /// A whole number of [low, high].
  std::int64_t whole(const char* name, std::int64_t low, std::int64_t high);
  const base::Json& array(const char* name);
  std::vector<std::string> texts(const char* name);
  /// A list that is written only where it holds something.
  std::vector<std::string> optional_texts(const char* name);
  /// `[file, line, line_end]`
  Source source(const char* name);
  /// A member that is written only where it differs from `otherwise`.
  bool optional_flag(const char* name, bool otherwise);
  // Members that are written only where there is something to say. A wrong type is the error.
  std::vector<Scalar> optional_scalars(const char* name);
  std::optional<double> optional_number(const char* name);
  std::optional<std::int64_t> optional_length(const char* name);
  std::optional<std::string> optional_text(const char* name);
  /// `value` as a plain value; that it is none is reported under `name`.
  std::optional<Scalar> scalar(const char* name, const base::Json& value);
  /// The member, or null where it is absent or an error is known.
  const base::Json* optional(const char* name);
  const base::Json* required(const char* name);
  /// Reports, if nothing has been reported yet, that `name` ("" for the object) is not `wanted`.
  void fail(const std::string& name, const std::string& wanted);

 private:
  const base::Json& json_;
  std::string where_;
  std::optional<base::Error>& error_;
  std::vector<std::string> asked_;
};

}  // namespace phasegate::phases
