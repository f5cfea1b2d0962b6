// Any bytes on standard input's side: the server must neither crash nor say anything but one valid
// JSON value per line, and an answer to a message must be the same for the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "tests/mcp/fake_server.h"
#include "tests/mcp/fake_service.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using phasegate::base::Json;
  namespace protocol = phasegate::mcp::protocol;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  phasegate::test::FakeService tools;
  phasegate::test::FakeServer server(tools);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
    const protocol::Message message = protocol::parse_message(line);
    const auto answer = server.answer(message);
    const bool silent = message.kind == protocol::Message::Kind::notification ||
                        message.kind == protocol::Message::Kind::response;
    if (!answer) {
      require(silent || message.kind == protocol::Message::Kind::batch);
      continue;
    }
    require(!silent && answer->find('\n') == std::string::npos);
    const auto json = phasegate::base::parse_json(*answer, {64U << 20U, 200});
    require(json.ok());
    if (json->is_array()) continue;
    require(json->contains("result") != json->contains("error"));
    const Json* id = phasegate::base::find_member(*json, "id");
    require((id == nullptr) == message.id.empty());
    if (id != nullptr) require(phasegate::base::dump(*id) == message.id);
  }
  return 0;
}
