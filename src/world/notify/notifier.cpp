#include "world/notify/notifier.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/hash.h"
#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "base/wipe.h"
#include "world/checks/environment.h"
#include "world/notify/message.h"
#include "world/web/exchange.h"

namespace phasegate::world {

using gating::engine::Delivery;
using gating::engine::Notification;

namespace {

constexpr std::size_t kOutputBytesMax = 4096;

Delivery failed(std::string why) {
  return {Delivery::End::failed, std::move(why)};
}

/// What a program needs to reach the person's screen, beside what every program is given.
std::vector<std::string> environment() {
  std::vector<std::string> out;
  for (std::string& variable : checks::filtered_environment()) {
    if (!variable.starts_with("PHASEGATE_CHECK=")) out.push_back(std::move(variable));
  }
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
                           "DBUS_SESSION_BUS_ADDRESS"}) {
    const std::string prefix = std::string(name) + "=";
    const bool there = std::any_of(out.begin(), out.end(), [&](const std::string& variable) {
      return variable.starts_with(prefix);
    });
    if (const char* value = std::getenv(name); value != nullptr && !there) {
      out.push_back(prefix + value);
    }
  }
  return out;
}

}  // namespace

std::string UserNotifier::channel() {
  constexpr std::size_t kChars = 12;
  return base::sha256_hex(file_.string()).substr(0, kChars);
}

std::vector<std::string> UserNotifier::targets(std::string_view event) {
  const NotifyConfig config = read_notify_file(file_);
  if (!config.findings.empty() && logged_ != config.findings.front().message) {
    logged_ = config.findings.front().message;
    base::log_error("notify.not_read", {{"file", "notify.yaml"}, {"why", logged_}});
  }
  std::vector<std::string> names;
  for (const NotifyTarget& target : config.targets) {
    if (target.events.contains(std::string(event))) names.push_back(target.name);
  }
  return names;
}

Delivery UserNotifier::deliver(const Notification& notification,
                               const std::function<bool()>& go_on) {
  const NotifyConfig config = read_notify_file(file_);
  const NotifyTarget* target = config.find(notification.target);
  if (target == nullptr) {
    // A file that is wrong now may be right soon.
    if (!config.there || !config.findings.empty()) {
      return failed("its configuration cannot be read");
    }
    return {Delivery::End::refused, "it is not configured any more"};
  }
  return target->webhook ? post(*target, notification, go_on)
                         : run_command(*target, notification, go_on);
}

Delivery UserNotifier::run_command(const NotifyTarget& target, const Notification& notification,
                                   const std::function<bool()>& go_on) const {
  const NotifyMessage message = notify_message(notification, project_, options_, page_);
  base::ProcessRequest request;
  request.argv = filled(target.command, message.values);
  request.folder = file_.parent_path();
  request.environment = environment();
  request.input = message.json + "\n";
  request.timeout_ms = target.timeout_ms;
  request.output_max = kOutputBytesMax;
  request.go_on = go_on;
  const base::ProcessResult result = base::run_process(request);
  using End = base::ProcessResult::End;
  switch (result.end) {
    case End::exited:
      if (result.code == 0) return {Delivery::End::delivered, ""};
      return failed("its program ended with exit code " + std::to_string(result.code));
    case End::signalled:
      return failed("its program was ended by signal " + std::to_string(result.code));
    case End::timed_out:
      return failed("its program took too long");
    case End::stopped:
      return {Delivery::End::stopped, ""};
    case End::not_started:
      break;
  }
  return failed("its program could not be started: " + result.problem);
}

Delivery UserNotifier::post(const NotifyTarget& target, const Notification& notification,
                            const std::function<bool()>& go_on) const {
  if (std::string why = unsupported(*target.webhook); !why.empty()) return failed(std::move(why));
  WebRequest request;
  request.method = "POST";
  request.url = *target.webhook;
  request.body = notify_message(notification, project_, options_, page_).json;
  request.timeout_ms = target.timeout_ms;
  request.answer_bytes_max = kOutputBytesMax;
  request.go_on = go_on;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const std::string timestamp =
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(since_epoch).count());
  request.headers = {{"Content-Type", "application/json"},
                     {"webhook-id", notification.id},
                     {"webhook-timestamp", timestamp}};
  if (!target.secret_file.empty()) {
    auto secret = read_notify_secret(file_.parent_path(), target.secret_file);
    if (!secret) return failed(secret.error().message);
    request.headers["webhook-signature"] =
        webhook_signature(*secret, notification.id, timestamp, request.body);
    base::wipe(secret->data(), secret->size());
  }
  const WebAnswer answer = exchange(request);
  if (answer.stopped) return {Delivery::End::stopped, ""};
  constexpr int kFirstSuccess = 200;
  constexpr int kAfterSuccess = 300;
  if (answer.status >= kFirstSuccess && answer.status < kAfterSuccess) {
    return {Delivery::End::delivered, ""};
  }
  if (answer.status != 0) return failed("it answered with status " + std::to_string(answer.status));
  return failed(answer.problem.empty() ? "no whole answer" : answer.problem);
}

}  // namespace phasegate::world
