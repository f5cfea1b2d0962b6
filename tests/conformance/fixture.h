#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "mcp/protocol/service.h"
#include "mcp/protocol/subscriptions.h"

/// What the official conformance suites ask for by name, behind the same server, transports and
/// endpoint as the product. Not part of it.
///
/// - content_tools.cpp      results of each kind of content
/// - reporting_tools.cpp    progress and log messages
/// - asking_tools.cpp       elicitation and sampling as the handshake revisions know it
/// - round_tools.cpp        the same over several rounds
/// - special_tools.cpp      schemas that must not be changed, parameters in headers
/// - resources.cpp, prompts.cpp
namespace phasegate::conformance {

/// A tool and what it does. Handlers keep nothing between calls.
struct FixtureTool {
  using Handler = std::function<mcp::protocol::Outcome<mcp::protocol::ToolResult>(
      const base::Json& arguments, mcp::protocol::CallContext& context)>;

  mcp::protocol::ToolDefinition definition;
  Handler call;
};

[[nodiscard]] std::vector<FixtureTool> content_tools();
[[nodiscard]] std::vector<FixtureTool> reporting_tools();
[[nodiscard]] std::vector<FixtureTool> asking_tools();
[[nodiscard]] std::vector<FixtureTool> round_tools();
[[nodiscard]] std::vector<FixtureTool> special_tools();

[[nodiscard]] std::vector<mcp::protocol::Resource> fixture_resources();
[[nodiscard]] std::vector<mcp::protocol::ResourceTemplate> fixture_templates();
[[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ReadResult> read_fixture(std::string_view uri);

[[nodiscard]] std::vector<mcp::protocol::Prompt> fixture_prompts();
[[nodiscard]] mcp::protocol::Outcome<mcp::protocol::PromptResult> get_fixture_prompt(
    std::string_view name, const base::Json& arguments, const mcp::protocol::Round& round);
[[nodiscard]] mcp::protocol::Completion complete_fixture(
    const mcp::protocol::CompletionRequest& request);

/// All of them together. `test_trigger_tool_change` and `test_trigger_prompt_change` add something
/// to the lists, or take it away again, and announce that.
class Fixture final : public mcp::protocol::Service {
 public:
  explicit Fixture(mcp::protocol::Subscriptions& subscriptions);

  [[nodiscard]] mcp::protocol::Offer offer() const override;
  [[nodiscard]] std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> tools() override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ToolResult> call_tool(
      std::string_view name, const base::Json& arguments,
      mcp::protocol::CallContext& context) override;

  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Resource> resources(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::ResourceTemplate> resource_templates(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ReadResult> read_resource(
      std::string_view uri, mcp::protocol::CallContext& context) override;
  [[nodiscard]] bool can_subscribe(std::string_view uri, const mcp::protocol::Peer& peer) override;

  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Prompt> prompts(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] bool prompt_waits(std::string_view name) override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::PromptResult> get_prompt(
      std::string_view name, const base::Json& arguments,
      mcp::protocol::CallContext& context) override;
  [[nodiscard]] std::variant<mcp::protocol::Completion, mcp::protocol::RpcError> complete(
      const mcp::protocol::CompletionRequest& request,
      mcp::protocol::CallContext& context) override;

 private:
  [[nodiscard]] FixtureTool change_tool(std::string name, std::string description,
                                        mcp::protocol::Subscriptions::Change change);
  void change_tools();
  void change_prompts();

  mcp::protocol::Subscriptions& subscriptions_;
  std::vector<FixtureTool> tools_;  ///< constant once made

  std::mutex mutex_;  ///< guards what follows
  std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> listed_tools_;
  bool extra_tool_ = false;
  bool extra_prompt_ = false;
};

}  // namespace phasegate::conformance
