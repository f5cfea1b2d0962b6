#include "mcp/protocol/call.h"

#include "base/json.h"
#include "base/text.h"
#include "mcp/protocol/service.h"

namespace phasegate::mcp::protocol {

const base::Json* Call::param(std::string_view name) const {
  if (message.params == nullptr) return nullptr;
  const base::Json* member = base::find_member(*message.params, name);
  return member != nullptr && member->is_null() ? nullptr : member;
}

std::string must_be(std::string_view name, std::string_view wanted, const base::Json* got) {
  std::string text = "`";
  text.append(name).append("` must be ").append(wanted);
  if (got == nullptr) return text.append(", but is missing");
  return text.append(", not ").append(base::json_type_name(*got));
}

std::string shown_name(std::string_view name) {
  return base::in_quotes(base::shortened(name, 64));
}

std::variant<std::string, RpcError> string_param(const Call& call, std::string_view name) {
  const base::Json* value = call.param(name);
  if (value == nullptr || !value->is_string()) {
    return invalid_params(must_be(name, "a string", value));
  }
  return value->get<std::string>();
}

}  // namespace phasegate::mcp::protocol
