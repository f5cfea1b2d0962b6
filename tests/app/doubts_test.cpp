#include "app/cli/doubts.h"

#include <doctest/doctest.h>

namespace phasegate::app::cli {
namespace {

TEST_CASE(
    "doubts: a decision is held against who is enrolled now (ARCHITECTURE §6, no silent pass)") {
  const Approvers approvers = {{"Ada", {}, "aaaa", {1000}, "root"},
                               {"bob", {}, "bbbb", {5000}, "Ada"}};
  struct Row {
    const char* kind;
    const char* data;
    std::int64_t at;
    std::optional<std::string> all;    ///< with secrets that were replaced since
    std::optional<std::string> doubt;  ///< without
  };
  const std::string replaced = "bob has had another secret since 1970-01-01T00:00:05.000Z";
  const std::string then = "the fingerprint is not the one that bob had then";
  const std::string eve = "eve\\u001b is not enrolled";
  for (const Row& row : {
           Row{"decision_answered", R"({"approver":"ada","fingerprint":"aaaa"})", 2000, {}, {}},
           {"decision_answered", R"({"approver":"bob","fingerprint":"aaaa"})", 2000, replaced, {}},
           {"decision_answered", R"({"approver":"bob","fingerprint":"aaaa"})", 5000, then, then},
           {"reopen_demanded", R"({"approver":"bob"})", 9000, then, then},
           {"decision_answered", R"({"approver":"eve\u001b","fingerprint":"aaaa"})", 1, eve, eve},
           {"decision_answered", R"({"channel":"client"})", 1, {}, {}},
           {"decision_answered", "{", 1, "the entry cannot be read", "the entry cannot be read"},
           {"phase_completed", R"({"approver":"eve"})", 1, {}, {}},
       }) {
    CAPTURE(row.data);
    gating::engine::JournalRow entry;
    entry.entry.kind = row.kind;
    entry.entry.data = row.data;
    entry.entry.at = {row.at};
    CHECK(doubt_about(entry, approvers, true) == row.all);
    CHECK(doubt_about(entry, approvers, false) == row.doubt);
  }
}

}  // namespace
}  // namespace phasegate::app::cli
