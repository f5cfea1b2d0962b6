#pragma once
#include <string>
#include <string_view>

/// What the floor answers: a canned text, whatever was asked.
namespace bench {

inline constexpr std::string_view kIdKey = R"("id":)";

inline std::string_view result_for(std::string_view message) {
  if (message.find(R"("initialize")") != std::string_view::npos) {
    return R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}})";
  }
  if (message.find(R"("tools/list")") != std::string_view::npos) {
    return R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
  }
  return R"({"content":[{"type":"text","text":"ok"}]})";
}

/// Empty for a notification, which has no id. The client of this folder writes the id first.
inline std::string answer_to(std::string_view message) {
  const std::size_t at = message.find(kIdKey);
  if (at == std::string_view::npos) return "";
  const std::size_t begin = at + kIdKey.size();
  const std::string_view id = message.substr(begin, message.find_first_of(",}", begin) - begin);
  std::string answer = R"({"jsonrpc":"2.0","id":)";
  return answer.append(id).append(R"(,"result":)").append(result_for(message)).append("}");
}

/// Serves HTTP on a free port of 127.0.0.1, which it names on standard output, until it is ended.
int serve_http();

}  // namespace bench
