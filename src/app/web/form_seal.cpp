#include "app/web/form_seal.h"

namespace phasegate::app::web {
namespace {

/// No principal of a call has a blank in its name, so that nothing that was sealed for a client of
/// the protocol passes for a form.
constexpr const char* kPurpose = "decision form";

}  // namespace

base::Result<std::string> seal_form(mcp::protocol::RequestSeal& seal, std::string_view decision,
                                    std::string_view shown_digest, base::TimePoint now) {
  return seal.seal(
      {kPurpose, std::string(decision), "", now.ms + kFormMs, std::string(shown_digest)});
}

std::optional<std::string> open_form(mcp::protocol::RequestSeal& seal, std::string_view token,
                                     std::string_view decision, base::TimePoint now) {
  auto opened = seal.open(token);
  if (!opened || opened->principal != kPurpose || opened->request != decision) return std::nullopt;
  // A clock that was set back must not make a form last longer.
  if (now.ms > opened->expires_at_ms || opened->expires_at_ms > now.ms + kFormMs) {
    return std::nullopt;
  }
  return std::move(opened->state);
}

}  // namespace phasegate::app::web
