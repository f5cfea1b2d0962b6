#include "base/named_commands.h"

#include <doctest/doctest.h>

namespace phasegate::base {
namespace {

TEST_CASE("commands in a text get the options that reach the state, once") {
  struct Row {
    const char* text;
    const char* wanted;
  };
  for (const Row row : {
           Row{"", ""},
           Row{"no command", "no command"},
           Row{"run `phasegate audit`, then `phasegate doctor`.",
               "run `phasegate audit --state /s`, then `phasegate doctor --state /s`."},
           Row{"`phasegate audit --state /s` says", "`phasegate audit --state /s` says"},
           Row{"`phasegate restore FILE --state DIR`", "`phasegate restore FILE --state DIR`"},
           Row{"`phasegate status --root /p`", "`phasegate status --root /p`"},
           Row{"`phasegate help db` says more", "`phasegate help db` says more"},
           Row{"`other program`", "`other program`"},
           Row{"an end is `phasegate missing", "an end is `phasegate missing"},
       }) {
    CAPTURE(row.text);
    CHECK(with_options(row.text, " --state /s") == row.wanted);
    CHECK(with_options(with_options(row.text, " --state /s"), " --state /s") == row.wanted);
    CHECK(with_options(row.text, "") == row.text);
  }
}

}  // namespace
}  // namespace phasegate::base
