#include "gating/engine/looked_at_first.h"

#include <doctest/doctest.h>

namespace phasegate::gating::engine {
namespace {

using phases::CheckKind;

TEST_CASE("what asks for changes is looked at before the first program, too (ARCHITECTURE §5)") {
  struct Row {
    std::vector<CheckKind> kinds;
    bool named;
    std::vector<std::size_t> first;
  };
  const Row rows[] = {
      {{}, false, {}},
      {{CheckKind::guard, CheckKind::git, CheckKind::tests}, false, {}},
      {{CheckKind::tests, CheckKind::guard, CheckKind::git}, false, {1, 2}},
      {{CheckKind::guard, CheckKind::command, CheckKind::file, CheckKind::guard}, false, {3}},
      {{CheckKind::expr, CheckKind::guard}, false, {}},
      {{CheckKind::expr, CheckKind::guard}, true, {1}},
  };
  for (const Row& row : rows) {
    std::vector<phases::Check> checks(row.kinds.size());
    std::vector<const phases::Check*> due;
    for (std::size_t i = 0; i < checks.size(); ++i) {
      checks[i].kind = row.kinds[i];
      due.push_back(&checks[i]);
    }
    CHECK(looked_at_first(due, row.named) == row.first);
  }
}

TEST_CASE("what reads the results of other checks has to wait for them") {
  phases::Check tests;
  tests.kind = CheckKind::tests;
  phases::Check git;
  git.kind = CheckKind::git;
  git.parameters = R"({"within_plan":"checks.listed.value"})";
  CHECK(looked_at_first({&tests, &git}, false).empty());
}

}  // namespace
}  // namespace phasegate::gating::engine
