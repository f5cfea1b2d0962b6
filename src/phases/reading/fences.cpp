#include "phases/reading/fences.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "phases/project_paths.h"
#include "phases/reading/item_text.h"
#include "phases/reading/quantities.h"
#include "phases/reading/requirement_text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

/// The lines of a fence with their numbers in the document.
template <typename Each>
void each_line(const MarkdownTree& tree, const Block& fence, Each each) {
  int line = tree.line(fence);
  for (const std::string_view text : base::split(tree.text(fence), '\n')) {
    each(line, text);
    ++line;
  }
}

/// The type of a value as sample calls and JSON write it.
Quantity value_shown(std::string_view value) {
  Quantity quantity;
  value = base::trimmed(value);
  while (value.ends_with(',')) value.remove_suffix(1);
  const std::string lower = base::lowered(value);
  quantity.type = ValueType::string;
  if (lower == "true" || lower == "false") {
    quantity.type = ValueType::boolean;
  } else if (value.starts_with('[')) {
    const auto slots = slots_in(value);
    const bool slot = slots.size() == 1 && slots[0].begin == 0 && slots[0].end == value.size() &&
                      value.find('"') == std::string_view::npos;
    if (slot) return slots[0].value;
    quantity.type = ValueType::array;
    quantity.may_be_empty = true;
  } else if (value.starts_with('{')) {
    const auto slots = slots_in(value);
    if (slots.size() == 1 && slots[0].end == value.size()) return slots[0].value;
    quantity.type = ValueType::object;
  } else if (value.starts_with('"') || value.starts_with('\'')) {
    std::string_view inside = value.substr(1, value.size() - (value.size() > 1 ? 2 : 1));
    if (inside.find('|') != std::string_view::npos) {
      for (const std::string_view option : base::split(inside, '|')) {
        quantity.one_of.emplace_back(std::string(base::trimmed(option)));
      }
    }
  } else if (!value.empty() &&
             (value.front() == '-' || (value.front() >= '0' && value.front() <= '9'))) {
    const bool point = value.find('.') != std::string_view::npos;
    quantity.type = point ? ValueType::number : ValueType::integer;
    quantity.minimum = 0;
  } else if (lower.starts_with("count") || lower.starts_with("len(") || lower.starts_with("num")) {
    quantity.type = ValueType::integer;
    quantity.minimum = 0;
  }
  return quantity;
}

/// `"name": value`, `name=value`, `name: value`; nullopt for any other line.
std::optional<Requirement> member(std::string_view text, const Source& source,
                                  RequirementSource kind) {
  text = base::trimmed(text);
  if (text.empty()) return std::nullopt;
  const char quote = text.front();
  std::string name;
  if (quote == '"' || quote == '\'') {
    const auto close = text.find(quote, 1);
    if (close == std::string_view::npos) return std::nullopt;
    name = std::string(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
    text = base::trimmed(text);
    if (!text.starts_with(':')) return std::nullopt;
    text.remove_prefix(1);
  } else {
    const auto end = text.find_first_of(":=");
    if (end == std::string_view::npos) return std::nullopt;
    name = std::string(base::trimmed(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  if (!is_plain_name(name)) return std::nullopt;
  Requirement requirement;
  requirement.name = std::move(name);
  requirement.kind = kind;
  requirement.source = source;
  std::string_view value = base::trimmed(text);
  for (const std::string_view comment : {" // ", " # "}) {
    const auto at = value.find(comment);
    if (at == std::string_view::npos) continue;
    requirement.description = std::string(base::trimmed(value.substr(at + comment.size())));
    value = base::trimmed(value.substr(0, at));
  }
  const std::string plain = base::lowered(value.substr(0, value.find_first_of(", ")));
  requirement.required =
      plain != "null" && plain != "none" && !is_optional_wording(requirement.description);
  apply_quantity(value_shown(value), requirement);
  return requirement;
}

/// One behind the box that a line begins with: `- [ ]`, `[_]`; 0 if it begins with none.
std::size_t box_end(std::string_view line) {
  const bool marked = line.starts_with("- ") || line.starts_with("* ");
  const std::string_view rest = line.substr(marked ? 2 : 0);
  for (const std::string_view box : {"[ ]", "[_]", "[x]", "[X]"}) {
    if (rest.starts_with(box)) return box.size() + (marked ? 2 : 0);
  }
  return 0;
}

int depth_change(std::string_view text) {
  int change = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '{' || text[i] == '[') ++change;
    if (text[i] == '}' || text[i] == ']') --change;
  }
  return change;
}

/// The members of an object whose opening brace ends the text that stood before.
class Members {
 public:
  explicit Members(RequirementSource kind) : kind_(kind) {}

  void open(std::string_view behind) {
    depth_ = 1 + depth_change(behind);
    open_ = depth_ > 0;
    started_ = true;
  }
  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] bool started() const { return started_; }

  void add_line(std::string_view text, const Source& source) {
    if (depth_ == 1) {
      if (auto one = member(text, source, kind_)) requirements.push_back(std::move(*one));
    }
    depth_ += depth_change(text);
    if (depth_ <= 0) open_ = false;
  }

  std::vector<Requirement> requirements;

 private:
  RequirementSource kind_;
  int depth_ = 0;
  bool open_ = false;
  bool started_ = false;
};

}  // namespace

std::vector<Requirement> sample_call_evidence(const MarkdownTree& tree, const Block& fence,
                                              std::string_view path) {
  Members members(RequirementSource::sample_call);
  each_line(tree, fence, [&](int line, std::string_view text) {
    if (members.is_open()) {
      members.add_line(text, {std::string(path), line, 0});
      return;
    }
    if (members.started()) return;
    const auto at = text.find("evidence");
    if (at == std::string_view::npos) return;
    std::string_view rest = base::trimmed(text.substr(at + 8));
    while (rest.starts_with('"') || rest.starts_with('\'') || rest.starts_with(' ')) {
      rest.remove_prefix(1);
    }
    if (!rest.starts_with('=') && !rest.starts_with(':')) return;
    rest = base::trimmed(rest.substr(1));
    if (!rest.starts_with('{')) return;
    members.open(rest.substr(1));
  });
  return std::move(members.requirements);
}

std::vector<Requirement> yaml_evidence(const MarkdownTree& tree, const Block& fence,
                                       std::string_view path) {
  std::vector<Requirement> fields;
  const auto indent_of = [](std::string_view text) { return text.find_first_not_of(" \t"); };
  std::optional<std::size_t> outer;  // indent of the key that opens the block
  std::optional<std::size_t> inner;  // indent of its fields
  each_line(tree, fence, [&](int line, std::string_view text) {
    const std::size_t indent = indent_of(text);
    if (indent == std::string_view::npos) return;
    const std::string_view bare = base::trimmed(text);
    if (!outer) {
      for (const std::string_view key :
           {"evidence:", "evidence_required:", "evidence_schema:", "required_evidence:"}) {
        if (bare == key) outer = indent;
      }
      return;
    }
    if (indent <= *outer) {
      outer = std::string_view::npos;  // the block has ended
      return;
    }
    if (bare.starts_with('#')) return;
    if (!inner) inner = indent;
    if (indent > *inner) {
      if (!fields.empty() && bare.starts_with("type:")) {
        if (const auto type = value_type_from(bare.substr(5))) {
          Quantity quantity;
          quantity.type = *type;
          apply_quantity(quantity, fields.back());
        }
      }
      if (!fields.empty() && bare == "required: false") fields.back().required = false;
      return;
    }
    auto field = member(bare, {std::string(path), line, 0}, RequirementSource::field);
    if (!field) return;
    const std::string said = base::lowered(field->description);
    if (said.starts_with("should be ") || said.starts_with("must be ")) {
      if (const auto value = typed_value("must be " + said.substr(said.find(" be ") + 4))) {
        apply_quantity(*value, *field);
      }
    }
    fields.push_back(std::move(*field));
  });
  return fields;
}

std::vector<Requirement> shown_object(const MarkdownTree& tree, const Block& fence,
                                      std::string_view path) {
  Members members(RequirementSource::field);
  each_line(tree, fence, [&](int line, std::string_view text) {
    if (members.is_open()) {
      members.add_line(text, {std::string(path), line, 0});
    } else if (!members.started() && base::trimmed(text) == "{") {
      members.open("");
    }
  });
  return std::move(members.requirements);
}

std::vector<Requirement> form_fields(const MarkdownTree& tree, const Block& fence,
                                     std::string_view path) {
  std::vector<Requirement> fields;
  // With headings of its own it is the template of a document to be written.
  bool document = false;
  each_line(tree, fence, [&](int, std::string_view text) {
    document = document || text.starts_with("# ") || text.starts_with("## ");
  });
  each_line(tree, fence, [&](int line, std::string_view text) {
    std::string_view rest = base::trimmed(text);
    const Source source{std::string(path), line, 0};
    if (const std::size_t box = box_end(rest); box > 0) {
      const std::string_view sentence = base::trimmed(rest.substr(box));
      if (is_placeholder(sentence) || document) return;
      Statement said;
      said.text = plain_sentence(sentence);
      for (Requirement& one :
           requirements_from(said, Asked::condition, RequirementSource::checkbox, source)) {
        fields.push_back(std::move(one));
      }
      return;
    }
    while (!rest.empty() && (rest.front() == '-' || rest.front() == '*' || rest.front() == '#' ||
                             rest.front() == ' ')) {
      rest.remove_prefix(1);
    }
    if (const auto slots = slots_in(rest); slots.size() == 1 && slots[0].end == rest.size() &&
                                           slots[0].value.type == ValueType::boolean) {
      // `- Issue identified? [YES/NO]`
      Requirement asked = condition_from(plain_sentence(rest.substr(0, slots[0].begin)),
                                         RequirementSource::field, source);
      asked.type = ValueType::boolean;
      fields.push_back(std::move(asked));
      return;
    }
    const auto colon = rest.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon > 60) return;
    Statement line_said;
    line_said.text = plain_sentence(rest);
    line_said.text.erase(std::remove(line_said.text.begin(), line_said.text.end(), '*'),
                         line_said.text.end());
    const std::string_view content = base::trimmed(rest.substr(colon + 1));
    const bool slot = !slots_in(content).empty() && is_placeholder(content);
    const bool file = content.find('/') != std::string_view::npos &&
                      content.find(' ') == std::string_view::npos && !slots_in(content).empty();
    if (file && !slot) {
      Requirement field;
      field.name = name_from_sentence(rest.substr(0, colon));
      field.description = line_said.text;
      field.kind = RequirementSource::field;
      field.source = source;
      field.type = ValueType::string;
      field.format = content.ends_with('/') ? kProjectFolder : path_format(field.name);
      fields.push_back(std::move(field));
      return;
    }
    if (slot && !base::trimmed(text).starts_with('#')) {
      for (Requirement& one :
           requirements_from(line_said, Asked::value, RequirementSource::field, source)) {
        fields.push_back(std::move(one));
      }
    } else if (content.find(" | ") != std::string_view::npos) {
      const auto options = slots_in("[" + std::string(content) + "]");
      if (options.empty() || options[0].value.one_of.empty()) return;
      Requirement field;
      field.name = name_from_sentence(rest.substr(0, colon));
      field.description = line_said.text;
      field.kind = RequirementSource::field;
      field.source = source;
      apply_quantity(options[0].value, field);
      fields.push_back(std::move(field));
    }
  });
  return fields;
}

}  // namespace phasegate::phases
