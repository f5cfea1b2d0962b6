#include "tests/state/store_support.h"

#include <atomic>
#include <cstdio>

#include "base/hash.h"

namespace phasegate::test {
using gating::Transition;

StoreMaker sqlite_in(const std::filesystem::path& folder) {
  // A disk that other tests keep busy for seconds is no failure of the store.
  constexpr std::int64_t kPatient = 60'000;
  return [folder] { return state::open_store(folder, {.busy_ms = kPatient}); };
}

gating::engine::StoredDefinition a_definition(std::string_view name) {
  gating::engine::StoredDefinition definition;
  definition.model = R"({"id":")" + std::string(name) + R"("})";
  definition.hash = base::sha256_hex(definition.model);
  for (const std::string& text : {std::string("# Phase 1\n"), std::string("\0\xFF\r\n", 4)}) {
    definition.blobs[base::sha256_hex(text)] = text;
  }
  return definition;
}

std::string run_id(int number) {
  char text[40];
  std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012d", number);
  return text;
}

Transition first_of(const std::string& id, std::string_view resume_key, std::string_view workflow) {
  gating::RunState run;
  run.id = id;
  run.workflow = workflow;
  run.definition_hash = a_definition(workflow).hash;
  run.current_phase = "1";
  run.target = "src/α.cpp";
  run.branch = "main";
  run.resume_key = resume_key;
  run.principal = "ada";
  run.created_at = {1'800'000'000'000};
  run.updated_at = run.created_at;
  Transition first;
  first.next = run;
  first.journal = {{"run_started", "1", 1, 0, "ada", R"({"n":0})", run.created_at}};
  first.reply.kind = gating::Reply::Kind::started;
  return first;
}

void add_run(const std::filesystem::path& folder, int number) {
  sqlite_in(folder)()->runs().create_run(a_definition(), first_of(run_id(number)), false);
}

Transition step_of(const gating::RunState& run, std::string_view data) {
  Transition step;
  step.next = run;
  step.next->version += 1;
  step.next->attempts += 1;
  step.next->updated_at.ms += 1;
  step.journal = {{"evidence_refused", run.current_phase, run.visit, step.next->attempts, "ada",
                   std::string(data), step.next->updated_at}};
  return step;
}

Transition asking(Transition transition, const std::string& decision) {
  gating::OpenDecision open;
  open.id = decision;
  open.opened_at = transition.next->updated_at;
  transition.next->decision = open;
  transition.journal.push_back(
      {"decision_opened", transition.next->current_phase, transition.next->visit, 0, "engine",
       R"({"decision":")" + decision + R"(","prompt":"Ship it?"})", open.opened_at});
  return transition;
}

void spin(unsigned long rounds) {
  std::atomic<unsigned long> done = 0;
  while (done.fetch_add(1, std::memory_order_relaxed) < rounds) {
  }
}

}  // namespace phasegate::test
