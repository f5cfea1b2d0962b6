#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace phasegate::bench {

enum class Waiting {
  ours,     ///< as the store waits for another process's transaction
  sqlites,  ///< as SQLite does by itself (`busy_timeout`)
};

/// The floor under a transition: SQLite alone, with the store's settings, on a database that the
/// store has made, reading and writing the same rows of the same size.
class BareTransactions {
 public:
  /// Works on the run `id`; throws std::runtime_error.
  BareTransactions(const std::filesystem::path& database, const std::string& id, Waiting waiting);
  ~BareTransactions();
  BareTransactions(const BareTransactions&) = delete;
  BareTransactions& operator=(const BareTransactions&) = delete;

  /// One transaction; throws std::runtime_error.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::bench
