#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/desks.h"
#include "base/clock.h"
#include "mcp/http/http.h"
#include "mcp/protocol/request_state.h"

namespace phasegate::app::web {

/// What a decision's page is found under: this and the decision's id.
inline constexpr std::string_view kDecidePath = "/decide/";

struct SiteOptions {
  std::vector<std::string> hosts;    ///< see EndpointOptions
  double requests_per_second = 0.0;  ///< of one remote address; over it 429. 0: no limit
};

/// The page on which a person decides (ARCHITECTURE §6). The address identifies a decision and
/// authorises nobody: what counts is the secret in the form, so no bearer token is asked for, which
/// a browser would not have. An unknown decision and a closed one are answered in the same words.
/// One secret is looked at at a time, so that guessing takes no calls' places.
class DecisionSite final : public mcp::http::Handler {
 public:
  DecisionSite(Desks& desks, mcp::protocol::RequestSeal& seal, const SiteOptions& options,
               base::Clock& clock);
  ~DecisionSite() override;

  /// Refuses by name (400, 403), verb (405), rate (429), and for a form by its announced length
  /// (411, 413), its type (415) and where it was sent from (403): before the body is read.
  [[nodiscard]] std::optional<mcp::http::Response> refuse(
      const mcp::http::RequestHead& head) override;
  [[nodiscard]] mcp::http::Response handle(const mcp::http::Request& request) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The program's two doors behind one listener, told apart by the path. Opened before the listener
/// runs: what is behind them may have to know first where the listener is.
class Doors final : public mcp::http::Handler {
 public:
  /// Both must outlive the listener's run.
  void open(mcp::http::Handler& decisions, mcp::http::Handler& endpoint) {
    decisions_ = &decisions;
    endpoint_ = &endpoint;
  }

  [[nodiscard]] std::optional<mcp::http::Response> refuse(
      const mcp::http::RequestHead& head) override {
    return door_of(head).refuse(head);
  }
  [[nodiscard]] mcp::http::Response handle(const mcp::http::Request& request) override {
    return door_of(request.head).handle(request);
  }

 private:
  [[nodiscard]] mcp::http::Handler& door_of(const mcp::http::RequestHead& head) const {
    return head.path.starts_with(kDecidePath) ? *decisions_ : *endpoint_;
  }

  mcp::http::Handler* decisions_ = nullptr;
  mcp::http::Handler* endpoint_ = nullptr;
};

}  // namespace phasegate::app::web
