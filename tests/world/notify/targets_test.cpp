#include "world/notify/targets.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/support/files.h"

namespace phasegate::world {
namespace {

namespace fs = std::filesystem;

std::string codes(const NotifyConfig& config) {
  std::string text;
  for (const phases::Finding& finding : config.findings) {
    if (!text.empty()) text += ' ';
    text += finding.code + "@" + std::to_string(finding.source.line);
  }
  return text;
}

std::string names(const NotifyConfig& config) {
  std::string text;
  for (const NotifyTarget& target : config.targets) {
    if (!text.empty()) text += ' ';
    text += target.name;
  }
  return text;
}

TEST_CASE("notify.yaml: who is told of what, and how") {
  const NotifyConfig config = read_notify_config(
      "\xEF\xBB\xBFnotify:\r\n"
      "  desk:\r\n"
      "    command: [notify-send, phasegate, \"{{ text }}\"]\r\n"
      "    events: [decision_opened, run_stalled]\r\n"
      "  chat:\r\n"
      "    webhook: https://example.org/hook?key=1\r\n"
      "    secret_file: chat.key\r\n"
      "    timeout: 5\r\n");
  CHECK(codes(config) == "");
  REQUIRE(config.targets.size() == 2);
  const NotifyTarget& desk = config.targets[0];
  CHECK(desk.command == std::vector<std::string>{"notify-send", "phasegate", "{{ text }}"});
  CHECK(desk.events == std::set<std::string>{"decision_opened", "run_stalled"});
  const NotifyTarget& chat = *config.find("chat");
  CHECK(chat.events.size() == notify_events().size());
  CHECK(chat.webhook->host == "example.org");
  CHECK(chat.secret_file == "chat.key");
  CHECK(chat.timeout_ms == 5'000);
  CHECK(config.find("other") == nullptr);
}

TEST_CASE(
    "notify.yaml: what is wrong is an error with its line, and only that target is left out") {
  struct Row {
    const char* text;
    const char* codes;
    const char* targets;
  };
  for (const Row& row : {
           Row{"", "", ""},
           Row{"notify:\n", "", ""},
           Row{"- a\n", "wrong_type@1", ""},
           Row{"notfy: {}\n", "unknown_key@1", ""},
           Row{"notify: [a]\n", "wrong_type@1", ""},
           Row{"notify: {a: {command: [x]}, b: 3}\n", "wrong_type@1", "a"},
           Row{"notify: {9a: {command: [x]}}\n", "unusable_name@1", ""},
           Row{"notify: {--json: {command: [x]}}\n", "unusable_name@1", ""},
           Row{"notify:\n  a: {}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {command: [x], webhook: \"https://h/\"}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {command: x}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: []}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: [x, [y]]}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: [\"{{event}}\"]}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {command: [x, \"{{evidence}}\"]}\n", "unknown_name@2", ""},
           Row{"notify:\n  a: {command: [x, \"{{unclosed\"]}\n", "", "a"},
           Row{"notify:\n  a: {command: [x], events: [decision_open]}\n", "unknown_event@2", ""},
           Row{"notify:\n  a: {command: [x], events: []}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: [x], events: all}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: [x], comand: [y]}\n", "unknown_key@2", ""},
           Row{"notify:\n  a: {command: [x], secret_file: k}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {webhook: \"http://h/\"}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {webhook: \"ftp://h/\"}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {webhook: \"https://u:p@h/\"}\n", "invalid_target@2", ""},
           Row{"notify:\n  a: {webhook: \"http://127.0.0.1:9/\"}\n", "", "a"},
           Row{"notify:\n  a: {webhook: \"http://localhost:9/\", timeout: 0}\n", "wrong_type@2",
               ""},
           Row{"notify:\n  a: {command: [x], timeout: 21}\n", "wrong_type@2", ""},
           Row{"notify:\n  a: {command: [x], timeout: 1.5}\n", "wrong_type@2", ""},
           Row{"notify: {a: {command: [x]}, a: {command: [y]}}\n", "invalid_yaml@1", ""},
           Row{"notify: \xFF\n", "invalid_yaml@1", ""},
           Row{"notify: {a: {command: [x", "invalid_yaml@1", ""},
       }) {
    CAPTURE(row.text);
    const NotifyConfig config = read_notify_config(row.text);
    CHECK(codes(config) == row.codes);
    CHECK(names(config) == row.targets);
  }
  // An address may be a secret of its own: no message repeats it.
  const NotifyConfig config = read_notify_config("notify:\n  a: {webhook: \"http://h/s3cr3t\"}\n");
  REQUIRE(config.findings.size() == 1);
  CHECK(config.findings[0].message.find("s3cr3t") == std::string::npos);
}

TEST_CASE("notify.yaml: a file that cannot be read is reported, one that is not there is none") {
  const test::TempFolder folder;
  const fs::path file = folder.path() / "notify.yaml";
  CHECK_FALSE(read_notify_file({}).there);
  CHECK_FALSE(read_notify_file(file).there);
  fs::create_directory(file);
  CHECK(codes(read_notify_file(file)) == "unreadable_file@0");
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK(codes(read_notify_file(file)) == "unreadable_file@0");
  fs::remove(file);
  test::write_file(file, std::string(base::limits::kNotifyFileBytesMax + 1, '#'));
  CHECK(codes(read_notify_file(file)) == "unreadable_file@0");
  test::write_file(file, "notify: {a: {command: [x]}}\n");
  CHECK(names(read_notify_file(file)) == "a");
}

TEST_CASE("notify: the secret for signatures is a file that nobody else can read") {
  const test::TempFolder folder;
  const fs::path file = folder.path() / "key";
  const auto secret = [&] { return read_notify_secret(folder.path(), "key"); };
  CHECK(secret().error().code == "secret_unreadable");
  test::write_file(file, " a long text\r\n");
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read);
  CHECK(secret().error().message.find("others") != std::string::npos);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  CHECK(*secret() == "a long text");
  test::write_file(file, "whsec_AAEC\n");
  CHECK(*secret() == std::string("\0\1\2", 3));
  for (const std::string& text :
       {std::string(), std::string("\n \n"), std::string("whsec_"), std::string("whsec_%%"),
        std::string(base::limits::kNotifySecretBytesMax + 1, 'k')}) {
    CAPTURE(text.size());
    test::write_file(file, text);
    const auto refused = secret();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find(folder.path().string()) == std::string::npos);
  }
}

}  // namespace
}  // namespace phasegate::world
