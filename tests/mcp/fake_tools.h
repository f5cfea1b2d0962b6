#pragma once
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "mcp/protocol/service.h"

namespace phasegate::test {

/// Three tools without any meaning: `echo` gives back its arguments, `fail` refuses, `crash`
/// throws. Counts its calls, so that a test can see what was not executed.
class FakeTools final : public mcp::protocol::Service {
 public:
  FakeTools() {
    mcp::protocol::ToolDefinition echo;
    echo.name = "echo";
    echo.title = "Echo";
    echo.description = "Gives back its arguments.";
    echo.input_schema = R"({"type":"object","properties":{"text":{"type":"string"}}})";
    echo.read_only = true;
    mcp::protocol::ToolDefinition fail;
    fail.name = "fail";
    fail.description = "Always refuses.";
    fail.input_schema = R"({"type":"object","properties":{}})";
    fail.destructive = true;
    fail.idempotent = true;
    mcp::protocol::ToolDefinition crash;
    crash.name = "crash";
    crash.description = "Always throws.";
    crash.input_schema = R"({"type":"object","properties":{}})";
    tools_ = std::make_shared<const std::vector<mcp::protocol::ToolDefinition>>(
        std::vector{echo, fail, crash});
  }

  [[nodiscard]] mcp::protocol::Offer offer() const override { return {}; }

  [[nodiscard]] std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> tools() override {
    return tools_;
  }

  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ToolResult> call_tool(
      std::string_view name, const base::Json& arguments,
      mcp::protocol::CallContext& context) override {
    ++calls;
    client_name = context.peer().client_name;
    if (during_call) during_call();
    if (name == "crash") throw std::runtime_error("secret /path/of/ours");
    mcp::protocol::ToolResult result;
    if (name == "fail") {
      result.text = "Gate closed: finish phase 1 first.";
      result.is_error = true;
      return result;
    }
    base::Json structured = base::Json::object();
    structured["echoed"] = arguments;
    result.text = base::dump(structured);
    result.structured = std::make_shared<const base::Json>(std::move(structured));
    return result;
  }

  int calls = 0;
  std::string client_name;
  std::function<void()> during_call;

 private:
  std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> tools_;
};

}  // namespace phasegate::test
