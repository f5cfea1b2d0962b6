#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "mcp/http/sockets.h"

namespace phasegate::mcp::http {

/// A connection at which no thread waits. Its functions are called by one thread at a time;
/// destroying it ends it.
class Watched {
 public:
  virtual ~Watched() = default;
  [[nodiscard]] virtual int fd() const = 0;
  /// What to wait for, as epoll(7) says it; asked again after each call below.
  [[nodiscard]] virtual std::uint32_t events() const = 0;
  /// When due() is to be called if nothing happens before.
  [[nodiscard]] virtual TimePoint due_at() const = 0;

  /// Something happened at the socket, or somebody has poked it. False: it is over.
  virtual bool ready(std::uint32_t events) = 0;
  /// Its time has come. False: it is over.
  virtual bool due() = 0;
  /// The listener stops. False: it is over; true: it needs until StopSignal::write_end() at most.
  virtual bool stop() = 0;
  /// It is over and no longer watched: its socket may be used elsewhere.
  virtual void leave() {}
  /// True if it may be ended to make room for a connection with a request.
  [[nodiscard]] virtual bool may_give_way() const { return false; }
};

/// Tells a watcher from any thread, and also once there is no watcher any more, that one of those
/// it watches has something to do.
class Pokes {
 public:
  Pokes();
  void poke(std::uint64_t id);

  [[nodiscard]] int fd() const { return event_.get(); }
  [[nodiscard]] std::vector<std::uint64_t> take();

 private:
  base::Descriptor event_;
  std::mutex mutex_;
  std::vector<std::uint64_t> ids_;
};

/// One thread that watches all of them. Owns its thread and what it watches.
class Watcher {
 public:
  explicit Watcher(const StopSignal& stop);
  /// Waits for the thread, which ends once the stop signal is raised.
  ~Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// A name for something to come, with which it can be poked also before it is watched.
  [[nodiscard]] std::uint64_t next_id();
  [[nodiscard]] const std::shared_ptr<Pokes>& pokes() const { return pokes_; }
  void watch(std::uint64_t id, std::unique_ptr<Watched> watched);
  /// Ends the one that has been watched longest of those that may give way. False: there is none.
  bool make_room();

 private:
  struct Item {
    std::unique_ptr<Watched> watched;
    std::uint32_t events = 0;
  };
  using Items = std::map<std::uint64_t, Item>;

  void run();
  void wait_once(TimePoint latest);
  void stop_all();
  [[nodiscard]] int milliseconds_to_wait(TimePoint latest);
  [[nodiscard]] bool control(int operation, int fd, std::uint32_t events, std::uint64_t id) const;
  template <typename Step>
  void visit(std::uint64_t id, Step step);
  [[nodiscard]] Items::node_type take(std::uint64_t id);
  [[nodiscard]] bool put_back(Items::node_type& node);
  [[nodiscard]] std::vector<std::uint64_t> all_due();

  const StopSignal& stop_;
  base::Descriptor epoll_;
  const std::shared_ptr<Pokes> pokes_ = std::make_shared<Pokes>();
  std::mutex mutex_;
  Items items_;  ///< by age
  std::uint64_t last_id_ = 0;
  bool stopped_ = false;
  std::jthread thread_;
};

}  // namespace phasegate::mcp::http
