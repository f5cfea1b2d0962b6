#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <httplib.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/kinds.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/printed.h"
#include "world/checks/url.h"
#include "world/checks/verdict.h"

namespace phasegate::world::checks {

using base::Json;
using gating::CheckResult;

namespace {

using Clock = std::chrono::steady_clock;

// A service that is asked whether it is well answers soon; a workflow may say otherwise.
constexpr std::int64_t kAnswerMs = 30'000;
constexpr std::int64_t kAskMs = 200;  // between two questions to go_on
constexpr std::int64_t kLaterMs = 10'000;
constexpr std::size_t kBodyBytesMax = base::limits::kCheckOutputBytesMax;

struct Answer {
  int status = 0;
  base::ProcessOutput body;  // its beginning; `cut` if there was more
  std::string location;      // where a redirection leads
  std::string problem;       // why there is no answer
};

std::string problem_of(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "nobody answers there (no connection)";
    case httplib::Error::SSLConnection:
    case httplib::Error::SSLLoadingCerts:
    case httplib::Error::SSLServerVerification:
      return "no trusted connection: " + httplib::to_string(error);
    default:
      return "no whole answer: " + httplib::to_string(error);
  }
}

/// One request in a thread of its own: the library's limits are for each read, ours is for all of
/// it. No proxy is asked (the library reads no environment) and no redirection followed.
class Request {
 public:
  Request(const Url& url, bool head, std::int64_t timeout_ms) : url_(url), head_(head) {
    const std::string shown =
        url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
    client_ = std::make_unique<httplib::Client>((url.secure ? "https://" : "http://") + shown +
                                                ":" + std::to_string(url.port));
    const std::chrono::milliseconds timeout(timeout_ms);
    client_->set_connection_timeout(timeout);
    // run() keeps the time; what the library would say of it is less clear, and must come later.
    client_->set_read_timeout(timeout + std::chrono::milliseconds(kLaterMs));
    client_->set_write_timeout(timeout + std::chrono::milliseconds(kLaterMs));
    client_->set_follow_location(false);
    client_->set_keep_alive(false);
  }

  /// Names the address to connect to, so that no name service is asked.
  void connect_to(const std::string& address) {
    client_->set_hostname_addr_map({{url_.host, address}});
  }

  Answer run(std::int64_t timeout_ms, const std::function<bool()>& go_on) {
    const auto until = Clock::now() + std::chrono::milliseconds(timeout_ms);
    std::jthread worker([this] { work(); });
    std::unique_lock lock(mutex_);
    std::string ended;
    while (!done_) {
      ready_.wait_until(lock, std::min(until, Clock::now() + std::chrono::milliseconds(kAskMs)));
      if (done_) break;
      if (ended.empty() && Clock::now() >= until) {
        ended = "no answer within " + base::number_text(static_cast<double>(timeout_ms) / 1000.0) +
                " s";
      }
      lock.unlock();
      if (ended.empty() && go_on && !go_on()) ended = "it was given up before an answer came";
      // Again and again: while it is still connecting there is nothing to stop.
      if (!ended.empty()) {
        client_->stop();
        std::this_thread::yield();
      }
      lock.lock();
    }
    if (!ended.empty()) answer_.problem = ended;
    return std::move(answer_);
  }

 private:
  void work() {
    Answer answer;
    try {
      ask(answer);
    } catch (const std::exception& failed) {
      answer.problem = std::string("no whole answer: ") + failed.what();
    }
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    done_ = true;
    ready_.notify_one();
  }

  void ask(Answer& answer) {
    const auto headed = [&](const httplib::Response& response) {
      answer.status = response.status;
      answer.location = response.get_header_value("Location");
      return true;
    };
    const auto took = [&](const char* bytes, std::size_t size) {
      base::ProcessOutput& body = answer.body;
      body.text.append(bytes, std::min(size, kBodyBytesMax - body.text.size()));
      body.bytes += size;
      body.cut = body.bytes > body.text.size();
      body.cut_at = body.text.size();
      return !body.cut;
    };
    const httplib::Headers headers{{"User-Agent", "phasegate"}};
    const auto result = head_ ? client_->Head(url_.target, headers)
                              : client_->Get(url_.target, headers, headed, took);
    // What was cut is an answer, too; ours was the hand that cut it.
    if (!result && !answer.body.cut) {
      answer.problem = problem_of(result.error());
      return;
    }
    if (result) static_cast<void>(headed(*result));
  }

  const Url& url_;
  bool head_;
  std::unique_ptr<httplib::Client> client_;
  std::mutex mutex_;
  std::condition_variable ready_;
  Answer answer_;
  bool done_ = false;
};

Answer answer_of(const Url& url, bool head, std::int64_t timeout_ms,
                 const std::function<bool()>& go_on) {
  std::vector<std::string> addresses{""};
  if (url.host == "localhost") addresses = {"127.0.0.1", "::1"};
  Answer answer;
  for (const std::string& address : addresses) {
    Request request(url, head, timeout_ms);
    if (!address.empty()) request.connect_to(address);
    answer = request.run(timeout_ms, go_on);
    if (answer.problem.empty() || answer.status != 0) break;
  }
  return answer;
}

std::string refusal_of(const Url& url, const std::vector<std::string>& hosts) {
#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
  if (url.secure) return "https is not supported by this build";
#endif
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
  const Answer answer =
      answer_of(*url, parameters.text("method") == "HEAD", timeout_ms, ask.scene.go_on);
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
