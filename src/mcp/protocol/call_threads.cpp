#include "mcp/protocol/call_threads.h"

#include <utility>

#include "base/limits.h"

namespace phasegate::mcp::protocol {

struct CallThreads::Call final : Exchange {
  Call(LineQueue& queue, std::string request) : lines(queue), id(std::move(request)) {}

  bool send(std::string line) override {
    const std::lock_guard lock(mutex);
    return !unwanted && lines.send(std::move(line));
  }

  bool cancelled() override {
    const std::lock_guard lock(mutex);
    return unwanted || stopping;
  }

  bool wait(std::chrono::milliseconds time) override {
    std::unique_lock lock(mutex);
    return !changed.wait_for(lock, time, [this] { return unwanted || stopping; });
  }

  void finish(std::optional<Answer> answer) {
    const std::lock_guard lock(mutex);
    if (answer && !unwanted) lines.put(std::move(answer->line));
    ended = true;
    lines.wake();
  }

  LineQueue& lines;
  std::string id;
  std::mutex mutex;
  std::condition_variable changed;
  bool unwanted = false;  ///< cancelled by the client
  bool stopping = false;
  bool ended = false;
  std::thread thread;
};

CallThreads::~CallThreads() {
  for (const auto& call : calls_) call->thread.join();
}

bool CallThreads::full() const {
  return calls_.size() >= base::limits::kCallsAtOnceMax;
}

void CallThreads::start(std::string id, Work work) {
  auto call = std::make_shared<Call>(lines_, std::move(id));
  call->thread = std::thread(
      [running = call.get(), work = std::move(work)] { running->finish(work(*running)); });
  calls_.push_back(std::move(call));
}

void CallThreads::cancel(std::string_view id) {
  for (const auto& call : calls_) {
    const std::lock_guard lock(call->mutex);
    if (call->id != id) continue;
    call->unwanted = true;
    call->changed.notify_all();
  }
}

void CallThreads::stop() {
  for (const auto& call : calls_) {
    const std::lock_guard lock(call->mutex);
    call->stopping = true;
    call->changed.notify_all();
  }
}

void CallThreads::collect() {
  calls_.remove_if([](const std::shared_ptr<Call>& call) {
    {
      const std::lock_guard lock(call->mutex);
      if (!call->ended) return false;
    }
    call->thread.join();
    return true;
  });
}

}  // namespace phasegate::mcp::protocol
