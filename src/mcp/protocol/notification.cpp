#include "mcp/protocol/notification.h"

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"

namespace phasegate::mcp::protocol {

std::string notification(std::string_view method, std::string_view params) {
  std::string line = R"({"jsonrpc":"2.0","method":")";
  line.append(method).append("\"");
  if (!params.empty()) line.append(R"(,"params":)").append(params);
  return line.append("}");
}

std::string request(std::string_view id, std::string_view method, const base::Json* params) {
  std::string line = R"({"jsonrpc":"2.0","id":)";
  line.append(id).append(R"(,"method":")").append(method).append("\"");
  if (params != nullptr) line.append(R"(,"params":)").append(base::dump(*params));
  return line.append("}");
}

std::string progress_notification(std::string_view token, double progress, double total,
                                  std::string_view message) {
  std::string params = R"({"progressToken":)";
  params.append(token).append(R"(,"progress":)").append(base::number_text(progress));
  if (total > 0) params.append(R"(,"total":)").append(base::number_text(total));
  if (!message.empty()) {
    params += R"(,"message":)";
    base::append_json_string(params, message);
  }
  return notification("notifications/progress", params.append("}"));
}

std::string log_notification(std::string_view level, std::string_view logger,
                             const base::Json& data) {
  std::string params = R"({"level":")";
  params.append(level).append("\"");
  if (!logger.empty()) {
    params += R"(,"logger":)";
    base::append_json_string(params, logger);
  }
  params.append(R"(,"data":)").append(base::dump(data)).append("}");
  return notification("notifications/message", params);
}

std::string subscription_meta(std::string_view id) {
  std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)";
  return meta.append(id).append("}");
}

}  // namespace phasegate::mcp::protocol
