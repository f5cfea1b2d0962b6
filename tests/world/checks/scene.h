#pragma once
#include <string>
#include <utility>

#include "base/json.h"
#include "phases/check.h"
#include "world/checks/kinds.h"

namespace phasegate::test {

/// A check with what it needs to be carried out in a folder; its parameters are written as JSON.
struct CheckAsked {
  phases::Check check;
  base::Json parameters;
  base::Json scope = base::Json::object();
  world::checks::Place place;
  gating::engine::CheckScene scene{scope, "", "", {}, "run", {}, {}, {}};
  world::checks::Ask ask{check, parameters, scene, place};

  CheckAsked(phases::CheckKind kind, const std::filesystem::path& root, base::Json written,
             base::Json known = base::Json::object())
      : parameters(std::move(written)), scope(std::move(known)) {
    check.name = "it";
    check.kind = kind;
    check.parameters = base::dump(parameters);
    place.root = std::filesystem::canonical(root);
    place.environment = {"PATH=/usr/bin:/bin"};
  }
  CheckAsked(const CheckAsked&) = delete;
  CheckAsked& operator=(const CheckAsked&) = delete;
};

}  // namespace phasegate::test
