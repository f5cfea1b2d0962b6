// The floor under a call: a server that answers every line at once with a canned text. It looks for
// nothing but the id, which the client of this folder writes first.
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

namespace {

constexpr std::string_view kIdKey = R"("id":)";

std::string_view result_for(std::string_view line) {
  if (line.find(R"("initialize")") != std::string_view::npos) {
    return R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}})";
  }
  if (line.find(R"("tools/list")") != std::string_view::npos) {
    return R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
  }
  return R"({"content":[{"type":"text","text":"ok"}]})";
}

/// Empty for a notification, which has no id.
std::string answer_to(std::string_view line) {
  const std::size_t at = line.find(kIdKey);
  if (at == std::string_view::npos) return "";
  const std::size_t begin = at + kIdKey.size();
  const std::string_view id = line.substr(begin, line.find_first_of(",}", begin) - begin);
  std::string answer = R"({"jsonrpc":"2.0","id":)";
  return answer.append(id).append(R"(,"result":)").append(result_for(line)).append("}\n");
}

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written <= 0) std::exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

int main() {
  constexpr std::size_t kReadBytes = 65'536;
  std::string input;
  std::string part(kReadBytes, '\0');
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
    if (got <= 0) return 0;
    input.append(part, 0, static_cast<std::size_t>(got));
    for (std::size_t end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
      write_all(answer_to(std::string_view(input).substr(0, end)));
      input.erase(0, end + 1);
    }
  }
}
