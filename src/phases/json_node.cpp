#include <unordered_map>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/text_position.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {
namespace {

namespace limits = base::limits;

constexpr std::size_t kMessageBytesMax = 300;

base::Error invalid(const std::string& message, const std::string& hint, Position at) {
  return {"invalid_json", "not valid JSON: " + message, hint, to_text(at)};
}

/// Walks JSON text that the strict parser has accepted (but for depth and duplicate keys) and makes
/// nodes with positions, which the parser does not tell.
class NodeMaker {
 public:
  explicit NodeMaker(std::string_view text) : text_(text) {}

  base::Result<YamlNode> make() {
    YamlNode root = value(0);
    if (error_) return std::move(*error_);
    return root;
  }

 private:
  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        counted_to_ = at_ + 1;
        column_ = 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  /// JSON has no line breaks within a token, so that the line is known without a search.
  Position here() {
    column_ += static_cast<int>(base::utf8_length(text_.substr(counted_to_, at_ - counted_to_)));
    counted_to_ = at_;
    return {line_, column_};
  }

  /// The token of a string, quotes included.
  std::string_view string_token() {
    const std::size_t from = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return text_.substr(from, at_ - from);
  }

  /// The parser resolves the escapes, surrogate pairs included.
  std::string string() {
    const auto parsed = base::parse_json(string_token(), {limits::kWorkflowFileBytesMax + 2, 1});
    return parsed && parsed->is_string() ? parsed->get<std::string>() : std::string();
  }

  YamlNode value(std::size_t depth) {
    skip_blanks();
    YamlNode node;
    const Position at = here();
    node.line = at.line;
    node.column = at.column;
    if (error_ || at_ >= text_.size()) return node;
    if (++nodes_ > limits::kYamlNodesMax) {
      error_ =
          invalid("the file holds more than " + std::to_string(limits::kYamlNodesMax) + " values",
                  "split the workflow", at);
      return node;
    }
    const char first = text_[at_];
    if ((first == '{' || first == '[') && depth >= limits::kDocumentDepthMax) {
      error_ = invalid(
          "nested deeper than " + std::to_string(limits::kDocumentDepthMax) + " levels", "", at);
    } else if (first == '{') {
      node.kind = YamlNode::Kind::map;
      read_members(node, depth);
    } else if (first == '[') {
      node.kind = YamlNode::Kind::sequence;
      read_items(node, depth);
    } else if (first == '"') {
      node.kind = YamlNode::Kind::scalar;
      node.quoted = true;
      node.scalar = string();
    } else {
      const std::size_t from = at_;
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      node.scalar = std::string(text_.substr(from, at_ - from));
      if (node.scalar == "null") {
        node.scalar.clear();
      } else {
        node.kind = YamlNode::Kind::scalar;
      }
    }
    return node;
  }

  /// Steps over `,` and says true, or over the closing bracket and says false.
  bool goes_on() {
    skip_blanks();
    return !error_ && at_ < text_.size() && text_[at_++] == ',';
  }

  /// Steps over the opening bracket; true if the closing one follows at once, which is skipped.
  bool is_empty(char closing) {
    ++at_;
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != closing) return false;
    ++at_;
    return true;
  }

  void read_members(YamlNode& node, std::size_t depth) {
    if (is_empty('}')) return;
    std::unordered_map<std::string, int> lines;
    do {
      skip_blanks();
      const Position at = here();
      std::string name = string();
      const auto [first, is_new] = lines.emplace(name, at.line);
      if (!is_new && !error_) {
        error_ = invalid("the key " + base::in_quotes(base::shortened(name, 60)) +
                             " appears twice in one object, first in line " +
                             std::to_string(first->second),
                         "remove one of the two", at);
      }
      skip_blanks();
      ++at_;  // the colon
      YamlNode member = value(depth + 1);
      node.members.push_back({std::move(name), at.line, at.column, std::move(member)});
    } while (goes_on());
  }

  void read_items(YamlNode& node, std::size_t depth) {
    if (is_empty(']')) return;
    do {
      node.items.push_back(value(depth + 1));
    } while (goes_on());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t counted_to_ = 0;
  int column_ = 1;
  std::size_t nodes_ = 0;
  std::optional<base::Error> error_;
};

/// "parse error at line 3, column 7: syntax error …" – the parser's own words for the place.
Position place_in(const std::string& message) {
  Position position;
  constexpr std::string_view kLine = "line ";
  constexpr std::string_view kColumn = ", column ";
  const auto line = message.find(kLine);
  const auto column = message.find(kColumn);
  if (line == std::string::npos || column == std::string::npos) return position;
  const std::string_view whole(message);
  position.line = position_from(whole.substr(line + kLine.size())).line;
  position.column = position_from(whole.substr(column + kColumn.size())).line;
  return position;
}

}  // namespace

base::Result<YamlNode> parse_native_json(std::string_view text) {
  const auto plain = plain_text(text, limits::kWorkflowFileBytesMax);
  if (!plain) {
    return invalid(plain.error().message, plain.error().hint, position_from(plain.error().where));
  }
  const base::ParsedJson parsed =
      base::parse_json_keeping(*plain, {limits::kWorkflowFileBytesMax, limits::kDocumentDepthMax});
  if (parsed.malformed) {
    std::string message = parsed.error->message;
    constexpr std::string_view kSaidAnyway = "not valid JSON: ";
    if (message.starts_with(kSaidAnyway)) message.erase(0, kSaidAnyway.size());
    const Position at = place_in(message);
    // The library quotes what it has read of a value, which may be most of the file.
    message = base::shortened(message, kMessageBytesMax);
    // "parse error at line 3, column 7: syntax error …": the place is said by the finding.
    if (const auto said = message.find(": "); said != std::string::npos) message.erase(0, said + 2);
    return invalid(message, "", at);
  }
  return NodeMaker(*plain).make();
}

}  // namespace phasegate::phases
