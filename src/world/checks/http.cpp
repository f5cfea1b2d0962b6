#include <algorithm>
#include <chrono>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/kinds.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/printed.h"
#include "world/checks/verdict.h"
#include "world/web/exchange.h"

namespace phasegate::world::checks {

using base::Json;
using gating::CheckResult;

namespace {

using Clock = std::chrono::steady_clock;

// A service that is asked whether it is well answers soon; a workflow may say otherwise.
constexpr std::int64_t kAnswerMs = 30'000;
constexpr std::size_t kBodyBytesMax = base::limits::kCheckOutputBytesMax;

std::string refusal_of(const Url& url, const std::vector<std::string>& hosts) {
  if (std::string why = unsupported(url); !why.empty()) return why;
  if (is_loopback(url) || is_named(url, hosts)) return "";
  return "the host " + base::in_quotes(url.host) +
         " is neither this machine nor one of hosts; nothing was sent";
}

}  // namespace

CheckResult check_http(const Ask& ask) {
  const Parameters parameters(ask);
  const std::string written = parameters.text("url").value_or("");
  const auto url = parse_url(written);
  if (!url) return unclear(ask, url.error().message, url.error().hint);
  if (const std::string why = refusal_of(*url, parameters.texts("hosts")); !why.empty()) {
    return unclear(ask, why, "the workflow's author adds it: hosts: [" + url->host + "]");
  }
  const auto begin = Clock::now();
  const std::int64_t timeout_ms =
      std::min(parameters.whole("timeout").value_or(kAnswerMs), base::limits::kCheckMsMax);
  const WebAnswer answer = exchange({parameters.text("method") == "HEAD" ? "HEAD" : "GET",
                                     *url,
                                     {},
                                     "",
                                     timeout_ms,
                                     kBodyBytesMax,
                                     ask.scene.go_on});
  std::vector<std::int64_t> wanted = parameters.wholes("status");
  if (wanted.empty()) wanted = {200};

  CheckResult result = passed(ask);
  result.subject = base::shortened(written, 200);
  result.duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
  if (!answer.problem.empty()) {
    CheckResult none =
        unclear(ask, answer.problem, "see that the service is running, then call again");
    none.subject = result.subject;
    none.duration_ms = result.duration_ms;
    return none;
  }
  result.value = std::to_string(answer.status);
  result.output_digest = base::sha256_hex(answer.body.text);
  result.output_tail = tail_of(answer.body, {});
  Verdict verdict(ask, std::move(result));
  if (std::find(wanted.begin(), wanted.end(), answer.status) == wanted.end()) {
    verdict.fail("status " + std::to_string(answer.status) + ", wanted " + wanted_text(wanted));
    if (!answer.location.empty()) {
      verdict.fail("it leads to " + base::in_quotes(base::shortened(answer.location, 200)) +
                   ", and redirections are not followed");
    }
  }
  verdict.matching("body_matches", "the body", answer.body, true);
  verdict.matching("body_lacks", "the body", answer.body, false);
  verdict.json("body_json", "the body", answer.body);
  return verdict.result();
}

}  // namespace phasegate::world::checks
