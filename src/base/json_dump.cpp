#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"

namespace phasegate::base {
namespace {

/// The library's own text of a value, which replaces ill-formed UTF-8.
std::string library_dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

constexpr std::array<bool, 256> bytes_to_escape() {
  std::array<bool, 256> result{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) result[byte] = true;
  result['"'] = result['\\'] = true;
  return result;
}

/// Takes what would be written and keeps its size only.
class ByteCount {
 public:
  ByteCount& operator+=(char) {
    ++size_;
    return *this;
  }
  ByteCount& operator+=(std::string_view text) {
    size_ += text.size();
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  void resize(std::size_t size) { size_ = size; }

 private:
  std::size_t size_ = 0;
};

template <typename Out>
void append_escaped(Out& out, char c) {
  constexpr std::string_view kNamed = "\"\"\\\\\bb\ff\nn\rr\tt";
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t i = 0; i < kNamed.size(); i += 2) {
    if (kNamed[i] == c) {
      out += '\\';
      out += kNamed[i + 1];
      return;
    }
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 0xFU];
}

/// Whether eight bytes are all ASCII and none of them has to be escaped.
bool are_plain(const char* bytes) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  constexpr std::uint64_t kHighBits = 0x80 * kEach;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  // Taking away sets the high bit of a byte that is smaller, here: a control character, a zero.
  const std::uint64_t control = word - 0x20 * kEach;
  const std::uint64_t quote = (word ^ ('"' * kEach)) - kEach;
  const std::uint64_t backslash = (word ^ ('\\' * kEach)) - kEach;
  return ((word | control | quote | backslash) & kHighBits) == 0;
}

/// Answers are mostly long texts, and the library writes those byte by byte; here they are looked
/// at eight bytes at a time, and everything between two escapes is copied at once.
template <typename Out>
void append_string(Out& out, std::string_view text) {
  static constexpr std::array<bool, 256> kEscape = bytes_to_escape();
  constexpr std::size_t kStep = 8;
  const std::size_t before = out.size();
  out += '"';
  unsigned char seen = 0;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (i + kStep <= text.size() && are_plain(text.data() + i)) {
      i += kStep;
      continue;
    }
    for (const std::size_t end = std::min(i + kStep, text.size()); i < end; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      seen |= byte;
      if (!kEscape[byte]) continue;
      out += text.substr(copied, i - copied);
      append_escaped(out, text[i]);
      copied = i + 1;
    }
  }
  out += text.substr(copied);
  out += '"';
  if (seen >= 0x80 && !is_utf8(text)) {
    out.resize(before);
    out += library_dump(Json(text), -1);
  }
}

template <typename Out>
void append(Out& out, const Json& value) {
  if (value.is_string()) {
    append_string(out, value.get_ref<const std::string&>());
  } else if (value.is_object()) {
    char separator = '{';
    for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
      out += separator;
      append_string(out, key);
      out += ':';
      append(out, member);
      separator = ',';
    }
    out += separator == '{' ? "{}" : "}";
  } else if (value.is_array()) {
    char separator = '[';
    for (const Json& element : value.get_ref<const Json::array_t&>()) {
      out += separator;
      append(out, element);
      separator = ',';
    }
    out += separator == '[' ? "[]" : "]";
  } else if (value.is_boolean()) {
    out += value.get<bool>() ? "true" : "false";
  } else if (value.is_number_unsigned()) {
    out += std::to_string(value.get<std::uint64_t>());
  } else if (value.is_number_integer()) {
    out += std::to_string(value.get<std::int64_t>());
  } else {
    out += library_dump(value, -1);
  }
}

}  // namespace

std::string dump(const Json& value) {
  std::string out;
  append(out, value);
  return out;
}

void append_dump(std::string& out, const Json& value) {
  append(out, value);
}

void append_json_string(std::string& out, std::string_view text) {
  append_string(out, text);
}

std::size_t dump_size(const Json& value) {
  ByteCount count;
  append(count, value);
  return count.size();
}

std::size_t json_string_size(std::string_view text) {
  ByteCount count;
  append_string(count, text);
  return count.size();
}

std::string dump_pretty(const Json& value) {
  return with_visible_controls(library_dump(value, 2));
}

}  // namespace phasegate::base
