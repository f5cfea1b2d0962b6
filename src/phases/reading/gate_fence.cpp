#include "phases/reading/gate_fence.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "phases/reading/fences.h"
#include "phases/reading/lexicon.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;

/// A fence whose first line is `✓ CHECKPOINT` or alike is one.
bool calls_itself_gate(std::string_view text) {
  text = base::trimmed(text.substr(0, text.find('\n')));
  const bool title = text.size() < 80 && !text.starts_with('#');
  const Role role = title ? role_of(text) : Role::none;
  return role == Role::gate || role == Role::weak;
}

/// The heading and up to three statements before a fence, for what they call it.
std::string words_before(const DocumentParts& document, std::size_t at) {
  const auto& said = document.statements;
  std::string words;
  const std::size_t heading = document.places[at].heading;
  if (heading != StatementPlace::kNowhere) words += said[heading].text + " ";
  for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
    const Statement& one = said[at - back];
    if (one.kind == Kind::heading || one.kind == Kind::code) break;
    if (one.kind == Kind::line) words += one.text.substr(0, 400) + " ";
  }
  return phrase_form(words);
}

/// Programs are no forms.
bool is_prose(std::string_view language) {
  constexpr std::array<std::string_view, 7> kProse = {"",    "markdown", "md", "text",
                                                      "txt", "yaml",     "yml"};
  return std::find(kProse.begin(), kProse.end(), language) != kProse.end();
}

}  // namespace

GateFence read_gate_fence(const DocumentParts& document, std::size_t at, bool first, bool alone) {
  GateFence read;
  const StatementPlace& place = document.places[at];
  if (place.role == Role::entry || place.role == Role::aside || place.task) return read;
  const std::size_t block = document.statements[at].block;
  const MarkdownTree& tree = document.tree;
  const Block& fence = tree.blocks()[block];
  const std::string before = words_before(document, at);
  const auto says = [&](std::string_view word) { return before.find(word) != std::string::npos; };
  if (says(" evidence ") || says(" checkpoint ") || says(" submit ") || says(" complete ")) {
    read.values = sample_call_evidence(tree, fence, document.path);
    if (read.values.empty() && says(" evidence ")) {
      read.values = yaml_evidence(tree, fence, document.path);
    }
    if (!read.values.empty()) return read;
  }
  if (!first) return read;
  read.form = true;
  const bool shape = says(" shape ") || says(" schema ") || says(" must match ") ||
                     says(" must return ") || says(" required fields ");
  const bool handed_over = says(" return") || says(" submit") || says(" decision ") ||
                           says(" evidence ") || says(" packet ") || says(" gate ") ||
                           says(" verdict ");
  if (shape && handed_over) read.values = shown_object(tree, fence, document.path);
  const bool gate = place.role == Role::gate || place.role == Role::evidence ||
                    says(" validation output ") || calls_itself_gate(tree.text(fence));
  const bool output =
      says(" output format ") || says(" in this format ") || says(" required output ");
  const bool demanded = output && (says(" should ") || says(" must "));
  // A fence is the gate itself only where no list beside it is.
  if (read.values.empty() && alone && is_prose(tree.language(block)) && (gate || demanded)) {
    read.values = form_fields(tree, fence, document.path);
  }
  return read;
}

}  // namespace phasegate::phases
