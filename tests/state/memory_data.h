#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gating/engine/ports.h"

/// What the store in memory consists of. For its parts only: memory_store.h is the door.
namespace phasegate::test::memory {

namespace engine = gating::engine;
using base::TimePoint;
using engine::OutboxRow;
using engine::Owner;
using gating::RunState;
using gating::Transition;
using Decide = std::function<Transition(const RunState&)>;

struct Run {
  RunState state;
  std::vector<engine::JournalRow> journal;
  std::vector<engine::ArtifactRow> artifacts;
};

struct Data {
  std::vector<Run> runs;  ///< in the order in which they began
  std::map<std::string, engine::StoredDefinition> definitions;
  std::map<std::string, std::string> blobs;
  std::map<std::string, std::string> decisions;  ///< run by decision
  std::map<std::string, std::int64_t> used;      ///< until, by token
  std::vector<OutboxRow> outbox;                 ///< by id
  std::int64_t next_effect = 1;
  std::map<std::string, engine::TrustRecord> trust;

  Run* find(std::string_view id) {
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const Run& run) { return run.state.id == id; });
    return found == runs.end() ? nullptr : &*found;
  }
};

using Shared = std::shared_ptr<Data>;

inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Works on a copy, which takes the place of the store unless something is thrown.
class Change {
 public:
  explicit Change(Shared data) : data_(std::move(data)), copy_(*data_) {}
  Data& operator*() { return copy_; }
  Data* operator->() { return &copy_; }
  void commit() { *data_ = std::move(copy_); }

 private:
  Shared data_;
  Data copy_;
};

/// The runs of this store.
[[nodiscard]] std::unique_ptr<engine::RunStore> runs_of(Shared data);

}  // namespace phasegate::test::memory
