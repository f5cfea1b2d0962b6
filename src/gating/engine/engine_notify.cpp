#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/engine_state.h"

namespace phasegate::gating::engine {

using base::Json;
using base::TimePoint;

namespace {

constexpr std::size_t kDueAtOnce = 100;
constexpr base::JsonLimits kPayloadLimits{base::limits::kCheckBytesMax, 8};

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::array<std::int64_t, 7> kRetries{
    5 * kSecond, 30 * kSecond, 2 * kMinute, 10 * kMinute, 30 * kMinute, 2 * kHour, 6 * kHour};

Json payload_of(const Effect& effect) {
  auto payload = base::parse_json(effect.payload, kPayloadLimits);
  return payload && payload->is_object() ? *std::move(payload) : Json::object();
}

Notification notification_of(const OutboxRow& row) {
  const Json payload = payload_of(row.effect);
  Notification out;
  out.id = row.run_id + "." + std::to_string(row.id);
  out.target = base::string_member(payload, "target").value_or("");
  out.event = base::string_member(payload, "event").value_or("");
  out.session = row.run_id;
  out.payload = row.effect.payload;
  return out;
}

/// A run that is damaged does not keep the others waiting.
template <typename Use>
bool unless_damaged(const std::string& run_id, const Use& use) {
  try {
    use();
    return true;
  } catch (const StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    base::log_error("session.not_looked_at",
                    {{"session", run_id}, {"why", failure.error().message}});
    return false;
  }
}

}  // namespace

std::optional<std::int64_t> retry_after_ms(int tries) {
  if (tries < 1) return 0;
  const auto index = static_cast<std::size_t>(tries - 1);
  return index < kRetries.size() ? std::optional(kRetries[index]) : std::nullopt;
}

Transition Engine::State::addressed(Transition done) const {
  std::vector<Effect> effects;
  for (Effect& effect : done.effects) {
    if (effect.kind != kNotify) {
      effects.push_back(std::move(effect));
      continue;
    }
    if (ports.notifier == nullptr || ports.outbox == nullptr) continue;
    Json payload = payload_of(effect);
    const std::string event = base::string_member(payload, "event").value_or("");
    for (std::string& target : ports.notifier->targets(event)) {
      effect.kind = notify_kind();
      payload["target"] = std::move(target);
      effect.payload = base::dump(payload);
      effects.push_back(effect);
    }
  }
  done.effects = std::move(effects);
  return done;
}

std::string Engine::State::notify_kind() const {
  return std::string(kNotify) + ":" + ports.notifier->channel();
}

std::size_t Engine::pass_time() {
  const TimePoint now = state_->ports.clock.now();
  std::size_t changed = 0;
  for (const std::string& run_id : state_->ports.store.due(now, kDueAtOnce)) {
    if (state_->not_loadable.contains(run_id)) continue;
    const bool sound = unless_damaged(run_id, [&] {
      const auto view = state_->load(run_id);
      if (!view) {
        base::log_error("session.not_looked_at",
                        {{"session", run_id}, {"why", view.error().message}});
        state_->not_loadable.insert(run_id);
        return;
      }
      const auto done = state_->ports.store.transact(run_id, [&](const RunState& run) {
        // Pinned to another workflow meanwhile: its time is another one.
        if (run.definition_hash != view->run.definition_hash) return Transition();
        return state_->decided(*view->definition, run, Tick{}, now);
      });
      if (done && done->next) ++changed;
    });
    if (!sound) state_->not_loadable.insert(run_id);
  }
  return changed;
}

std::optional<Told> Engine::tell(const TellWish& wish) {
  const Ports& ports = state_->ports;
  if (ports.outbox == nullptr || ports.notifier == nullptr) return std::nullopt;
  const auto row = ports.outbox->claim(ports.owner, ports.clock.now(), base::limits::kNotifyLeaseMs,
                                       {wish.run_id, state_->notify_kind(), {}});
  if (!row) return std::nullopt;
  const Notification notification = notification_of(*row);
  Told told{row->run_id, notification.event, notification.target, {}, row->deliveries, {}};
  told.delivery = ports.notifier->deliver(notification, wish.go_on);
  const TimePoint now = ports.clock.now();
  switch (told.delivery.end) {
    case Delivery::End::delivered:
      (void)ports.outbox->finish(row->id, ports.owner);
      return told;
    case Delivery::End::stopped:
      told.again = now;
      (void)ports.outbox->defer(row->id, ports.owner, now);
      return told;
    case Delivery::End::failed:
      base::log_warning("notify.failed", {{"target", notification.target},
                                          {"event", notification.event},
                                          {"session", row->run_id},
                                          {"why", told.delivery.why}});
      if (const auto wait_ms = retry_after_ms(row->deliveries)) {
        told.again = TimePoint{now.ms + *wait_ms};
        (void)ports.outbox->defer(row->id, ports.owner, *told.again);
        return told;
      }
      break;
    case Delivery::End::refused:
      break;
  }
  const Untold untold{notification.event, notification.target, told.delivery.why};
  bool journalled = false;
  (void)unless_damaged(row->run_id, [&] {
    const auto view = state_->load(row->run_id);
    if (!view) return;
    (void)ports.store.transact_effect(row->run_id, row->id, ports.owner, [&](const RunState& run) {
      return state_->decided(*view->definition, run, untold, now);
    });
    journalled = true;
  });
  if (!journalled) (void)ports.outbox->finish(row->id, ports.owner);
  return told;
}

std::optional<TimePoint> Engine::next_to_tell() {
  if (state_->ports.outbox == nullptr || state_->ports.notifier == nullptr) return std::nullopt;
  return state_->ports.outbox->next_due(state_->notify_kind());
}

std::optional<TimePoint> Engine::next_due() {
  std::optional<TimePoint> next = state_->ports.store.next_due(state_->ports.clock.now());
  if (const auto told = next_to_tell()) next = next ? std::min(*next, *told) : *told;
  return next;
}

}  // namespace phasegate::gating::engine
