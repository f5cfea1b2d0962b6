#include "world/web/exchange.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <httplib.h>

#include "base/text.h"

namespace phasegate::world {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kAskMs = 200;  // between two questions to go_on
constexpr std::int64_t kLaterMs = 10'000;

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
class Exchange {
 public:
  explicit Exchange(const WebRequest& request) : request_(request) {
    const Url& url = request.url;
    const std::string shown =
        url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
    client_ = std::make_unique<httplib::Client>((url.secure ? "https://" : "http://") + shown +
                                                ":" + std::to_string(url.port));
    const std::chrono::milliseconds timeout(request.timeout_ms);
    client_->set_connection_timeout(timeout);
    // run() keeps the time; what the library would say of it is less clear, and must come later.
    client_->set_read_timeout(timeout + std::chrono::milliseconds(kLaterMs));
    client_->set_write_timeout(timeout + std::chrono::milliseconds(kLaterMs));
    client_->set_follow_location(false);
    client_->set_keep_alive(false);
  }

  /// Names the address to connect to, so that no name service is asked.
  void connect_to(const std::string& address) {
    client_->set_hostname_addr_map({{request_.url.host, address}});
  }

  WebAnswer run() {
    const auto until = Clock::now() + std::chrono::milliseconds(request_.timeout_ms);
    std::jthread worker([this] { work(); });
    std::unique_lock lock(mutex_);
    std::string ended;
    bool stopped = false;
    while (!done_) {
      ready_.wait_until(lock, std::min(until, Clock::now() + std::chrono::milliseconds(kAskMs)));
      if (done_) break;
      if (ended.empty() && Clock::now() >= until) {
        ended = "no answer within " +
                base::number_text(static_cast<double>(request_.timeout_ms) / 1000.0) + " s";
      }
      lock.unlock();
      if (ended.empty() && request_.go_on && !request_.go_on()) {
        ended = "it was given up before an answer came";
        stopped = true;
      }
      // Again and again: while it is still connecting there is nothing to stop.
      if (!ended.empty()) {
        client_->stop();
        std::this_thread::yield();
      }
      lock.lock();
    }
    if (!ended.empty()) answer_.problem = ended;
    answer_.stopped = stopped;
    return std::move(answer_);
  }

 private:
  void work() {
    WebAnswer answer;
    try {
      collect(answer);
    } catch (const std::exception& failed) {
      answer.problem = std::string("no whole answer: ") + failed.what();
    }
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    done_ = true;
    ready_.notify_one();
  }

  void collect(WebAnswer& answer) {
    const auto headed = [&](const httplib::Response& response) {
      answer.status = response.status;
      answer.location = response.get_header_value("Location");
      return true;
    };
    const auto took = [&](const char* bytes, std::size_t size) {
      base::ProcessOutput& body = answer.body;
      const std::size_t most = request_.answer_bytes_max;
      body.text.append(bytes, std::min(size, most - body.text.size()));
      body.bytes += size;
      body.cut = body.bytes > body.text.size();
      body.cut_at = body.text.size();
      return !body.cut;
    };
    const httplib::Result result = ask(headed, took);
    // What was cut is an answer, too; ours was the hand that cut it.
    if (!result && !answer.body.cut) {
      answer.problem = problem_of(result.error());
      return;
    }
    if (result) static_cast<void>(headed(*result));
  }

  httplib::Result ask(const httplib::ResponseHandler& headed,
                      const httplib::ContentReceiver& took) {
    httplib::Request request;
    request.method = request_.method;
    request.path = request_.url.target;
    request.headers.emplace("User-Agent", "phasegate");
    for (const auto& [name, value] : request_.headers) request.headers.emplace(name, value);
    request.body = request_.body;
    if (request_.method != "HEAD") {
      request.response_handler = headed;
      request.content_receiver = [&took](const char* bytes, std::size_t size, std::uint64_t,
                                         std::uint64_t) { return took(bytes, size); };
    }
    return client_->send(request);
  }

  const WebRequest& request_;
  std::unique_ptr<httplib::Client> client_;
  std::mutex mutex_;
  std::condition_variable ready_;
  WebAnswer answer_;
  bool done_ = false;
};

}  // namespace

WebAnswer exchange(const WebRequest& request) {
  std::vector<std::string> addresses{""};
  if (request.url.host == "localhost") addresses = {"127.0.0.1", "::1"};
  WebAnswer answer;
  for (const std::string& address : addresses) {
    Exchange exchange(request);
    if (!address.empty()) exchange.connect_to(address);
    answer = exchange.run();
    if (answer.problem.empty() || answer.status != 0 || answer.stopped) break;
  }
  return answer;
}

std::string unsupported(const Url& url) {
#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
  if (url.secure) return "https is not supported by this build";
#endif
  static_cast<void>(url);
  return "";
}

}  // namespace phasegate::world
