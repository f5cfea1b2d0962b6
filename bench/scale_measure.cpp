#include "bench/scale_measure.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>

#include "bench/scale_store.h"
#include "state/seal/audit.h"
#include "state/state.h"

namespace phasegate::bench {
namespace fs = std::filesystem;
using gating::engine::RunQuery;
namespace {

constexpr std::size_t kPageRows = 20;
constexpr int kBlock = 10;
constexpr int kDeepPages = 400;
constexpr std::size_t kSamples = 200;

/// A store under measurement, and what the operations need to know of it.
class Bed {
 public:
  explicit Bed(const fs::path& folder) : folder_(folder), store_(state::open_store(folder)) {
    RunQuery query{RunQuery::Which::open, "", 50, ""};
    for (const auto& run : page(query).runs) {
      (run.target == kLongTarget ? long_run_ : open_.emplace_back()) = run.id;
    }
    find_samples();
    query = {RunQuery::Which::ended, "", 50, ""};
    for (int i = 0; i < kDeepPages; ++i) {
      const auto here = page(query);
      if (here.next_cursor.empty()) break;
      query.cursor = deep_cursor_ = here.next_cursor;
    }
    if (open_.empty() || long_run_.empty() || deep_cursor_.empty() || decisions_.empty()) {
      throw std::runtime_error("this is no store that `bench_scale make` has made");
    }
  }

  gating::engine::RunPage page(const RunQuery& query) {
    auto found = store_->runs().list(query);
    if (!found) throw std::runtime_error(found.error().message);
    return *std::move(found);
  }
  const std::string& any(const std::vector<std::string>& of) { return of[random_() % of.size()]; }
  const std::string& any_run() { return any(samples_); }
  const std::string& any_open() { return any(open_); }
  const std::string& any_decision() { return any(decisions_); }
  [[nodiscard]] const std::string& long_run() const { return long_run_; }
  [[nodiscard]] const std::string& deep_cursor() const { return deep_cursor_; }
  [[nodiscard]] const fs::path& folder() const { return folder_; }
  gating::engine::RunStore& runs() { return store_->runs(); }
  gating::engine::Outbox& outbox() { return store_->outbox(); }

 private:
  /// Runs from everywhere in the store: ids are random.
  void find_samples() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    while (samples_.size() < kSamples) {
      RunQuery query;
      query.limit = 50;
      const int digits = 2 + static_cast<int>(random_() % 3);
      for (int i = 0; i < digits; ++i) query.id_prefix += kDigits[random_() % kDigits.size()];
      for (const auto& run : page(query).runs) {
        samples_.push_back(run.id);
        if (runs().find_decision(decision_of(run.id))) decisions_.push_back(decision_of(run.id));
      }
    }
  }

  fs::path folder_;
  std::unique_ptr<state::Store> store_;
  std::mt19937 random_{2026};
  std::vector<std::string> samples_;
  std::vector<std::string> open_;
  std::vector<std::string> decisions_;
  std::string long_run_;
  std::string deep_cursor_;
};

struct Operation {
  std::string what;
  std::function<void(Bed&)> run;
};

/// What `phasegate status ID` and get_workflow_state read.
void read_status(Bed& bed, const std::string& id) {
  const auto reading = bed.runs().begin_reading();
  const auto run = bed.runs().load(id);
  static_cast<void>(bed.runs().definition(run.value().definition_hash));
  static_cast<void>(bed.runs().journal_of_people(id, 0, 200));
}

void complete(Bed& bed, const std::string& id) {
  if (!bed.runs().transact(id, completed)) throw std::runtime_error("a run is gone");
}

/// One place for all that is measured: what is added here is in every table.
std::vector<Operation> operations() {
  using Which = RunQuery::Which;
  const auto never_gone = [](const gating::engine::Owner&) { return false; };
  return {
      {"list, first page", [](Bed& b) { b.page({Which::all, "", kPageRows, ""}); }},
      {"list, open", [](Bed& b) { b.page({Which::open, "", kPageRows, ""}); }},
      {"list, deep page", [](Bed& b) { b.page({Which::ended, "", kPageRows, b.deep_cursor()}); }},
      {"list of a branch",
       [](Bed& b) { b.page({Which::all, "", kPageRows, "", std::string("branch-7")}); }},
      {"list of a branch without sessions",
       [](Bed& b) { b.page({Which::all, "", kPageRows, "", std::string("none")}); }},
      {"session by the beginning of its id",
       [](Bed& b) { b.page({Which::all, "", 50, "", {}, b.any_run().substr(0, 8)}); }},
      {"status", [](Bed& b) { read_status(b, b.any_run()); }},
      {"status, long journal", [](Bed& b) { read_status(b, b.long_run()); }},
      {"history, first page",
       [](Bed& b) { static_cast<void>(b.runs().journal(b.any_run(), 0, 200)); }},
      {"history, page of a long journal",
       [](Bed& b) { static_cast<void>(b.runs().journal(b.long_run(), 500, 200)); }},
      {"watch, end of a long journal",
       [](Bed& b) { static_cast<void>(b.runs().journal_end(b.long_run(), 10)); }},
      {"artifacts", [](Bed& b) { static_cast<void>(b.runs().artifacts(b.any_run())); }},
      {"decision by its id",
       [](Bed& b) { static_cast<void>(b.runs().find_decision(b.any_decision())); }},
      {"due and next due",
       [](Bed& b) {
         static_cast<void>(b.runs().due({0}, 10));
         static_cast<void>(b.runs().next_due({0}));
       }},
      {"claim, nothing to take",
       [never_gone](Bed& b) {
         static_cast<void>(b.outbox().claim({"bench", 1, 1}, {1'900'000'000'000}, 1'000,
                                            {"", "notify:ada", never_gone}));
       }},
      {"next due effect", [](Bed& b) { static_cast<void>(b.outbox().next_due("notify:ada")); }},
      {"opening the store, first read",
       [](Bed& b) { static_cast<void>(state::open_store(b.folder())->runs().load(b.any_run())); }},
      {"audit of one session",
       [](Bed& b) { static_cast<void>(state::audit(b.folder(), b.any_run())); }},
      {"complete", [](Bed& b) { complete(b, b.any_open()); }},
      {"complete, long journal", [](Bed& b) { complete(b, b.long_run()); }},
  };
}

std::int64_t time_of(const Operation& operation, Bed& bed) {
  const auto before = std::chrono::steady_clock::now();
  operation.run(bed);
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - before).count();
}

}  // namespace

double Times::us(double share) const {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1));
  return static_cast<double>(ns[at]) / 1'000;
}

std::vector<std::vector<Times>> measure(const std::vector<fs::path>& folders, int repetitions) {
  std::vector<std::unique_ptr<Bed>> beds;
  for (const fs::path& folder : folders) beds.push_back(std::make_unique<Bed>(folder));
  std::vector<std::vector<Times>> all(folders.size());
  for (const Operation& operation : operations()) {
    for (auto& times : all) times.push_back({operation.what, {}});
    for (int done = 0; done < repetitions + kBlock; done += kBlock) {
      for (std::size_t i = 0; i < beds.size(); ++i) {
        for (int one = 0; one < kBlock; ++one) {
          const std::int64_t ns = time_of(operation, *beds[i]);
          if (done > 0) all[i].back().ns.push_back(ns);  // the first block warms up
        }
      }
    }
    for (auto& times : all) std::sort(times.back().ns.begin(), times.back().ns.end());
  }
  return all;
}

}  // namespace phasegate::bench
