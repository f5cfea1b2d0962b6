#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "phases/finding_list.h"
#include "phases/native/keys.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// What the parts of the native reader share: how a finding is made, and how a value is read that
/// may be of the wrong type. All findings go to one list; the object is cheap to copy.
class NativeReport {
 public:
  /// `file` is the workflow file's name. `findings` outlives the object.
  NativeReport(std::string file, FindingList& findings)
      : file_(std::move(file)), findings_(&findings) {}
  /// The same for what belongs to one step.
  [[nodiscard]] NativeReport of_step(std::string id) const;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& step() const { return step_; }
  [[nodiscard]] FindingList& findings() const { return *findings_; }
  [[nodiscard]] Source at(const YamlNode& node) const { return {file_, node.line, 0, node.column}; }
  [[nodiscard]] Source at(const YamlNode::Member& member) const {
    return {file_, member.line, 0, member.column};
  }
  /// For the model, which keeps lines only.
  [[nodiscard]] Source kept(int line) const { return {file_, line, 0, 0}; }

  void error(std::string code, std::string message, std::string hint, Source source) const;

  /// `evidence must be a map, got the number 3`.
  void wrong_type(std::string_view what, std::string_view wanted, const YamlNode& got,
                  std::string hint = "") const;
  /// `when is not supported yet`: the file is refused rather than the key ignored.
  void not_supported_yet(std::string_view what, Source source) const;

  /// Refuses every key that is not read: `unknown_key` with the nearest known one, or
  /// `not_supported_yet`. True if one of the latter was found.
  bool refuse_other_keys(const YamlNode& map, const NativeKeys& keys, std::string_view where) const;

  /// Reads one of a few words. nullopt, and an error, for anything else; sets `later` if the word
  /// is one that is not supported yet.
  [[nodiscard]] std::optional<std::string> word(const YamlNode& node, const NativeKeys& words,
                                                std::string_view key, bool& later) const;
  /// A text; numbers and booleans without quotes are none.
  [[nodiscard]] std::optional<std::string> text(const YamlNode& node, std::string_view what) const;
  /// `true` or `false`, nothing else.
  [[nodiscard]] std::optional<bool> flag(const YamlNode& node, std::string_view what) const;
  /// A text that is shown in every answer: a long one is shortened (info `text_shortened`).
  [[nodiscard]] std::optional<std::string> shown_text(
      const YamlNode& node, std::string_view what,
      std::size_t bytes_max = base::limits::kTitleBytesMax) const;

 private:
  std::string file_;
  std::string step_;
  FindingList* findings_;
};

/// The key of `known` that is probably meant by another one: what other formats call it (`cmd` for
/// argv, `min` for at_least), or the nearest spelling.
[[nodiscard]] std::optional<std::string> nearest_key(const std::string& key,
                                                     const std::vector<std::string>& known);

/// What a plain scalar is in JSON's terms. `yes`, `on` and `0x1F` are texts.
enum class ScalarKind { text, number, boolean };
[[nodiscard]] ScalarKind scalar_kind(const YamlNode& node);

/// `the number 3`, `the text "a"`, `a list`, `nothing`, for messages.
[[nodiscard]] std::string described(const YamlNode& node);

/// Nothing but blanks and line breaks.
[[nodiscard]] bool is_blank(std::string_view text);

}  // namespace phasegate::phases
