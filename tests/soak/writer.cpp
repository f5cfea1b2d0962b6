#include "tests/soak/writer.h"

#include <csignal>
#include <iterator>

namespace phasegate::soak {
namespace {

/// Refusals of a phase whose checks have not come to their end; each lasts as long as a call may.
constexpr int kVerifyingMax = 20;
/// So often in a row a person who decides may be killed.
constexpr int kDecidingMax = 30;

bool is_true(const Json& answer, const char* member) {
  return answer.is_object() && answer.contains(member) && answer[member] == true;
}

}  // namespace

Writer::Writer(const Project& project, Common& common, int number, std::uint64_t seed)
    : project_(project), common_(common), number_(number), killer_(seed) {}

std::vector<std::string> Writer::phases() const {
  switch (kind_) {
    case Kind::checked:
      return {std::begin(kCheckedPhases), std::end(kCheckedPhases)};
    case Kind::asked:
      return {std::begin(kAskedPhases), std::end(kAskedPhases)};
    case Kind::plain:
      break;
  }
  return {std::begin(kPlainPhases), std::end(kPlainPhases)};
}

void Writer::refuse(const std::string& doing, const Json& answer) {
  report_.found.words.push_back(doing + ": " + base::dump(answer));
}

void Writer::choose() {
  const int chosen = killer_.number(12);
  kind_ = chosen == 0 ? Kind::asked : (chosen < 4 ? Kind::checked : Kind::plain);
  in_common_ = chosen >= 9;
  at_ = 0;
  if (in_common_) return;
  target_ = "src/w" + std::to_string(number_) + "-" + std::to_string(report_.sessions++) + ".cpp";
  told_[target_] = {};
}

std::optional<Json> Writer::call(Server& server, const char* tool, const Json& arguments,
                                 std::chrono::microseconds patience) {
  for (int again = 0;; ++again) {
    auto answer = server.call(tool, arguments, patience);
    const bool busy = answer && answer->is_object() &&
                      base::string_member(*answer, "error") == std::string("busy");
    if (!busy || again >= kBusyRepeatsMax) return answer;
  }
}

Writer::Step Writer::begin(Server& server, std::chrono::microseconds patience) {
  if (target_.empty()) choose();
  return in_common_ ? begin_or_join(server, patience) : begin_alone(server, patience);
}

Writer::Step Writer::begin_or_join(Server& server, std::chrono::microseconds patience) {
  const std::lock_guard lock(common_.beginning);
  if (common_.target.empty()) {
    common_.target =
        "src/common-" + std::to_string(number_) + "-" + std::to_string(report_.sessions++) + ".cpp";
  }
  if (target_.empty()) target_ = common_.target;
  std::string& session = common_.sessions[target_];
  if (session.empty()) {
    const Step step = begin_alone(server, patience);
    session = told_[target_].session;
    return step;
  }
  told_[target_].session = session;
  return Step::done;
}

Writer::Step Writer::begin_alone(Server& server, std::chrono::microseconds patience) {
  const char* workflow =
      kind_ == Kind::asked ? "asked" : (kind_ == Kind::checked ? "checked" : "plain");
  const auto answer = call(server, "start_workflow",
                           {{"workflow_type", workflow}, {"target_file", target_}}, patience);
  if (!answer) return Step::unanswered;
  const auto session = base::string_member(*answer, "session_id");
  if (!session) {
    refuse("start_workflow", *answer);
    return Step::refused;
  }
  ++report_.acknowledged;
  if (unanswered_ && is_true(*answer, "resumed")) ++report_.repeated;
  told_[target_].session = *session;
  return Step::done;
}

void Writer::come_to_its_end() {
  if (in_common_) {
    const std::lock_guard lock(common_.beginning);
    if (common_.target == target_) common_.target.clear();
  }
  target_.clear();
}

Writer::Step Writer::go_on(Server& server, std::chrono::microseconds patience) {
  Told& told = told_[target_];
  const std::string phase = phases()[at_];
  // Now and then one so long that the log is copied into the database while others write.
  const std::size_t bytes = at_ == 0 && !in_common_ && number_ % 2 == 0 ? 300'000 : 40;
  bool decided = false;
  for (int i = 0; i < kVerifyingMax; ++i) {
    const auto answer = call(server, "complete_phase",
                             {{"session_id", told.session},
                              {"phase", phase},
                              {"evidence", evidence_for(target_, phase, bytes)}},
                             patience);
    if (!answer) return Step::unanswered;
    if (is_true(*answer, "checkpoint_passed")) {
      ++report_.acknowledged;
      const bool repeated = is_true(*answer, "repeated");
      if (repeated && unanswered_) ++report_.repeated;
      if (repeated && !unanswered_ && !decided && !in_common_)
        refuse("a first call is answered as a repeated one", *answer);
      told.passed.insert(phase);
      told.complete = is_true(*answer, "workflow_complete");
      if (++at_ == phases().size()) {
        if (!told.complete) refuse("the last phase does not end the workflow", *answer);
        come_to_its_end();
      }
      return Step::done;
    }
    if (is_true(*answer, "waiting_for_person")) {
      ++report_.acknowledged;
      decided = decide();
      if (!decided) return Step::refused;
      continue;  // the same call again tells what was decided
    }
    if (!answer->contains("how_to_wait")) {
      refuse("complete_phase", *answer);
      return Step::refused;
    }
  }
  refuse("checks of " + phase, "never come to an end");
  return Step::refused;
}

Writer::Step Writer::work(Server& server, std::chrono::microseconds patience) {
  const bool begins = target_.empty() || told_[target_].session.empty();
  const Step step = begins ? begin(server, patience) : go_on(server, patience);
  unanswered_ = step == Step::unanswered;
  if (unanswered_) ++report_.unanswered;
  return step;
}

bool Writer::decide() {
  const std::string& session = told_[target_].session;
  for (int i = 0; i < kDecidingMax; ++i) {
    const Death death = killer_.one_in(2) ? killer_.next() : Death{};
    Child person(project_.command({"decide", session, "--option", "approve", "--input", "good"},
                                  death.point ? with_fault(*death.point) : Variables{}),
                 Child::Streams::terminal);
    const std::string secret = std::string(kSecret) + "\n";
    bool on = person.wait_for("[y/N] ", kForever) && person.write("y\n") &&
              person.wait_for("Secret of ", kForever) && person.write(secret);
    if (on && death.patience.count() > 0) {
      static_cast<void>(person.wait_for("nothing of the kind", 20 * death.patience));
      person.kill();
    }
    const std::string said = person.read_all();
    const int code = person.wait();
    const Ended status = run(project_.command({"status", session, "--json"}));
    const bool waits = base::string_member(parsed(status.out), "waits_for") == "person";
    if (code == 0 && waits) {
      ++report_.found.lost;
      report_.found.words.push_back(session + ": a decision is lost");
      return false;
    }
    if (code == 128 + SIGKILL) report_.add_kill(death.kind);
    if (!waits) return true;
    // What is said on a terminal, standard error included, comes by one way.
    if (code != 128 + SIGKILL && !was_busy(code, said)) {
      report_.found.words.push_back(session + ": nobody can decide: " + said);
      return false;
    }
  }
  report_.found.words.push_back(session + ": every decision was killed");
  return false;
}

void Writer::die_once() {
  const Death death = killer_.next();
  Server server(project_, death.point ? with_fault(*death.point) : Variables{});
  Step step = Step::done;
  for (int i = 0; i < death.steps_max && step == Step::done; ++i) {
    const bool now = !death.point && killer_.one_in(3);
    step = work(server, now ? death.patience : kForever);
  }
  // A point that was not come to: now.
  server.kill();
  const int code = server.wait();
  if (code != 128 + SIGKILL) {
    report_.found.words.push_back("a server ended with " + std::to_string(code));
  }
  report_.add_kill(step == Step::unanswered ? death.kind : "");
  compare_with_history();
}

void Writer::compare_with_history() {
  if (target_.empty() || told_[target_].session.empty()) return;
  const Told& told = told_[target_];
  const Ended ended = run(project_.command({"history", told.session, "--json"}));
  const Json history = parsed(ended.out);
  if (ended.code != 0 || !history.contains("entries")) {
    ++report_.found.lost;
    report_.found.words.push_back("history of " + told.session + ": exit code " +
                                  std::to_string(ended.code) + " " + ended.err);
    return;
  }
  std::map<std::string, int> completed;
  for (const Json& entry : history["entries"]) {
    if (base::string_member(entry, "kind") != "phase_completed") continue;
    ++completed[base::string_member(entry, "phase").value_or("")];
  }
  for (const auto& [phase, times] : completed) {
    if (times == 1) continue;
    ++report_.found.doubled;
    report_.found.words.push_back(told.session + ": phase " + phase + " twice in its history");
  }
  for (const std::string& phase : told.passed) {
    if (completed.contains(phase)) continue;
    ++report_.found.lost;
    report_.found.words.push_back(told.session + ": phase " + phase + " not in its history");
  }
}

void Writer::finish() {
  if (target_.empty()) return;
  Server server(project_);
  while (!target_.empty()) {
    if (work(server, kForever) != Step::done) {
      report_.found.words.push_back(target_ + " could not be worked to its end");
      return;
    }
  }
  if (server.end() != 0) report_.found.words.push_back("a server did not end well");
}

}  // namespace phasegate::soak
