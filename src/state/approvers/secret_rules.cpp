#include "state/approvers/secret_rules.h"

#include <algorithm>

#include "base/text.h"
#include "state/approvers/secret.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kRolesMax = 16;
constexpr std::size_t kSecretCharactersMin = 8;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool may_stand_in_name(char c) {
  return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
}

/// C0, DEL and C1; the last are two bytes in UTF-8.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    const bool last = i + 1 == text.size();
    if (byte == 0xC2 && !last && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

bool repeats_one_character(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && base::utf8_boundary(text, bytes) != bytes) ++bytes;
  if (text.size() % bytes != 0) return false;
  for (std::size_t i = bytes; i < text.size(); ++i) {
    if (text[i] != text[i - bytes]) return false;
  }
  return true;
}

/// `base::lowered` would leave a copy of the secret behind.
bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

base::Error weak(std::string message, std::string hint) {
  return {"weak_secret", std::move(message), std::move(hint), ""};
}

}  // namespace

base::Result<std::string> compared_name(std::string_view what, std::string_view name) {
  const std::string kind(what);
  if (name.empty()) return base::Error{"invalid_name", "The " + kind + " is empty.", "", kind};
  if (name.size() > kNameBytesMax) {
    return base::Error{"invalid_name",
                       "The " + kind + " has " + std::to_string(name.size()) + " bytes; at most " +
                           std::to_string(kNameBytesMax) + " are taken.",
                       "Choose a shorter one.", kind};
  }
  if (!std::all_of(name.begin(), name.end(), may_stand_in_name) ||
      !is_letter_or_digit(name.front())) {
    return base::Error{"invalid_name",
                       "The " + kind + " " + base::in_quotes(name) + " cannot be used.",
                       "A " + kind +
                           " has letters from a to z, digits, dots, underscores and hyphens, and "
                           "begins with a letter or digit.",
                       kind};
  }
  return base::lowered(name);
}

base::Result<std::vector<std::string>> kept_roles(const std::vector<std::string>& roles) {
  if (roles.size() > kRolesMax) {
    return base::Error{"too_many",
                       std::to_string(roles.size()) + " roles are too many; at most " +
                           std::to_string(kRolesMax) + " are kept.",
                       "Leave some out.", "role"};
  }
  std::vector<std::string> kept;
  kept.reserve(roles.size());
  for (const std::string& role : roles) {
    auto compared = compared_name("role", role);
    if (!compared) return std::move(compared).error();
    kept.push_back(*std::move(compared));
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

base::Result<void> check_new_secret(std::string_view name, std::string_view secret) {
  if (secret.size() > Secret::kBytesMax) {
    return weak("The secret has more than " + std::to_string(Secret::kBytesMax) + " bytes.",
                "Choose a shorter one.");
  }
  if (!base::is_utf8(secret)) return weak("The secret is not UTF-8.", "Type it, do not paste it.");
  if (has_control(secret)) {
    return weak("The secret has control characters in it.", "Use characters that can be seen.");
  }
  if (base::utf8_length(secret) < kSecretCharactersMin) {
    return weak(
        "The secret has fewer than " + std::to_string(kSecretCharactersMin) + " characters.",
        "Several words are easy to remember and hard to guess.");
  }
  if (repeats_one_character(secret)) {
    return weak("The secret is one character repeated.",
                "Several words are easy to remember and hard to guess.");
  }
  if (same_letters(name, secret)) {
    return weak("The secret is the name.", "Choose one that nobody guesses.");
  }
  return {};
}

}  // namespace phasegate::state
