#include "app/cli/decision_input.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "app/cli/text.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace fs = std::filesystem;
namespace {

using base::Error;
using base::Result;
using phases::DecisionDemand;
using phases::DecisionInput;
using phases::DecisionOption;

constexpr int kTriesMax = 5;
constexpr std::size_t kBytesMax = base::limits::kDecisionInputBytesMax;

Error too_long(std::uintmax_t bytes) {
  return {"too_long",
          "The words for the decision have " + std::to_string(bytes) + " bytes; at most " +
              std::to_string(kBytesMax) + " are taken. Nothing was decided.",
          "Say it in fewer words, or name a file of the project.", ""};
}

Error not_utf8() {
  return {"not_utf8", "The words for the decision are not UTF-8. Nothing was decided.", "", ""};
}

Result<std::string> read_input(const fs::path& file, const std::string& named) {
  std::error_code failed;
  // Anything but a file could never end, or never begin.
  if (!fs::is_regular_file(file, failed)) {
    return Error{"not_found", "There is no file " + base::in_quotes(named) + ".",
                 "Name one with --input-file FILE, or write --input TEXT.", ""};
  }
  const std::uintmax_t size = fs::file_size(file, failed);
  if (!failed && size > kBytesMax + 1) return too_long(size);
  std::ifstream stream(file, std::ios::binary);
  std::string text(kBytesMax + 2, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (!stream && !stream.eof())) {
    return Error{"not_found", base::in_quotes(named) + " cannot be read.", "", ""};
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  // The line break with which editors end a file is no part of what is said.
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

const DecisionOption* chosen(const DecisionDemand& demand, std::string_view typed) {
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  const bool whole = problem == std::errc() && end == typed.data() + typed.size();
  // An id may be a number, too; then it means itself.
  if (const DecisionOption* option = demand.find_option(base::lowered(typed))) return option;
  return whole && number >= 1 && number <= demand.options.size() ? &demand.options[number - 1]
                                                                 : nullptr;
}

}  // namespace

Result<std::optional<std::string>> given_input(const Invocation& invocation,
                                               const Environment& environment) {
  std::string text;
  if (invocation.input_file) {
    auto read =
        read_input(environment.working_folder / *invocation.input_file, *invocation.input_file);
    if (!read) return std::move(read).error();
    text = *std::move(read);
  } else if (invocation.input) {
    text = *invocation.input;
  } else {
    return std::optional<std::string>();
  }
  if (text.size() > kBytesMax) return too_long(text.size());
  if (!base::is_utf8(text)) return not_utf8();
  return std::optional(std::move(text));
}

Result<const DecisionOption*> ask_option(const DecisionDemand& demand, const Prompts& prompts,
                                         const std::string& before) {
  std::string prompt = before + "Which option (number or id; Ctrl-C: none)? ";
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const auto typed = prompts.line(prompt);
    if (!typed && typed.error().code != "nothing_given") return typed.error();
    const std::string word(typed ? base::trimmed(*typed) : std::string_view());
    if (const DecisionOption* option = chosen(demand, word)) return option;
    prompt =
        word.empty() ? "" : "There is no option " + base::in_quotes(shown_short(word, 64)) + ". ";
    prompt += "Which option? ";
  }
  return Error{"invalid_decision", "No option was chosen. Nothing was decided.", "", ""};
}

Result<void> check_input(const DecisionOption& option, const std::string& input) {
  const bool blank = base::trimmed(input).empty();
  if (option.input == DecisionInput::none && !blank) {
    return Error{
        "invalid_decision",
        "The option " + base::in_quotes(option.id) + " takes no words. Nothing was decided.",
        "Leave --input out, or choose another option.", ""};
  }
  if (option.input == DecisionInput::required && blank) {
    return Error{"invalid_decision",
                 "The option " + base::in_quotes(option.id) +
                     " asks for words, and there were none. Nothing was decided.",
                 "Give them with --input TEXT or --input-file FILE, or when asked.", ""};
  }
  return {};
}

Result<std::string> ask_input(const DecisionOption& option, const Prompts& prompts,
                              const std::string& before) {
  if (option.input == DecisionInput::none) return std::string();
  const bool required = option.input == DecisionInput::required;
  std::string prompt = before + (required ? "What is to be said with it (a line)? "
                                          : "Anything to be said with it (empty: no)? ");
  for (int tries = 0; tries < kTriesMax; ++tries) {
    auto typed = prompts.line(prompt);
    if (typed && !base::is_utf8(*typed)) return not_utf8();
    if (typed && !base::trimmed(*typed).empty()) return typed;
    if (!typed && typed.error().code == "too_long") {
      prompt = "That is too long for a line here; --input-file FILE takes more. Shorter: ";
      continue;
    }
    if (!typed && typed.error().code != "nothing_given") return std::move(typed).error();
    if (!required) return std::string();
    prompt = "It is needed: the assistant is told. What is to be said? ";
  }
  return check_input(option, "").error();
}

bool says_yes(const Prompts& prompts, const std::string& question) {
  const auto typed = prompts.line(question);
  const std::string answer = typed ? base::lowered(base::trimmed(*typed)) : "";
  return answer == "y" || answer == "yes";
}

}  // namespace phasegate::app::cli
