#include "gating/alias_names.h"

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating {

using base::Json;

AliasNames::AliasNames(const phases::Gate& gate) {
  for (const phases::Requirement& requirement : gate.requirements) {
    by_name_.emplace(requirement.name, names_.size());
    names_.push_back(requirement.name);
  }
  const auto note = [](auto& names, const std::string& name, std::size_t index) {
    if (name.empty()) return;
    const auto [known, is_new] = names.emplace(name, index);
    if (!is_new && known->second != index) known->second = std::nullopt;
  };
  for (std::size_t i = 0; i < gate.requirements.size(); ++i) {
    for (const std::string& alias : gate.requirements[i].aliases) {
      note(exact_, alias, i);
      note(normalised_, normalised(alias), i);
    }
  }
}

std::string AliasNames::normalised(std::string_view name) {
  std::string words;
  bool gap = false;
  for (const char c : base::lowered(name)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80;
    if (letter) {
      if (gap && !words.empty()) words += '_';
      words += c;
    }
    gap = !letter;
  }
  return words;
}

std::optional<std::size_t> AliasNames::meant_by(const std::string& field) const {
  if (by_name_.contains(field)) return std::nullopt;
  if (const auto found = exact_.find(field); found != exact_.end()) return found->second;
  const auto found = normalised_.find(normalised(field));
  return found == normalised_.end() ? std::nullopt : found->second;
}

NamedEvidence AliasNames::published(const Json& evidence) const {
  NamedEvidence named;
  if (exact_.empty() || !evidence.is_object()) return named;
  const auto& fields = evidence.get_ref<const Json::object_t&>();
  std::vector<bool> present(names_.size(), false);
  for (const auto& [field, value] : fields) {
    if (const auto found = by_name_.find(field); found != by_name_.end()) {
      present[found->second] = true;
    }
  }
  struct Sent {
    std::vector<std::string> fields;
    const Json* value = nullptr;
    bool differ = false;
  };
  std::map<std::size_t, Sent> sent;
  std::map<std::string, std::size_t> meant;
  for (const auto& [field, value] : fields) {
    const auto index = meant_by(field);
    if (!index || present[*index]) continue;
    Sent& one = sent[*index];
    if (one.value == nullptr) one.value = &value;
    one.differ = one.differ || *one.value != value;
    one.fields.push_back(field);
    meant.emplace(field, *index);
  }
  for (const auto& [index, one] : sent) {
    if (one.differ) named.conflicts.push_back({names_[index], one.fields});
  }
  if (sent.size() == named.conflicts.size()) return named;
  Json::object_t renamed;
  renamed.reserve(fields.size());
  for (const auto& [field, value] : fields) {
    const auto found = meant.find(field);
    if (found == meant.end() || sent[found->second].differ) {
      renamed.emplace_back(field, value);
      continue;
    }
    named.taken.push_back({field, names_[found->second]});
    // Another alias with the same value adds nothing.
    if (present[found->second]) continue;
    present[found->second] = true;
    renamed.emplace_back(names_[found->second], value);
  }
  named.evidence = std::make_shared<const Json>(std::move(renamed));
  return named;
}

}  // namespace phasegate::gating
