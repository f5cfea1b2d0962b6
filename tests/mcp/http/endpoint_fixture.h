#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/ids.h"
#include "base/json.h"
#include "mcp/http/endpoint.h"
#include "mcp/protocol/server.h"

/// What the endpoint's tests share: a service without meaning, streams without sockets, and
/// requests that are right until a test makes them wrong.
namespace phasegate::mcp::http {

using base::Json;

inline constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";
/// The same with a progress token, by which an answer may become a stream.
inline constexpr std::string_view kMetaProgress =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"})";

/// `echo` answers at once, `slow` and `ask` wait, `routed` repeats parameters in headers.
class FakeService final : public protocol::Service {
 public:
  FakeService() {
    auto tools = std::make_shared<std::vector<protocol::ToolDefinition>>();
    const auto add = [&tools](std::string name, std::string properties, bool waits) {
      protocol::ToolDefinition tool;
      tool.name = std::move(name);
      tool.description = "A tool of the tests.";
      tool.input_schema = R"({"type":"object","properties":{)" + properties + "}}";
      tool.waits = waits;
      tools->push_back(std::move(tool));
    };
    add("echo", R"("text":{"type":"string"})", false);
    add("slow", "", true);
    add("ask", "", true);
    add("routed",
        R"("region":{"type":"string","x-mcp-header":"Region"},)"
        R"("count":{"type":"integer","x-mcp-header":"Count"},)"
        R"("dry":{"type":"boolean","x-mcp-header":"Dry"},)"
        R"("deep":{"type":"object","properties":{"er":{"type":"string","x-mcp-header":"Deeper"}}})",
        false);
    tools_ = std::move(tools);
  }

  [[nodiscard]] protocol::Offer offer() const override {
    protocol::Offer offer;
    offer.tools_change = true;
    offer.prompts = true;
    offer.resources = true;
    offer.resources_subscribe = true;
    offer.logging = true;
    return offer;
  }

  [[nodiscard]] std::shared_ptr<const std::vector<protocol::ToolDefinition>> tools() override {
    return tools_;
  }

  [[nodiscard]] protocol::Outcome<protocol::ToolResult> call_tool(
      std::string_view name, const Json& arguments, protocol::CallContext& context) override {
    if (during) during(name, context);
    if (name == "ask" && context.round().first()) {
      protocol::InputRequest question;
      question.key = "go";
      question.params = std::make_shared<const Json>(
          Json{{"message", "Go?"}, {"requestedSchema", {{"type", "object"}}}});
      return protocol::InputRequired{{question}, ""};
    }
    protocol::ToolResult result;
    result.text = name == "ask" ? base::dump(*context.round().responses) : base::dump(arguments);
    result.text += " for " + context.peer().principal;
    return result;
  }

  [[nodiscard]] protocol::Listed<protocol::Resource> resources(std::string_view,
                                                               protocol::CallContext&) override {
    return protocol::Page<protocol::Resource>{};
  }
  [[nodiscard]] protocol::Outcome<protocol::ReadResult> read_resource(
      std::string_view uri, protocol::CallContext&) override {
    return protocol::resource_not_found(uri, "there is no such resource");
  }
  [[nodiscard]] bool can_subscribe(std::string_view, const protocol::Peer&) override {
    return true;
  }
  [[nodiscard]] protocol::Listed<protocol::Prompt> prompts(std::string_view,
                                                           protocol::CallContext&) override {
    return protocol::Page<protocol::Prompt>{};
  }
  [[nodiscard]] protocol::Outcome<protocol::PromptResult> get_prompt(
      std::string_view, const Json&, protocol::CallContext&) override {
    return protocol::invalid_params("there is no such prompt");
  }

  /// Runs inside of every tool call.
  std::function<void(std::string_view, protocol::CallContext&)> during;

 private:
  std::shared_ptr<const std::vector<protocol::ToolDefinition>> tools_;
};

/// A call's stream whose client leaves when a test says so.
class FakeCallStream final : public CallStream {
 public:
  bool send(std::string line) override {
    if (gone) return false;
    sent.push_back(std::move(line));
    if (on_send) on_send(sent.back());
    return true;
  }
  [[nodiscard]] bool cancelled() override { return gone; }
  bool wait(std::chrono::milliseconds time) override {
    waited += time;
    if (on_wait) on_wait();
    // Whoever it waits for gets the processor.
    std::this_thread::yield();
    return !gone;
  }
  void finish(std::string line) override { finished.push_back(std::move(line)); }

  bool gone = false;
  std::chrono::milliseconds waited{0};
  std::function<void()> on_wait;
  std::function<void(const std::string&)> on_send;
  std::vector<std::string> sent;
  std::vector<std::string> finished;
};

/// An open stream that ends when it is closed or its client leaves.
class FakeOpenStream final : public OpenStream {
 public:
  explicit FakeOpenStream(std::function<void()> gone) : gone_(std::move(gone)) {}

  bool send(std::string line) override {
    const std::lock_guard lock(mutex_);
    if (!ended_) lines_.push_back(std::move(line));
    return !ended_;
  }
  void close(std::string line) override {
    {
      const std::lock_guard lock(mutex_);
      if (!ended_ && !line.empty()) lines_.push_back(std::move(line));
    }
    leave();
  }
  /// The client closes the connection.
  void leave() {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(ended_, true)) return;
    }
    gone_();
  }

  [[nodiscard]] bool ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  const std::function<void()> gone_;
  mutable std::mutex mutex_;
  bool ended_ = false;
  std::vector<std::string> lines_;
};

/// A request that is built up.
struct Ask {
  Request request;

  explicit Ask(std::string method = "POST", std::string body = "") {
    request.head.method = std::move(method);
    request.head.path = "/mcp";
    request.head.remote = "127.0.0.1";
    request.body = std::move(body);
    header("Host", "127.0.0.1:8765");
    if (request.head.method == "POST") {
      header("Content-Type", "application/json");
      header("Accept", "application/json, text/event-stream");
    }
  }

  /// One more field.
  Ask& add(std::string name, std::string value) {
    request.head.headers.add(std::move(name), std::move(value));
    return *this;
  }
  Ask& without(std::string_view name) {
    const Headers before = std::exchange(request.head.headers, {});
    for (const auto& [each, value] : before.all()) {
      if (each != name) request.head.headers.add(each, value);
    }
    return *this;
  }
  /// This value and no other.
  Ask& header(const std::string& name, std::string value) {
    return without(name).add(name, std::move(value));
  }
  Ask& path(std::string path) {
    request.head.path = std::move(path);
    return *this;
  }
  Ask& remote(std::string remote) {
    request.head.remote = std::move(remote);
    return *this;
  }
};

/// A request as a JSON text: `members` are those of its params, with their comma in between.
inline std::string rpc(std::string_view method, std::string_view members,
                       std::string_view id = "7") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{)" + std::string(members) + "}}";
}

/// A modern request in which everything is right. `name` is the value of `Mcp-Name`.
inline Ask modern(const std::string& method, std::string_view members = "",
                  const std::string& name = "", std::string_view meta = kMeta) {
  std::string all(members);
  if (!all.empty()) all += ',';
  Ask ask("POST", rpc(method, all.append(meta)));
  ask.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
  if (!name.empty()) ask.header("Mcp-Name", name);
  return ask;
}

inline Ask initialize(std::string_view revision = "2025-11-25") {
  return Ask("POST", rpc("initialize", R"("protocolVersion":")" + std::string(revision) +
                                           R"(","capabilities":{"elicitation":{}},)"
                                           R"("clientInfo":{"name":"tester","version":"1"})"));
}

inline Json parsed(std::string_view text) {
  auto json = base::parse_json(text, {64U << 20U, 100});
  REQUIRE_MESSAGE(json.ok(), text.substr(0, 300));
  return *json;
}

inline const std::string* header_of(const Response& response, std::string_view name) {
  const auto found =
      std::ranges::find_if(response.headers, [&](const auto& each) { return each.first == name; });
  return found == response.headers.end() ? nullptr : &found->second;
}

/// The code of a response's JSON-RPC error, or 0.
inline int error_code_of(const Response& response) {
  if (response.body.empty()) return 0;
  const Json body = parsed(response.body);
  return body.contains("error") ? body["error"]["code"].get<int>() : 0;
}

struct Fixture {
  explicit Fixture(EndpointOptions options = {"/mcp", {}, nullptr, "me", 0})
      : endpoint(server, std::move(options), clock, ids) {}

  /// What a listener does up to the response.
  Response send(const Ask& ask) {
    if (auto refused = endpoint.refuse(ask.request.head)) return *std::move(refused);
    return endpoint.handle(ask.request);
  }
  /// The body of a response that has status 200.
  Json answer(const Ask& ask) {
    const Response response = send(ask);
    CAPTURE(response.body);
    REQUIRE(response.status == 200);
    REQUIRE_FALSE(response.answer);
    return parsed(response.body);
  }
  /// Opens the stream that `response` is.
  static std::shared_ptr<FakeOpenStream> open(const Response& response) {
    REQUIRE(response.open);
    auto stream = std::make_shared<FakeOpenStream>(response.gone);
    response.open(stream);
    return stream;
  }
  /// The id of a new session.
  std::string session(std::string_view revision = "2025-11-25") {
    const Response response = send(initialize(revision));
    REQUIRE(response.status == 200);
    const std::string* id = header_of(response, "Mcp-Session-Id");
    REQUIRE(id != nullptr);
    return *id;
  }
  /// A legacy request of a session.
  static Ask legacy(const std::string& session, std::string body) {
    return Ask("POST", std::move(body)).header("Mcp-Session-Id", session);
  }

  FakeService service;
  protocol::Subscriptions subscriptions;
  protocol::RequestSeal seal{[] { return std::string(32, 'k'); }};
  base::ManualClock clock;
  base::SystemIdSource ids;
  protocol::Server server{{"fake", "Fake server", "1.2.3", "Call echo first."},
                          {service, subscriptions, seal, clock, ids}};
  Endpoint endpoint;
};

}  // namespace phasegate::mcp::http
