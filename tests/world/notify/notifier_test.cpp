#include "world/notify/notifier.h"

#include <filesystem>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/base64.h"
#include "base/json.h"
#include "tests/support/files.h"
#include "tests/world/service.h"
#include "world/notify/message.h"

namespace phasegate::world {
namespace {

using base::Json;
using gating::engine::Delivery;
using gating::engine::Notification;
namespace fs = std::filesystem;

constexpr const char* kSession = "3f2a9c1e-0000-4000-8000-000000000001";

Notification notification(const std::string& target) {
  return {std::string(kSession) + ".7", target, "decision_opened", kSession,
          R"({"event":"decision_opened","at_ms":1700000000000,"workflow":"spec","phase":"2",)"
          R"("visit":1,"decision":"d","prompt":"Is it \"good\"?","target":")" +
              target + "\"}"};
}

/// A user's configuration, and what it does.
struct Desk {
  test::TempFolder folder;

  explicit Desk(const std::string& targets) {
    test::write_file(file(), "notify:\n" + targets);
    test::write_file(folder.path() / "key", "topsecret");
    fs::permissions(folder.path() / "key", fs::perms::owner_read | fs::perms::owner_write);
  }
  [[nodiscard]] fs::path file() const { return folder.path() / "notify.yaml"; }
  [[nodiscard]] Delivery deliver(const std::string& target,
                                 const std::function<bool()>& go_on = {}) const {
    UserNotifier notifier(file(), "shop", " --root '/a b/shop'", "");
    return notifier.deliver(notification(target), go_on);
  }
  [[nodiscard]] std::string wrote(const char* name) const {
    return test::read_file(folder.path() / name);
  }
};

TEST_CASE("notify: what is told says what happened, where, and what to do, never a path") {
  const NotifyMessage message =
      notify_message(notification("desk"), "shop", " --root /a/shop", "https://h/decide/");
  const Json json = Json::parse(message.json);
  CHECK(json["event"] == "decision_opened");
  CHECK(json["id"] == std::string(kSession) + ".7");
  CHECK(json["at"] == "2023-11-14T22:13:20.000Z");
  CHECK(json["text"] == "A person is to decide about phase 2 of workflow spec");
  CHECK(json["decide"] == std::string("phasegate decide ") + kSession);
  CHECK(json["prompt"] == "Is it \"good\"?");
  CHECK(json["project"] == "shop");
  CHECK(json["page"] == "https://h/decide/d");
  CHECK_FALSE(json.contains("target"));
  CHECK(message.json.find("/a/shop") == std::string::npos);
  CHECK(message.values.at("decide").ends_with(" --root /a/shop"));
  // Every event has a sentence of its own, and what is no payload is no reason to fail.
  std::set<std::string> texts;
  for (const std::string& event : notify_events()) {
    const Json one =
        Json::parse(notify_message({"i", "t", event, kSession, "{"}, "p", "", "").json);
    texts.insert(one["text"].get<std::string>());
  }
  CHECK(texts.size() == notify_events().size());
}

TEST_CASE("notify: values fill arguments, one each, and are neither options nor control codes") {
  Notification hostile = notification("desk");
  hostile.payload =
      R"({"workflow":"--exec=rm {{phase}}\u001b[2J\n","phase":"1 \"$(id)\"; x","event":"x"})";
  const auto values = notify_message(hostile, "shop", "", "").values;
  const std::vector<std::string> got =
      filled({"p", "{{workflow}}", "a{{ phase }}b", "{{none}}", "{{"}, values);
  REQUIRE(got.size() == 5);
  CHECK(got[1] == " --exec=rm {{phase}} [2J ");
  CHECK(got[2] == "a1 \"$(id)\"; xb");
  CHECK(got[3] == "{{none}}");
  CHECK(got[4] == "{{");
  CHECK(unknown_names({"{{none}}", "{{text}}", "{{none}}"}) == std::vector<std::string>{"none"});
}

TEST_CASE("notify: signatures are those of Standard Webhooks") {
  // The example of its specification.
  const auto key = base::from_base64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  REQUIRE(key.has_value());
  CHECK(webhook_signature(*key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330",
                          R"({"test": 2432232314})") ==
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("notify: a program is given the message, and nothing of what keeps checks apart") {
  const Desk desk(
      "  good: {command: [sh, -c, 'cat > got; echo \"$1\" > text; env > vars', x, \"{{text}}\"]}\n"
      "  bad: {command: [sh, -c, 'exit 3']}\n"
      "  none: {command: [no-such-program-here]}\n"
      "  slow: {command: [sleep, \"100\"], timeout: 1}\n");
  CHECK(desk.deliver("good").end == Delivery::End::delivered);
  CHECK(Json::parse(desk.wrote("got"))["session"] == kSession);
  CHECK(desk.wrote("text") == "A person is to decide about phase 2 of workflow spec\n");
  CHECK(desk.wrote("vars").find("PHASEGATE_CHECK") == std::string::npos);
  CHECK(desk.deliver("bad").why == "its program ended with exit code 3");
  CHECK(desk.deliver("none").why.find("could not be started") != std::string::npos);
  CHECK(desk.deliver("slow").why == "its program took too long");
  CHECK(desk.deliver("slow", [] { return false; }).end == Delivery::End::stopped);
  CHECK(desk.deliver("gone").end == Delivery::End::refused);
  test::write_file(desk.file(), "notify: [");
  CHECK(desk.deliver("gone").end == Delivery::End::failed);
  fs::remove(desk.file());
  CHECK(desk.deliver("gone").end == Delivery::End::failed);
}

TEST_CASE("notify: a webhook is posted to, signed, and only a success counts") {
  const test::Service ok(test::answer("204 No Content", ""));
  const test::Service moved(test::answer("302 Found", "", "Location: http://127.0.0.1:1/\r\n"));
  const test::Service down(test::answer("500 Internal Server Error", "x"));
  const auto target = [](const char* name, const test::Service& service, const char* more) {
    return std::string("  ") + name + ": {webhook: \"http://127.0.0.1:" + service.port() +
           "/hook?k=v\"" + more + "}\n";
  };
  const Desk desk(target("ok", ok, ", secret_file: key") + target("plain", ok, "") +
                  target("moved", moved, "") + target("down", down, "") +
                  target("unsigned", ok, ", secret_file: missing"));
  CHECK(desk.deliver("ok").end == Delivery::End::delivered);
  const std::string request = ok.request();
  CHECK(request.starts_with("POST /hook?k=v HTTP/1.1\r\n"));
  const std::string body = request.substr(request.find("\r\n\r\n") + 4);
  CHECK(Json::parse(body)["event"] == "decision_opened");
  const auto header = [&](const std::string& name) {
    const std::size_t at = request.find("\r\n" + name + ": ");
    REQUIRE(at != std::string::npos);
    const std::size_t from = at + 4 + name.size();
    return request.substr(from, request.find("\r\n", from) - from);
  };
  CHECK(header("Content-Type") == "application/json");
  CHECK(header("webhook-id") == std::string(kSession) + ".7");
  CHECK(header("webhook-signature") ==
        webhook_signature("topsecret", header("webhook-id"), header("webhook-timestamp"), body));
  CHECK(request.find("topsecret") == std::string::npos);

  CHECK(desk.deliver("plain").end == Delivery::End::delivered);
  CHECK(ok.request().find("webhook-signature") == std::string::npos);
  CHECK(desk.deliver("moved").why == "it answered with status 302");
  CHECK(desk.deliver("down").why == "it answered with status 500");
  const int calls = ok.calls();
  CHECK(desk.deliver("unsigned").why == "its secret_file is not there");
  CHECK(ok.calls() == calls);
}

}  // namespace
}  // namespace phasegate::world
