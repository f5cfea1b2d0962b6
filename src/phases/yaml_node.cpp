#include "phases/yaml_node.h"

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/text.h"

namespace phasegate::phases {
namespace {

/// Why the handler stopped the parser, which has no other way out.
struct Refused {
  std::string message;
  int line;
};

int line_of(const YAML::Mark& mark) {
  return mark.is_null() ? 1 : mark.line + 1;
}

/// Builds the tree from the parser's events, because the library's own tree keeps duplicate keys
/// and shares aliased nodes silently.
class Handler final : public YAML::EventHandler {
 public:
  explicit Handler(std::size_t depth_max) : depth_max_(depth_max) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    YamlNode node;
    node.line = line_of(mark);
    put(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{"aliases (*name) are not read", line_of(mark)};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    // "?" marks a plain scalar and "!" a quoted one; anything else was written by the author.
    if (!tag.empty() && tag != "?" && tag != "!") refuse_tag(mark, tag);
    YamlNode node;
    node.line = line_of(mark);
    node.quoted = tag == "!";
    const bool nothing = !node.quoted && (value.empty() || value == "~" || value == "null" ||
                                          value == "Null" || value == "NULL");
    if (!nothing) {
      node.kind = YamlNode::Kind::scalar;
      node.scalar = value;
    }
    put(std::move(node));
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

 private:
  struct Frame {
    YamlNode node;
    bool has_key = false;
    std::string key;
    int key_line = 1;
    std::unordered_set<std::string> keys;
  };

  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) throw Refused{"anchors (&name) are not read", line_of(mark)};
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    throw Refused{"tags are not read, found " + base::in_quotes(base::shortened(tag, 60)),
                  line_of(mark)};
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    refuse_anchor(mark, anchor);
    if (!tag.empty() && tag != "?" && tag != "!") refuse_tag(mark, tag);
    if (frames_.size() >= depth_max_) {
      throw Refused{"nested deeper than " + std::to_string(depth_max_) + " levels", line_of(mark)};
    }
    if (waits_for_key()) throw Refused{"a key must be a single word or text", line_of(mark)};
    Frame frame;
    frame.node.kind = kind;
    frame.node.line = line_of(mark);
    frames_.push_back(std::move(frame));
  }

  void close() {
    YamlNode node = std::move(frames_.back().node);
    frames_.pop_back();
    put(std::move(node));
  }

  [[nodiscard]] bool waits_for_key() const {
    return !frames_.empty() && frames_.back().node.kind == YamlNode::Kind::map &&
           !frames_.back().has_key;
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
    if (!frame.has_key) {
      if (!frame.keys.insert(node.scalar).second) {
        throw Refused{"the key " + base::in_quotes(base::shortened(node.scalar, 60)) +
                          " appears twice in one map",
                      node.line};
      }
      frame.key = std::move(node.scalar);
      frame.key_line = node.line;
      frame.has_key = true;
      return;
    }
    frame.has_key = false;
    frame.node.members.push_back({std::move(frame.key), frame.key_line, std::move(node)});
  }

  std::size_t depth_max_;
  std::vector<Frame> frames_;
  YamlNode root_;
};

base::Error invalid(const std::string& message, int line) {
  return {"invalid_yaml", "not valid YAML (safe subset): " + message, "", std::to_string(line)};
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

std::optional<bool> YamlNode::as_bool() const {
  if (kind != Kind::scalar || quoted) return std::nullopt;
  const std::string word = base::lowered(scalar);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::string_view YamlNode::kind_name() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::scalar:
      return "scalar";
    case Kind::sequence:
      return "list";
    case Kind::map:
      return "map";
  }
  return "null";
}

base::Result<YamlNode> parse_yaml(std::string_view text, std::size_t bytes_max,
                                  std::size_t depth_max) {
  if (text.size() > bytes_max) {
    return invalid("the file has " + std::to_string(text.size()) + " bytes, the limit is " +
                       std::to_string(bytes_max),
                   1);
  }
  if (!base::is_utf8(text)) return invalid("the file is not UTF-8", 1);
  std::istringstream stream{std::string(text)};
  Handler handler(depth_max);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler)) return YamlNode{};
    Handler second(depth_max);
    if (parser.HandleNextDocument(second)) return invalid("there is a second document", 1);
    return handler.take();
  } catch (const Refused& refused) {
    return invalid(refused.message, refused.line);
  } catch (const YAML::Exception& problem) {
    return invalid(problem.msg, line_of(problem.mark));
  }
}

}  // namespace phasegate::phases
