#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/page.h"
#include "app/cli/text.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

std::string done_text(const gating::engine::WorkDone& done) {
  std::string text = done.run_id + "  phase " + shown_value(done.phase) + ": ";
  if (done.given_back) return text + "given back\n";
  const gating::Reply& reply = done.reply;
  std::size_t passed = 0;
  for (const gating::CheckResult& result : reply.checks) passed += result.lets_through() ? 1U : 0U;
  if (reply.kind == gating::Reply::Kind::accepted) {
    text += "passed";
  } else if (reply.refusal) {
    text += std::string(gating::to_text(reply.refusal->kind));
  }
  text += ", " + std::to_string(passed) + " of " + base::counted(reply.checks.size(), "check") +
          " passed\n";
  for (const gating::CheckResult& result : reply.checks) {
    if (result.lets_through()) continue;
    text += "  " + shown_value(result.name) + ": " + shown_value(result.reason) + "\n";
  }
  return text;
}

/// What came of telling somebody; false if nobody reads it any more.
bool print_told(const gating::engine::Told& told) {
  using End = gating::engine::Delivery::End;
  std::string text =
      told.run_id + "  " + shown_value(told.event) + " to " + shown_value(told.target) + ": ";
  if (told.delivery.end == End::delivered) {
    text += "told";
  } else if (told.delivery.end == End::stopped) {
    text += "given back";
  } else {
    text += "not told: " + shown_value(told.delivery.why);
    text += told.again ? "; it is tried again later" : "; given up";
  }
  return write_all(STDOUT_FILENO, text + "\n") != Written::reader_gone;
}

}  // namespace

Outcome work_off(Program& program) {
  const Interrupt interrupt;
  gating::engine::WorkWish wish;
  // Signals are noticed within a wait only.
  wish.go_on = [&] {
    (void)interrupt.wait_ms(STDOUT_FILENO, 0);
    return !Interrupt::asked();
  };
  std::size_t count = 0;
  while (!Interrupt::asked()) {
    const auto done = program.engine().work(wish);
    if (!done) return failed(ExitCode::not_ok, done.error());
    if (!*done) break;
    ++count;
    if (write_all(STDOUT_FILENO, done_text(**done)) == Written::reader_gone) break;
    if ((*done)->given_back) break;
  }
  count += program.engine().pass_time();
  const gating::engine::TellWish telling{"", wish.go_on};
  while (!Interrupt::asked()) {
    const auto told = program.engine().tell(telling);
    if (!told) break;
    ++count;
    if (!print_told(*told) || told->delivery.end == gating::engine::Delivery::End::stopped) break;
  }
  std::string left;
  if (const auto next = program.engine().next_to_tell()) {
    left = "Somebody is still to be told of something: it is tried again at " + clock_time(*next) +
           ".\n";
  }
  if (count == 0 && left.empty()) {
    return {ExitCode::ok,
            "Nothing to do: no session waits for checks that nobody carries out, and nobody is to "
            "be told of anything.\n",
            ""};
  }
  if (!left.empty()) return {ExitCode::ok, left, ""};
  return {};
}

}  // namespace phasegate::app::cli
