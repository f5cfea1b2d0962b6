#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mcp/http/endpoint.h"
#include "mcp/http/foreign_names.h"
#include "mcp/http/http.h"
#include "mcp/http/rate_limit.h"

namespace phasegate::mcp::http {

/// Who gets in, judged by the head of a request alone. Thread-safe.
class Access {
 public:
  Access(const EndpointOptions& options, base::Clock& clock);

  /// The first reason to refuse, in this order: name, address, verb, token, rate.
  [[nodiscard]] std::optional<Response> refuse(const RequestHead& head);

  /// Who asks, or nullopt for nobody that we know.
  [[nodiscard]] std::optional<std::string> principal(const RequestHead& head) const;
  /// The response to somebody that we do not know.
  [[nodiscard]] Response unknown(const RequestHead& head);

 private:
  [[nodiscard]] std::optional<Response> wrong_address(const RequestHead& head) const;

  const std::string path_;
  ForeignNames names_;
  const std::shared_ptr<const Tokens> tokens_;
  const std::string principal_;
  const double requests_per_second_;
  RateLimit requests_;
  RateLimit wrong_tokens_;
};

}  // namespace phasegate::mcp::http
