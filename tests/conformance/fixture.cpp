#include "tests/conformance/fixture.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::Completion;
using mcp::protocol::CompletionRequest;
using mcp::protocol::Listed;
using mcp::protocol::Offer;
using mcp::protocol::Outcome;
using mcp::protocol::Page;
using mcp::protocol::Peer;
using mcp::protocol::Prompt;
using mcp::protocol::PromptResult;
using mcp::protocol::ReadResult;
using mcp::protocol::Resource;
using mcp::protocol::ResourceTemplate;
using mcp::protocol::RpcError;
using mcp::protocol::Subscriptions;
using mcp::protocol::ToolDefinition;
using mcp::protocol::ToolResult;

namespace {

/// Everything is on the first page.
template <typename T>
Listed<T> one_page(std::vector<T> items, std::string_view cursor) {
  if (!cursor.empty()) return mcp::protocol::invalid_params("There is only one page");
  return Page<T>{std::move(items), "", {}};
}

}  // namespace

Fixture::Fixture(Subscriptions& subscriptions) : subscriptions_(subscriptions) {
  for (auto family :
       {content_tools(), reporting_tools(), asking_tools(), round_tools(), special_tools()}) {
    std::move(family.begin(), family.end(), std::back_inserter(tools_));
  }
  tools_.push_back(change_tool("test_trigger_tool_change", "Changes the list of tools.",
                               Subscriptions::Change::tools));
  tools_.push_back(change_tool("test_trigger_prompt_change", "Changes the list of prompts.",
                               Subscriptions::Change::prompts));
  // The last one comes and goes.
  tools_.push_back({defined("test_extra_tool", "Is there after every second change."),
                    [](const Json&, CallContext&) { return said("I am here for now"); }});
  change_tools();
  change_tools();
}

FixtureTool Fixture::change_tool(std::string name, std::string description,
                                 Subscriptions::Change change) {
  ToolDefinition definition = defined(name, description);
  definition.read_only = false;
  definition.idempotent = false;
  return {std::move(definition), [this, change](const Json&, CallContext&) {
            if (change == Subscriptions::Change::tools) {
              change_tools();
            } else {
              change_prompts();
            }
            subscriptions_.announce(change);
            return said("The list has changed");
          }};
}

void Fixture::change_tools() {
  auto listed = std::make_shared<std::vector<ToolDefinition>>();
  for (const FixtureTool& tool : tools_) listed->push_back(tool.definition);
  const std::lock_guard lock(mutex_);
  extra_tool_ = !extra_tool_;
  if (!extra_tool_) listed->pop_back();
  listed_tools_ = std::move(listed);
}

void Fixture::change_prompts() {
  const std::lock_guard lock(mutex_);
  extra_prompt_ = !extra_prompt_;
}

Offer Fixture::offer() const {
  Offer offer;
  offer.tools_change = true;
  offer.prompts = true;
  offer.prompts_change = true;
  offer.resources = true;
  offer.resources_subscribe = true;
  offer.completions = true;
  offer.logging = true;
  return offer;
}

std::shared_ptr<const std::vector<ToolDefinition>> Fixture::tools() {
  const std::lock_guard lock(mutex_);
  return listed_tools_;
}

Outcome<ToolResult> Fixture::call_tool(std::string_view name, const Json& arguments,
                                       CallContext& context) {
  const auto tool = std::find_if(tools_.begin(), tools_.end(), [name](const FixtureTool& each) {
    return each.definition.name == name;
  });
  if (tool == tools_.end()) return mcp::protocol::invalid_params("There is no such tool");
  return tool->call(arguments, context);
}

Listed<Resource> Fixture::resources(std::string_view cursor, CallContext&) {
  return one_page(fixture_resources(), cursor);
}

Listed<ResourceTemplate> Fixture::resource_templates(std::string_view cursor, CallContext&) {
  return one_page(fixture_templates(), cursor);
}

Outcome<ReadResult> Fixture::read_resource(std::string_view uri, CallContext&) {
  return read_fixture(uri);
}

bool Fixture::can_subscribe(std::string_view uri, const Peer&) {
  return std::holds_alternative<ReadResult>(read_fixture(uri));
}

Listed<Prompt> Fixture::prompts(std::string_view cursor, CallContext&) {
  std::vector<Prompt> prompts = fixture_prompts();
  const std::lock_guard lock(mutex_);
  if (extra_prompt_) {
    prompts.push_back({"test_extra_prompt", "", "Is there after every second change.", {}, false});
  }
  return one_page(std::move(prompts), cursor);
}

bool Fixture::prompt_waits(std::string_view name) {
  const std::vector<Prompt> prompts = fixture_prompts();
  return std::any_of(prompts.begin(), prompts.end(),
                     [name](const Prompt& prompt) { return prompt.name == name && prompt.waits; });
}

Outcome<PromptResult> Fixture::get_prompt(std::string_view name, const Json& arguments,
                                          CallContext& context) {
  return get_fixture_prompt(name, arguments, context.round());
}

std::variant<Completion, RpcError> Fixture::complete(const CompletionRequest& request,
                                                     CallContext&) {
  return complete_fixture(request);
}

}  // namespace phasegate::conformance
