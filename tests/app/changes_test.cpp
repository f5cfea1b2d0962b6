#include "app/changes.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include <doctest/doctest.h>

#include "app/change_watch.h"

namespace phasegate::app {
namespace {

using mcp::protocol::Sink;
using mcp::protocol::Subscriptions;
using mcp::protocol::Wants;

const std::string kId = "00000000-0000-4000-8000-000000000001";
const std::string kSession = "phasegate://sessions/" + kId;
const std::string kPhase = kSession + "/phases/1";

/// Surroundings that a test changes by hand.
class FakeSights final : public Sights {
 public:
  mcp::tools::ListMarks::Changed lists() override {
    const std::lock_guard lock(mutex_);
    ++list_looks_;
    return std::exchange(changed_, {});
  }
  bool sessions_may_have_changed() override {
    const std::lock_guard lock(mutex_);
    return noticed_;
  }
  std::optional<std::int64_t> version(const std::string& session) override {
    const std::lock_guard lock(mutex_);
    ++version_looks_;
    const auto found = versions_.find(session);
    if (found == versions_.end()) return std::nullopt;
    return found->second;
  }

  void set(const std::string& session, std::optional<std::int64_t> version) {
    const std::lock_guard lock(mutex_);
    versions_.erase(session);
    if (version) versions_[session] = *version;
  }
  void set_lists(bool resources, bool prompts) {
    const std::lock_guard lock(mutex_);
    changed_ = {resources, prompts};
  }
  void notice(bool noticed) {
    const std::lock_guard lock(mutex_);
    noticed_ = noticed;
  }
  int list_looks() {
    const std::lock_guard lock(mutex_);
    return list_looks_;
  }
  int version_looks() {
    const std::lock_guard lock(mutex_);
    return version_looks_;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::int64_t> versions_;
  mcp::tools::ListMarks::Changed changed_;
  bool noticed_ = true;
  int list_looks_ = 0;
  int version_looks_ = 0;
};

Wants wants_uris(std::vector<std::string> uris) {
  Wants wants;
  wants.resource_uris = std::move(uris);
  return wants;
}

TEST_CASE("changes: a session is told when its version is another than when it was asked for") {
  FakeSights sights;
  sights.set(kId, 3);
  Changes changes(sights);
  const Wants wants = wants_uris({kSession, kPhase});
  changes.expect(wants);
  CHECK(changes.look(wants, false).uris.empty());
  sights.set(kId, 4);
  CHECK(changes.look(wants, false).uris == wants.resource_uris);
  CHECK(changes.look(wants, false).uris.empty());
  // What cannot be read now is no change, and is not forgotten.
  sights.set(kId, std::nullopt);
  CHECK(changes.look(wants, false).uris.empty());
  sights.set(kId, 5);
  CHECK(changes.look(wants, false).uris == wants.resource_uris);
}

TEST_CASE("changes: what is wanted newly starts from how it is, what is no longer is forgotten") {
  FakeSights sights;
  sights.set(kId, 3);
  Changes changes(sights);
  CHECK(changes.look(wants_uris({kSession}), false).uris.empty());
  CHECK(changes.look(wants_uris({}), false).uris.empty());
  sights.set(kId, 4);
  CHECK(changes.look(wants_uris({kSession}), false).uris.empty());
  sights.set(kId, 5);
  CHECK(changes.look(wants_uris({kSession, kPhase}), false).uris == std::vector{kSession});
}

TEST_CASE("changes: versions are read only if the store may have changed, or at once") {
  FakeSights sights;
  sights.set(kId, 3);
  sights.notice(false);
  Changes changes(sights);
  const Wants wants = wants_uris({kSession});
  changes.expect(wants);
  const int looks = sights.version_looks();
  sights.set(kId, 4);
  CHECK(changes.look(wants, false).uris.empty());
  CHECK(sights.version_looks() == looks);
  CHECK(changes.look(wants, true).uris == wants.resource_uris);
}

TEST_CASE("changes: lists are looked at only for who wants them, and only theirs are told") {
  FakeSights sights;
  Changes changes(sights);
  sights.set_lists(true, true);
  const auto none = changes.look({}, true);
  CHECK_FALSE(none.resources);
  CHECK_FALSE(none.prompts);
  CHECK(sights.list_looks() == 0);
  Wants wants;
  wants.prompts = true;
  const auto prompts = changes.look(wants, false);
  CHECK(prompts.prompts);
  CHECK_FALSE(prompts.resources);
}

/// Keeps lines for whoever waits for them.
class Kept final : public Sink {
 public:
  bool send(std::string line) override {
    const std::lock_guard lock(mutex_);
    lines_ += line + "\n";
    more_.notify_all();
    return true;
  }
  bool wait_for(const std::string& text) {
    std::unique_lock lock(mutex_);
    return more_.wait_for(lock, std::chrono::seconds(20),
                          [&] { return lines_.find(text) != std::string::npos; });
  }
  std::string lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::string lines_;
};

TEST_CASE("change watch: tells whoever listens, at once if woken, and sleeps while nobody does") {
  Subscriptions subscriptions;
  FakeSights sights;
  sights.set(kId, 1);
  const auto kept = std::make_shared<Kept>();
  {
    ChangeWatch watch(subscriptions, sights);
    watch.wake();
    auto handle = subscriptions.add(wants_uris({kSession}), "7", kept);
    // The subscription has looked before it returned, so no change is missed from here on.
    sights.set(kId, 2);
    watch.wake();
    CHECK(kept->wait_for(kSession));
    CHECK(kept->lines().find("notifications/resources/updated") != std::string::npos);

    Wants lists;
    lists.resources = true;
    lists.prompts = true;
    subscriptions.change(handle, lists);
    sights.set_lists(true, true);
    watch.wake();
    CHECK(kept->wait_for("notifications/resources/list_changed"));
    CHECK(kept->wait_for("notifications/prompts/list_changed"));
    handle = {};
    const int looks = sights.list_looks() + sights.version_looks();
    watch.wake();
    // Nobody listens: whoever comes next finds that nothing has been looked at meanwhile, but for
    // a look that was under way.
    CHECK(sights.list_looks() + sights.version_looks() <= looks + 1);
  }
  // The watch has ended; subscriptions go on without it.
  const auto handle = subscriptions.add(wants_uris({kSession}), "8", kept);
  CHECK(subscriptions.wanted().resource_uris == std::vector{kSession});
}

TEST_CASE("change watch: looks by itself, for changes of other processes") {
  Subscriptions subscriptions;
  FakeSights sights;
  sights.set(kId, 1);
  const auto kept = std::make_shared<Kept>();
  ChangeWatch watch(subscriptions, sights);
  const auto handle = subscriptions.add(wants_uris({kSession}), "", kept);
  sights.set(kId, 2);
  CHECK(kept->wait_for(kSession));
}

TEST_CASE("change watch: a subscription may end while the watch looks") {
  Subscriptions subscriptions;
  FakeSights sights;
  sights.set(kId, 1);
  const auto kept = std::make_shared<Kept>();
  constexpr int kRounds = 5000;
  for (int end = 0; end < 2; ++end) {
    ChangeWatch watch(subscriptions, sights);
    std::jthread comes_and_goes([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto handle = subscriptions.add(wants_uris({kSession}), "9", kept);
      }
    });
    for (int i = 0; i < kRounds; ++i) watch.wake();
    // The second watch ends while they still come and go.
    if (end == 0) comes_and_goes.join();
  }
  CHECK(subscriptions.wanted().resource_uris.empty());
}

}  // namespace
}  // namespace phasegate::app
