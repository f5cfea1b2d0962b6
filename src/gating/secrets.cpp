#include "gating/secrets.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/project_paths.h"

namespace phasegate::gating {

using base::Json;
using phases::Requirement;

namespace {

constexpr std::string_view kPrefix = "secret: hmac-sha256 ";
constexpr std::string_view kPurpose = "phasegate secret evidence 1";
constexpr std::size_t kDigits = 64;

bool is_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

}  // namespace

std::string secret_digest(const SecretPlace& place, std::string_view field, const Json& value) {
  // Lengths between the pieces, so that no two places share their bytes.
  base::Digest digest;
  digest.add(kPurpose).add(place.run_id).add(place.phase).add(field);
  digest.add(base::dump_canonical(value));
  std::string text(kPrefix);
  for (const char byte : base::hmac_sha256(place.key, digest.hex())) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto bits = static_cast<unsigned char>(byte);
    text += kHex[bits >> 4U];
    text += kHex[bits & 15U];
  }
  return text;
}

bool is_secret_digest(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() == kPrefix.size() + kDigits && text.starts_with(kPrefix) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(kPrefix.size()), text.end(),
                     is_digit);
}

SecretFields::SecretFields(const phases::Gate& gate) {
  for (const Requirement& field : gate.requirements) {
    asked_.insert(field.name);
    if (field.secret) secret_.insert(field.name);
    add_names(field);
  }
}

SecretFields::SecretFields(const phases::Gate& gate, const phases::Workflow& workflow)
    : SecretFields(gate) {
  for (const phases::Phase& phase : workflow.phases) {
    for (const Requirement& field : phase.gate.requirements) add_names(field);
  }
}

void SecretFields::add_names(const Requirement& field) {
  if (!field.secret) return;
  const auto add = [&](const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    same_words_.insert(AliasNames::normalised(name));
  };
  add(field.name);
  std::for_each(field.aliases.begin(), field.aliases.end(), add);
}

bool SecretFields::may_be_secret(const std::string& field) const {
  if (secret_.contains(field)) return true;
  if (asked_.contains(field)) return false;
  return same_words_.contains(AliasNames::normalised(field)) ||
         base::nearest_name(field, names_).has_value();
}

Json SecretFields::hidden(const Json& evidence, const SecretPlace& place) const {
  if (!evidence.is_object()) return secret_digest(place, "", evidence);
  Json::object_t shown;
  const auto& fields = evidence.get_ref<const Json::object_t&>();
  shown.reserve(fields.size());
  for (const auto& [name, value] : fields) {
    shown.emplace_back(name, may_be_secret(name) ? Json(secret_digest(place, name, value)) : value);
  }
  return shown;
}

bool has_secrets(const phases::Workflow& workflow) {
  return std::any_of(
      workflow.phases.begin(), workflow.phases.end(), [](const phases::Phase& phase) {
        return std::any_of(phase.gate.requirements.begin(), phase.gate.requirements.end(),
                           [](const Requirement& field) { return field.secret; });
      });
}

std::optional<SecretMisuse> secret_misuse(const Requirement& field) {
  if (!field.secret) return std::nullopt;
  if (phases::names_place(field.format)) {
    return SecretMisuse{"it is secret and names a place of the project (" + *field.format +
                            "), which is looked for after its value is gone",
                        "remove secret, or the format"};
  }
  if (!field.check.empty()) {
    return SecretMisuse{"it is secret and tied to the check " + base::in_quotes(field.check) +
                            ", which would have to be compared with it after its value is gone",
                        "remove secret, or check"};
  }
  if (field.constant || !field.one_of.empty()) {
    return SecretMisuse{"it is secret, and the workflow itself says what it may be",
                        "remove secret, or " + std::string(field.constant ? "const" : "enum")};
  }
  return std::nullopt;
}

}  // namespace phasegate::gating
