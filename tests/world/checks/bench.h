#pragma once
#include <functional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/support/files.h"
#include "world/project_world.h"

namespace phasegate::world::checks {

/// A project of a test and what a check in it is told. Checks are carried out through the world's
/// own door.
struct Bench {
  test::TempFolder folder;
  std::filesystem::path root;
  base::Json scope;
  std::string entered;
  base::TimePoint entered_at;
  std::function<bool()> go_on;

  Bench() {
    folder.write("p/.keep", "");
    root = std::filesystem::canonical(folder.path() / "p");
    scope = {{"input", base::Json::object()},
             {"evidence", base::Json::object()},
             {"steps", base::Json::object()},
             {"checks", base::Json::object()},
             {"run", {{"id", "run-1"}}}};
  }

  void write(std::string_view relative, std::string_view bytes) const {
    folder.write("p/" + std::string(relative), bytes);
  }

  [[nodiscard]] gating::engine::CheckScene scene() const {
    return {scope, "", entered, entered_at, "run-1", {}, {}, go_on};
  }

  [[nodiscard]] static phases::Check check(phases::CheckKind kind, const base::Json& parameters) {
    phases::Check check;
    check.name = "it";
    check.kind = kind;
    check.parameters = base::dump(parameters);
    check.error = "what the author says";
    return check;
  }

  [[nodiscard]] gating::CheckResult run(phases::CheckKind kind,
                                        const base::Json& parameters) const {
    ProjectWorld world(root, folder.path() / "scratch");
    auto result = world.run(check(kind, parameters), scene());
    CAPTURE(base::dump(parameters));
    CAPTURE(result.reason);
    CHECK(result.name == "it");
    CHECK(result.kind == kind);
    CHECK(result.error == "what the author says");
    // ARCHITECTURE §5: whatever is not passed says why, and names no path of the machine.
    CHECK(result.reason.empty() == (result.outcome == gating::CheckOutcome::passed));
    CHECK(result.reason.find(folder.path().string()) == std::string::npos);
    CHECK(base::parse_json(base::dump(gating::to_json(result)), {1U << 24U, 64}).ok());
    return result;
  }
};

/// One row of a table of checks: its parameters as JSON text, what must come of it, and a part of
/// the reason.
struct Row {
  const char* parameters;
  gating::CheckOutcome outcome;
  const char* reason = "";
};

inline void run_rows(const Bench& bench, phases::CheckKind kind, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.parameters);
    const auto result = bench.run(kind, base::Json::parse(row.parameters));
    CAPTURE(result.reason);
    CAPTURE(result.hint);
    CHECK(gating::to_text(result.outcome) == gating::to_text(row.outcome));
    CHECK(result.reason.find(row.reason) != std::string::npos);
  }
}

}  // namespace phasegate::world::checks
