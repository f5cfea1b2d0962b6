#include "mcp/http/running_calls.h"

#include <algorithm>
#include <utility>

namespace phasegate::mcp::http {
namespace {

/// How long a waiting call may take to notice that another request of its client's withdrew it.
constexpr std::chrono::milliseconds kWithdrawnEvery{50};

}  // namespace

void RunningCall::end(Ended why) {
  const std::lock_guard lock(mutex_);
  if (ended_ == Ended::no) ended_ = why;
  changed_.notify_all();
}

RunningCall::Ended RunningCall::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool RunningCall::wait(std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return ended_ != Ended::no; });
}

std::shared_ptr<RunningCall> RunningCalls::add(const protocol::Message& request) {
  auto call = std::make_shared<RunningCall>(request);
  const std::lock_guard lock(mutex_);
  std::erase_if(calls_, [](const auto& each) { return each.expired(); });
  calls_.push_back(call);
  if (stopped_) call->end(RunningCall::Ended::stopped);
  return call;
}

void RunningCalls::withdraw(const protocol::Message& notification) {
  for (const auto& call : running()) {
    if (protocol::cancels(notification, call->request())) {
      call->end(RunningCall::Ended::withdrawn);
    }
  }
}

void RunningCalls::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  for (const auto& call : running()) call->end(RunningCall::Ended::stopped);
}

bool RunningCalls::empty() const {
  return running().empty();
}

std::vector<std::shared_ptr<RunningCall>> RunningCalls::running() const {
  std::vector<std::shared_ptr<RunningCall>> calls;
  const std::lock_guard lock(mutex_);
  for (const auto& each : calls_) {
    if (auto call = each.lock()) calls.push_back(std::move(call));
  }
  return calls;
}

bool BodyExchange::cancelled() {
  return call_.ended() != RunningCall::Ended::no;
}

bool LegacyStreamExchange::send(std::string line) {
  return call_.ended() == RunningCall::Ended::no && stream_.send(std::move(line));
}

bool LegacyStreamExchange::cancelled() {
  return call_.ended() != RunningCall::Ended::no;
}

bool LegacyStreamExchange::wait(std::chrono::milliseconds time) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  // On the stream as long as there is somebody at its other end, since that keeps the connection
  // alive.
  while (!left_ && !cancelled()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return true;
    left_ = !stream_.wait(std::min(left, kWithdrawnEvery));
  }
  return call_.wait(std::max(std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()), {}));
}

}  // namespace phasegate::mcp::http
