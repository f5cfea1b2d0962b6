#include "tests/state/memory_store.h"

#include <limits>
#include <stdexcept>

#include "tests/state/memory_data.h"

namespace phasegate::test {
namespace memory {
namespace {

class MemoryOutbox final : public engine::Outbox {
 public:
  explicit MemoryOutbox(Shared data) : data_(std::move(data)) {}

  std::optional<OutboxRow> claim(const Owner& owner, TimePoint now, std::int64_t lease_ms,
                                 const engine::ClaimWish& wish) override {
    OutboxRow* taken = nullptr;
    bool taken_is_free = false;
    for (OutboxRow& row : data_->outbox) {
      if (!wish.run_id.empty() && row.run_id != wish.run_id) continue;
      if (!wish.kind.empty() && row.effect.kind != wish.kind) continue;
      const bool free = row.lease_until <= now;
      if (!free && !(row.owner && wish.gone && wish.gone(*row.owner))) continue;
      // Of one run simply the oldest; else what nobody holds, and what could be taken for longest.
      const bool sooner = taken == nullptr ||
                          (wish.run_id.empty() &&
                           (free != taken_is_free ? free : row.lease_until < taken->lease_until));
      if (!sooner) continue;
      taken = &row;
      taken_is_free = free;
    }
    if (taken == nullptr) return std::nullopt;
    taken->owner = owner;
    taken->lease_until = lease_end(now, lease_ms);
    taken->progress.clear();
    ++taken->deliveries;
    return *taken;
  }
  bool heartbeat(std::int64_t id, const Owner& owner, TimePoint now, std::int64_t lease_ms,
                 std::string_view progress) override {
    OutboxRow* row = held(id, owner);
    if (row == nullptr) return false;
    row->lease_until = lease_end(now, lease_ms);
    row->progress = progress;
    return true;
  }
  bool defer(std::int64_t id, const Owner& owner, TimePoint until) override {
    OutboxRow* row = held(id, owner);
    if (row == nullptr) return false;
    row->owner.reset();
    row->lease_until = until;
    return true;
  }
  std::optional<TimePoint> next_due(std::string_view kind) override {
    std::optional<TimePoint> next;
    for (const OutboxRow& row : data_->outbox) {
      if (row.effect.kind == kind && (!next || row.lease_until < *next)) next = row.lease_until;
    }
    return next;
  }
  std::optional<OutboxRow> find(std::string_view run_id, std::string_view kind) override {
    for (const OutboxRow& row : data_->outbox) {
      if (row.run_id == run_id && row.effect.kind == kind) return row;
    }
    return std::nullopt;
  }
  bool finish(std::int64_t id, const Owner& owner) override {
    return std::erase_if(data_->outbox, [&](const OutboxRow& row) {
             return row.id == id && row.owner == owner;
           }) == 1;
  }
  void release_all(const Owner& owner) override {
    for (OutboxRow& row : data_->outbox) {
      if (row.owner != owner) continue;
      row.owner.reset();
      row.lease_until = {0};
    }
  }

 private:
  static TimePoint lease_end(TimePoint now, std::int64_t lease_ms) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    return {lease_ms > 0 && now.ms > kLast - lease_ms ? kLast : now.ms + lease_ms};
  }
  OutboxRow* held(std::int64_t id, const Owner& owner) {
    for (OutboxRow& row : data_->outbox) {
      if (row.id == id && row.owner == owner) return &row;
    }
    return nullptr;
  }
  Shared data_;
};

class MemoryTrust final : public engine::TrustBook {
 public:
  explicit MemoryTrust(Shared data) : data_(std::move(data)) {}
  std::optional<engine::TrustRecord> find(std::string_view digest) override {
    const auto found = data_->trust.find(std::string(digest));
    return found == data_->trust.end() ? std::nullopt : std::optional(found->second);
  }
  void trust(const engine::TrustRecord& record) override { data_->trust[record.digest] = record; }
  int revoke(std::string_view workflow) override {
    return static_cast<int>(std::erase_if(
        data_->trust, [&](const auto& one) { return one.second.workflow == workflow; }));
  }
  std::vector<engine::TrustRecord> trusted() override {
    std::vector<engine::TrustRecord> all;
    for (const auto& [digest, record] : data_->trust) all.push_back(record);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.at != b.at ? a.at > b.at : a.digest < b.digest;
    });
    return all;
  }

 private:
  Shared data_;
};

class MemoryStore final : public state::Store {
 public:
  explicit MemoryStore(const Shared& data) : runs_(runs_of(data)), outbox_(data), trust_(data) {}
  engine::RunStore& runs() override { return *runs_; }
  engine::Outbox& outbox() override { return outbox_; }
  engine::TrustBook& trust() override { return trust_; }
  /// The contract of stores says nothing of them.
  state::StoredTexts& texts() override { throw std::logic_error("no texts here"); }

 private:
  std::unique_ptr<engine::RunStore> runs_;
  MemoryOutbox outbox_;
  MemoryTrust trust_;
};

}  // namespace
}  // namespace memory

StoreMaker in_memory() {
  return [data = std::make_shared<memory::Data>()] {
    return std::make_unique<memory::MemoryStore>(data);
  };
}

}  // namespace phasegate::test
