#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/process.h"
#include "world/web/url.h"

namespace phasegate::world {

struct WebRequest {
  std::string method = "GET";  ///< GET, HEAD or POST
  Url url;
  std::map<std::string, std::string> headers;
  std::string body;                  ///< of POST; its type is among the headers
  std::int64_t timeout_ms = 0;       ///< for all of it; must be > 0
  std::size_t answer_bytes_max = 0;  ///< more of the answer is not read
  std::function<bool()> go_on;       ///< asked now and then; false ends it; may be empty
};

struct WebAnswer {
  int status = 0;
  base::ProcessOutput body;  ///< its beginning; `cut` if there was more
  std::string location;      ///< where a redirection leads
  std::string problem;       ///< why there is no whole answer; names no address
  bool stopped = false;      ///< go_on said so
};

/// One request, and what came of it. No redirection is followed, no proxy and for `localhost` no
/// name service is asked; certificates are checked. Never throws.
[[nodiscard]] WebAnswer exchange(const WebRequest& request);

/// Why this address cannot be reached by this build at all, or empty.
[[nodiscard]] std::string unsupported(const Url& url);

}  // namespace phasegate::world
