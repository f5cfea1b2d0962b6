#include <atomic>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/limits.h"
#include "tests/support/files.h"
#include "tests/world/checks/scene.h"
#include "tests/world/service.h"
#include "world/web/url.h"

namespace phasegate::world::checks {
namespace {

using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;
using test::answer;
using test::Service;

CheckResult get(const std::string& url, Json parameters = Json::object(),
                std::function<bool()> go_on = {}) {
  const test::TempFolder folder;
  parameters["url"] = url;
  test::CheckAsked asked(phases::CheckKind::http, folder.path(), parameters,
                         Json::parse(R"({"evidence":{"n":3}})"));
  asked.scene.go_on = std::move(go_on);
  return check_http(asked.ask);
}

TEST_CASE("http: the answer decides (ARCHITECTURE §5)") {
  const Service ok(answer("200 OK", R"({"n":3,"state":"up"})"));
  const Service down(answer("503 Service Unavailable", "down"));
  struct Row {
    const Service& service;
    const char* parameters;
    CheckOutcome outcome;
    const char* reason;
  };
  for (const Row& row : {
           Row{ok, "{}", CheckOutcome::passed, ""},
           Row{down, "{}", CheckOutcome::failed, "status 503, wanted 200"},
           Row{down, R"({"status":[200,503]})", CheckOutcome::passed, ""},
           Row{ok, R"({"status":[404]})", CheckOutcome::failed, "status 200, wanted 404"},
           Row{ok, R"({"body_matches":"\"up\"","body_lacks":"down"})", CheckOutcome::passed, ""},
           Row{down, R"({"body_matches":"up","body_lacks":"down"})", CheckOutcome::failed,
               "status 503, wanted 200; the body does not match \"up\"; the body matches \"down\", "
               "which it must not"},
           Row{ok, R"({"body_json":"output.n === evidence.n"})", CheckOutcome::passed, ""},
           Row{ok, R"({"body_json":"output.n === 4"})", CheckOutcome::failed,
               "\"output.n === 4\" is false of the body: output.n is 3"},
           Row{ok, R"({"body_json":"output.n"})", CheckOutcome::errored, nullptr},
           Row{ok, R"({"body_matches":"("})", CheckOutcome::errored, nullptr},
       }) {
    CAPTURE(row.parameters);
    const CheckResult result =
        get("http://127.0.0.1:" + row.service.port() + "/health?x=1", Json::parse(row.parameters));
    CHECK(result.outcome == row.outcome);
    if (row.reason != nullptr) CHECK(result.reason == row.reason);
    CHECK(result.output_digest.size() == 64);
  }
  CHECK(ok.request().starts_with("GET /health?x=1 HTTP/1.1\r\n"));
  const CheckResult result = get("http://localhost:" + ok.port() + "/");
  CHECK(result.outcome == CheckOutcome::passed);
  CHECK(result.value == "200");
  CHECK(result.output_tail == R"({"n":3,"state":"up"})");
  CHECK(get("http://127.0.0.1:" + ok.port(), Json{{"method", "HEAD"}}).outcome ==
        CheckOutcome::passed);
  CHECK(ok.request().starts_with("HEAD / HTTP/1.1\r\n"));
}

TEST_CASE("http: other hosts are refused before anything is sent (field lessons 54, 55)") {
  for (const char* url :
       {"http://example.invalid/", "http://0.0.0.0:1/", "http://10.0.0.1/", "http://2130706433/",
        "http://0x7f.0.0.1/", "http://127.1/", "http://127.0.0.1.example.invalid/",
        "http://[::ffff:127.0.0.1]/", "http://localhost.example.invalid/", "http://[::2]/"}) {
    CAPTURE(url);
    const CheckResult result = get(url);
    CHECK(result.outcome == CheckOutcome::errored);
    CHECK(result.reason.ends_with("is neither this machine nor one of hosts; nothing was sent"));
  }
  const auto named = [](const char* url, std::vector<std::string> hosts) {
    return is_named(*parse_url(url), hosts);
  };
  CHECK(named("http://Staging.Example/", {"staging.example"}));
  CHECK(named("http://staging.example:8080/", {"STAGING.example:8080"}));
  CHECK_FALSE(named("http://staging.example:8081/", {"staging.example:8080"}));
  CHECK_FALSE(named("http://x.staging.example/", {"staging.example"}));
  CHECK(named("http://[fd00::1]:80/", {"[fd00::1]:80"}));
}

TEST_CASE("http: no redirection is followed") {
  const Service target(answer("200 OK", "here"));
  const Service service(
      answer("302 Found", "", "Location: http://127.0.0.1:" + target.port() + "/\r\n"));
  const CheckResult result = get("http://127.0.0.1:" + service.port() + "/");
  CHECK(result.outcome == CheckOutcome::failed);
  CHECK(result.reason.starts_with("status 302, wanted 200; it leads to \"http://127.0.0.1:"));
  CHECK(target.calls() == 0);
}

TEST_CASE("http: no proxy is asked, whatever the environment says") {
  const Service proxy(answer("200 OK", "proxy"));
  ::setenv("http_proxy", ("http://127.0.0.1:" + proxy.port()).c_str(), 1);
  const Service service(answer("200 OK", "direct"));
  const CheckResult result = get("http://127.0.0.1:" + service.port());
  ::unsetenv("http_proxy");
  CHECK(result.output_tail == "direct");
  CHECK(proxy.calls() == 0);
}

TEST_CASE("http: of a long body the beginning is read (invariant 8)") {
  const Service service(answer("200 OK", std::string(base::limits::kCheckOutputBytesMax * 2, 'x')));
  const std::string url = "http://127.0.0.1:" + service.port();
  CHECK(get(url).outcome == CheckOutcome::passed);
  CHECK(get(url, Json{{"body_matches", "xxx"}}).outcome == CheckOutcome::errored);
  const CheckResult result = get(url, Json{{"body_lacks", "y"}});
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason ==
        "the body is longer than what is kept of it, so body_lacks cannot be judged");
}

TEST_CASE("http: services that do not answer as they should are not passed (invariant 3)") {
  const Service silent("");
  const std::string url = "http://127.0.0.1:" + silent.port();
  CheckResult result = get(url, Json{{"timeout", 50}});
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason == "no answer within 0.05 s");
  result = get(url, Json::object(), [] { return false; });
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason == "it was given up before an answer came");
  const Service nonsense("hello\r\n");
  CHECK(get("http://127.0.0.1:" + nonsense.port()).outcome == CheckOutcome::errored);
  const Service half("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
  CHECK(get("http://127.0.0.1:" + half.port()).outcome == CheckOutcome::errored);
  std::string gone;
  {
    const Service service("");
    gone = service.port();
  }
  result = get("http://127.0.0.1:" + gone);
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason == "nobody answers there (no connection)");
}

TEST_CASE("http: addresses") {
  struct Row {
    const char* text;
    const char* read;
  };
  for (const Row& row : {Row{"http://localhost", "http localhost 80 /"},
                         Row{"HTTPS://A.b", "https a.b 443 /"},
                         Row{"http://127.0.0.1:8080/a/b?c=d#e", "http 127.0.0.1 8080 /a/b?c=d"},
                         Row{"http://h?x", "http h 80 /?x"},
                         Row{"http://[::1]:9/", "http ::1 9 /"},
                         Row{"http://h:1#x", "http h 1 /"},
                         Row{"", ""},
                         Row{"h", ""},
                         Row{"ftp://h/", ""},
                         Row{"http://", ""},
                         Row{"http:///x", ""},
                         Row{"http://:80/", ""},
                         Row{"http://h:/", ""},
                         Row{"http://h:0/", ""},
                         Row{"http://h:65536/", ""},
                         Row{"http://h:8x/", ""},
                         Row{"http://u:p@h/", ""},
                         Row{"http://u@h/", ""},
                         Row{"http://[::1/", ""},
                         Row{"http://[h]/", ""},
                         Row{"http://a b/", ""},
                         Row{"http://h/\r\nX: y", ""},
                         Row{"http://hö/", ""},
                         Row{"http://h\\@g/", ""},
                         Row{"file:///etc/passwd", ""}}) {
    CAPTURE(row.text);
    const auto url = parse_url(row.text);
    CHECK((url ? (url->secure ? "https " : "http ") + url->host + " " + std::to_string(url->port) +
                     " " + url->target
               : "") == row.read);
  }
  CHECK_FALSE(parse_url("http://h/" + std::string(10'000, 'x')).ok());
}

}  // namespace
}  // namespace phasegate::world::checks
