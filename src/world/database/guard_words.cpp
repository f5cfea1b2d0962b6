#include <algorithm>
#include <array>

#include "world/database/guard_rules.h"

namespace phasegate::world::database {
namespace {

using base::Error;
using base::Result;

Error blocked(std::string_view message, std::string hint) {
  return {"blocked", std::string(message), std::move(hint), ""};
}

Error schema_blocked() {
  return blocked(
      "Schema changes are blocked here. Use migrations system.",
      "write NNNN-name.sql into the folder of migrations and run `phasegate db migrate`");
}

/// The position of the word that says what is done: behind EXPLAIN and the tables of WITH.
std::size_t verb_at(const SqlText& text) {
  std::size_t at = 0;
  if (text.is(0, "EXPLAIN")) at = text.is(1, "QUERY") && text.is(2, "PLAN") ? 3 : 1;
  if (!text.is(at, "WITH")) return at;
  constexpr std::array<std::string_view, 6> kVerbs = {"SELECT",  "VALUES", "INSERT",
                                                      "REPLACE", "UPDATE", "DELETE"};
  for (std::size_t i = at; i < text.tokens.size(); ++i) {
    if (text.tokens[i].depth != 0) continue;
    for (const std::string_view verb : kVerbs) {
      if (text.is(i, verb)) return i;
    }
  }
  return at;
}

bool has_where(const SqlText& text, std::size_t from) {
  return std::any_of(text.tokens.begin() + static_cast<std::ptrdiff_t>(from), text.tokens.end(),
                     [](const Token& token) { return token.depth == 0 && token.is("WHERE"); });
}

Error refusal_of(const SqlText& text, std::size_t at) {
  if (text.is(at, "DROP")) {
    if (text.is(at + 1, "TABLE")) {
      return blocked(kDropBlocked, "a numbered migration may drop a table: `phasegate db migrate`");
    }
    if (text.is(at + 1, "DATABASE") || text.is(at + 1, "SCHEMA")) {
      return blocked(kDeletionBlocked, "nothing here deletes a database");
    }
    return schema_blocked();
  }
  for (const char* word : {"CREATE", "ALTER", "REINDEX", "ANALYZE"}) {
    if (text.is(at, word)) return schema_blocked();
  }
  if (text.is(at, "TRUNCATE")) {
    return blocked(kTruncateBlocked, "write DELETE FROM … WHERE … and have it confirmed");
  }
  return blocked("Only SELECT, INSERT, UPDATE and DELETE are run here.",
                 "each statement has a transaction of its own; PRAGMA, ATTACH, VACUUM and the like "
                 "are left to the program that owns the database");
}

}  // namespace

Result<StatementKind> kind_of(const SqlText& text) {
  const std::size_t at = verb_at(text);
  for (const char* word : {"SELECT", "VALUES", "PRAGMA"}) {
    if (text.is(at, word)) return StatementKind::query;
  }
  const bool deletes = text.is(at, "DELETE");
  if (!deletes && !text.is(at, "INSERT") && !text.is(at, "UPDATE") && !text.is(at, "REPLACE")) {
    return refusal_of(text, at);
  }
  if (deletes && !has_where(text, at)) {
    return blocked(kTruncateBlocked, "write DELETE FROM … WHERE … and have it confirmed");
  }
  if (may_replace(text.tokens)) {
    return blocked("REPLACE blocked: it deletes rows without saying which.",
                   "write INSERT … ON CONFLICT (…) DO UPDATE SET …, or delete the rows first");
  }
  return text.is(0, "EXPLAIN") ? StatementKind::query : StatementKind::change;
}

}  // namespace phasegate::world::database
