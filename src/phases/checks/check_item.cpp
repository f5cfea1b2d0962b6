#include "phases/checks/check_item.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/check_rules.h"
#include "phases/checks/check_values.h"

namespace phasegate::phases {
namespace {

using base::Json;
using Kind = YamlNode::Kind;

constexpr std::size_t kNameBytesMax = 64;
/// A member of the check's whole, one of the parameters, and then what that holds.
constexpr std::size_t kLevelsAround = 2;

constexpr std::array kAllKinds = {CheckKind::file,  CheckKind::command,  CheckKind::tests,
                                  CheckKind::json,  CheckKind::sqlite,   CheckKind::git,
                                  CheckKind::count, CheckKind::http,     CheckKind::expr,
                                  CheckKind::junit, CheckKind::coverage, CheckKind::guard};

const std::vector<std::string>& item_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::vector<std::string> keys;
    for (const CheckKind kind : kAllKinds) keys.emplace_back(to_text(kind));
    keys.insert(keys.end(), {"name", "error", "cache"});
    return keys;
  }();
  return kKeys;
}

std::string shown(std::string_view text) {
  return base::in_quotes(base::shortened(text, 60));
}

/// `min_size, matches, …` of a kind.
std::vector<std::string> member_names(CheckKind kind) {
  std::vector<std::string> names;
  for (const CheckMember& member : check_members(kind)) names.emplace_back(member.name);
  return names;
}

class ItemReader {
 public:
  ItemReader(const YamlNode& item, std::string what, bool named, const NativeReport& report)
      : item_(item), what_(std::move(what)), named_(named), report_(report) {}

  std::optional<CheckItem> read() {
    read_.check.source = report_.kept(item_.line);
    if (item_.kind == Kind::scalar && scalar_kind(item_) == ScalarKind::text) {
      read_.check.kind = CheckKind::expr;
      return read_kind(item_) ? std::optional(std::move(read_)) : std::nullopt;
    }
    if (item_.kind != Kind::map) {
      report_.wrong_type(what_, "a map with a kind such as file or command, or an expression",
                         item_, "write - {file: docs/plan.md}");
      return std::nullopt;
    }
    const YamlNode* kind = find_kind();
    const bool beside = read_beside();
    if (kind == nullptr || !read_kind(*kind) || !read_cache() || !beside) return std::nullopt;
    return std::move(read_);
  }

 private:
  /// The value of the one key that is a kind; null after an error.
  const YamlNode* find_kind() {
    const YamlNode::Member* found = nullptr;
    for (const auto& member : item_.members) {
      if (!check_kind_from(member.name)) continue;
      if (found != nullptr) {
        report_.error("contradicting_keys",
                      what_ + " is a " + found->name + " and a " + member.name + " at once",
                      "make two checks of it", report_.at(member));
        return nullptr;
      }
      found = &member;
    }
    if (found != nullptr) {
      read_.check.kind = *check_kind_from(found->name);
      what_ += " (" + found->name + ")";
      return &found->value;
    }
    // A word that is nearly a kind is said as such; without any the kinds are named.
    for (const auto& member : item_.members) {
      if (!is_known(member.name)) return nullptr;
    }
    std::vector<std::string> kinds = item_keys();
    kinds.resize(kAllKinds.size());
    report_.error("missing_key", what_ + " does not say what to look at",
                  "write one of " + base::joined(kinds, ", "), report_.at(item_));
    return nullptr;
  }

  static bool is_known(const std::string& key) {
    const auto& keys = item_keys();
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  /// What stands beside the kind. False after an error.
  bool read_beside() {
    bool sound = true;
    for (const auto& member : item_.members) {
      if (member.name == "name") {
        sound = read_name(member) && sound;
      } else if (member.name == "error") {
        const auto text = report_.shown_text(member.value, "error of " + what_);
        if (text) read_.check.error = *text;
        sound = text && sound;
      } else if (!is_known(member.name)) {
        const auto nearest = nearest_key(member.name, item_keys());
        report_.error("unknown_key",
                      what_ + " has the key " + shown(member.name) + ", which is not known",
                      nearest ? "did you mean " + *nearest + "?"
                              : "a check has one of " + base::joined(item_keys(), ", "),
                      report_.at(member));
        sound = false;
      }
    }
    return sound;
  }

  bool read_name(const YamlNode::Member& member) {
    if (named_) {
      report_.error("contradicting_keys", what_ + " stands under its name and has another",
                    "remove name", report_.at(member));
      return false;
    }
    const auto name = report_.text(member.value, "name of " + what_);
    if (!name) return false;
    const bool usable = !name->empty() && name->size() <= kNameBytesMax &&
                        (name->front() < '0' || name->front() > '9') && name->front() != '-' &&
                        std::all_of(name->begin(), name->end(), [](unsigned char c) {
                          return c == '_' || c == '-' || (c >= '0' && c <= '9') ||
                                 (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                        });
    if (!usable) {
      report_.error("unusable_name", shown(*name) + " cannot be the name of a check",
                    "use at most 64 letters, digits, _ and -, and begin with a letter",
                    report_.at(member.value));
      return false;
    }
    read_.check.name = *name;
    read_.name_line = member.value.line;
    read_.name_column = member.value.column;
    return true;
  }

  /// Only what says which files it depends on can be told to depend on nothing else.
  bool read_cache() {
    const YamlNode* cache = item_.find("cache");
    if (cache == nullptr) return true;
    static const NativeKeys kInputs = {{"inputs"}, {}};
    bool later = false;
    if (!report_.word(*cache, kInputs, "cache of " + what_, later)) return false;
    if (base::find_member(parameters_, "inputs") == nullptr) {
      report_.error("missing_key", what_ + " has cache: inputs without inputs",
                    "write inputs: [src/**], the files that it depends on; only command and tests "
                    "have them",
                    report_.at(*cache));
      return false;
    }
    read_.check.cache_inputs = true;
    return true;
  }

  bool read_kind(const YamlNode& node) {
    const CheckKind kind = read_.check.kind;
    const bool whole = node.kind == Kind::map && &node != &item_;
    const bool sound = whole ? read_members(node) : read_short(node);
    if (!sound || !check_kind_rules(kind, node, what_, parameters_, report_)) return false;
    read_.check.parameters = base::dump_canonical(parameters_);
    if (read_.check.parameters.size() <= base::limits::kCheckBytesMax) return true;
    report_.error("check_too_large",
                  what_ + " has " + std::to_string(read_.check.parameters.size()) +
                      " bytes, the limit is " + std::to_string(base::limits::kCheckBytesMax),
                  "put what is long into a file of the project", report_.at(node));
    return false;
  }

  bool read_short(const YamlNode& node) {
    const CheckKind kind = read_.check.kind;
    const std::string word(to_text(kind));
    if (kind == CheckKind::git && node.kind == Kind::scalar) return read_git(node);
    const std::string_view name = short_member(kind);
    if (name.empty() || node.is_null()) {
      const auto names = member_names(kind);
      report_.wrong_type(what_, "a map", node, word + ": {…} has " + base::joined(names, ", "));
      return false;
    }
    for (const CheckMember& member : check_members(kind)) {
      if (member.name == name) return read_member(member, node);
    }
    return false;
  }

  /// `git: clean` says what `git: {clean: true}` says.
  bool read_git(const YamlNode& node) {
    static const NativeKeys kWords = {{"clean", "changed"}, {}};
    bool later = false;
    const auto word = report_.word(node, kWords, "git", later);
    if (word) parameters_[*word] = true;
    return word.has_value();
  }

  bool read_members(const YamlNode& node) {
    const auto& members = check_members(read_.check.kind);
    bool sound = true;
    for (const auto& written : node.members) {
      const auto member =
          std::find_if(members.begin(), members.end(),
                       [&](const CheckMember& known) { return known.name == written.name; });
      if (member == members.end()) {
        const auto names = member_names(read_.check.kind);
        const auto nearest = nearest_key(written.name, names);
        report_.error(
            "unknown_key", what_ + " has the key " + shown(written.name) + ", which is not known",
            nearest ? "did you mean " + *nearest + "?" : "known keys: " + base::joined(names, ", "),
            report_.at(written));
        sound = false;
      } else {
        sound = read_member(*member, written.value) && sound;
      }
    }
    for (const CheckMember& member : members) {
      if (!member.required || node.find(member.name) != nullptr) continue;
      report_.error("missing_key", what_ + " has no " + std::string(member.name),
                    "write " + std::string(member.name) + ":", report_.at(node));
      sound = false;
    }
    return sound;
  }

  bool read_member(const CheckMember& member, const YamlNode& node) {
    // The root is where it is run anyway, and is no path below the root.
    if (member.name == "cwd" && (node.scalar == "." || node.scalar == "./")) return true;
    const std::string of = std::string(member.name) + " of " + what_;
    auto value = read_check_value(member, node, of, report_);
    if (!value) return false;
    if (depth_fits(*value)) {
      parameters_[std::string(member.name)] = std::move(*value);
      return true;
    }
    report_.error("check_too_large",
                  of + " is nested deeper than " +
                      std::to_string(base::limits::kDocumentDepthMax - kLevelsAround) + " levels",
                  "", report_.at(node));
    return false;
  }

  /// What is kept must be readable again.
  static bool depth_fits(const Json& value) {
    if (value.is_primitive()) return true;
    const auto read = base::parse_json(base::dump(value),
                                       {SIZE_MAX, base::limits::kDocumentDepthMax - kLevelsAround});
    return read.ok();
  }

  const YamlNode& item_;
  std::string what_;
  bool named_;
  const NativeReport& report_;
  CheckItem read_;
  Json parameters_ = Json::object();
};

}  // namespace

std::optional<CheckItem> read_check_item(const YamlNode& item, const std::string& what, bool named,
                                         const NativeReport& report) {
  return ItemReader(item, what, named, report).read();
}

}  // namespace phasegate::phases
