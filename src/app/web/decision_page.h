#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/engine.h"

/// The pages that `serve` shows to people, as functions from values to HTML (ARCHITECTURE §6). They
/// need no script and load nothing. All text that is not ours is escaped, and what cannot be seen
/// in it is made visible. Of phases that the run has not reached nothing is shown: whoever knows
/// the address, an assistant too, can open the page.
namespace phasegate::app::web {

/// Something that is wrong with what was sent.
struct Problem {
  std::string field;    ///< `option`, `input`, `name`, `secret`; empty: of no particular one
  std::string message;  ///< one or two sentences

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// What the person had filled in, but for the secret.
struct Typed {
  std::string option;
  std::string input;
  std::string name;
};

struct DecisionPage {
  const gating::engine::DecisionView& view;
  std::string_view project;  ///< its name
  std::string_view token;    ///< see FormSeal
  /// How many could decide; nullopt: it cannot be told. Without any there is no form.
  std::optional<std::size_t> approvers;
  Typed typed = {};
  std::vector<Problem> problems = {};
};

/// What there is to decide, and the form. Linear in what is shown.
[[nodiscard]] std::string decision_page(const DecisionPage& page);

/// What is wrong with a form before anybody looks at the secret: nothing chosen, an input that the
/// option asks for or does not take, no name, no secret.
[[nodiscard]] std::vector<Problem> problems_of(const gating::engine::DecisionView& view,
                                               const Typed& typed, bool secret_given);

/// What a decision has brought about. `option` is the label of what was chosen.
[[nodiscard]] std::string outcome_page(const gating::engine::DecideReply& reply,
                                       std::string_view project, std::string_view option,
                                       std::string_view approver);

/// Nothing but a few sentences; `kept` is shown as what had been typed, unless it is empty.
[[nodiscard]] std::string message_page(std::string_view title, std::string_view message,
                                       std::string_view kept = "");

}  // namespace phasegate::app::web
