#include "world/notify/message.h"

#include <algorithm>

#include "base/base64.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world {

using base::Json;
using gating::engine::Notification;

namespace {

constexpr std::size_t kValueBytesMax = 400;
constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

std::string text_of(const Json& payload, std::string_view name) {
  return base::string_member(payload, name).value_or("");
}

/// One sentence for people. It begins with a word of ours, whatever the workflow says.
std::string sentence(std::string_view event, const Json& payload) {
  const std::string where =
      "phase " + text_of(payload, "phase") + " of workflow " + text_of(payload, "workflow");
  const std::string workflow = "Workflow " + text_of(payload, "workflow");
  if (event == "decision_opened") return "A person is to decide about " + where;
  if (event == "decision_reminded") return "Still to be decided: " + where;
  if (event == "decision_decided") {
    return "Decided about " + where + ": " + text_of(payload, "option") + ", by " +
           text_of(payload, "by");
  }
  if (event == "run_completed") {
    return workflow + " is completed: outcome " + text_of(payload, "outcome");
  }
  if (event == "run_rejected")
    return workflow + " was rejected in phase " + text_of(payload, "phase");
  if (event == "run_cancelled") {
    return workflow + " was cancelled in phase " + text_of(payload, "phase");
  }
  if (event == "run_stalled") return "Nothing has happened for a while in " + where;
  return "A test of notifications";
}

/// One line that a terminal shows as it is and that no program takes for an option.
std::string for_an_argument(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  text = base::with_visible_controls(base::shortened(text, kValueBytesMax));
  if (!text.empty() && text.front() == '-') text.insert(0, " ");
  return text;
}

/// Calls `each` for every `{{name}}`, with the name trimmed; what it returns takes its place.
template <typename Each>
std::string replaced(const std::string& argument, const Each& each) {
  std::string out;
  std::size_t from = 0;
  while (true) {
    const std::size_t open = argument.find(kOpen, from);
    const std::size_t close =
        open == std::string::npos ? open : argument.find(kClose, open + kOpen.size());
    if (close == std::string::npos) return out + argument.substr(from);
    const std::size_t end = close + kClose.size();
    const std::string name(base::trimmed(
        std::string_view(argument).substr(open + kOpen.size(), close - open - kOpen.size())));
    out += argument.substr(from, open - from) + each(name, argument.substr(open, end - open));
    from = end;
  }
}

}  // namespace

NotifyMessage notify_message(const Notification& notification, std::string_view project,
                             std::string_view options, std::string_view page) {
  const auto parsed = base::parse_json(notification.payload, {base::limits::kCheckBytesMax, 8});
  const Json payload = parsed && parsed->is_object() ? *parsed : Json::object();
  std::string decide = "phasegate inbox";
  if (!notification.session.empty()) decide = "phasegate decide " + notification.session;

  Json message = payload;
  message.erase("target");
  message.erase("at_ms");
  message["id"] = notification.id;
  message["event"] = notification.event;
  if (!notification.session.empty()) message["session"] = notification.session;
  message["project"] = project;
  message["text"] = sentence(notification.event, payload);
  const auto decision = base::string_member(payload, "decision");
  const bool waits = decision && (notification.event == "decision_opened" ||
                                  notification.event == "decision_reminded");
  if (waits) message["decide"] = decide;
  if (waits && !page.empty()) message["page"] = std::string(page) + *decision;
  if (const auto at = base::integer_member(payload, "at_ms")) {
    message["at"] = base::to_rfc3339(base::TimePoint{*at});
  }

  NotifyMessage out;
  out.json = base::dump(message);
  for (const char* name : {"event", "text", "session", "workflow", "phase", "project", "page"}) {
    out.values[name] = for_an_argument(text_of(message, name));
  }
  out.values["decide"] = decide + std::string(options);
  return out;
}

std::vector<std::string> filled(const std::vector<std::string>& arguments,
                                const std::map<std::string, std::string>& values) {
  std::vector<std::string> out;
  out.reserve(arguments.size());
  for (const std::string& argument : arguments) {
    out.push_back(replaced(argument, [&](const std::string& name, const std::string& whole) {
      const auto value = values.find(name);
      return value == values.end() ? whole : value->second;
    }));
  }
  return out;
}

std::vector<std::string> unknown_names(const std::vector<std::string>& arguments) {
  const auto known = notify_message({}, "", "", "").values;
  std::vector<std::string> unknown;
  for (const std::string& argument : arguments) {
    (void)replaced(argument, [&](const std::string& name, const std::string& whole) {
      if (!known.contains(name) &&
          std::find(unknown.begin(), unknown.end(), name) == unknown.end()) {
        unknown.push_back(name);
      }
      return whole;
    });
  }
  return unknown;
}

std::string webhook_signature(std::string_view secret, std::string_view id,
                              std::string_view timestamp, std::string_view body) {
  const std::string content =
      std::string(id) + "." + std::string(timestamp) + "." + std::string(body);
  return "v1," + base::base64(base::hmac_sha256(secret, content));
}

}  // namespace phasegate::world
