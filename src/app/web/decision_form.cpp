#include "app/web/decision_form.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "base/text.h"

namespace phasegate::app::web {
namespace {

using base::Error;
using base::Result;

Error invalid(std::string what) {
  return {"invalid_form", std::move(what), "Open the page again and send its own form.", ""};
}

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10U;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10U;
  return std::nullopt;
}

/// Hands over each decoded byte; an error's text if there is one.
std::optional<std::string> decode(std::string_view text, const std::function<bool(char)>& take) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i] == '+' ? ' ' : text[i];
    if (c == '%') {
      const auto high = i + 1 < text.size() ? digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? digit(text[i + 2]) : std::nullopt;
      if (!high || !low) return "The form's percent-encoding is broken.";
      c = static_cast<char>(*high * 16 + *low);
      i += 2;
    }
    if (c == '\0') return "The form holds a character that no text has.";
    if (!take(c)) return "The secret is longer than any that could have been enrolled.";
  }
  return std::nullopt;
}

std::optional<std::string> decode_text(std::string_view text, std::string& into) {
  into.reserve(text.size());
  return decode(text, [&into](char c) {
    into += c;
    return true;
  });
}

std::string with_plain_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool paired = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!paired) out += text[i];
  }
  return out;
}

std::string* field_of(DecisionForm& form, std::string_view name) {
  if (name == "token") return &form.token;
  if (name == "option") return &form.option;
  if (name == "input") return &form.input;
  if (name == "name") return &form.name;
  return nullptr;
}

}  // namespace

Result<DecisionForm> read_decision_form(std::string_view body) {
  DecisionForm form;
  std::set<std::string_view> seen;
  while (!body.empty()) {
    const std::string_view pair = body.substr(0, body.find('&'));
    body.remove_prefix(std::min(pair.size() + 1, body.size()));
    if (pair.empty()) continue;
    const std::string_view name = pair.substr(0, pair.find('='));
    const std::string_view value = pair.substr(std::min(name.size() + 1, pair.size()));
    if (!seen.insert(name).second) return invalid("The form has a field more than once.");
    std::optional<std::string> problem;
    if (name == "secret") {
      problem = decode(value, [&form](char c) { return form.secret.add({&c, 1}); });
      if (!problem && !base::is_utf8(form.secret.view())) problem = "The form is not UTF-8.";
    } else if (std::string* field = field_of(form, name)) {
      problem = decode_text(value, *field);
      if (!problem && !base::is_utf8(*field)) problem = "The form is not UTF-8.";
    } else {
      problem = "The form has a field that the page does not have.";
    }
    if (problem) return invalid(*std::move(problem));
  }
  form.input = with_plain_lines(form.input);
  return form;
}

}  // namespace phasegate::app::web
