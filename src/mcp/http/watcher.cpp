#include "mcp/http/watcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/log.h"

namespace phasegate::mcp::http {
namespace {

constexpr std::uint64_t kPokeId = 0;
constexpr std::uint64_t kStopId = UINT64_MAX;
constexpr int kEventsAtOnce = 64;

}  // namespace

Pokes::Pokes() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.open()) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void Pokes::poke(std::uint64_t id) {
  {
    const std::lock_guard lock(mutex_);
    ids_.push_back(id);
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t wrote = ::write(event_.get(), &one, sizeof one);
}

std::vector<std::uint64_t> Pokes::take() {
  std::uint64_t counted = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.get(), &counted, sizeof counted);
  const std::lock_guard lock(mutex_);
  return std::exchange(ids_, {});
}

Watcher::Watcher(const StopSignal& stop) : stop_(stop), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_.open() || !control(EPOLL_CTL_ADD, pokes_->fd(), EPOLLIN, kPokeId) ||
      !control(EPOLL_CTL_ADD, stop_.fd(), EPOLLIN, kStopId)) {
    throw std::system_error(errno, std::generic_category(), "epoll");
  }
  thread_ = std::jthread([this] { run(); });
}

bool Watcher::control(int operation, int fd, std::uint32_t events, std::uint64_t id) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return ::epoll_ctl(epoll_.get(), operation, fd, &event) == 0;
}

std::uint64_t Watcher::next_id() {
  const std::lock_guard lock(mutex_);
  return ++last_id_;
}

void Watcher::watch(std::uint64_t id, std::unique_ptr<Watched> watched) {
  {
    const std::lock_guard lock(mutex_);
    const std::uint32_t events = watched->events();
    if (stopped_) return;
    if (!control(EPOLL_CTL_ADD, watched->fd(), events, id)) {
      base::log_error("http.cannot_watch");
      return;
    }
    items_.emplace(id, Item{std::move(watched), events});
  }
  // It may have been poked before it was watched, and its time may be the next that comes.
  pokes_->poke(id);
}

bool Watcher::make_room() {
  Item oldest;  // ended outside of the lock
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(items_.begin(), items_.end(), [](const auto& item) {
    return item.second.watched->may_give_way();
  });
  if (found == items_.end()) return false;
  oldest = std::move(found->second);
  items_.erase(found);
  return true;
}

Watcher::Items::node_type Watcher::take(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  return items_.extract(id);
}

bool Watcher::put_back(Items::node_type& node) {
  const std::lock_guard lock(mutex_);
  Item& item = node.mapped();
  const std::uint32_t events = item.watched->events();
  if (events != item.events) {
    if (!control(EPOLL_CTL_MOD, item.watched->fd(), events, node.key())) return false;
    item.events = events;
  }
  items_.insert(std::move(node));
  return true;
}

/// Takes one out, so that nobody else can end it meanwhile, and puts it back if it goes on.
template <typename Step>
void Watcher::visit(std::uint64_t id, Step step) {
  auto node = take(id);
  if (node.empty()) return;
  Watched& watched = *node.mapped().watched;
  if (step(watched) && put_back(node)) return;
  (void)control(EPOLL_CTL_DEL, watched.fd(), 0, id);
  watched.leave();
}

int Watcher::milliseconds_to_wait(TimePoint latest) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, item] : items_) latest = std::min(latest, item.watched->due_at());
  }
  if (latest == TimePoint::max()) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(latest - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
}

std::vector<std::uint64_t> Watcher::all_due() {
  const TimePoint now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> ids;
  for (const auto& [id, item] : items_) {
    if (item.watched->due_at() <= now) ids.push_back(id);
  }
  return ids;
}

void Watcher::run() {
  while (!stop_.raised()) wait_once(TimePoint::max());
  stop_all();
}

void Watcher::wait_once(TimePoint latest) {
  std::array<epoll_event, kEventsAtOnce> events{};
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, milliseconds_to_wait(latest));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events.at(static_cast<std::size_t>(i));
    if (event.data.u64 == kPokeId || event.data.u64 == kStopId) continue;
    visit(event.data.u64, [&event](Watched& watched) { return watched.ready(event.events); });
  }
  for (const std::uint64_t id : pokes_->take()) {
    visit(id, [](Watched& watched) { return watched.ready(0); });
  }
  for (const std::uint64_t id : all_due()) {
    visit(id, [](Watched& watched) { return watched.due(); });
  }
}

/// Gives those that have last words to say the time for them, then ends all.
void Watcher::stop_all() {
  (void)control(EPOLL_CTL_DEL, stop_.fd(), 0, kStopId);
  std::vector<std::uint64_t> ids;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (const auto& [id, item] : items_) ids.push_back(id);
  }
  for (const std::uint64_t id : ids) visit(id, [](Watched& watched) { return watched.stop(); });
  const auto anything_left = [this] {
    const std::lock_guard lock(mutex_);
    return !items_.empty();
  };
  const TimePoint end = stop_.write_end();
  while (anything_left() && std::chrono::steady_clock::now() < end) wait_once(end);
  Items rest;  // ended outside of the lock
  const std::lock_guard lock(mutex_);
  rest.swap(items_);
}

}  // namespace phasegate::mcp::http
