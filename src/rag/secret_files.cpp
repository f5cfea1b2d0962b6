#include "rag/secret_files.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <string>

#include "base/text.h"

namespace phasegate::rag {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

template <std::size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return text.find(word) != std::string_view::npos; });
}
template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::size_t different_characters(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

/// What people write where a secret would stand.
bool is_placeholder(std::string_view value) {
  constexpr std::size_t kDifferentMin = 6;
  constexpr std::size_t kAlwaysWithDigit = 30;  // characters of chance among which one is a digit
  constexpr std::array<std::string_view, 15> kWords = {
      "example", "xxxx", "your",     "placeholder", "dummy",    "sample", "fake", "change",
      "redact",  "1234", "abcdefgh", "0000",        "notareal", "insert", "...."};
  if (different_characters(value) < kDifferentMin) return true;
  const bool has_digit = std::any_of(value.begin(), value.end(), is_digit);
  if (value.size() >= kAlwaysWithDigit && !has_digit) return true;
  return contains_any(base::lowered(value), kWords);
}

struct TokenForm {
  std::string_view begin;
  std::size_t least;       ///< characters behind it
  std::string_view extra;  ///< beside letters and digits
};
constexpr std::array<TokenForm, 23> kTokenForms = {
    {{"AKIA", 16, ""},          {"ASIA", 16, ""},     {"AIza", 35, "_-"},    {"ghp_", 36, ""},
     {"gho_", 36, ""},          {"ghu_", 36, ""},     {"ghs_", 36, ""},      {"ghr_", 36, ""},
     {"github_pat_", 40, "_"},  {"glpat-", 20, "_-"}, {"npm_", 36, ""},      {"rk_live_", 16, ""},
     {"sk_live_", 16, ""},      {"hf_", 34, ""},      {"sk-ant-", 32, "_-"}, {"sk-proj-", 32, "_-"},
     {"sk-svcacct-", 32, "_-"}, {"sk-", 32, ""},      {"xoxa-", 20, "-"},    {"xoxb-", 20, "-"},
     {"xoxp-", 20, "-"},        {"xoxr-", 20, "-"},   {"xoxs-", 20, "-"}}};

/// Of a token that is looked at; longer ones are of no known form.
constexpr std::size_t kTokenBytesMax = 128;

bool begins_with_token(std::string_view text) {
  for (const TokenForm& form : kTokenForms) {
    if (!text.starts_with(form.begin)) continue;
    const std::string_view rest = text.substr(form.begin.size(), kTokenBytesMax);
    const std::size_t length =
        static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(),
                                              [&](char c) {
                                                return !is_letter(c) && !is_digit(c) &&
                                                       form.extra.find(c) == std::string_view::npos;
                                              }) -
                                 rest.begin());
    return length >= form.least && !is_placeholder(rest.substr(0, length));
  }
  return false;
}

/// `text` begins with `-----BEGIN `: whether a private key follows, and not just the word of one.
bool begins_with_private_key(std::string_view text) {
  constexpr std::size_t kHeadBytesMax = 64;
  constexpr std::size_t kKeyBytesMin = 60;  // the shortest kind of key has 64
  constexpr std::size_t kLookedAt = 320;
  constexpr std::string_view kHeadEnd = "PRIVATE KEY";
  const std::size_t head = text.substr(0, kHeadBytesMax).find(kHeadEnd);
  if (head == std::string_view::npos) return false;
  text = text.substr(head + kHeadEnd.size(), kLookedAt);
  text.remove_prefix(std::min(text.find_first_not_of("-BLOCK "), text.size()));
  std::string key;
  bool escape = false;
  for (std::size_t at = 0; at < text.size() && key.size() < kKeyBytesMin; ++at) {
    const char c = text[at];
    // In JSON the ends of lines are written as \n.
    if (escape) {
      escape = false;
      if (c != 'n' && c != 'r') return false;
    } else if (c == '\\') {
      escape = true;
    } else if (is_letter(c) || is_digit(c) || c == '+' || c == '/' || c == '=') {
      key += c;
    } else if (c == ':' || c == ',') {
      // Lines such as `Proc-Type: 4,ENCRYPTED` precede an encrypted key.
      key.clear();
      at = std::min(text.find('\n', at), text.size());
    } else if (std::string_view(" \t\r\n>-\"'").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return key.size() >= kKeyBytesMin && !is_placeholder(key);
}

/// `PASSWORD=…` with a value that could be one.
bool is_secret_setting(std::string_view key, std::string_view value) {
  constexpr std::size_t kValueBytesMin = 8;
  constexpr std::size_t kValueBytesMax = 4096;
  constexpr std::array<std::string_view, 9> kKeys = {"password", "passwd",     "passphrase",
                                                     "secret",   "token",      "api_key",
                                                     "apikey",   "access_key", "private_key"};
  if (!contains_any(base::lowered(key), kKeys)) return false;
  value = base::trimmed(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
      value.back() == value.front()) {
    value = value.substr(1, value.size() - 2);
  }
  if (value.size() < kValueBytesMin || value.size() > kValueBytesMax) return false;
  const bool stands_for_another =
      value.find_first_of("<>{}() \t") != std::string_view::npos || value.front() == '$';
  return !stands_for_another && !is_placeholder(value);
}

/// Counts lines such as `KEY=value`.
class Settings {
 public:
  void take(std::string_view line) {
    line = base::trimmed(line);
    if (line.empty() || line.front() == '#') return;
    ++lines_;
    if (line.starts_with("export ")) line.remove_prefix(7);
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos) return;
    const std::string_view key = base::trimmed(line.substr(0, sign));
    const bool is_name = !key.empty() && !is_digit(key.front()) &&
                         std::all_of(key.begin(), key.end(),
                                     [](char c) { return is_word(c) || c == '.' || c == '-'; });
    if (!is_name) return;
    ++settings_;
    if (!secret_) secret_ = is_secret_setting(key, line.substr(sign + 1));
  }
  [[nodiscard]] bool mostly_with_secret() const { return secret_ && settings_ * 2 > lines_; }

 private:
  std::size_t lines_ = 0;
  std::size_t settings_ = 0;
  bool secret_ = false;
};

/// What a field's name ends with if its value is a secret: `db_password`, not `password_length`.
bool names_secret(std::string_view key) {
  constexpr std::array<std::string_view, 11> kEnds = {
      "password", "passwd",     "passphrase", "secret",      "token",    "api_key",
      "apikey",   "access_key", "secret_key", "private_key", "accesskey"};
  std::string name = base::lowered(key);
  std::replace(name.begin(), name.end(), '-', '_');
  return std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return name.ends_with(end); });
}

/// The value behind a field's colon; empty if it does not end on its line, or soon.
std::string_view value_of_field(std::string_view text) {
  constexpr std::size_t kValueBytesMax = 256;
  text = text.substr(0, kValueBytesMax);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.empty()) return text;
  if (text.front() == '"' || text.front() == '\'') {
    const std::size_t end = text.find_first_of(text.front() == '"' ? "\"\n" : "'\n", 1);
    return end == std::string_view::npos || text[end] == '\n' ? std::string_view()
                                                              : text.substr(1, end - 1);
  }
  return base::trimmed(text.substr(0, text.find_first_of(",\r\n")));
}

bool has_letters_and_digits(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_letter) &&
         std::any_of(text.begin(), text.end(), is_digit);
}

}  // namespace

bool is_markup(std::string_view path) {
  constexpr std::array<std::string_view, 5> kEndings = {".md", ".markdown", ".mdx", ".rst",
                                                        ".adoc"};
  const std::string name = base::lowered(path.substr(path.rfind('/') + 1));
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](auto ending) { return name.ends_with(ending); });
}

bool holds_secret_field(std::string_view text) {
  constexpr std::size_t kKeyBytesMax = 64;
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    std::string_view before = text.substr(0, at);
    const std::string_view near = before.substr(before.size() - std::min(at, kKeyBytesMax));
    before = near.substr(0, near.find_last_not_of(" \t") + 1);
    if (before.ends_with('"') || before.ends_with('\'')) before.remove_suffix(1);
    std::size_t begin = before.size();
    while (begin > 0 && (is_word(before[begin - 1]) || before[begin - 1] == '-')) --begin;
    if (begin == before.size() || !names_secret(before.substr(begin))) continue;
    const std::string_view value = value_of_field(text.substr(at + 1));
    if (has_letters_and_digits(value) && value.find("://") == std::string_view::npos &&
        is_secret_setting(before.substr(begin), value)) {
      return true;
    }
  }
  return false;
}

bool has_secret_name(std::string_view path) {
  constexpr std::array<std::string_view, 6> kNames = {".netrc",  "_netrc",  ".npmrc",
                                                      ".pypirc", ".pgpass", ".htpasswd"};
  constexpr std::array<std::string_view, 5> kBegins = {".env", "id_rsa", "id_ed25519", "id_ecdsa",
                                                       "id_dsa"};
  constexpr std::array<std::string_view, 10> kEnds = {
      ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".secret", ".env"};
  constexpr std::array<std::string_view, 7> kDataEnds = {"",     ".json", ".yaml", ".yml",
                                                         ".txt", ".ini",  ".cfg"};
  const std::string name = base::lowered(path.substr(path.rfind('/') + 1));
  if (is_markup(name)) return false;
  if (is_one_of(name, kNames) || name.starts_with("secrets.")) return true;
  const auto begins = [&](auto one) { return name.starts_with(one); };
  const auto ends = [&](auto one) { return name.ends_with(one); };
  if (std::any_of(kBegins.begin(), kBegins.end(), begins)) return true;
  if (std::any_of(kEnds.begin(), kEnds.end(), ends)) return true;
  if (name.find("credentials") == std::string::npos) return false;
  // `.credentials` and `credentials.d` have no ending that says data; a name without a dot is one.
  const std::size_t dot = name.rfind('.');
  const std::string_view ending = dot == std::string::npos || dot == 0
                                      ? std::string_view()
                                      : std::string_view(name).substr(dot);
  return is_one_of(ending, kDataEnds);
}

bool holds_secret(std::string_view text) {
  constexpr std::string_view kKeyBegin = "-----BEGIN ";
  Settings settings;
  std::size_t line = 0;
  char before = '\n';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') {
      settings.take(text.substr(line, at - line));
      line = at + 1;
    } else if (c == '-') {
      if (text.substr(at).starts_with(kKeyBegin) && begins_with_private_key(text.substr(at))) {
        return true;
      }
    } else if (!is_word(before)) {
      // The first letters of all forms.
      const bool may_begin =
          c == 'A' || c == 'g' || c == 'h' || c == 'n' || c == 'r' || c == 's' || c == 'x';
      if (may_begin && begins_with_token(text.substr(at))) return true;
    }
    before = c;
  }
  settings.take(text.substr(std::min(line, text.size())));
  return settings.mostly_with_secret();
}

}  // namespace phasegate::rag
