#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/render_findings.h"
#include "app/cli/text.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/json.h"
#include "base/text.h"
#include "world/notify/notifier.h"
#include "world/notify/targets.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::Delivery;
using world::NotifyConfig;
using world::NotifyTarget;

/// How a target is told. Only the host of a webhook: its path may be what keeps others out.
std::string way_of(const NotifyTarget& target) {
  if (!target.webhook) return "runs " + target.command.front();
  std::string text = (target.webhook->secure ? "https://" : "http://") + target.webhook->host;
  return "posts to " + text + (target.secret_file.empty() ? ", not signed" : ", signed");
}

std::vector<std::string> events_of(const NotifyTarget& target) {
  std::vector<std::string> events;
  for (const std::string& event : world::notify_events()) {
    if (target.events.contains(event)) events.push_back(event);
  }
  return events;
}

Json config_json(const NotifyConfig& config, const Settings& settings) {
  Json json = {
      {"file", settings.notify_shown}, {"there", config.there}, {"targets", Json::array()}};
  for (const NotifyTarget& target : config.targets) {
    json["targets"].push_back({{"name", target.name},
                               {"kind", target.webhook ? "webhook" : "command"},
                               {"events", events_of(target)},
                               {"signed", !target.secret_file.empty()}});
  }
  json["problems"] = Json::array();
  for (const phases::Finding& finding : config.findings) {
    json["problems"].push_back({{"code", finding.code},
                                {"message", finding.message},
                                {"hint", finding.hint},
                                {"line", finding.source.line}});
  }
  return json;
}

std::string config_text(const NotifyConfig& config, const Settings& settings, const Page& page) {
  const std::string file = shown(settings.notify_shown);
  if (!config.there) {
    return wrapped("Nobody is told of anything: there is no " + file +
                       ". A file like this shows a message on your screen when somebody is to "
                       "decide:",
                   page.width, 0, 0) +
           "\n  notify:\n    desk:\n      command: [notify-send, phasegate, \"{{text}}\"]\n"
           "      events: [decision_opened, decision_reminded]\n";
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const NotifyTarget& target : config.targets) {
    const auto events = events_of(target);
    const bool all = events.size() == world::notify_events().size();
    rows.emplace_back(shown(target.name), shown(way_of(target)) + "; " +
                                              (all ? "all events" : base::joined(events, ", ")));
  }
  std::string text = file + "\n" + definitions(rows, 2, page.width);
  if (rows.empty()) text += "  nobody is told of anything\n";
  if (!config.findings.empty()) {
    text +=
        "\n" + findings_text(
                   config.findings, "", [](const phases::Source&) { return std::string(); }, page);
  }
  return text;
}

/// A secret that cannot be used keeps its target from being told.
void add_secret_problems(NotifyConfig& config, const Settings& settings) {
  for (const NotifyTarget& target : config.targets) {
    if (target.secret_file.empty()) continue;
    auto secret = world::read_notify_secret(settings.notify_file.parent_path(), target.secret_file);
    if (secret) continue;
    config.findings.push_back({phases::Severity::error,
                               secret.error().code,
                               "the target " + base::in_quotes(target.name) +
                                   " cannot be told: " + secret.error().message,
                               secret.error().hint,
                               {settings.notify_file.filename().string(), 0, 0},
                               ""});
  }
}

Outcome try_out(const Settings& settings, const NotifyConfig& config, const std::string& name) {
  if (config.find(name) == nullptr) {
    std::vector<std::string> names;
    for (const NotifyTarget& target : config.targets) names.push_back(target.name);
    base::Error error{"unknown_target",
                      "There is no target " + base::in_quotes(name) + " that can be told.",
                      names.empty() ? "`phasegate notify` says why."
                                    : "There are: " + base::joined(names, ", ") + ".",
                      ""};
    if (const auto near = base::nearest_name(name, names)) {
      error.hint = "Did you mean " + *near + "? " + error.hint;
    }
    return failed(ExitCode::not_ok, error);
  }
  world::UserNotifier notifier(settings.notify_file, settings.root.filename().string(),
                               settings.options_anywhere, settings.decision_page);
  base::SystemIdSource ids;
  const base::TimePoint now = base::SystemClock().now();
  const Delivery delivery = notifier.deliver(
      {ids.new_id(), name, "test", "", base::dump(Json{{"event", "test"}, {"at_ms", now.ms}})}, {});
  if (delivery.end == Delivery::End::delivered) {
    return {ExitCode::ok, shown(name) + " was told.\n", ""};
  }
  return failed(ExitCode::not_ok,
                {"not_told", shown(name) + " could not be told: " + delivery.why + ".",
                 "`phasegate notify` shows how it is told.", ""});
}

}  // namespace

Outcome show_notify(const Invocation& invocation, const Settings& settings, const Page& page) {
  NotifyConfig config = world::read_notify_file(settings.notify_file);
  add_secret_problems(config, settings);
  if (!invocation.argument.empty()) return try_out(settings, config, invocation.argument);
  const ExitCode code = config.findings.empty() ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) return {code, base::dump(config_json(config, settings)) + "\n", ""};
  return {code, config_text(config, settings, page), ""};
}

}  // namespace phasegate::app::cli
