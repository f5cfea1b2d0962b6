#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phasegate::base {

/// Why something was refused, in words that the reader (often an assistant) can act on.
struct Error {
  std::string code;     ///< stable, snake_case, for programs: `not_found`, `invalid_argument`, …
  std::string message;  ///< what was wrong, as one sentence
  std::string hint;     ///< what to do next; may be empty
  std::string where;    ///< `file:line` or the argument's name; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

/// `message (where) – hint`, for people and logs.
[[nodiscard]] std::string to_text(const Error& error);

/// A value, or the reason why there is none. Bad input is an Error; a broken environment (disk,
/// memory, a damaged database) throws and is caught at the program's three edges.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const& { return std::get<1>(content_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(content_)); }

 private:
  std::variant<T, Error> content_;
};

/// The same for functions that return nothing.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const& { return *error_; }
  [[nodiscard]] Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace phasegate::base
