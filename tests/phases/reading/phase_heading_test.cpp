#include "phases/reading/phase_heading.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace phasegate::phases;
using Word = PhaseHeading::Word;

namespace {

struct Case {
  const char* heading;
  Word word;
  const char* number;
  const char* title;
  bool separated = true;
};

void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    CAPTURE(std::string(one.heading));
    const auto got = read_phase_heading(one.heading);
    CHECK(got.has_value());
    if (!got) continue;
    CHECK(got->word == one.word);
    CHECK(got->number == one.number);
    CHECK(got->title == one.title);
    CHECK(got->separated == one.separated);
  }
}

}  // namespace

TEST_CASE("phase headings: the words that count, with any separator and case (004-12)") {
  check({{"Phase 1: Gather", Word::phase, "1", "Gather"},
         {"PHASE 2 - Build", Word::phase, "2", "Build"},
         {"phase 3 – Test", Word::phase, "3", "Test"},
         {"Phase 4 — Ship it", Word::phase, "4", "Ship it"},
         {"Phase 5. Rest", Word::phase, "5", "Rest"},
         {"Phase 6) Rest", Word::phase, "6", "Rest"},
         {"Phase 7 | Rest", Word::phase, "7", "Rest"},
         {"Phase 8", Word::phase, "8", ""},
         {"Phase 9 (Quick look)", Word::phase, "9", "(Quick look)"},
         {"Phase-3: Glued", Word::phase, "3", "Glued"},
         {"Phase #4: Marked", Word::phase, "4", "Marked"},
         {"Stage 1: Raw", Word::stage, "1", "Raw"},
         {"Part A: First half", Word::part, "A", "First half"},
         {"Step 3: Stir", Word::step, "3", "Stir"},
         {"Gate 2: Types", Word::gate, "2", "Types"},
         {"Task 4.3: Count", Word::task, "4.3", "Count"}});
}

TEST_CASE("phase headings: numbers are kept as they are written (004-12)") {
  check({{"Phase 0: Begin", Word::phase, "0", "Begin"},
         {"Phase 0B: Begin again", Word::phase, "0B", "Begin again"},
         {"Phase A: Alpha", Word::phase, "A", "Alpha"},
         {"Phase IV: Four", Word::phase, "IV", "Four"},
         {"Phase P1: Coded", Word::phase, "P1", "Coded"},
         {"Step 23.1.2: Deep", Word::step, "23.1.2", "Deep"},
         {"Phase N: Any", Word::phase, "N", "Any"},
         {"Phase {N}: Any", Word::phase, "N", "Any"},
         {"Phase [X]: Any", Word::phase, "X", "Any"},
         {"Phase One: In a word", Word::phase, "1", "In a word"},
         {"Step ten: In a word", Word::step, "10", "In a word"}});
}

TEST_CASE("phase headings: what stands around the title goes") {
  check({{"🚀 Phase 1: Launch", Word::phase, "1", "Launch"},
         {"Phase 1: 🔍 Look closely", Word::phase, "1", "Look closely"},
         {"Phase 1: Look:", Word::phase, "1", "Look"},
         {"Phase 1: Look ##", Word::phase, "1", "Look"},
         {"  Phase 1:   Look  ", Word::phase, "1", "Look"},
         {"Phase\xC2\xA0\x31: Look", Word::phase, "1", "Look"}});
}

TEST_CASE("phase headings: other languages (004-12)") {
  check({{"Fase 1: Plan", Word::phase, "1", "Plan"},
         {"Etapa 2: Obra", Word::stage, "2", "Obra"},
         {"Etape 3: Essai", Word::stage, "3", "Essai"},
         {"Stufe 1: Entwurf", Word::stage, "1", "Entwurf"},
         {"Teil 2: Bau", Word::part, "2", "Bau"},
         {"Schritt 3: Probe", Word::step, "3", "Probe"},
         {"Paso 1: Mirar", Word::step, "1", "Mirar"},
         {"Passo 1: Olhar", Word::step, "1", "Olhar"},
         {"Aufgabe 2: Messen", Word::task, "2", "Messen"},
         {"Этап 1: План", Word::stage, "1", "План"},
         {"Шаг 2: Проба", Word::step, "2", "Проба"},
         {"阶段 1: 设计", Word::phase, "1", "设计"},
         {"第3阶段：测试", Word::phase, "3", "测试"},
         {"第 2 步：构建", Word::step, "2", "构建"},
         {"第三阶段：发布", Word::phase, "3", "发布"},
         {"フェーズ1: 設計", Word::phase, "1", "設計"},
         {"ステップ 2: 実装", Word::step, "2", "実装"},
         {"1단계: 설계", Word::phase, "1", "설계"}});
}

TEST_CASE("phase headings: without a separator a heading may only speak of the phase") {
  check({{"Phase 1 Validation Gate", Word::phase, "1", "Validation Gate", false},
         {"Phase 2 Checkpoint", Word::phase, "2", "Checkpoint", false},
         {"Step 3 in detail", Word::step, "3", "in detail", false}});
}

TEST_CASE("phase headings: numbers before titles, transitions and named gates") {
  check({{"1. Build", Word::numbered, "1", "Build"},
         {"2) Test", Word::numbered, "2", "Test"},
         {"0.1 Detect", Word::numbered, "0.1", "Detect", false},
         {"DRAFT → REVIEW", Word::transition, "", "DRAFT → REVIEW"},
         {"Draft -> Review", Word::transition, "", "Draft -> Review"},
         {"Planning Gate", Word::named, "", "Planning"},
         {"Design Phase", Word::named, "", "Design"},
         {"Planning Exit Gate", Word::named, "", "Planning"},
         {"Shipped Gate (Release)", Word::named, "", "Shipped"},
         {"Z1 Architect Gate", Word::named, "Z1", "Architect"}});
}

TEST_CASE("phase headings: what is none") {
  for (const char* heading : {"",
                              "   ",
                              "Overview",
                              "Phase",
                              "Phases of the moon",
                              "Phase gates",
                              "Phased delivery",
                              "v0.5",
                              "v0.5: Next release",
                              "Release 1.2",
                              "milestone 2",
                              "Milestone 2: Beta",
                              "2026",
                              "2026 in numbers",
                              "1",
                              "10 ways to wait",
                              "100% done",
                              "Step by step",
                              "Gateway 1",
                              "Partly 1",
                              "a → b → c",
                              "→ next",
                              "What a gate is",
                              "The very long name of some gate"}) {
    CAPTURE(std::string(heading));
    CHECK_FALSE(read_phase_heading(heading).has_value());
  }
  CHECK_FALSE(read_phase_heading("Phase 1: " + std::string(400, 'x')).has_value());
}

TEST_CASE("phase headings: any bytes give a result") {
  for (const std::string& heading :
       {std::string("Phase \xFF"), std::string("Phase 1\xFF"), std::string("\xF0\x9F"),
        std::string("Phase [", 7), std::string("Phase 99999999999999999999: x"), std::string("第"),
        std::string("\0Phase 1", 8)}) {
    CHECK_NOTHROW((void)read_phase_heading(heading));
    CHECK_NOTHROW((void)phase_named_in(heading));
  }
}

TEST_CASE("phase headings: the phase that a sentence names") {
  CHECK(phase_named_in("Phase 3 Checkpoint") == "3");
  CHECK(phase_named_in("Gate of phase 0B") == "0B");
  CHECK(phase_named_in("Before phase 2.1 begins") == "2.1");
  for (const char* none :
       {"", "Phase Gate", "Phase A gate", "Metaphase 3", "Phases 1", "Stage 3"}) {
    CAPTURE(std::string(none));
    CHECK_FALSE(phase_named_in(none).has_value());
  }
}
