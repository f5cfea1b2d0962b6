#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/limits.h"
#include "base/text.h"
#include "phases/text_position.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {
namespace {

namespace limits = base::limits;

/// Why the handler stopped the parser, which has no other way out.
struct Refused {
  std::string message;
  std::string hint;
  Position at;
};

/// What a dialect of YAML allows and how much of it.
struct Allowed {
  std::size_t depth_max;
  bool native = false;  ///< aliases are read, merge keys are refused
};

/// An anchored value, and what a copy of it costs.
struct Anchored {
  YamlNode node;
  std::size_t nodes = 0;
  std::size_t bytes = 0;
  std::size_t depth = 0;
};

std::size_t depth_of(const YamlNode& node) {
  std::size_t deepest = 0;
  for (const YamlNode& item : node.items) deepest = std::max(deepest, depth_of(item));
  for (const auto& member : node.members) deepest = std::max(deepest, depth_of(member.value));
  return deepest + (node.items.empty() && node.members.empty() ? 0 : 1);
}

/// Builds the tree from the parser's events, because the library's own tree keeps duplicate keys
/// and shares aliased nodes silently.
class Handler final : public YAML::EventHandler {
 public:
  Handler(Allowed allowed, std::string_view text) : allowed_(allowed), columns_(text) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    YamlNode node = node_at(mark, YamlNode::Kind::null);
    if (!frames_.empty() && frames_.back().has_key) {
      // The library places nothing where the next thing stands, which may be lines below.
      node.line = frames_.back().key_at.line;
      node.column = frames_.back().key_at.column;
    }
    put_counted(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Position at = position(mark);
    if (!allowed_.native) throw Refused{"aliases (*name) are not read", "", at};
    if (waits_for_key()) throw Refused{"an alias (*name) cannot be a key", "write the key out", at};
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw Refused{"an alias (*name) stands within its own anchor", "", at};
    }
    const Anchored& anchored = found->second;
    count(anchored.nodes, anchored.bytes, at);
    if (frames_.size() + anchored.depth > allowed_.depth_max) refuse_depth(at);
    YamlNode copy = anchored.node;
    copy.line = at.line;
    copy.column = at.column;
    put(std::move(copy));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    // "?" marks a plain scalar and "!" a quoted one; anything else was written by the author.
    if (!tag.empty() && tag != "?" && tag != "!") refuse_tag(mark, tag);
    YamlNode node = node_at(mark, YamlNode::Kind::null);
    node.quoted = tag == "!";
    const bool nothing = !node.quoted && (value.empty() || value == "~" || value == "null" ||
                                          value == "Null" || value == "NULL");
    if (!nothing) {
      node.kind = YamlNode::Kind::scalar;
      node.scalar = value;
    }
    put_counted(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  YamlNode take() { return std::move(root_); }
  Position position(const YAML::Mark& mark) {
    return mark.is_null() ? Position{} : columns_.at(mark.line, mark.column);
  }

 private:
  struct Frame {
    YamlNode node;
    bool has_key = false;
    std::string key;
    Position key_at;
    std::unordered_map<std::string, int> keys;  ///< the line of each
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t nodes_before = 0;
    std::size_t bytes_before = 0;
  };

  YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) {
    const Position at = position(mark);
    YamlNode node;
    node.kind = kind;
    node.line = at.line;
    node.column = at.column;
    return node;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor == YAML::NullAnchor || allowed_.native) return;
    throw Refused{"anchors (&name) are not read", "", position(mark)};
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    throw Refused{"tags are not read, found " + base::in_quotes(base::shortened(tag, 60)), "",
                  position(mark)};
  }
  void refuse_depth(Position at) const {
    throw Refused{"nested deeper than " + std::to_string(allowed_.depth_max) + " levels", "", at};
  }

  void count(std::size_t nodes, std::size_t bytes, Position at) {
    nodes_ += nodes;
    bytes_ += bytes;
    if (!allowed_.native) return;  // without aliases a tree is no larger than its text
    if (nodes_ > limits::kYamlNodesMax) {
      throw Refused{"the file holds more than " + std::to_string(limits::kYamlNodesMax) +
                        " values, those that aliases (*name) repeat included",
                    "repeat less with aliases, or split the workflow", at};
    }
    if (bytes_ > limits::kYamlExpandedBytesMax) {
      throw Refused{
          "the texts of the file, those that aliases (*name) repeat included, have more "
          "than " +
              std::to_string(limits::kYamlExpandedBytesMax) + " bytes",
          "repeat less with aliases, or split the workflow", at};
    }
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    if (!tag.empty() && tag != "?" && tag != "!") refuse_tag(mark, tag);
    if (frames_.size() >= allowed_.depth_max) refuse_depth(position(mark));
    if (waits_for_key()) {
      throw Refused{"a key must be a single word or text", "", position(mark)};
    }
    Frame frame;
    frame.node = node_at(mark, kind);
    frame.anchor = anchor;
    frame.nodes_before = nodes_;
    frame.bytes_before = bytes_;
    frames_.push_back(std::move(frame));
    count(1, 0, position(mark));
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.anchor != YAML::NullAnchor) {
      anchors_[frame.anchor] = {frame.node, nodes_ - frame.nodes_before,
                                bytes_ - frame.bytes_before, depth_of(frame.node)};
    }
    put(std::move(frame.node));
  }

  [[nodiscard]] bool waits_for_key() const {
    return !frames_.empty() && frames_.back().node.kind == YamlNode::Kind::map &&
           !frames_.back().has_key;
  }

  void put_counted(YamlNode node, YAML::anchor_t anchor) {
    count(1, node.scalar.size(), {node.line, node.column});
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {node, 1, node.scalar.size(), 0};
    put(std::move(node));
  }

  void put(YamlNode node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.kind == YamlNode::Kind::sequence) {
      frame.node.items.push_back(std::move(node));
      return;
    }
    if (!frame.has_key) return put_key(frame, std::move(node));
    frame.has_key = false;
    frame.node.members.push_back(
        {std::move(frame.key), frame.key_at.line, frame.key_at.column, std::move(node)});
  }

  void put_key(Frame& frame, YamlNode node) {
    const Position at{node.line, node.column};
    if (allowed_.native && node.scalar == "<<" && !node.quoted) {
      throw Refused{"merge keys (<<) are not read", "write the members out, or use an alias", at};
    }
    const auto [first, is_new] = frame.keys.emplace(node.scalar, node.line);
    if (!is_new) {
      throw Refused{"the key " + base::in_quotes(base::shortened(node.scalar, 60)) +
                        " appears twice in one map, first in line " + std::to_string(first->second),
                    "remove one of the two", at};
    }
    frame.key = std::move(node.scalar);
    frame.key_at = at;
    frame.has_key = true;
  }

  Allowed allowed_;
  ColumnFinder columns_;
  std::vector<Frame> frames_;
  YamlNode root_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

base::Error invalid(const std::string& message, const std::string& hint, Position at) {
  return {"invalid_yaml", "not valid YAML (safe subset): " + message, hint, to_text(at)};
}

/// The first tab that indents a line, in the line of an error or the one before it: what the
/// library says about these helps nobody.
std::optional<Position> indenting_tab(std::string_view text, int error_line) {
  int line = 1;
  for (const std::string_view content : base::split(text, '\n')) {
    if (line > error_line) break;
    const auto first = content.find_first_not_of(" \t");
    const auto tab = content.substr(0, first).find('\t');
    if (first != std::string_view::npos && tab != std::string_view::npos &&
        line + 1 >= error_line) {
      return Position{line, static_cast<int>(tab) + 1};
    }
    ++line;
  }
  return std::nullopt;
}

/// The library's words name the rule that was broken; what was meant is mostly this.
std::string hint_for(const std::string& message) {
  if (message.find("illegal map value") != std::string::npos) {
    return "a text of several lines behind | must be indented more than its key; a text that holds "
           "a "
           "colon with a blank behind it must be written in quotes";
  }
  if (message.find("end of") != std::string::npos) {
    return "check the indentation here and above, and that every bracket and quote is closed";
  }
  if (message.find("unknown token") != std::string::npos) {
    return "check the quotes here and in the line above: within { } and [ ] a text that holds ? or "
           "another special character must be written in quotes";
  }
  return "check the indentation and the quotes here and in the line above";
}

base::Result<YamlNode> parse(std::string_view text, Allowed allowed) {
  std::istringstream stream{std::string(text)};
  Handler handler(allowed, text);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler)) return YamlNode{};
    Handler second(allowed, text);
    if (parser.HandleNextDocument(second)) {
      const YamlNode root = second.take();
      return invalid("there is a second document", "keep one document in the file",
                     {root.line, root.column});
    }
    return handler.take();
  } catch (const Refused& refused) {
    return invalid(refused.message, refused.hint, refused.at);
  } catch (const YAML::Exception& problem) {
    const Position at = handler.position(problem.mark);
    if (const auto tab = indenting_tab(text, at.line)) {
      return invalid("a tab indents this line", "indent with spaces only", *tab);
    }
    return invalid(problem.msg, hint_for(problem.msg), at);
  }
}

}  // namespace

base::Result<YamlNode> parse_yaml(std::string_view text, std::size_t bytes_max,
                                  std::size_t depth_max) {
  if (text.size() > bytes_max) {
    return invalid("the file has " + std::to_string(text.size()) + " bytes, the limit is " +
                       std::to_string(bytes_max),
                   "", Position{});
  }
  if (const auto at = unclear_line_break(text); at != std::string_view::npos) {
    return invalid("the file holds a character that only some programs take for the end of a line",
                   "end lines with a line feed, or write it as an escape", position_of(text, at));
  }
  if (!base::is_utf8(text)) return invalid("the file is not UTF-8", "", Position{});
  return parse(text, {depth_max, false});
}

base::Result<YamlNode> parse_native_yaml(std::string_view text) {
  const auto plain = plain_text(text, limits::kWorkflowFileBytesMax);
  if (!plain) {
    return invalid(plain.error().message, plain.error().hint, position_from(plain.error().where));
  }
  return parse(*plain, {limits::kDocumentDepthMax, true});
}

}  // namespace phasegate::phases
