#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// What the words of a heading or a lead say about what stands below it.
enum class Role : std::uint8_t {
  none,      ///< says nothing: what is around it counts
  gate,      ///< conditions to leave a phase: every item is one
  weak,      ///< speaks of checking, yet may be advice: only boxes are conditions
  evidence,  ///< values to be handed over
  output,    ///< values that are produced: those with a type are handed over
  entry,     ///< conditions to begin
  task,      ///< work to be done: boxes are work items
  aside      ///< examples, templates, warnings, navigation: nothing below it is asked for
};

/// Reads a heading or the label of a lead by its words, whatever their case, emphasis and glyphs.
/// English, German, French, Spanish, Portuguese, Russian, Chinese, Japanese and Korean words are
/// known. The table in lexicon.cpp says what each phrase is for.
[[nodiscard]] Role role_of(std::string_view title);

/// True for a title that names the document a checklist, so that each of its boxes is a condition.
[[nodiscard]] bool names_checklist(std::string_view title);

/// True for words that say that what follows is performed in order: process, workflow, phases.
[[nodiscard]] bool names_order(std::string_view title);

/// Letters in lower case: ASCII, Latin with its accents, Cyrillic. Offsets stay.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Lower-case words with one blank between and around them, for phrase searches: ` exit criteria `.
/// Characters beyond ASCII count as letters, glyphs as blanks.
[[nodiscard]] std::string phrase_form(std::string_view text);

}  // namespace phasegate::phases
