#include "app/cli/option_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// Rows that `sessions --limit` may ask for.
constexpr std::size_t kLimitMax = 100'000;

constexpr std::array<std::pair<std::string_view, bool Invocation::*>, 19> kSwitches = {{
    {"--json", &Invocation::json},
    {"--all", &Invocation::all},
    {"--open", &Invocation::open},
    {"--ended", &Invocation::ended},
    {"--full", &Invocation::full},
    {"--strict", &Invocation::strict},
    {"--force", &Invocation::force},
    {"--list", &Invocation::list},
    {"--revoke", &Invocation::revoke},
    {"--man", &Invocation::man},
    {"--markdown", &Invocation::markdown},
    {"--dry-run", &Invocation::dry_run},
    {"--exit-code", &Invocation::exit_code},
    {"--export", &Invocation::report},
    {"--rotate-key", &Invocation::rotate_key},
    {"--accept", &Invocation::accept},
    {"--set-aside", &Invocation::set_aside},
    {"--rebuild", &Invocation::rebuild},
    {"--status", &Invocation::show_status},
}};

constexpr std::array<std::pair<std::string_view, std::optional<std::string> Invocation::*>, 17>
    kTexts = {{
        {"--root", &Invocation::root},
        {"--state", &Invocation::state},
        {"--notify", &Invocation::notify},
        {"--workflow", &Invocation::workflow},
        {"--branch", &Invocation::branch},
        {"--from", &Invocation::from},
        {"--output", &Invocation::output},
        {"--url", &Invocation::url},
        {"--listen", &Invocation::listen},
        {"--tokens", &Invocation::tokens},
        {"--token", &Invocation::token},
        {"--option", &Invocation::option},
        {"--input", &Invocation::input},
        {"--input-file", &Invocation::input_file},
        {"--bundle", &Invocation::bundle},
        {"--session", &Invocation::session},
        {"--phase", &Invocation::phase},
    }};

std::optional<base::LogLevel> log_level_from(std::string_view text) {
  if (text == "debug") return base::LogLevel::debug;
  if (text == "info") return base::LogLevel::info;
  if (text == "warning") return base::LogLevel::warning;
  if (text == "error") return base::LogLevel::error;
  return std::nullopt;
}

std::optional<gating::GatePolicy> gates_from(std::string_view text) {
  if (text == "strict") return gating::GatePolicy::strict;
  if (text == "as-written" || text == "as_written") return gating::GatePolicy::as_written;
  return std::nullopt;
}

std::optional<Colour> colour_from(std::string_view text) {
  if (text == "auto") return Colour::automatic;
  if (text == "always") return Colour::always;
  if (text == "never") return Colour::never;
  return std::nullopt;
}

base::Result<void> apply_reason(const std::string& reason, Invocation& invocation) {
  if (reason.size() > base::limits::kReasonBytesMax) {
    return usage_error("--reason holds " + std::to_string(reason.size()) + " bytes; at most " +
                           std::to_string(base::limits::kReasonBytesMax) + " are kept.",
                       "Say it in fewer words.");
  }
  if (!base::is_utf8(reason)) return usage_error("--reason is not UTF-8.", "");
  invocation.reason = reason;
  return {};
}

base::Result<void> apply_limit(const std::string& text, Invocation& invocation) {
  std::size_t limit = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || limit == 0 || limit > kLimitMax) {
    return usage_error("--limit is a number from 1 to " + std::to_string(kLimitMax) + ", not " +
                           base::in_quotes(text) + ".",
                       "--all shows every one.");
  }
  invocation.limit = limit;
  return {};
}

base::Result<void> apply_rate(const std::string& text, Invocation& invocation) {
  constexpr std::size_t kMost = 1'000'000;
  std::size_t rate = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rate);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || rate > kMost) {
    return usage_error("--requests-per-second is a number from 0 to " + std::to_string(kMost) +
                           ", not " + base::in_quotes(text) + ".",
                       "0 means no limit.");
  }
  invocation.requests_per_second = rate;
  return {};
}

base::Result<void> apply_keep(const std::string& text, Invocation& invocation) {
  constexpr std::size_t kMost = 1'000'000;
  std::size_t keep = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), keep);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || keep > kMost) {
    return usage_error("--keep is a number from 0 to " + std::to_string(kMost) + ", not " +
                           base::in_quotes(text) + ".",
                       "It says how many sessions that have ended stay.");
  }
  invocation.keep = keep;
  return {};
}

/// A name as it stands in `Host`, without port; `[…]` for an address of IPv6.
bool is_host_name(std::string_view text) {
  constexpr std::size_t kNameBytesMax = 253;
  if (text.empty() || text.size() > kNameBytesMax) return false;
  const bool bracketed = text.front() == '[';
  if (bracketed != (text.back() == ']')) return false;
  if (bracketed) text = text.substr(1, text.size() - 2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [bracketed](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return plain || c == '.' || (bracketed ? c == ':' : c == '-' || c == '_');
  });
}

base::Result<void> apply_host(const std::string& text, Invocation& invocation) {
  if (!is_host_name(text)) {
    return usage_error(
        "--allow-host is a host's name or address, not " + base::in_quotes(text) + ".",
        "Write it without scheme, port and path, such as build.example.org.");
  }
  invocation.allow_hosts.push_back(text);
  return {};
}

/// Sets `into` if `read` is a value.
template <typename T>
base::Result<void> apply_choice(const GivenOption& given, const std::optional<T>& read, T& into) {
  if (!read) return not_a_choice(given.spec->name, given.spec->value, given.value);
  into = *read;
  return {};
}

base::Result<void> apply_format(const GivenOption& given, Invocation& invocation) {
  if (!is_one_of(given.spec->value, given.value)) {
    return not_a_choice(given.spec->name, given.spec->value, given.value);
  }
  invocation.format = given.value;
  return {};
}

/// `--fail-on warning` is the long form of `--strict`.
base::Result<void> apply_fail_on(const GivenOption& given, Invocation& invocation) {
  if (!is_one_of(given.spec->value, given.value)) {
    return not_a_choice(given.spec->name, given.spec->value, given.value);
  }
  invocation.fail_on = given.value;
  return {};
}

}  // namespace

base::Error usage_error(std::string message, std::string hint) {
  return {"usage", std::move(message), std::move(hint), ""};
}

base::Error not_a_choice(std::string_view name, std::string_view choice, std::string_view typed) {
  std::vector<std::string> values;
  for (const std::string_view value : base::split(choice, '|')) values.emplace_back(value);
  const auto nearest = base::nearest_name(typed, values);
  return usage_error(std::string(name) + " is " + base::joined(values, ", ") + ", not " +
                         base::in_quotes(typed) + ".",
                     nearest ? "Did you mean `" + *nearest + "`?" : "");
}

bool is_one_of(std::string_view choice, std::string_view word) {
  const auto words = base::split(choice, '|');
  return std::find(words.begin(), words.end(), word) != words.end();
}

base::Result<void> apply(const GivenOption& given, Invocation& invocation) {
  const std::string_view name = given.spec->name;
  for (const auto& [option, member] : kSwitches) {
    if (option == name) invocation.*member = true;
  }
  for (const auto& [option, member] : kTexts) {
    if (option == name) invocation.*member = given.value;
  }
  if (name == "--workflows") invocation.workflows.push_back(given.value);
  if (name == "--value") invocation.values.push_back(given.value);
  if (name == "--tag") invocation.tags.push_back(given.value);
  if (name == "--role") invocation.roles.push_back(given.value);
  if (name == "--reason") return apply_reason(given.value, invocation);
  if (name == "--keep") return apply_keep(given.value, invocation);
  if (name == "--limit") return apply_limit(given.value, invocation);
  if (name == "--allow-host") return apply_host(given.value, invocation);
  if (name == "--requests-per-second") return apply_rate(given.value, invocation);
  if (name == "--fail-on") return apply_fail_on(given, invocation);
  if (name == "--format") return apply_format(given, invocation);
  if (name == "--gates") return apply_choice(given, gates_from(given.value), invocation.gates);
  if (name == "--color") return apply_choice(given, colour_from(given.value), invocation.colour);
  if (name == "--log-level") {
    return apply_choice(given, log_level_from(given.value), invocation.log_level);
  }
  return {};
}

}  // namespace phasegate::app::cli
