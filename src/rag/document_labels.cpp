#include "rag/document_labels.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "phases/front_matter.h"

namespace phasegate::rag {
namespace {

constexpr std::size_t kLabelBytesMax = 64;
constexpr std::size_t kTitleBytesMax = 200;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view cut(std::string_view text, std::size_t bytes_max) {
  return text.substr(0, base::utf8_boundary(text, bytes_max));
}

/// The number at the beginning of a text, without zeros before it; empty if there is none.
std::string_view number_of(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return cut(number, kLabelBytesMax);
}

/// `phase-3-build`, `phase_3`, `Phase 03` → `3`.
std::string_view number_of_phase_name(std::string_view lowered) {
  constexpr std::string_view kWord = "phase";
  if (!lowered.starts_with(kWord)) return {};
  lowered.remove_prefix(kWord.size());
  if (!lowered.empty() &&
      std::string_view("-_ .").find(lowered.front()) != std::string_view::npos) {
    lowered.remove_prefix(1);
  }
  return number_of(lowered);
}

/// The phase that a path names; `parts` are its folders and its name.
std::string phase_of_path(const std::vector<std::string_view>& parts) {
  std::string phase;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool folder = i + 1 < parts.size();
    const std::string name = base::lowered(parts[i]);
    std::string_view found = number_of_phase_name(name);
    if (found.empty() && i > 0 && base::lowered(parts[i - 1]) == "phases") {
      found = number_of(name);
      if (found.empty() && folder) found = cut(name, kLabelBytesMax);
    }
    if (!found.empty()) phase = found;
  }
  return phase;
}

void add_tag(std::vector<std::string>& tags, std::string_view tag) {
  std::string one = base::lowered(cut(base::trimmed(tag), kLabelBytesMax));
  if (one.empty() || tags.size() >= base::limits::kSearchTagsMax) return;
  if (std::find(tags.begin(), tags.end(), one) == tags.end()) tags.push_back(std::move(one));
}

void add_tags(std::vector<std::string>& tags, const phases::YamlNode* node) {
  if (node == nullptr) return;
  for (const std::string_view tag : base::split(node->scalar, ',')) add_tag(tags, tag);
  for (const phases::YamlNode& item : node->items) add_tag(tags, item.scalar);
}

/// The value of a key that holds one line of text.
std::string_view text_of(const phases::YamlNode& head, std::string_view key,
                         std::size_t bytes_max) {
  const phases::YamlNode* node = head.find(key);
  if (node == nullptr) return {};
  const std::string_view text = base::trimmed(node->scalar);
  return text.find('\n') == std::string_view::npos ? cut(text, bytes_max) : std::string_view();
}

std::string_view without_ending(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool in_name = dot != std::string_view::npos && dot > 0 &&
                       (slash == std::string_view::npos || dot > slash + 1);
  return in_name ? path.substr(0, dot) : path;
}

}  // namespace

DocumentLabels labels_of(std::string_view path, std::string_view text, bool head) {
  DocumentLabels labels;
  const std::vector<std::string_view> parts = base::split(path, '/');
  labels.phase = phase_of_path(parts);
  if (head) {
    const phases::YamlNode node = phases::front_matter_of(text);
    labels.title = text_of(node, "title", kTitleBytesMax);
    const std::string_view phase = text_of(node, "phase", kLabelBytesMax);
    if (!phase.empty()) labels.phase = phase;
    add_tags(labels.tags, node.find("tags"));
    add_tags(labels.tags, node.find("keywords"));
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) add_tag(labels.tags, parts[i]);
  return labels;
}

std::string words_of_path(std::string_view path) {
  std::string words(without_ending(path));
  for (char& c : words) {
    const bool letter = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        static_cast<unsigned char>(c) >= 0x80U;
    if (!letter) c = ' ';
  }
  return std::string(base::trimmed(words));
}

std::string words_of_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return words_of_path(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

bool is_markdown(std::string_view path) {
  const std::string name = base::lowered(path);
  return name.ends_with(".md") || name.ends_with(".markdown") || name.ends_with(".mdx");
}

}  // namespace phasegate::rag
