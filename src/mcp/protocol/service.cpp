#include "mcp/protocol/service.h"

#include "base/json.h"

namespace phasegate::mcp::protocol {

RpcError resource_not_found(std::string_view uri, std::string message) {
  base::Json data = base::Json::object();
  data["uri"] = uri;
  return {error_code::kResourceNotFound, std::move(message), base::dump(data)};
}

RpcError invalid_params(std::string message) {
  return {error_code::kInvalidParams, std::move(message), ""};
}

// What a service without resources, prompts or completion says: nothing of the kind is declared, so
// nobody is sent here.

Listed<Resource> Service::resources(std::string_view, CallContext&) {
  return Page<Resource>{};
}

Listed<ResourceTemplate> Service::resource_templates(std::string_view, CallContext&) {
  return Page<ResourceTemplate>{};
}

Outcome<ReadResult> Service::read_resource(std::string_view uri, CallContext&) {
  return resource_not_found(uri, "there are no resources here");
}

bool Service::can_subscribe(std::string_view, const Peer&) {
  return false;
}

Listed<Prompt> Service::prompts(std::string_view, CallContext&) {
  return Page<Prompt>{};
}

bool Service::call_waits(std::string_view, const base::Json&) {
  return false;
}

bool Service::call_asks(std::string_view, const base::Json&) {
  return false;
}

bool Service::prompt_waits(std::string_view) {
  return false;
}

Outcome<PromptResult> Service::get_prompt(std::string_view, const base::Json&, CallContext&) {
  return invalid_params("there are no prompts here");
}

std::variant<Completion, RpcError> Service::complete(const CompletionRequest&, CallContext&) {
  return Completion{};
}

}  // namespace phasegate::mcp::protocol
