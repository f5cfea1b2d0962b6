#include "mcp/http/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace phasegate::mcp::http {

RateLimit::RateLimit(double per_second, double at_once, std::size_t keys_max, base::Clock& clock)
    : per_second_(per_second),
      at_once_(std::max(at_once, 1.0)),
      keys_max_(keys_max),
      clock_(clock) {}

std::int64_t RateLimit::take(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const base::TimePoint now = clock_.now();
  auto found = buckets_.find(std::string(key));
  if (found == buckets_.end()) {
    make_room(now);
    found = buckets_.emplace(key, Bucket{at_once_, now}).first;
  }
  Bucket& bucket = found->second;
  bucket = {left_at(bucket, now), now};
  if (bucket.left < 1.0) {
    return std::max<std::int64_t>(1, std::llround(std::ceil((1.0 - bucket.left) / per_second_)));
  }
  bucket.left -= 1.0;
  return 0;
}

double RateLimit::left_at(const Bucket& bucket, base::TimePoint now) const {
  // A clock that was set back gives nothing, and takes nothing either.
  const auto passed = static_cast<double>(std::max<std::int64_t>(0, now.ms - bucket.at.ms));
  return std::min(at_once_, bucket.left + passed / 1000.0 * per_second_);
}

void RateLimit::make_room(base::TimePoint now) {
  if (buckets_.size() < keys_max_) return;
  // A full bucket is as good as none.
  std::erase_if(buckets_, [&](const auto& each) { return left_at(each.second, now) >= at_once_; });
  if (buckets_.size() < keys_max_) return;
  buckets_.erase(
      std::ranges::min_element(buckets_, {}, [](const auto& each) { return each.second.at; }));
}

}  // namespace phasegate::mcp::http
