#include "base/process_guards.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process_files.h"

namespace phasegate::base {
namespace {

using Clock = std::chrono::steady_clock;

/// None of our handlers may run in what is started while this lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Kills the processes of a session whose leader is not reaped, so that its number is its own.
void kill_session(pid_t leader) {
  std::error_code failed;
  for (std::filesystem::directory_iterator entry("/proc", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const auto pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    if (pid > 0 && pid != leader && ::getsid(pid) == leader) ::kill(pid, SIGKILL);
  }
}

/// Where this process's command line lies, which a child can write over; empty if it is unknown.
std::span<char> command_line() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  // The second field, in brackets, may hold anything; the 48th and the next are what we look for.
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int field = 3; field < 48; ++field) fields >> skipped;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  fields >> begin >> end;
  const auto name = reinterpret_cast<std::uintptr_t>(program_invocation_name);
  if (!fields || name < begin || name >= end) return {};  // not the system that we know
  return {reinterpret_cast<char*>(begin), end - begin};
}

}  // namespace

std::unique_ptr<Guard> Guard::start(std::size_t bytes) {
  auto space = Workspace::with_room_for(bytes);
  if (!space) return nullptr;
  auto channel = guard_channel();
  if (!channel) return nullptr;
  // Beside a server, `ps` would show its command line three times.
  static const std::span<char> shown = command_line();
  pid_t pid = 0;
  {
    const SignalsBlocked blocked;
    pid = ::fork();
    if (pid == 0) guard_main(channel->theirs.get(), shown);
  }
  if (pid < 0) return nullptr;
  space->keep_from_forks();
  return std::unique_ptr<Guard>(new Guard(pid, std::move(channel->ours), std::move(*space)));
}

Guard::~Guard() {
  channel_.reset();  // if it is still at work, it kills everything now
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Guard::give(const WorkTexts& texts, const WorkFiles& files) const {
  return send_work(channel_.get(), space_.lay_out(texts), files);
}

std::optional<GuardReport> Guard::report() const {
  GuardReport report;
  ssize_t got = 0;
  do {
    got = ::recv(channel_.get(), &report, sizeof report, 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof report)) return std::nullopt;
  return report;
}

void Guard::ask() const {
  static_cast<void>(::send(channel_.get(), "", 1, MSG_NOSIGNAL));
  ::kill(pid_, SIGCONT);  // in case the program has stopped it
}

void Guard::kill() const {
  ::kill(pid_, SIGKILL);
}

void Guard::sweep() const {
  kill_session(pid_);
}

/// Shared with the thread that ends what was idle for too long.
struct GuardPool::State {
  struct Idle {
    std::unique_ptr<Guard> guard;
    Clock::time_point until;
  };

  explicit State(GuardPoolSettings chosen) : settings(chosen) {}

  const GuardPoolSettings settings;
  std::mutex mutex;
  std::vector<Idle> idle;  // the last one was used last
  bool attended = false;   // the thread is there
  bool closed = false;

  /// The thread. It is not waited for: at the process's end it sleeps, and nothing is lost with it.
  static void attend(const std::shared_ptr<State>& state) {
    for (;;) {
      std::vector<Idle> over;  // ended without the mutex
      Clock::time_point next;
      {
        const std::scoped_lock lock(state->mutex);
        if (state->idle.empty()) {
          state->attended = false;
          return;
        }
        const Clock::time_point now = Clock::now();
        const auto first_young = std::find_if(state->idle.begin(), state->idle.end(),
                                              [now](const Idle& one) { return one.until > now; });
        std::move(state->idle.begin(), first_young, std::back_inserter(over));
        state->idle.erase(state->idle.begin(), first_young);
        next = state->idle.empty() ? now : state->idle.front().until;
      }
      over.clear();
      std::this_thread::sleep_until(next);
    }
  }

  /// With the mutex held. False if there can be no thread.
  static bool attended_by_thread(const std::shared_ptr<State>& state) {
    if (state->attended) return true;
    try {
      const SignalsBlocked blocked;  // signals are for the threads that expect them
      std::thread([state] { attend(state); }).detach();
      state->attended = true;
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }
};

GuardPool::GuardPool(GuardPoolSettings settings) : state_(std::make_shared<State>(settings)) {}

GuardPool::~GuardPool() {
  close();
}

std::unique_ptr<Guard> GuardPool::take(std::size_t bytes) {
  const std::scoped_lock lock(state_->mutex);
  auto& idle = state_->idle;
  // The one that was used last: the others may then end.
  const auto found = std::find_if(idle.rbegin(), idle.rend(),
                                  [bytes](const auto& one) { return one.guard->room() >= bytes; });
  if (found == idle.rend()) return nullptr;
  std::unique_ptr<Guard> guard = std::move(found->guard);
  idle.erase(std::next(found).base());
  return guard;
}

void GuardPool::put(std::unique_ptr<Guard> guard) {
  const GuardPoolSettings& settings = state_->settings;
  const Clock::time_point now = Clock::now();
  if (now - guard->born() > settings.age_max) return;
  const std::scoped_lock lock(state_->mutex);
  if (state_->closed || state_->idle.size() >= settings.idle_max) return;
  state_->idle.push_back({std::move(guard), now + settings.idle_time});
  if (!State::attended_by_thread(state_)) state_->idle.clear();
}

void GuardPool::close() {
  std::vector<State::Idle> over;
  const std::scoped_lock lock(state_->mutex);
  state_->closed = true;
  over.swap(state_->idle);
}

namespace {

/// Never destroyed, since threads may run programs until the very end.
struct OwnPool {
  const pid_t owner = ::getpid();
  GuardPool pool;
};

std::atomic<OwnPool*> own_pool{nullptr};

struct AtExit {
  AtExit() = default;
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  ~AtExit() {
    OwnPool* const found = own_pool.load();
    if (found != nullptr && found->owner == ::getpid()) found->pool.close();
  }
};

}  // namespace

GuardPool& idle_guards() {
  OwnPool* found = own_pool.load();
  if (found != nullptr && found->owner == ::getpid()) return found->pool;
  // What another process had, and whoever held its mutex while it forked, is not ours.
  auto fresh = std::make_unique<OwnPool>();
  static const AtExit at_exit;
  if (!own_pool.compare_exchange_strong(found, fresh.get())) return found->pool;
  return fresh.release()->pool;
}

}  // namespace phasegate::base
