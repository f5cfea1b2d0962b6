#pragma once
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

/// What must be true of a store whatever has happened to the processes that used it.
namespace phasegate::soak {

/// What a client has been told of its work on one target.
struct Told {
  std::string session;           ///< empty: not even that it has begun
  std::set<std::string> passed;  ///< phases whose gate opened
  bool complete = false;         ///< the workflow

  /// What another client has been told of the same session.
  void add(const Told& other);
};

/// By target.
using ToldByTarget = std::map<std::string, Told>;

/// What is wrong with a store.
struct Findings {
  int lost = 0;     ///< told to a client, and not there
  int doubled = 0;  ///< there twice: a session of one target, a phase of one session
  int half = 0;     ///< one part of a transition without another, or damage
  std::vector<std::string> words;

  [[nodiscard]] bool none() const { return lost + doubled + half == 0 && words.empty(); }
  void add(const Findings& other);
  void add_half(std::string what);
};

/// Reads everything in the store of a state folder and compares it with what was told. Uses the
/// store's own reader, SQLite's integrity check and the audit of all that is sealed. Nobody else
/// may use the store meanwhile. Linear in what is stored.
[[nodiscard]] Findings look_at_store(const std::filesystem::path& state, const ToldByTarget& told);

/// Everything that is sealed in the store of a state folder is as it was written.
[[nodiscard]] Findings look_at_seals(const std::filesystem::path& state);

/// There are copies of the store in its folder of copies, and each can be put back with the keys
/// that lie beside the store: it is taken in by an empty folder beside the state's, which is
/// removed again.
[[nodiscard]] Findings look_at_backups(const std::filesystem::path& state);

/// Every session of the workflow `checked` that was completed, pruned ones as well, stands in the
/// file `ran`, where the program of its check has put it, at least once.
[[nodiscard]] Findings look_at_checks(const std::filesystem::path& state,
                                      const std::filesystem::path& ran);

/// What the built program itself says about a state folder: `phasegate audit` where it knows that
/// command, else `phasegate doctor`. Empty: it is sound.
[[nodiscard]] std::string verdict_of_program(const std::filesystem::path& root,
                                             const std::filesystem::path& state);

}  // namespace phasegate::soak
