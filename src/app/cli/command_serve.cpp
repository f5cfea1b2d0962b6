#include <cerrno>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/serve_help.h"
#include "app/last_resort.h"
#include "app/output.h"
#include "app/serving.h"
#include "app/web/decision_site.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/http/endpoint.h"
#include "mcp/http/listener.h"
#include "mcp/http/tokens.h"
#include "mcp/protocol/stop_signals.h"
#include "world/project.h"
#include "world/web/url.h"

namespace phasegate::app::cli {
namespace http = mcp::http;
namespace {

/// Becomes readable when the listener has ended.
class Ended {
 public:
  Ended() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  ~Ended() { ::close(fd_); }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  void note() const { static_cast<void>(::eventfd_write(fd_, 1)); }

 private:
  int fd_;
};

void wait_for(int stop_fd, int ended_fd) {
  pollfd both[] = {{stop_fd, POLLIN, 0}, {ended_fd, POLLIN, 0}};
  while (::poll(both, 2, -1) < 0 && errno == EINTR) {
  }
}

/// Serves until a signal comes, or until the listener fails.
Outcome run(http::Listener& listener, http::Endpoint& endpoint,
            const mcp::protocol::StopSignals& signals) {
  const Ended ended;
  std::optional<std::string> failure;
  std::jthread thread([&] {
    try {
      listener.run();
    } catch (const std::exception& problem) {
      failure = problem.what();
    }
    ended.note();
  });
  wait_for(signals.fd(), ended.fd());
  endpoint.close_streams();
  listener.stop();
  thread.join();
  if (!failure) return {};
  return failed(ExitCode::environment,
                {"cannot_serve", "Serving has ended: " + *failure + ".", "Start it again.", ""});
}

base::Error reachable_by_all(const http::Address& address) {
  return {"usage",
          "Whoever reaches " + http::to_text(address) +
              " could read and change this project's sessions, because no tokens are asked for.",
          "Name a tokens file with --tokens FILE, or listen on 127.0.0.1 or unix:PATH.", ""};
}

}  // namespace

Outcome serve(const Invocation& invocation, Settings settings, const Environment& environment) {
  const auto address = http::parse_address(invocation.listen ? std::string_view(*invocation.listen)
                                                             : kListenDefault);
  if (!address) return failed(ExitCode::usage, address.error());
  if (invocation.url) {
    if (const auto url = world::parse_url(*invocation.url); !url) {
      return failed(ExitCode::usage,
                    {"usage", "--url: " + url.error().message + ".",
                     "Write how people reach this server: --url https://decide.example.org", ""});
    }
  }
  http::EndpointOptions options;
  options.hosts = invocation.allow_hosts;
  options.principal = world::principal();
  options.requests_per_second = invocation.requests_per_second
                                    ? static_cast<double>(*invocation.requests_per_second)
                                    : base::limits::kHttpRequestsPerSecond;
  if (invocation.tokens) {
    auto tokens = http::Tokens::read((environment.working_folder / *invocation.tokens).string());
    if (!tokens) return failed(ExitCode::environment, tokens.error());
    options.tokens = *std::move(tokens);
  }
  if (!http::is_loopback(*address) && !options.tokens) {
    return failed(ExitCode::usage, reachable_by_all(*address));
  }
  if (auto own = own_host(*address)) options.hosts.push_back(*std::move(own));

  const mcp::protocol::StopSignals signals;
  // Made first, so that it watches over the end of everything that is made after it.
  LastResort last_resort(signals.fd());
  web::Doors doors;
  http::Listener listener(doors, http::default_limits());
  const auto bound = listener.bind(*address);
  if (!bound) return failed(ExitCode::environment, bound.error());
  settings.decision_page = invocation.url ? base_of(*invocation.url) : base_of(*bound);
  if (!settings.decision_page.empty()) settings.decision_page += web::kDecidePath;
  Serving serving(settings, base::limits::kDesksMax);
  const bool with_tokens = options.tokens != nullptr;
  const std::string path = options.path;
  // Forms bring secrets, and what is in this process's memory is nobody else's to read.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  web::DecisionSite decisions(serving.desks(), serving.seal(),
                              {options.hosts, options.requests_per_second}, serving.clock());
  http::Endpoint endpoint(serving.server(), std::move(options), serving.clock(), serving.ids());
  doors.open(decisions, endpoint);
  write_all(STDERR_FILENO, serving_line(*bound, path, with_tokens));
  return run(listener, endpoint, signals);
}

}  // namespace phasegate::app::cli
