#include "app/web/responses.h"

#include <utility>

#include "app/web/style.h"

namespace phasegate::app::web {
namespace {

mcp::http::Response guarded(int status, std::string type, std::string body) {
  mcp::http::Response response;
  response.status = status;
  response.content_type = std::move(type);
  response.body = std::move(body);
  response.headers = {
      {"Content-Security-Policy", "default-src 'none'; style-src " + style_source() +
                                      "; form-action 'self'; frame-ancestors 'none'; "
                                      "base-uri 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      // With `no-referrer` browsers send `Origin: null` with the page's own form.
      {"Referrer-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
  };
  return response;
}

}  // namespace

mcp::http::Response html_response(int status, std::string page) {
  return guarded(status, "text/html; charset=utf-8", std::move(page));
}

mcp::http::Response text_response(int status, std::string_view sentence) {
  return guarded(status, "text/plain; charset=utf-8", std::string(sentence) + "\n");
}

}  // namespace phasegate::app::web
