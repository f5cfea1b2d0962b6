#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "state/db.h"
#include "state/seal/audit.h"

/// What the tests of sealed histories share.
namespace phasegate::test {

/// Runs 1 … `runs` in a store in `folder`. Each has `entries` entries in its journal, an accepted
/// phase with its evidence, a decision that was answered and one that is open, and a workflow is
/// trusted. The tables tombstone, acceptance, outbox and used_once are empty.
void make_histories(const std::filesystem::path& folder, int runs, int entries);

/// Three runs as of make_histories and what makes two rows or more in every table: another accepted
/// phase of each run, another workflow that is stored and trusted, sessions that were pruned, a
/// state that was accepted twice, effects that wait, tokens that were used.
void make_everything(const std::filesystem::path& folder, int entries);

/// One more transition of run number `number`.
void go_on(const std::filesystem::path& folder, int number = 1);

/// A change as somebody makes it who has a program for SQLite.
void change(const std::filesystem::path& folder, const std::string& sql);

/// The tables of the database.
[[nodiscard]] std::vector<std::string> tables_of(state::Db& db);

/// Every row of every table as text, by table; what cannot be read is said instead.
[[nodiscard]] std::map<std::string, std::vector<std::string>> all_rows(
    const std::filesystem::path& folder);

/// The findings of an audit of everything, one a line, and the problem.
[[nodiscard]] std::string findings_of(const std::filesystem::path& folder);
[[nodiscard]] bool is_sound(const std::filesystem::path& folder);

/// Copies what is in the folder; `names`: these only.
void copy_files(const std::filesystem::path& from, const std::filesystem::path& to,
                const std::vector<std::string>& names = {});

/// The code with which the next transition of run `number` is refused; empty: it is not.
[[nodiscard]] std::string write_code(const std::filesystem::path& folder, int number = 1);

}  // namespace phasegate::test
