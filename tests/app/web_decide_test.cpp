#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "app/web/decision_form.h"
#include "app/web/form_seal.h"
#include "base/clock.h"
#include "base/ids.h"
#include "state/request_key.h"
#include "tests/app/web_site.h"

namespace phasegate::app::web {
namespace {

using test::contains;
using test::form_of;
using test::kOtherSecret;
using test::kSecret;
using test::WebResponse;
using test::WebSite;

void check_headers(const WebResponse& response) {
  CAPTURE(response.head);
  const std::string policy = response.header("Content-Security-Policy");
  CHECK(policy.starts_with("default-src 'none'; style-src 'sha256-"));
  CHECK(contains(policy, "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"));
  CHECK_FALSE(contains(policy, "unsafe"));
  CHECK(response.header("X-Content-Type-Options") == "nosniff");
  CHECK(response.header("Referrer-Policy") == "same-origin");
  CHECK(response.header("Cache-Control") == "no-store");
  CHECK(response.header("Cross-Origin-Opener-Policy") == "same-origin");
  CHECK(response.header("Cross-Origin-Resource-Policy") == "same-origin");
  CHECK(response.header("Set-Cookie") == "(none)");
  CHECK(response.header("Access-Control-Allow-Origin") == "(none)");
  CHECK_FALSE(contains(response.body, "<script"));
  CHECK_FALSE(contains(response.body, kSecret));
}

}  // namespace

TEST_CASE("decide page: shows what there is to decide, with strict headers, and nothing to come") {
  WebSite site("fine <script>alert(1)</script> \xE2\x80\xAEtxt.exe\x1B[2J");
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  const WebResponse page = site.get();
  CHECK(page.status == 200);
  check_headers(page);
  CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
  CHECK(contains(page.body, "<html lang=\"en\">"));
  CHECK(contains(page.body, "Is phase 0 (Plan) done as it should be?"));
  CHECK(contains(page.body, "fine &lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(contains(page.body, "<span class=\"hidden\">U+202E</span>txt.exe"));
  CHECK(contains(page.body, "<span class=\"hidden\">U+001B</span>[2J"));
  CHECK(contains(page.body, site.run));
  CHECK(contains(page.body, "autocomplete=\"current-password\""));
  // Invariant: whoever has the address sees no phase that the run has not reached.
  CHECK_FALSE(contains(page.body, "Canary"));
  const WebResponse head = site.ask("HEAD", site.path());
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  check_headers(head);
  CHECK(site.ask("GET", site.path() + "?next=//evil.example").status == 200);
}

TEST_CASE("decide page: the right secret decides, once, a closed decision is like an unknown one") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  const std::string form = form_of(site.form({{"input", "Good.\r\nGo on."}, {"name", " Ada "}}));
  const std::string port = std::to_string(site.port);
  const WebResponse done =
      site.post(form, {{"Origin", "http://127.0.0.1:" + port}, {"Sec-Fetch-Site", "same-origin"}});
  CHECK(done.status == 200);
  check_headers(done);
  CHECK(contains(done.body, "<h1>Approve</h1>"));
  CHECK(contains(done.body, "goes on with Phase 1: Canary"));
  CHECK(site.column("SELECT current_phase FROM run") == "1");
  CHECK(site.column("SELECT approver || ' ' || channel || ' ' || assurance || ' ' || choice || ' '"
                    " || input FROM decision") == "ada web secret approve Good.\nGo on.");

  const WebResponse replayed = site.post(form);
  const WebResponse closed = site.get();
  const WebResponse unknown = site.ask("GET", "/decide/" + base::SystemIdSource().new_id());
  CHECK(replayed.status == 404);
  CHECK(closed.status == 404);
  CHECK(unknown.status == 404);
  CHECK(closed.body == unknown.body);
  CHECK(replayed.body == unknown.body);
  check_headers(unknown);
  CHECK(site.column("SELECT count(*) FROM journal WHERE kind = 'decision_answered'") == "1");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(site.project.state())) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path().string());
    CHECK_FALSE(contains(test::read_file(entry.path()), kSecret));
  }
}

TEST_CASE("decide page: whatever is not right decides nothing, and says what was wrong") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  test::enrol(site.project, "bob", kOtherSecret);
  site.serve();
  struct Row {
    const char* what;
    std::map<std::string, std::string> other;
    int status;
    const char* says;
  };
  const std::vector<Row> rows{
      {"wrong secret", {{"secret", kOtherSecret}, {"input", "kept words"}}, 403, "kept words"},
      {"a name that is not enrolled", {{"name", "eve"}}, 403, "value=\"eve\""},
      {"a huge name", {{"name", std::string(20'000, 'n')}}, 403, "Nothing was decided"},
      {"no secret", {{"secret", ""}}, 422, "Give your secret."},
      {"no name", {{"name", " "}}, 422, "Say who you are."},
      {"nothing chosen", {{"option", ""}}, 422, "Choose what you decide."},
      {"an option that is not there", {{"option", "ship"}}, 422, "options that are offered"},
      {"an input that is missing",
       {{"option", "rework"}, {"input", " \n"}},
       422,
       "needs a comment"},
      {"an input that is too long", {{"input", std::string(8001, 'x')}}, 422, "8001 bytes"},
      {"no token", {{"token", ""}}, 403, "not made by this server"},
      {"a token of nobody", {{"token", "v1.e30.AAAA"}}, 403, "not made by this server"},
      {"not UTF-8", {{"input", "\xFF"}}, 400, "not UTF-8"},
      {"a secret that is not UTF-8", {{"secret", "\xC3("}}, 400, "not UTF-8"},
      {"NUL", {{"input", std::string(1, '\0')}}, 400, "no text has"},
      {"a secret without end", {{"secret", std::string(2000, 's')}}, 400, "longer than any"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const WebResponse response = site.post(form_of(site.form(row.other)));
    CAPTURE(response.body);
    CHECK(response.status == row.status);
    CHECK(contains(response.body, row.says));
    check_headers(response);
    CHECK_FALSE(contains(response.body, kOtherSecret));
  }
  const std::string good = form_of(site.form());
  CHECK(site.post(good + "&name=eve").status == 400);
  CHECK(site.post(good + "&more=1").status == 400);
  CHECK(site.post("token=%zz").status == 400);
  CHECK(site.post("").status == 403);
  CHECK(site.get().status == 200);
  CHECK(site.column("SELECT count(*) FROM journal WHERE kind = 'decision_answered'") == "0");
}

TEST_CASE("decide page: what is no form of this page is refused before it is read") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  const std::string good = form_of(site.form());
  const std::string length = std::to_string(good.size());
  const char* type = "application/x-www-form-urlencoded";
  CHECK(site.post(good, {{"Host", "evil.example"}}).status == 403);
  CHECK(site.ask("GET", site.path(), {{"Host", "evil.example"}}).status == 403);
  for (const char* origin :
       {"http://evil.example", "null", "file://", "http://127.0.0.1.evil.example"}) {
    CAPTURE(origin);
    CHECK(site.post(good, {{"Origin", origin}}).status == 403);
    CHECK(site.ask("GET", site.path(), {{"Origin", origin}}).status == 403);
  }
  for (const char* from : {"cross-site", "same-site", "none", ""}) {
    CAPTURE(from);
    CHECK(site.post(good, {{"Sec-Fetch-Site", from}}).status == 403);
  }
  CHECK(site.ask("GET", site.path(), {{"Sec-Fetch-Site", "cross-site"}}).status == 200);
  for (const char* other :
       {"application/json", "multipart/form-data; boundary=x", "text/plain", ""}) {
    CAPTURE(other);
    CHECK(site.post(good, {}, other).status == 415);
  }
  CHECK(site.post(good, {{"Content-Type", type}}).status == 415);
  CHECK(site.ask("POST", site.path(), {{"Content-Length", length}}, good).status == 415);
  CHECK(site.ask("POST", site.path(), {{"Content-Type", type}, {"Transfer-Encoding", "chunked"}},
                 "5\r\nname=\r\n0\r\n\r\n")
            .status == 411);
  const WebResponse large =
      site.ask("POST", site.path(), {{"Content-Type", type}, {"Content-Length", "10485760"}},
               std::string(100, 'x'));
  CHECK(large.status == 413);
  CHECK(site.post("input=" + std::string(kFormBytesMax, 'x')).status == 413);
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
    CAPTURE(method);
    const WebResponse response = site.ask(method, site.path(), {{"Content-Length", "0"}});
    CHECK(response.status == 405);
    CHECK(response.header("Allow") == "GET, HEAD, POST");
  }
  for (const std::string& path :
       {std::string("/decide/"), "/decide/" + std::string(10'000, 'a'), site.path() + "/",
        "/decide/" + site.run, site.path() + "%00", std::string("/decide/../mcp")}) {
    CAPTURE(path);
    const int status = site.ask("GET", path).status;
    CHECK((status == 404 || status == 400));
  }
  CHECK(site.ask("GET", "/decide").status == 404);
  CHECK(site.get().status == 200);
  CHECK(site.column("SELECT count(*) FROM journal WHERE kind = 'decision_answered'") == "0");
}

TEST_CASE("decide page: a form counts for what it showed, for its decision and for an hour") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  REQUIRE(site.get().status == 200);
  mcp::protocol::RequestSeal seal(
      [&]() -> base::Result<std::string> { return state::request_key(site.project.state()); });
  const base::TimePoint now = base::SystemClock().now();
  const auto post = [&](const base::Result<std::string>& token) {
    return site.post(form_of(site.form({{"token", *token}})));
  };
  const WebResponse stale = post(seal_form(seal, site.decision, std::string(64, '0'), now));
  CHECK(stale.status == 409);
  CHECK(contains(stale.body, "Something has changed since you opened the page."));
  const std::string genuine = WebSite::token_in(stale.body);
  const auto digest = open_form(seal, genuine, site.decision, base::SystemClock().now());
  REQUIRE(digest.has_value());
  CHECK(post(seal_form(seal, site.decision, *digest, {now.ms - 2 * kFormMs})).status == 403);
  CHECK(post(seal_form(seal, site.decision, *digest, {now.ms + 2 * kFormMs})).status == 403);
  CHECK(post(seal_form(seal, site.run, *digest, now)).status == 403);
  // What was sealed for a client of the protocol is no form.
  CHECK(post(seal.seal({"root", site.decision, "", now.ms + 1000, *digest})).status == 403);
  CHECK(post(base::Result<std::string>(genuine)).status == 200);
}

TEST_CASE("decide page: work goes back with what the person said, who then decides anew") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  const WebResponse back =
      site.post(form_of(site.form({{"option", "rework"}, {"input", "Name the risks."}})));
  CHECK(back.status == 200);
  CHECK(contains(back.body, "back in Phase 0: Plan"));
  CHECK(site.get().status == 404);
  CHECK(site.column("SELECT status FROM decision") == "decided");
}

TEST_CASE("decide page: of two approvers at once one decides, and the other is told") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  test::enrol(site.project, "bob", kOtherSecret);
  site.serve();
  const std::string hers = form_of(site.form());
  const std::string his =
      form_of(site.form({{"name", "bob"}, {"secret", kOtherSecret}, {"option", "reject"}}));
  int first = 0;
  int second = 0;
  {
    const std::jthread other([&] { first = site.post(hers).status; });
    second = site.post(his).status;
  }
  CHECK(std::min(first, second) == 200);
  CHECK((std::max(first, second) == 404 || std::max(first, second) == 409));
  CHECK(site.column("SELECT count(*) FROM journal WHERE kind = 'decision_answered'") == "1");
}

TEST_CASE("decide page: after some wrong secrets there is none but a wait") {
  WebSite site;
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  const std::string wrong = form_of(site.form({{"secret", "not this one"}}));
  int status = 0;
  for (int i = 0; i < 7 && status != 429; ++i) status = site.post(wrong).status;
  CHECK(status == 429);
  const WebResponse right = site.post(form_of(site.form()));
  CHECK(right.status == 429);
  CHECK(site.get().status == 200);
}

TEST_CASE("decide page: without approvers nobody decides, and the page says what to do") {
  WebSite site;
  site.serve();
  const WebResponse page = site.get();
  CHECK(page.status == 200);
  CHECK(contains(page.body, "phasegate approvers add NAME"));
  CHECK_FALSE(contains(page.body, "<form"));
  mcp::protocol::RequestSeal seal(
      [&]() -> base::Result<std::string> { return state::request_key(site.project.state()); });
  const auto token = seal_form(seal, site.decision, "", base::SystemClock().now());
  CHECK(site.post(form_of(site.form({{"token", *token}}))).status == 409);
  CHECK(site.column("SELECT status FROM decision") == "open");
}

TEST_CASE("decide page: needs no bearer token, which a browser has not, everything else does") {
  WebSite site("All of it.", {"--tokens", "tokens"});
  const auto tokens = site.project.root() / "tokens";
  test::write_file(tokens, "laptop 0123456789abcdef0123456789abcdef\n");
  std::filesystem::permissions(
      tokens, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  test::enrol(site.project, "ada", kSecret);
  site.serve();
  CHECK(site.get().status == 200);
  CHECK(site.ask("GET", "/mcp").status == 401);
  CHECK(site.ask("GET", "/decide/../mcp").status == 404);
  CHECK(site.post(form_of(site.form({{"secret", "a stolen address"}}))).status == 403);
  CHECK(site.post(form_of(site.form())).status == 200);
}

}  // namespace phasegate::app::web
