#pragma once
#include <chrono>
#include <cstdint>

struct sqlite3;

namespace phasegate::state {

/// Waits for another connection's lock. SQLite's own way sleeps up to a tenth of a second between
/// two looks, during which a transaction of half a millisecond is over many times; this one looks
/// about once in a millisecond, at random moments so that processes do not wake together.
class BusyWait {
 public:
  /// `patience_ms`: how long one lock is waited for; 0: not at all.
  explicit BusyWait(std::int64_t patience_ms) : patience_(patience_ms) {}
  BusyWait(const BusyWait&) = delete;
  BusyWait& operator=(const BusyWait&) = delete;

  /// Takes effect for this connection, which it must outlive.
  void attach(sqlite3* handle);

  /// Waits no longer than this until it is destroyed.
  class Shorter {
   public:
    Shorter(BusyWait& wait, std::chrono::milliseconds patience);
    ~Shorter() { wait_.patience_ = before_; }
    Shorter(const Shorter&) = delete;
    Shorter& operator=(const Shorter&) = delete;

   private:
    BusyWait& wait_;
    std::chrono::milliseconds before_;
  };

 private:
  /// SQLite's callback: nonzero to look again.
  static int look_again(void* self, int looks);
  [[nodiscard]] bool wait(int looks);

  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point since_;
  std::uint64_t random_ = 0;
};

}  // namespace phasegate::state
