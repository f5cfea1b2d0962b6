#include "mcp/protocol/subscriptions.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "base/json_write.h"
#include "mcp/protocol/notification.h"

namespace phasegate::mcp::protocol {
namespace {

/// A subscription. What is wanted is guarded by the registry's lock.
struct Entry {
  std::uint64_t number;  ///< never given twice, other than an address
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
  /// Held while something is sent, so that every subscriber gets it in the same order. Taken before
  /// `mutex` where both are.
  std::mutex sending;
  mutable std::mutex mutex;
  /// Those that have not ended: an entry is taken out, under the lock, before it is deleted. So
  /// whoever looks at them holds none alive, and ends none by having looked.
  std::vector<Entry*> entries;
  std::atomic<std::uint64_t> added = 0;
  std::function<void()> on_changed;

  void remove(const Entry* entry) {
    const std::lock_guard lock(mutex);
    std::erase(entries, entry);
  }

  void wanted_changed() {
    std::function<void()> changed;
    {
      const std::lock_guard lock(mutex);
      changed = on_changed;
    }
    if (changed) changed();
  }

  /// Sends to everybody that `wanted` says yes for. A sink may end its own subscription, or any
  /// other, while it is sent to.
  template <typename Wanted>
  void send(std::string_view method, std::string_view uri, const Wanted& wanted) {
    struct Delivery {
      std::uint64_t entry;
      std::shared_ptr<Sink> sink;
      std::string line;
    };
    const std::lock_guard in_order(sending);
    std::vector<Delivery> deliveries;
    {
      const std::lock_guard lock(mutex);
      for (const Entry* const entry : entries) {
        if (!wanted(entry->wants)) continue;
        deliveries.push_back({entry->number, entry->sink.lock(), line_for(*entry, method, uri)});
      }
    }
    for (Delivery& delivery : deliveries) {
      if (!delivery.sink || delivery.sink->send(std::move(delivery.line))) continue;
      const std::lock_guard lock(mutex);
      for (Entry* const entry : entries) {
        if (entry->number == delivery.entry) entry->sink.reset();
      }
    }
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
  const std::shared_ptr<Entry> entry(
      new Entry{state_->added++, std::move(wants), std::move(id), std::move(sink)},
      [registry](Entry* ended) {
        const auto state = registry.lock();
        if (state) state->remove(ended);
        delete ended;
        if (state) state->wanted_changed();
      });
  {
    const std::lock_guard in_order(state_->sending);
    {
      const std::lock_guard lock(state_->mutex);
      state_->entries.push_back(entry.get());
    }
    // Whoever announces takes note of what is wanted before the subscriber believes that it is told
    // of changes from now on.
    state_->wanted_changed();
    if (told && !told->send(std::move(first))) {
      const std::lock_guard lock(state_->mutex);
      entry->sink.reset();
    }
  }
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
  const std::lock_guard lock(state_->mutex);
  for (const Entry* const entry : state_->entries) {
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
