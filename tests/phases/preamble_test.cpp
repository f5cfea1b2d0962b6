#include "phases/preamble.h"

#include <doctest/doctest.h>

#include "phases/phase_names.h"

using namespace phasegate::phases;

namespace {

/// Phase 1 is `Gather facts`; these come behind it.
PhaseNames later() {
  PhaseNames names;
  names.add("2", "Weigh the options");
  names.add("3", "Decide");
  names.add("23.1", "");
  names.add("", "Tell everybody");
  names.except("1", "Gather facts");
  return names;
}

}  // namespace

TEST_CASE("names of later phases: by number and by title, and not by everyday words") {
  const PhaseNames names = later();
  for (const char* text : {"Phase 2",
                           "phase 2: something",
                           "see Step 3",
                           "Phases 1-3",
                           "phases 1 and 2",
                           "PHASE 23.1",
                           "**Phase 2**",
                           "#phase-2-weigh-the-options",
                           "Weigh the options",
                           "weigh  the *options* now",
                           "then tell everybody",
                           "Decide",
                           "3. Decide",
                           "**Decide** \u2013 the end",
                           "Decide: how",
                           "\xF0\x9F\x94\x8D Phase 2",
                           "#weigh-the-options",
                           "Phase&nbsp;2",
                           "weigh&#160;the<br>options",
                           "a & b, phase 2",
                           "x &; < phase 2"}) {
    CAPTURE(text);
    CHECK(names.named_in(text));
  }
  for (const char* text :
       {"", "Phase 1", "Gather facts", "phase 1.2", "2 phases", "Phase 22",
        "Decide on a name first", "we decide", "decide.md: notes", "decide-later", "step by step",
        "Weigh options", "phased 2", "version 2", "\xff\xfe"}) {
    CAPTURE(text);
    CHECK_FALSE(names.named_in(text));
  }
  CHECK_FALSE(names.clearly_named_in("Decide"));
}

TEST_CASE("names of later phases: a title that holds another's words is its own") {
  PhaseNames names;
  names.add("2", "Write the tests");
  names.add("3", "Plan the release well");
  names.except("1", "Plan to write the tests");
  CHECK_FALSE(names.named_in("Plan to write the tests"));
  CHECK(names.named_in("Plan to write the tests, then write the tests"));
  PhaseNames shorter;
  shorter.add("2", "Plan the release");
  shorter.except("1", "Plan");
  CHECK(shorter.named_in("Plan the release"));
  CHECK_FALSE(shorter.named_in("Plan"));
}

TEST_CASE("names of later phases: scripts without blanks") {
  PhaseNames names;
  names.add("2", "\u8A2D\u8A08\u3092\u66F8\u304F");
  CHECK(names.named_in("\u6B21\u306B\u8A2D\u8A08\u3092\u66F8\u304F\u3053\u3068"));
  CHECK_FALSE(names.named_in("\u8A2D\u8A08"));
}

TEST_CASE("invariant 1: the outline of later phases is left out, everything else stays") {
  const std::string text =
      "---\n"                                        // 1
      "name: choose\n"                               // 2
      "---\n"                                        // 3
      "# Choosing\n"                                 // 4
      "\n"                                           // 5
      "Read [the end](#decide) and [this](x.md).\n"  // 6
      "\n"                                           // 7
      "- Gather facts\n"                             // 8
      "- Weigh the options\n"                        // 9
      "  - by hand\n"                                // 10
      "- Keep calm\n"                                // 11
      "  1. Phase 3\n"                               // 12
      "  2. Breathe\n"                               // 13
      "\n"                                           // 14
      "| Phase | When |\n"                           // 15
      "|---|---|\n"                                  // 16
      "| Phase 1 | now |\n"                          // 17
      "| Phase 2 | later |\n"                        // 18
      "\n"                                           // 19
      "```\n"                                        // 20
      "Gather facts -> Decide\n"                     // 21
      "make all\n"                                   // 22
      "```\n"                                        // 23
      "Gather facts \u2192 Decide\n"                 // 24
      "\n"                                           // 25
      "Phase 2: Weigh the options\n"                 // 26
      "\n"                                           // 27
      "Nothing of phase 3 matters yet.\n"            // 28
      "\n"                                           // 29
      "[two]: #phase-2\n";                           // 30
  const Preamble preamble = without_outline(text, later());
  CHECK(
      preamble.text ==
      "# Choosing\n\nRead \u2026 and [this](x.md).\n\n- Gather facts\n- Keep calm\n  2. Breathe\n\n"
      "| Phase | When |\n|---|---|\n| Phase 1 | now |\n\n```\nmake all\n```\n\n\n"
      "Nothing of phase 3 matters yet.\n\n");
  CHECK(preamble.withheld == std::vector<int>{6, 9, 10, 12, 18, 21, 24, 26, 30});
  CHECK(preamble.still_naming == std::vector<int>{28});
}

TEST_CASE("the outline is found whatever ends lines, and nothing is made of nothing") {
  const std::string lines = "Hello\r\n\r\n* Decide\r\n* Stay\r\n";
  CHECK(without_outline(lines, later()).text == "Hello\r\n\r\n* Stay\r\n");
  CHECK(without_outline("* Decide\r* Stay\r", later()).text == "* Stay\r");
  CHECK(without_outline("", later()).text.empty());
  CHECK(without_outline("\xEF\xBB\xBF"
                        "Hello",
                        later())
            .text == "Hello");
  CHECK(without_outline("Hello", PhaseNames()).text == "Hello");
}

TEST_CASE("hostile preambles take linear time") {
  const PhaseNames names = later();
  std::string links;
  std::string deep;
  std::string words;
  for (int i = 0; i < 100'000; ++i) {
    links += "](";
    deep += "- ";
    words += "gather ";
  }
  CHECK(without_outline(links, names).text == links);
  CHECK(without_outline(deep, names).withheld.empty());
  CHECK(without_outline(words, names).text == words);
}
