#include "mcp/http/sessions.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace phasegate::mcp::http {

void Session::attach(const std::shared_ptr<OpenStream>& stream) {
  std::shared_ptr<OpenStream> before;
  bool closed = false;
  {
    const std::lock_guard lock(mutex_);
    closed = closed_;
    if (!closed) before = std::exchange(stream_, stream).lock();
  }
  if (closed) {
    stream->close("");
    return;
  }
  if (before) before->close("");
  // Two streams that come at once may get here in either order; whoever is last puts it right.
  std::shared_ptr<OpenStream> told;
  do {
    told = this->stream();
    legacy.set_stream(told);
  } while (told != this->stream());
}

bool Session::has_stream() const {
  const std::lock_guard lock(mutex_);
  return !stream_.expired();
}

void Session::close() {
  calls.stop();
  std::shared_ptr<OpenStream> open;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    open = std::exchange(stream_, {}).lock();
  }
  if (open) open->close("");
}

std::shared_ptr<OpenStream> Session::stream() const {
  const std::lock_guard lock(mutex_);
  return stream_.lock();
}

Sessions::Sessions(protocol::Subscriptions& subscriptions, Bounds bounds, base::Clock& clock,
                   base::IdSource& ids)
    : subscriptions_(subscriptions), bounds_(bounds), clock_(clock), ids_(ids) {}

std::shared_ptr<Session> Sessions::make(const std::string& principal) {
  return std::make_shared<Session>(subscriptions_, ids_.new_id(), principal);
}

void Sessions::keep(std::shared_ptr<Session> session) {
  Ended ended;
  bool closed = false;
  session->used_ms = clock_.now().ms;
  {
    const std::lock_guard lock(mutex_);
    closed = closed_;
    take_expired(ended);
    if (sessions_.size() >= bounds_.sessions_max) take_least_used(session->principal(), ended);
    sessions_.emplace(session->id(), session);
  }
  if (closed) session->close();
  for (const auto& each : ended) each->close();
}

std::shared_ptr<Session> Sessions::find(const std::string& id, std::string_view principal) {
  Ended ended;
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || found->second->principal() != principal) return nullptr;
    if (expired(*found->second)) {
      ended.push_back(found->second);
      sessions_.erase(found);
    } else {
      session = found->second;
      session->used_ms = clock_.now().ms;
    }
  }
  for (const auto& each : ended) each->close();
  return session;
}

void Sessions::end(const Session& session) {
  Ended ended;
  {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(session.id());
    if (found == sessions_.end()) return;
    ended.push_back(found->second);
    sessions_.erase(found);
  }
  for (const auto& each : ended) each->close();
}

void Sessions::close() {
  Ended all;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& [id, session] : sessions_) all.push_back(session);
  }
  for (const auto& each : all) each->close();
}

bool Sessions::expired(const Session& session) const {
  return clock_.now().ms - session.used_ms > bounds_.idle_ms && !session.has_stream() &&
         session.calls.empty();
}

void Sessions::take_expired(Ended& ended) {
  for (auto each = sessions_.begin(); each != sessions_.end();) {
    if (expired(*each->second)) {
      ended.push_back(std::move(each->second));
      each = sessions_.erase(each);
    } else {
      ++each;
    }
  }
}

void Sessions::take_least_used(std::string_view principal, Ended& ended) {
  // One's own first: nobody can push out the sessions of others by opening many.
  const auto rank = [principal](const auto& each) {
    const Session& session = *each.second;
    return std::tuple(session.principal() != principal,
                      session.has_stream() || !session.calls.empty(), session.used_ms.load());
  };
  const auto least = std::ranges::min_element(sessions_, {}, rank);
  if (least == sessions_.end()) return;
  ended.push_back(std::move(least->second));
  sessions_.erase(least);
}

}  // namespace phasegate::mcp::http
