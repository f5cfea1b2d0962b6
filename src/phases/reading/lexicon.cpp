#include "phases/reading/lexicon.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "phases/reading/statements.h"

namespace phasegate::phases {
namespace {

struct Phrase {
  /// As phrase_form writes them, with blanks where a word must begin or end; behind `=` they are
  /// all there is, behind `^` they come first, behind `$` last.
  std::string_view words;
  Role role;
};

/// Looked through from the top; the first that is found decides.
constexpr std::array kPhrases = {
    // What only looks like a gate: the words around `gate` take its meaning away.
    Phrase{" template", Role::aside},
    Phrase{" example", Role::aside},
    Phrase{" sample ", Role::aside},
    Phrase{" rollback trigger", Role::aside},
    Phrase{" rollback criteri", Role::aside},
    Phrase{" emergency", Role::aside},
    Phrase{" invalid ", Role::aside},
    Phrase{" unacceptable ", Role::aside},
    Phrase{" violation", Role::aside},
    Phrase{" failure protocol", Role::aside},
    Phrase{"^ if ", Role::aside},
    Phrase{"^ when a gate fails ", Role::aside},
    Phrase{"$ fails ", Role::aside},
    Phrase{" on failure", Role::aside},
    Phrase{" failure handling", Role::aside},
    Phrase{" troubleshoot", Role::aside},
    Phrase{" red flag", Role::aside},
    Phrase{" anti pattern", Role::aside},
    Phrase{" antipattern", Role::aside},
    Phrase{" common mistake", Role::aside},
    Phrase{"^ mistakes ", Role::aside},
    Phrase{" pitfall", Role::aside},
    Phrase{" rationali", Role::aside},
    Phrase{" excuse", Role::aside},
    Phrase{" prohibited", Role::aside},
    Phrase{" forbidden", Role::aside},
    Phrase{" when to use", Role::aside},
    Phrase{" when not to", Role::aside},
    Phrase{" do not use", Role::aside},
    Phrase{" glossary", Role::aside},
    Phrase{" legend", Role::aside},
    Phrase{" report format", Role::aside},
    Phrase{" status report", Role::aside},
    Phrase{" mechanism", Role::aside},
    Phrase{" out of scope", Role::aside},
    Phrase{"^ bad ", Role::aside},
    Phrase{"= good ", Role::aside},
    Phrase{" beispiel", Role::aside},
    Phrase{" exemple", Role::aside},
    Phrase{" ejemplo", Role::aside},
    Phrase{"示例", Role::aside},
    Phrase{"模板", Role::aside},
    Phrase{"例子", Role::aside},
    Phrase{"例：", Role::aside},

    // Conditions to begin: real gates, but nothing that is handed over at the end.
    Phrase{" entry ", Role::entry},
    Phrase{" prerequisite", Role::entry},
    Phrase{" pre requisite", Role::entry},
    Phrase{" precondition", Role::entry},
    Phrase{" before you begin ", Role::entry},
    Phrase{" before you start ", Role::entry},
    Phrase{" before starting ", Role::entry},
    Phrase{" before beginning ", Role::entry},
    Phrase{" pre flight ", Role::entry},
    Phrase{" preflight ", Role::entry},
    Phrase{" eingangs", Role::entry},
    Phrase{" voraussetzung", Role::entry},
    Phrase{" prérequis", Role::entry},
    Phrase{" requisitos previos", Role::entry},
    Phrase{" pré requisitos", Role::entry},
    Phrase{"前提条件", Role::entry},
    Phrase{"前置条件", Role::entry},
    Phrase{"предварительные условия", Role::entry},

    // Values to be handed over.
    Phrase{" evidence required ", Role::evidence},
    Phrase{" required evidence ", Role::evidence},
    Phrase{" evidence requirement", Role::evidence},
    Phrase{" evidence collection ", Role::evidence},
    Phrase{" evidence to collect ", Role::evidence},
    Phrase{" evidence ", Role::evidence},
    Phrase{" required field", Role::evidence},
    Phrase{" mandatory field", Role::evidence},
    Phrase{" packet requirement", Role::evidence},
    Phrase{" required output", Role::evidence},
    Phrase{" must include ", Role::evidence},
    Phrase{" must contain ", Role::evidence},
    Phrase{" must provide ", Role::evidence},
    Phrase{" must report ", Role::evidence},
    Phrase{" variables to capture ", Role::output},
    Phrase{" expected output", Role::output},
    Phrase{" outputs ", Role::output},
    Phrase{" metrics ", Role::output},
    Phrase{" nachweis", Role::evidence},

    // Conditions to leave.
    Phrase{" gate ", Role::gate},
    Phrase{" gates ", Role::gate},
    Phrase{" checkpoint ", Role::gate},
    Phrase{" checkpoints ", Role::gate},
    Phrase{" exit criteri", Role::gate},
    Phrase{" exit condition", Role::gate},
    Phrase{" exit requirement", Role::gate},
    Phrase{" completion criteri", Role::gate},
    Phrase{" completion requirement", Role::gate},
    Phrase{" success criteri", Role::gate},
    Phrase{" acceptance criteri", Role::gate},
    Phrase{" pass criteri", Role::gate},
    Phrase{" passing criteri", Role::gate},
    Phrase{" done criteri", Role::gate},
    Phrase{" completeness criteri", Role::gate},
    Phrase{" quality criteri", Role::gate},
    Phrase{" validation criteri", Role::gate},
    Phrase{" verification criteri", Role::gate},
    Phrase{" release criteri", Role::gate},
    Phrase{"$ criteria ", Role::gate},
    Phrase{" definition of done ", Role::gate},
    Phrase{" dod ", Role::gate},
    Phrase{" done when ", Role::gate},
    Phrase{" done if ", Role::gate},
    Phrase{" complete when ", Role::gate},
    Phrase{" completed when ", Role::gate},
    Phrase{" finished when ", Role::gate},
    Phrase{" ready when ", Role::gate},
    Phrase{" complete only if ", Role::gate},
    Phrase{" checklist ", Role::gate},
    Phrase{" check list ", Role::gate},
    Phrase{" sign off ", Role::gate},
    Phrase{" signoff ", Role::gate},
    Phrase{" quality check", Role::gate},
    Phrase{" required check", Role::gate},
    Phrase{" final check", Role::gate},
    Phrase{" validation check", Role::gate},
    Phrase{" self check", Role::gate},
    Phrase{" postcondition", Role::gate},
    Phrase{" post condition", Role::gate},
    Phrase{" before proceeding ", Role::gate},
    Phrase{" before you proceed ", Role::gate},
    Phrase{" before advancing ", Role::gate},
    Phrase{" before moving ", Role::gate},
    Phrase{" before continuing ", Role::gate},
    Phrase{" before completing ", Role::gate},
    Phrase{" before marking ", Role::gate},
    Phrase{" before finishing ", Role::gate},
    Phrase{" before submitting ", Role::gate},
    Phrase{" before merging ", Role::gate},
    Phrase{" before claiming ", Role::gate},
    Phrase{" before finaliz", Role::gate},
    Phrase{"= checks ", Role::gate},
    Phrase{"= criteria ", Role::gate},
    Phrase{"= conditions ", Role::gate},
    Phrase{" threshold", Role::gate},
    Phrase{" must be true ", Role::gate},
    Phrase{" must all be true ", Role::gate},
    Phrase{" must all pass ", Role::gate},
    Phrase{" must pass ", Role::gate},
    Phrase{" abnahmekriteri", Role::gate},
    Phrase{" abschlusskriteri", Role::gate},
    Phrase{" erfolgskriteri", Role::gate},
    Phrase{" akzeptanzkriteri", Role::gate},
    Phrase{" ausgangskriteri", Role::gate},
    Phrase{" prüfpunkt", Role::gate},
    Phrase{" checkliste ", Role::gate},
    Phrase{" freigabe", Role::gate},
    Phrase{" critères d", Role::gate},
    Phrase{" critères de ", Role::gate},
    Phrase{" point de contrôle ", Role::gate},
    Phrase{" liste de contrôle ", Role::gate},
    Phrase{" criterios de ", Role::gate},
    Phrase{" critérios de ", Role::gate},
    Phrase{" lista de verifica", Role::gate},
    Phrase{" punto de control ", Role::gate},
    Phrase{"验收标准", Role::gate},
    Phrase{"验收条件", Role::gate},
    Phrase{"完成标准", Role::gate},
    Phrase{"完成条件", Role::gate},
    Phrase{"退出标准", Role::gate},
    Phrase{"检查清单", Role::gate},
    Phrase{"检查点", Role::gate},
    Phrase{"质量门", Role::gate},
    Phrase{"完了条件", Role::gate},
    Phrase{"受け入れ基準", Role::gate},
    Phrase{"受入基準", Role::gate},
    Phrase{"チェックリスト", Role::gate},
    Phrase{"チェックポイント", Role::gate},
    Phrase{"완료 조건", Role::gate},
    Phrase{"완료 기준", Role::gate},
    Phrase{"체크리스트", Role::gate},
    Phrase{"критерии", Role::gate},
    Phrase{"чек лист", Role::gate},
    Phrase{"контрольный список", Role::gate},

    // Work, and what surrounds it.
    Phrase{"= tasks ", Role::task},
    Phrase{"= task list ", Role::task},
    Phrase{"= implementation ", Role::task},
    Phrase{"= detailed steps ", Role::task},
    Phrase{"= action items ", Role::task},
    Phrase{"= to do ", Role::task},
    Phrase{"= todo ", Role::task},
    Phrase{"= work items ", Role::task},
    Phrase{"^ actions ", Role::task},
    Phrase{"^ tasks in ", Role::task},
    Phrase{"= implementation tasks ", Role::task},
    Phrase{"= implementation steps ", Role::task},
    Phrase{"= steps ", Role::task},
    Phrase{"= related ", Role::aside},
    Phrase{"^ related ", Role::aside},
    Phrase{"= instructions ", Role::task},
    Phrase{" deliverable", Role::aside},
    Phrase{"= navigation ", Role::aside},
    Phrase{" next step", Role::aside},
    Phrase{" next phase ", Role::aside},
    Phrase{" next task ", Role::aside},
    Phrase{"^ reference", Role::aside},
    Phrase{"= notes ", Role::aside},
    Phrase{"= note ", Role::aside},
    Phrase{"= tips ", Role::aside},
    Phrase{"^ warning", Role::aside},
    Phrase{"= handoff ", Role::aside},
    Phrase{" upon completion ", Role::aside},
    Phrase{"= faq ", Role::aside},
    Phrase{"= changelog ", Role::aside},
    Phrase{"= version history ", Role::aside},
    Phrase{"= dependencies ", Role::aside},
    Phrase{"= files ", Role::aside},
    Phrase{"= risks ", Role::aside},
    Phrase{"^ never ", Role::aside},
    Phrase{"^ do not proceed ", Role::gate},
    Phrase{"^ do not continue ", Role::gate},
    Phrase{"^ do not advance ", Role::gate},
    Phrase{"^ do not ", Role::aside},
    Phrase{"^ don t ", Role::aside},

    // Checking, which may be advice as well.
    Phrase{" verification ", Role::weak},
    Phrase{" verify", Role::weak},
    Phrase{" validation ", Role::weak},
    Phrase{" validate ", Role::weak},
    Phrase{" confirm ", Role::weak},
    Phrase{" review ", Role::weak},
    Phrase{" testing ", Role::weak},
    Phrase{" quality ", Role::weak},
    Phrase{" completion ", Role::weak},
    Phrase{" compliance ", Role::weak},
    Phrase{" readiness ", Role::weak},
    Phrase{" ready ", Role::weak},
    Phrase{" audit ", Role::weak},
    Phrase{" pre commit ", Role::weak},
    Phrase{" überprüfung ", Role::weak},
    Phrase{" vérification ", Role::weak},
    Phrase{" verificación ", Role::weak},
    Phrase{" verificação ", Role::weak},
    Phrase{"验证", Role::weak},
    Phrase{"検証", Role::weak},
    Phrase{"проверка", Role::weak},
};

/// Verbs with which a title speaks of making a gate instead of being one.
constexpr std::array<std::string_view, 9> kAboutGates = {" write ",  " define ",   " defining ",
                                                         " create ", " creating ", " add ",
                                                         " adding ", " generate ", " configure "};

constexpr std::array<std::string_view, 20> kOrderWords = {
    " process ",  " workflow ",  " phases ",   " stages ",    " steps ",
    " pipeline ", " procedure ", " protocol ", " lifecycle ", " loop ",
    " cycle ",    " execution ", " flow ",     " method ",    " ablauf ",
    " prozess ",  " étapes ",    " pasos ",    "流程",        " instructions "};

bool says(const std::string& form, std::string_view words);

/// Finds the first phrase of the table that a form holds by the beginnings of the form's words, so
/// that the table may grow: a document asks for every heading and lead.
class PhraseIndex {
 public:
  PhraseIndex() {
    for (std::size_t i = 0; i < kPhrases.size(); ++i) {
      const std::string_view words = kPhrases[i].words;
      const auto lead = static_cast<unsigned char>(words.front());
      if (lead == ' ') {
        by_beginning_[key(words.substr(1))].push_back(i);
      } else if (lead < 0x80) {
        anchored_.push_back(i);
      } else {
        other_scripts_.push_back(i);
      }
    }
  }

  /// The number of phrases if the form holds none of them.
  [[nodiscard]] std::size_t first_in(const std::string& form) const {
    std::size_t best = kPhrases.size();
    bool ascii = true;
    for (std::size_t at = 0; at + 1 < form.size(); ++at) {
      ascii = ascii && static_cast<unsigned char>(form[at]) < 0x80;
      if (form[at] != ' ') continue;
      const std::string_view rest = std::string_view(form).substr(at);
      for (const std::size_t i : by_beginning_[key(rest.substr(1))]) {
        if (i >= best) break;
        if (rest.starts_with(kPhrases[i].words)) best = i;
      }
    }
    const auto try_all = [&](const std::vector<std::size_t>& phrases) {
      for (const std::size_t i : phrases) {
        if (i >= best) break;
        if (says(form, kPhrases[i].words)) best = i;
      }
    };
    try_all(anchored_);
    if (!ascii) try_all(other_scripts_);
    return best;
  }

 private:
  static std::size_t key(std::string_view word) {
    const auto byte = [&](std::size_t i) {
      return i < word.size() ? static_cast<unsigned char>(word[i]) : 0U;
    };
    return (byte(0) * 31U + byte(1)) % 1024U;
  }

  std::array<std::vector<std::size_t>, 1024> by_beginning_;
  std::vector<std::size_t> anchored_;  ///< all of a form, its beginning or its end
  std::vector<std::size_t> other_scripts_;
};

bool says(const std::string& form, std::string_view words) {
  if (words.front() == '=') return form == words.substr(1);
  if (words.front() == '$') return form.ends_with(words.substr(1));
  if (words.front() == '^') return form.starts_with(words.substr(1));
  return form.find(words) != std::string::npos;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (std::size_t at = 0; at < lower.size(); ++at) {
    char& c = lower[at];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (at + 1 >= lower.size()) continue;
    const auto lead = static_cast<unsigned char>(c);
    const auto next = static_cast<unsigned char>(lower[at + 1]);
    if (lead == 0xC3U && next >= 0x80U && next <= 0x9EU && next != 0x97U) {
      lower[at + 1] = static_cast<char>(next + 0x20U);
    } else if (lead == 0xD0U && next >= 0x90U && next <= 0x9FU) {
      lower[at + 1] = static_cast<char>(next + 0x20U);
    } else if (lead == 0xD0U && next >= 0xA0U && next <= 0xAFU) {
      c = static_cast<char>(0xD1U);
      lower[at + 1] = static_cast<char>(next - 0x20U);
    }
  }
  return lower;
}

std::string phrase_form(std::string_view written) {
  const std::string text = lower_case(written);
  std::string form;
  form.reserve(text.size() + 2);
  form += ' ';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!ascii && begins_with_glyph(std::string_view(text).substr(at))) {
      const std::string_view rest = without_leading_glyphs(std::string_view(text).substr(at));
      at = text.size() - rest.size();
      if (form.back() != ' ') form += ' ';
      continue;
    }
    if (letter || !ascii) {
      form += c;
    } else if (form.back() != ' ') {
      form += ' ';
    }
    ++at;
  }
  if (form.back() != ' ') form += ' ';
  return form;
}

Role role_of(std::string_view title) {
  constexpr std::size_t kTitleBytesMax = 300;
  const std::string form = phrase_form(title.substr(0, kTitleBytesMax));
  static const PhraseIndex kIndex;
  const std::size_t first = kIndex.first_in(form);
  if (first == kPhrases.size()) return Role::none;
  const Phrase* found = &kPhrases[first];
  const bool asks =
      found->role == Role::gate || found->role == Role::evidence || found->role == Role::weak;
  const bool about = std::any_of(kAboutGates.begin(), kAboutGates.end(),
                                 [&](std::string_view verb) { return form.starts_with(verb); });
  return asks && about ? Role::none : found->role;
}

bool names_checklist(std::string_view title) {
  const std::string form = phrase_form(title);
  for (const std::string_view phrase :
       {" checklist", " check list", " definition of done ", " dod ", " criteria ", " quality gate",
        " gates ", " rubric ", " sign off ", " checkliste", " verification ", "检查清单",
        "チェックリスト", "체크리스트", "чек лист"}) {
    if (form.find(phrase) != std::string::npos) return true;
  }
  return false;
}

bool names_order(std::string_view title) {
  const std::string form = phrase_form(title);
  return std::any_of(kOrderWords.begin(), kOrderWords.end(),
                     [&](std::string_view word) { return form.find(word) != std::string::npos; });
}

}  // namespace phasegate::phases
