#include "mcp/http/foreign_names.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"

namespace phasegate::mcp::http {

namespace limits = base::limits;

ForeignNames::ForeignNames(const std::vector<std::string>& names, base::Clock& clock)
    : names_(names),
      logged_(limits::kHttpWrongTokensPerSecond, static_cast<double>(limits::kHttpWrongTokensMax),
              limits::kHttpAddressesMax, clock) {}

void ForeignNames::log(const RequestHead& head, std::string_view field) {
  if (logged_.take(head.remote) != 0) return;
  base::log_warning("http.refused",
                    {{"field", std::string(field)},
                     {"value", base::shortened(base::to_utf8(*head.headers.find(field)), 100)},
                     {"remote", head.remote}});
}

std::optional<Refusal> ForeignNames::refuse(const RequestHead& head) {
  // Whoever reaches a Unix socket did not get there by a name, and clients put anything into Host.
  const bool by_name = head.remote != "unix";
  const std::size_t hosts = head.headers.count("Host");
  if (hosts > 1 || (hosts == 0 && by_name)) {
    return Refusal{400, hosts == 0 ? "`Host` is missing" : "`Host` is there more than once"};
  }
  if (by_name && !names_.is_host(*head.headers.find("Host"))) {
    log(head, "Host");
    return Refusal{403,
                   "`Host` is not a name of this server: it answers to localhost, 127.0.0.1, "
                   "[::1] and the names that were allowed with --allow-host when it was started"};
  }
  const std::size_t origins = head.headers.count("Origin");
  if (origins == 0) return std::nullopt;
  if (origins == 1 && names_.is_origin(*head.headers.find("Origin"))) return std::nullopt;
  log(head, "Origin");
  return Refusal{403,
                 "`Origin` is not a page of this computer's: a page from elsewhere may not "
                 "use this server"};
}

}  // namespace phasegate::mcp::http
