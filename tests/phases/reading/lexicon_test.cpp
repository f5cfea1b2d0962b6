#include "phases/reading/lexicon.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace phasegate::phases;

namespace {

void check(Role role, const std::vector<const char*>& titles) {
  for (const char* title : titles) {
    CAPTURE(std::string(title));
    CHECK(static_cast<int>(role_of(title)) == static_cast<int>(role));
  }
}

}  // namespace

TEST_CASE("lexicon: titles that open a gate (004-16)") {
  check(Role::gate, {"Validation Gate",
                     "🛑 VALIDATION GATE 🛑",
                     "Quality Gates",
                     "Exit Criteria",
                     "exit criteria:",
                     "Exit-Criteria",
                     "Completion Criteria",
                     "Success Criteria",
                     "Acceptance criteria",
                     "Definition of Done",
                     "DoD",
                     "Done when",
                     "Checkpoint",
                     "Phase 2 Checkpoint",
                     "Pre-merge checklist",
                     "Sign-off",
                     "Checks",
                     "Criteria",
                     "Before proceeding",
                     "Before you proceed, confirm",
                     "Must all pass",
                     "Postconditions",
                     "Passing criteria"});
}

TEST_CASE("lexicon: titles of the other roles") {
  check(Role::evidence, {"Evidence", "Required Evidence", "Evidence to collect", "Required fields",
                         "Reports must include", "Required output"});
  check(Role::entry, {"Entry Criteria", "Entry Gate", "Prerequisites", "Pre-requisites",
                      "Before you begin", "Before starting", "Pre-flight checks", "Preconditions"});
  check(Role::weak, {"Verification", "Verify the result", "Validation", "Review", "Testing",
                     "Readiness", "Quality"});
  check(Role::output, {"Expected outputs", "Metrics", "Outputs"});
  check(Role::task, {"Tasks", "Implementation", "Steps", "Action items", "To do", "Actions to take",
                     "Instructions"});
  check(Role::aside, {"Notes", "Next steps", "Deliverables", "Related", "References", "Warnings",
                      "Troubleshooting", "Common mistakes", "Red flags", "Never do this",
                      "Don't skip", "Glossary"});
  check(Role::none, {"", "Overview", "Background", "Delegate", "Investigate", "Navigate well",
                     "Gateway", "Reviewers", "Tasks of the day"});
}

TEST_CASE("lexicon: a template or an example is no gate, nor is making one") {
  check(Role::aside, {"Validation Gate Template", "Example: Exit Criteria", "Sample checklist",
                      "Gate failure handling", "If the gate fails", "Bad exit criteria"});
  check(Role::none, {"Define exit criteria", "Creating a validation gate", "Write the checklist",
                     "Configure quality gates"});
}

TEST_CASE("lexicon: entry is told apart from exit, whatever else the title says") {
  check(Role::entry, {"Entry checkpoint", "Phase 2 entry criteria", "Entry gate: phase 3"});
}

TEST_CASE("lexicon: other languages (004-16)") {
  check(Role::gate,
        {"Abnahmekriterien", "Abschlusskriterien", "Prüfpunkt", "Checkliste", "Freigabe",
         "Critères d'acceptation", "Liste de contrôle", "Criterios de salida",
         "Lista de verificación", "Critérios de aceitação", "критерии готовности", "чек-лист",
         "验收标准", "检查清单", "完了条件", "チェックリスト", "완료 조건", "체크리스트"});
  check(Role::entry, {"Voraussetzungen", "Prérequis", "Requisitos previos", "Pré-requisitos",
                      "前提条件", "предварительные условия"});
  check(Role::evidence, {"Nachweise", "Nachweis"});
  check(Role::aside, {"Beispiel: Checkliste", "示例", "模板"});
  check(Role::weak, {"überprüfung", "验证", "проверка", "Verificación"});
}

TEST_CASE("lexicon: titles that name a checklist or an order") {
  for (const char* yes : {"Release checklist", "Definition of Done", "Acceptance criteria",
                          "Quality gates", "检查清单", "Checkliste"}) {
    CAPTURE(std::string(yes));
    CHECK(names_checklist(yes));
  }
  for (const char* no : {"", "How to release", "Criterion", "A gateway"}) {
    CAPTURE(std::string(no));
    CHECK_FALSE(names_checklist(no));
  }
  for (const char* yes :
       {"The process", "Review workflow", "Steps", "Release pipeline", "Ablauf", "流程"}) {
    CAPTURE(std::string(yes));
    CHECK(names_order(yes));
  }
  for (const char* no : {"", "Handbook", "Flowers", "Stepping stones"}) {
    CAPTURE(std::string(no));
    CHECK_FALSE(names_order(no));
  }
}

TEST_CASE("lexicon: the form in which phrases are looked for") {
  CHECK(phrase_form("Exit-Criteria:") == " exit criteria ");
  CHECK(phrase_form("🛑 GATE 🛑") == " gate ");
  CHECK(phrase_form("") == " ");
  CHECK(phrase_form("Don't") == " don t ");
  CHECK(phrase_form("Prüfung 2") == " prüfung 2 ");
  CHECK_NOTHROW((void)phrase_form("\xFF\xF0\x9F"));
  CHECK(static_cast<int>(role_of(std::string(1000, 'x') + " gate ")) ==
        static_cast<int>(Role::none));
}
