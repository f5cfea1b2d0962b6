#include "phases/tasks/templates.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace phasegate::phases {
namespace {

/// `NAME` of `NAME]` or `NAME or anything]`; empty if that is not what stands there.
std::string_view place_name(std::string_view inside) {
  std::size_t length = 0;
  while (length < inside.size() &&
         ((inside[length] >= 'A' && inside[length] <= 'Z') || inside[length] == '_')) {
    ++length;
  }
  const std::string_view rest = inside.substr(length);
  return rest.empty() || rest.starts_with(" or ") ? inside.substr(0, length) : std::string_view();
}

bool stands_for_tasks(std::string_view line) {
  const std::string_view said = base::trimmed(line);
  return (said.starts_with('-') || said.starts_with('*')) &&
                 said.find("[N.") != std::string_view::npos
             ? true
             : base::lowered(said).find("list all tasks]") != std::string::npos;
}

bool is_blank_line(std::string_view line) {
  return base::trimmed(line).empty();
}

}  // namespace

FilledTemplate fill_template(std::string_view text, const TemplateValues& values,
                             const std::string& task_lines) {
  FilledTemplate filled;
  std::set<std::string> used;
  bool listed = false;
  const auto lines = base::split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (stands_for_tasks(line)) {
      if (!listed) filled.text += task_lines;
      listed = true;
      continue;
    }
    while (true) {
      const auto open = line.find('[');
      const auto close = line.find(']', std::min(open, line.size()));
      if (open == std::string_view::npos || close == std::string_view::npos) break;
      const auto value = values.find(place_name(line.substr(open + 1, close - open - 1)));
      if (value == values.end()) {
        filled.text += line.substr(0, open + 1);
        line.remove_prefix(open + 1);
        continue;
      }
      used.insert(value->first);
      filled.text += line.substr(0, open);
      filled.text += value->second;
      line.remove_prefix(close + 1);
    }
    filled.text += line;
    if (i + 1 < lines.size()) filled.text += '\n';
  }
  filled.used.assign(used.begin(), used.end());
  return filled;
}

std::string without_indent(std::string_view text) {
  auto lines = base::split(text, '\n');
  while (!lines.empty() && is_blank_line(lines.back())) lines.pop_back();
  lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), is_blank_line));
  std::size_t indent = std::string_view::npos;
  for (const std::string_view line : lines) {
    if (!is_blank_line(line)) indent = std::min(indent, line.find_first_not_of(' '));
  }
  std::string out;
  for (const std::string_view line : lines) {
    out += line.substr(std::min(indent, line.size()));
    out += '\n';
  }
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace phasegate::phases
