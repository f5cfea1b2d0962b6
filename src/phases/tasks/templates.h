#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::phases {

/// What a template of dynamic phases is filled with, by the name of the place: `TASK_NAME`.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

struct FilledTemplate {
  std::string text;
  std::vector<std::string> used;  ///< names of the values that stand in it, sorted
};

/// Fills `[TASK_NAME]`, and the variants that templates carry: `[DEPENDENCIES or "None"]`. Lines
/// that stand for a list of tasks (`- Task [N.1]: [Brief description]`, `[... list all tasks]`)
/// become `task_lines`, once. Anything else in brackets stays: it is for the assistant. What was
/// filled in is not looked through again. Linear in the template and what is filled in.
[[nodiscard]] FilledTemplate fill_template(std::string_view text, const TemplateValues& values,
                                           const std::string& task_lines);

/// The lines without the blanks that all of them begin with, and without blank lines around them.
[[nodiscard]] std::string without_indent(std::string_view text);

}  // namespace phasegate::phases
