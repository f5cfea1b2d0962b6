#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "base/json_write.h"
#include "base/text.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace phasegate::base {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// Below this many members a linear look for a duplicate key is quicker than a set.
constexpr std::size_t kLinearKeysMax = 16;
/// Room that an object gets with its first member.
constexpr std::size_t kMembersAtFirst = 4;
/// Room for values within values; few documents go deeper.
constexpr std::size_t kFramesAtFirst = 4;

/// Feeds the library's parser and counts lines: when a callback runs, the lexer stands just behind
/// the token it reports.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n' && line_ != nullptr) ++*line_;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  int* line_;
};

std::string pointer_token(std::string_view key) {
  std::string token = "/";
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

/// Builds the value and enforces depth and unique keys. Members are appended without the
/// library's linear search, so that an object with many keys costs linear time.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Builder(std::size_t depth_max, const int* line, std::map<std::string, int>* lines)
      : depth_max_(depth_max), line_(line), lines_(lines) {
    frames_.reserve(kFramesAtFirst);
  }

  bool null() { return put(Json(nullptr)); }
  bool boolean(bool value) { return put(Json(value)); }
  bool number_integer(number_integer_t value) { return put(Json(value)); }
  bool number_unsigned(number_unsigned_t value) { return put(Json(value)); }
  bool number_float(number_float_t value, const string_t&) { return put(Json(value)); }
  bool string(string_t& value) { return put(Json(std::move(value))); }
  bool binary(binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    if (skipped_depth_ > 0) return true;
    Frame& frame = frames_.back();
    if (has_key(frame, name)) {
      if (!error_) {
        error_ =
            Error{"invalid_json", "the key " + in_quotes(name) + " appears twice in one object",
                  "remove one of the two", ""};
      }
      frame.drop_next = true;
      return true;
    }
    frame.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
    std::string text = problem.what();
    if (const auto close_at = text.find("] "); close_at != std::string::npos) {
      text.erase(0, close_at + 2);
    }
    malformed_ = true;
    error_ = Error{"invalid_json", "not valid JSON: " + text, "", ""};
    return false;
  }

  ParsedJson take() {
    ParsedJson parsed;
    parsed.error = std::move(error_);
    parsed.malformed = malformed_;
    if (malformed_) {
      // What is on the stack is incomplete, yet its top level may hold a usable id.
      if (!frames_.empty()) parsed.document = std::move(frames_.front().value);
    } else {
      parsed.document = std::move(root_);
    }
    return parsed;
  }

 private:
  struct Frame {
    Json value;
    std::string key;
    bool drop_next = false;
    std::unordered_set<std::string> keys;
  };

  static bool has_key(Frame& frame, const std::string& name) {
    auto& members = frame.value.get_ref<Json::object_t&>();
    if (members.size() < kLinearKeysMax) {
      return std::any_of(members.begin(), members.end(),
                         [&](const auto& member) { return member.first == name; });
    }
    if (frame.keys.empty()) {
      for (const auto& member : members) frame.keys.insert(member.first);
    }
    return !frame.keys.insert(name).second;
  }

  void remember_line() {
    if (lines_ == nullptr) return;
    std::string pointer;
    for (const Frame& frame : frames_) {
      pointer += frame.value.is_array() ? pointer_token(std::to_string(frame.value.size()))
                                        : pointer_token(frame.key);
    }
    lines_->emplace(std::move(pointer), *line_);
  }

  bool put(Json value) {
    if (skipped_depth_ > 0) return true;
    remember_line();
    return attach(std::move(value));
  }

  bool attach(Json value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Frame& frame = frames_.back();
    if (frame.value.is_array()) {
      frame.value.push_back(std::move(value));
    } else if (frame.drop_next) {
      frame.drop_next = false;
    } else {
      // ordered_map is a vector of pairs; its own emplace would search all members again.
      auto& members = frame.value.get_ref<Json::object_t&>();
      if (members.size() == members.capacity()) {
        reserve_members(frame.value, std::max(kMembersAtFirst, 2 * members.size()));
      }
      static_cast<std::vector<Json::object_t::value_type>&>(members).emplace_back(
          std::move(frame.key), std::move(value));
    }
    return true;
  }

  bool open(Json value) {
    if (skipped_depth_ > 0 || frames_.size() >= depth_max_) {
      if (skipped_depth_ == 0 && !error_) {
        error_ = Error{"invalid_json",
                       "nested deeper than " + std::to_string(depth_max_) + " levels", "", ""};
      }
      ++skipped_depth_;
      return true;
    }
    remember_line();
    frames_.push_back(Frame{std::move(value), "", false, {}});
    return true;
  }

  bool close() {
    if (skipped_depth_ > 0) {
      if (--skipped_depth_ == 0) return attach(Json(nullptr));
      return true;
    }
    Json value = std::move(frames_.back().value);
    frames_.pop_back();
    return attach(std::move(value));
  }

  std::size_t depth_max_;
  const int* line_;
  std::map<std::string, int>* lines_;
  std::vector<Frame> frames_;
  std::size_t skipped_depth_ = 0;
  bool malformed_ = false;
  std::optional<Json> root_;
  std::optional<Error> error_;
};

ParsedJson parse(std::string_view text, JsonLimits limits, std::map<std::string, int>* lines) {
  if (text.size() > limits.bytes_max) {
    return {std::nullopt, Error{"invalid_json",
                                "the document has " + std::to_string(text.size()) +
                                    " bytes, the limit is " + std::to_string(limits.bytes_max),
                                "", ""}};
  }
  // The library takes a NUL for the end and would not look at what stands behind it.
  if (text.find('\0') != std::string_view::npos) {
    return {std::nullopt,
            Error{"invalid_json", "the document holds a NUL character",
                  "remove it; within a text it is written as \\u0000", ""},
            true};
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  int line = 1;
  Builder builder(limits.depth_max, &line, lines);
  if (lines != nullptr) {
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): a range, its end is the next line
    Json::sax_parse(CountingIterator(text.data(), &line),
                    CountingIterator(text.data() + text.size(), &line), &builder);
  } else {
    Json::sax_parse(text.begin(), text.end(), &builder);
  }
  return builder.take();
}

void canonical(const Json& value, std::string& out) {
  if (value.is_object()) {
    std::vector<const Json::object_t::value_type*> members;
    members.reserve(value.size());
    for (const auto& member : value.get_ref<const Json::object_t&>()) members.push_back(&member);
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return a->first < b->first; });
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out += ',';
      out += dump(Json(members[i]->first));
      out += ':';
      canonical(members[i]->second, out);
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      canonical(value[i], out);
    }
    out += ']';
  } else if (value.is_number_float()) {
    const auto whole = as_integer(value);
    out += whole ? std::to_string(*whole) : dump(value);
  } else {
    out += dump(value);
  }
}

}  // namespace

int JsonWithLines::line_of(std::string_view pointer) const {
  std::string at(pointer);
  while (true) {
    if (const auto found = lines.find(at); found != lines.end()) return found->second;
    const auto slash = at.rfind('/');
    if (slash == std::string::npos) return 1;
    at.resize(slash);
  }
}

Result<Json> parse_json(std::string_view text, JsonLimits limits) {
  ParsedJson parsed = parse(text, limits, nullptr);
  if (parsed.error) return std::move(*parsed.error);
  return std::move(*parsed.document);
}

ParsedJson parse_json_keeping(std::string_view text, JsonLimits limits) {
  return parse(text, limits, nullptr);
}

Result<JsonWithLines> parse_json_with_lines(std::string_view text, JsonLimits limits) {
  JsonWithLines result;
  ParsedJson parsed = parse(text, limits, &result.lines);
  if (parsed.error) return std::move(*parsed.error);
  result.document = std::move(*parsed.document);
  return result;
}

std::string dump_canonical(const Json& value) {
  std::string out;
  canonical(value, out);
  return out;
}

void reserve_members(Json& object, std::size_t members) {
  using Members = std::vector<Json::object_t::value_type>;
  Members& before = object.get_ref<Json::object_t&>();
  if (before.capacity() >= members) return;
  Members roomy;
  roomy.reserve(members);
  for (auto& [name, value] : before) roomy.emplace_back(name, std::move(value));
  before.swap(roomy);
}

Json object_with_room(std::size_t members) {
  Json object = Json::object();
  reserve_members(object, members);
  return object;
}

const Json* find_member(const Json& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
    if (key == name) return &member;
  }
  return nullptr;
}

std::optional<std::string> string_member(const Json& value, std::string_view name) {
  const Json* member = find_member(value, name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

std::optional<bool> bool_member(const Json& value, std::string_view name) {
  const Json* member = find_member(value, name);
  if (member == nullptr || !member->is_boolean()) return std::nullopt;
  return member->get<bool>();
}

std::optional<std::int64_t> integer_member(const Json& value, std::string_view name) {
  const Json* member = find_member(value, name);
  return member == nullptr ? std::nullopt : as_integer(*member);
}

std::optional<std::int64_t> as_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    // 2^63 as a double; the largest int64 is just below it.
    constexpr double kTooLarge = 9223372036854775808.0;
    if (std::floor(number) != number || number >= kTooLarge || number < -kTooLarge) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
  }
  return std::nullopt;
}

Json number_json(double value) {
  constexpr double kExact = 1e15;
  if (std::floor(value) == value && std::fabs(value) < kExact) {
    return Json(static_cast<std::int64_t>(value));
  }
  return Json(value);
}

std::string_view json_type_name(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return "boolean";
    case Json::value_t::string:
      return "string";
    case Json::value_t::array:
      return "array";
    case Json::value_t::object:
      return "object";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "integer";
    case Json::value_t::number_float:
      return as_integer(value) ? "integer" : "number";
    default:
      return "unknown";
  }
}

}  // namespace phasegate::base
