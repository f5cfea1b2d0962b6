#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "base/result.h"

namespace phasegate::gating {

/// Reads the members of one stored object and remembers the first thing that is wrong. Every member
/// must be there, have its type and be asked for: what the reader does not know it must not drop.
class StateMembers {
 public:
  /// `object` must outlive this; `where` is its place, "" for the state as a whole.
  StateMembers(const base::Json& object, std::string where);

  void read(std::string_view name, std::string& out);
  void read(std::string_view name, bool& out);
  void read(std::string_view name, std::int64_t& out, std::int64_t lowest);
  void read(std::string_view name, int& out, int lowest);
  void read(std::string_view name, base::TimePoint& out);

  /// `parse`: a text → the value, or nullopt.
  template <typename Enum, typename Parse>
  void read_enum(std::string_view name, Enum& out, Parse parse) {
    std::string text;
    read(name, text);
    if (problem_) return;
    if (const auto value = parse(text)) {
      out = *value;
    } else {
      fail_value(name, text);
    }
  }

  /// The array called `name`, or null after a failure.
  const base::Json* array(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const;
  const base::Json* member(std::string_view name);

  /// To be called last: names a member that nobody asked for.
  std::optional<base::Error> finish();
  void fail(const std::string& what, const std::string& why);
  [[nodiscard]] std::string path(std::string_view name) const;

 private:
  void fail_value(std::string_view name, const std::string& text);

  const base::Json& object_;
  std::string where_;
  std::size_t known_ = 0;
  std::optional<base::Error> problem_;
};

}  // namespace phasegate::gating
