#include "mcp/protocol/subscriptions.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/json_write.h"
#include "mcp/protocol/notification.h"

namespace phasegate::mcp::protocol {
namespace {

/// A subscription. What is wanted is guarded by the registry's lock.
struct Entry {
  Wants wants;
  std::string id;
  std::weak_ptr<Sink> sink;
};

std::string_view method_of(Subscriptions::Change change) {
  switch (change) {
    case Subscriptions::Change::tools:
      return "notifications/tools/list_changed";
    case Subscriptions::Change::prompts:
      return "notifications/prompts/list_changed";
    case Subscriptions::Change::resources:
      break;
  }
  return "notifications/resources/list_changed";
}

bool wants_list(const Wants& wants, Subscriptions::Change change) {
  switch (change) {
    case Subscriptions::Change::tools:
      return wants.tools;
    case Subscriptions::Change::prompts:
      return wants.prompts;
    case Subscriptions::Change::resources:
      break;
  }
  return wants.resources;
}

/// A notification as its subscriber gets it: tagged with the listen's id, or bare for a session.
std::string line_for(const Entry& entry, std::string_view method, std::string_view uri) {
  std::string params;
  if (!uri.empty()) {
    params = R"("uri":)";
    base::append_json_string(params, uri);
  }
  if (!entry.id.empty()) {
    if (!params.empty()) params += ',';
    params += subscription_meta(entry.id);
  }
  return notification(method, params.empty() ? params : "{" + params + "}");
}

}  // namespace

struct Subscriptions::State {
  mutable std::mutex mutex;
  std::vector<std::weak_ptr<Entry>> entries;
  std::function<void()> on_changed;

  /// What may turn out to be the last reference, and then calls back into this registry: declared
  /// before the lock is taken, so that it is let go after.
  using Held = std::vector<std::shared_ptr<void>>;

  void wanted_changed() {
    std::function<void()> changed;
    {
      const std::lock_guard lock(mutex);
      std::erase_if(entries, [](const auto& entry) { return entry.expired(); });
      changed = on_changed;
    }
    if (changed) changed();
  }

  /// Sends to everybody that `wanted` says yes for. Sinks do not block, so the lock is held: two
  /// announcements reach every subscriber in the same order.
  template <typename Wanted>
  void send(std::string_view method, std::string_view uri, const Wanted& wanted) {
    Held held;
    const std::lock_guard lock(mutex);
    for (const auto& entry : living(held)) {
      if (!wanted(entry->wants)) continue;
      const auto sink = entry->sink.lock();
      held.push_back(sink);
      if (sink && !sink->send(line_for(*entry, method, uri))) entry->sink.reset();
    }
  }

  /// The subscriptions that have not ended. To be called with the lock held.
  std::vector<std::shared_ptr<Entry>> living(Held& held) const {
    std::vector<std::shared_ptr<Entry>> found;
    for (const auto& weak : entries) {
      if (auto entry = weak.lock()) {
        held.push_back(entry);
        found.push_back(std::move(entry));
      }
    }
    return found;
  }
};

Subscriptions::Subscriptions() : state_(std::make_shared<State>()) {}
Subscriptions::~Subscriptions() = default;

Subscriptions::Handle& Subscriptions::Handle::operator=(Handle&& other) noexcept {
  entry_ = std::exchange(other.entry_, nullptr);
  return *this;
}

Subscriptions::Handle::~Handle() = default;

Subscriptions::Handle Subscriptions::add(Wants wants, std::string id, std::weak_ptr<Sink> sink,
                                         std::string first) {
  const std::shared_ptr<Sink> told = first.empty() ? nullptr : sink.lock();
  // The registry may be gone before its last subscriber is.
  const std::weak_ptr<State> registry = state_;
  const std::shared_ptr<Entry> entry(new Entry{std::move(wants), std::move(id), std::move(sink)},
                                     [registry](Entry* ended) {
                                       delete ended;
                                       if (const auto state = registry.lock())
                                         state->wanted_changed();
                                     });
  {
    const std::lock_guard lock(state_->mutex);
    state_->entries.push_back(entry);
    if (told && !told->send(std::move(first))) entry->sink.reset();
  }
  state_->wanted_changed();
  Handle handle;
  handle.entry_ = entry;
  return handle;
}

void Subscriptions::change(const Handle& handle, Wants wants) {
  if (!handle.entry_) return;
  {
    const std::lock_guard lock(state_->mutex);
    static_cast<Entry*>(handle.entry_.get())->wants = std::move(wants);
  }
  state_->wanted_changed();
}

void Subscriptions::announce(Change change) {
  state_->send(method_of(change), "",
               [change](const Wants& wants) { return wants_list(wants, change); });
}

void Subscriptions::announce_resource(std::string_view uri) {
  state_->send("notifications/resources/updated", uri, [uri](const Wants& wants) {
    return std::ranges::find(wants.resource_uris, uri) != wants.resource_uris.end();
  });
}

Wants Subscriptions::wanted() const {
  Wants all;
  State::Held held;
  const std::lock_guard lock(state_->mutex);
  for (const auto& entry : state_->living(held)) {
    all.tools = all.tools || entry->wants.tools;
    all.prompts = all.prompts || entry->wants.prompts;
    all.resources = all.resources || entry->wants.resources;
    all.resource_uris.insert(all.resource_uris.end(), entry->wants.resource_uris.begin(),
                             entry->wants.resource_uris.end());
  }
  std::ranges::sort(all.resource_uris);
  const auto repeated = std::ranges::unique(all.resource_uris);
  all.resource_uris.erase(repeated.begin(), repeated.end());
  return all;
}

void Subscriptions::on_wanted_changed(std::function<void()> changed) {
  const std::lock_guard lock(state_->mutex);
  state_->on_changed = std::move(changed);
}

}  // namespace phasegate::mcp::protocol
