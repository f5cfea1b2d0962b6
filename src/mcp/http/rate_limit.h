#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"

namespace phasegate::mcp::http {

/// Token buckets, one for each key: so many at once, then so many a second. Thread-safe.
class RateLimit {
 public:
  /// `keys_max`: that are remembered; over it, those that have been quiet longest are forgotten.
  RateLimit(double per_second, double at_once, std::size_t keys_max, base::Clock& clock);

  /// Takes one. 0 if there was one, else the whole seconds until there will be.
  [[nodiscard]] std::int64_t take(std::string_view key);

 private:
  struct Bucket {
    double left;
    base::TimePoint at;
  };
  void make_room(base::TimePoint now);
  [[nodiscard]] double left_at(const Bucket& bucket, base::TimePoint now) const;

  const double per_second_;
  const double at_once_;
  const std::size_t keys_max_;
  base::Clock& clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace phasegate::mcp::http
