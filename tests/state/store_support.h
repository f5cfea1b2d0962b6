#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gating/engine/ports.h"
#include "state/state.h"
#include "tests/support/child.h"

/// What the store's tests share. Nothing here knows SQLite, so that the contract can be put under
/// another store.
namespace phasegate::test {

/// Opens the same store again, as another process would.
using StoreMaker = std::function<std::unique_ptr<state::Store>()>;

/// One that waits for other processes as long as a disk that other tests keep busy may take.
[[nodiscard]] StoreMaker sqlite_in(const std::filesystem::path& folder);

/// A definition with two documents; another `name` gives another hash.
[[nodiscard]] gating::engine::StoredDefinition a_definition(std::string_view name = "spec");

/// The run id with this number, in the shape of real ones.
[[nodiscard]] std::string run_id(int number);

/// The first transition of a run of `a_definition(workflow)`.
[[nodiscard]] gating::Transition first_of(const std::string& id, std::string_view resume_key = "",
                                          std::string_view workflow = "spec");

/// Starts run number `number` in a store of its own in `folder`.
void add_run(const std::filesystem::path& folder, int number = 1);

/// A transition that adds one to the version and the attempts and journals `data`.
[[nodiscard]] gating::Transition step_of(const gating::RunState& run, std::string_view data);

/// The same transition, which also asks a person: `Ship it?`.
[[nodiscard]] gating::Transition asking(gating::Transition transition, const std::string& decision);

/// The code of the StoreFailure that `call` throws; empty if it throws none.
template <typename Call>
std::string failure_code(Call call) {
  try {
    call();
  } catch (const gating::engine::StoreFailure& failure) {
    // Every failure says what to do, and none says where the folder lies.
    if (failure.error().hint.empty()) return failure.error().code + " without a hint";
    if (std::string_view(failure.what()).find("/tmp") != std::string_view::npos) {
      return failure.error().code + " with a path";
    }
    return failure.error().code;
  }
  return "";
}

/// Keeps the processor busy for so many rounds: a moment that no clock decides.
void spin(unsigned long rounds);

}  // namespace phasegate::test
