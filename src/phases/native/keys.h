#pragma once
#include <string>
#include <vector>

namespace phasegate::phases {

/// The keys of one kind of map in a native workflow file. docs/workflow.schema.json holds the same
/// keys; a test keeps the two in step.
struct NativeKeys {
  std::vector<std::string> read;
  /// Keys of the format that this version cannot carry out yet: they refuse the file, since to
  /// ignore one would be to drop a check that somebody believes in.
  std::vector<std::string> later;
};

[[nodiscard]] const NativeKeys& native_workflow_keys();
[[nodiscard]] const NativeKeys& native_defaults_keys();
/// Of a step of either kind; `decision.h` says which stand in which.
[[nodiscard]] const NativeKeys& native_step_keys();
[[nodiscard]] const NativeKeys& native_task_keys();
/// Of `{file: path}`.
[[nodiscard]] const NativeKeys& native_text_keys();
/// Of a field of evidence, in both spellings (`min_length`, `minLength`).
[[nodiscard]] const NativeKeys& native_evidence_keys();
/// Of an entry of `adopted_from`.
[[nodiscard]] const NativeKeys& native_adopted_keys();
/// Of an entry of `protect`.
[[nodiscard]] const NativeKeys& native_protect_keys();
/// Of `decision`, which a step of `kind: decision` has itself.
[[nodiscard]] const NativeKeys& native_decision_keys();
/// Of an entry of a decision's `options`.
[[nodiscard]] const NativeKeys& native_option_keys();
/// Of a decision's `approvers`.
[[nodiscard]] const NativeKeys& native_approvers_keys();
/// Of `items` within a field.
[[nodiscard]] const NativeKeys& native_item_keys();
[[nodiscard]] const NativeKeys& native_input_keys();
/// Of one property of the input.
[[nodiscard]] const NativeKeys& native_property_keys();

/// The values of the keys that take one of a few words; `later` as for keys.
[[nodiscard]] const NativeKeys& native_kinds();
[[nodiscard]] const NativeKeys& native_dialects();
[[nodiscard]] const NativeKeys& native_outlines();
[[nodiscard]] const NativeKeys& native_passages();
/// Of `outcome` and `input` of an option, and of `channel`.
[[nodiscard]] const NativeKeys& native_outcomes();
[[nodiscard]] const NativeKeys& native_option_inputs();
[[nodiscard]] const NativeKeys& native_channels();

/// `min_length` for `minLength`, and so on; the key itself if it has one spelling only.
[[nodiscard]] std::string plain_key(const std::string& key);

}  // namespace phasegate::phases
