#pragma once
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "mcp/protocol/server.h"

namespace phasegate::test {

/// Three tools without any meaning: `echo` gives back its arguments, `fail` refuses, `crash`
/// throws. Counts its calls, so that a test can see what was not executed.
class FakeTools final : public mcp::protocol::ToolProvider {
 public:
  FakeTools() {
    tools_.push_back({"echo", "Echo", "Gives back its arguments.",
                      R"({"type":"object","properties":{"text":{"type":"string"}}})", true, false,
                      false});
    tools_.push_back(
        {"fail", "", "Always refuses.", R"({"type":"object","properties":{}})", false, true, true});
    tools_.push_back({"crash", "", "Always throws.", R"({"type":"object","properties":{}})", false,
                      false, false});
  }

  [[nodiscard]] const std::vector<mcp::protocol::ToolDefinition>& tools() const override {
    return tools_;
  }

  [[nodiscard]] mcp::protocol::ToolResult call(std::string_view name, const base::Json& arguments,
                                               const mcp::protocol::CallContext& context) override {
    ++calls;
    client_name = context.client_name;
    if (during_call) during_call();
    if (name == "crash") throw std::runtime_error("secret /path/of/ours");
    if (name == "fail") return {"Gate closed: finish phase 1 first.", nullptr, true};
    base::Json structured = base::Json::object();
    structured["echoed"] = arguments;
    std::string text = base::dump(structured);
    return {std::move(text), std::make_shared<const base::Json>(std::move(structured)), false};
  }

  int calls = 0;
  std::string client_name;
  std::function<void()> during_call;

 private:
  std::vector<mcp::protocol::ToolDefinition> tools_;
};

/// What the fake server says about itself.
[[nodiscard]] inline mcp::protocol::ServerInfo fake_server_info() {
  return {"fake", "Fake server", "1.2.3", "Call echo first."};
}

}  // namespace phasegate::test
