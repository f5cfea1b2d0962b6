#include "app/web/decision_site.h"

#include <charconv>
#include <mutex>
#include <utility>

#include "app/web/decision_form.h"
#include "app/web/decision_page.h"
#include "app/web/form_seal.h"
#include "app/web/responses.h"
#include "base/ids.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/http/foreign_names.h"
#include "mcp/http/rate_limit.h"

namespace phasegate::app::web {
namespace {

namespace limits = base::limits;
using base::Error;
using gating::engine::DecideRequest;
using gating::engine::DecisionView;
using mcp::http::Request;
using mcp::http::RequestHead;
using mcp::http::Response;

Response not_found() {
  return html_response(404, message_page("Nothing to decide here",
                                         "No decision is open at this address. It may have been "
                                         "made or withdrawn, or the address is not complete."));
}

Response unavailable(const Error& error) {
  return html_response(503, message_page("Not possible now", error.message + " " + error.hint));
}

std::string_view id_in(const RequestHead& head) {
  return std::string_view(head.path).substr(kDecidePath.size());
}

/// Why a form is not even read; the announced length bounds what is held in memory.
std::optional<Response> refuse_form(const RequestHead& head) {
  // A page of another port of this computer has a name of ours; the browser tells it apart.
  const std::string* site = head.headers.find("Sec-Fetch-Site");
  if (site != nullptr && *site != "same-origin") {
    return text_response(403, "This form was not sent by the page of this server.");
  }
  const std::string* type = head.headers.find("Content-Type");
  const std::string media =
      type == nullptr
          ? std::string()
          : base::lowered(base::trimmed(std::string_view(*type).substr(0, type->find(';'))));
  if (head.headers.count("Content-Type") != 1 || media != "application/x-www-form-urlencoded") {
    return text_response(415, "The form must come as application/x-www-form-urlencoded.");
  }
  const std::string* announced = head.headers.find("Content-Length");
  if (announced == nullptr) return text_response(411, "The form's length must be announced.");
  std::size_t length = 0;
  const char* end = announced->data() + announced->size();
  const auto read = std::from_chars(announced->data(), end, length);
  if (read.ec != std::errc() || read.ptr != end || length > kFormBytesMax) {
    return text_response(
        413, "The form may have " + std::to_string(kFormBytesMax) + " bytes; nothing was decided.");
  }
  return std::nullopt;
}

int status_of(const Error& error) {
  if (error.code == "wrong_secret" || error.code == "not_authorised") return 403;
  if (error.code == "locked") return 429;
  if (error.code == "invalid_decision") return 422;
  if (error.code == "approvers_unreadable") return 503;
  return 409;
}

}  // namespace

struct DecisionSite::State {
  State(Desks& its_desks, mcp::protocol::RequestSeal& its_seal, const SiteOptions& options,
        base::Clock& its_clock)
      : desks(its_desks),
        seal(its_seal),
        clock(its_clock),
        names(options.hosts, clock),
        requests_per_second(options.requests_per_second),
        requests(requests_per_second, requests_per_second * limits::kHttpBurstSeconds,
                 limits::kHttpAddressesMax, clock) {}

  [[nodiscard]] Response show(Program& program, const DecisionView& view, int status = 200,
                              Typed typed = {}, std::vector<Problem> problems = {});
  [[nodiscard]] Response answer(Program& program, const DecisionView& view, const Request& request,
                                bool& changed);
  [[nodiscard]] Response decide(Program& program, const DecisionView& view, Typed typed,
                                const gating::engine::Approver& approver, bool& changed);
  /// The page anew, after the engine has refused.
  [[nodiscard]] Response refused(Program& program, const std::string& decision, Typed typed,
                                 const Error& error);

  Desks& desks;
  mcp::protocol::RequestSeal& seal;
  base::Clock& clock;
  mcp::http::ForeignNames names;
  const double requests_per_second;
  mcp::http::RateLimit requests;
  std::mutex one_at_a_time;
};

DecisionSite::DecisionSite(Desks& desks, mcp::protocol::RequestSeal& seal,
                           const SiteOptions& options, base::Clock& clock)
    : state_(std::make_unique<State>(desks, seal, options, clock)) {}
DecisionSite::~DecisionSite() = default;

std::optional<Response> DecisionSite::refuse(const RequestHead& head) {
  if (const auto foreign = state_->names.refuse(head)) {
    return text_response(foreign->status, foreign->text);
  }
  if (head.method != "GET" && head.method != "HEAD" && head.method != "POST") {
    Response response = text_response(405, "A decision's page takes GET, HEAD and POST.");
    response.headers.emplace_back("Allow", "GET, HEAD, POST");
    return response;
  }
  if (state_->requests_per_second > 0) {
    const std::int64_t seconds = state_->requests.take(head.remote);
    if (seconds != 0) {
      Response response = text_response(429, "Too many requests; try again later.");
      response.headers.emplace_back("Retry-After", std::to_string(seconds));
      return response;
    }
  }
  return head.method == "POST" ? refuse_form(head) : std::nullopt;
}

Response DecisionSite::handle(const Request& request) {
  const bool is_form = request.head.method == "POST";
  const std::string_view id = id_in(request.head);
  if (!base::is_id(id)) return not_found();
  std::unique_lock one(state_->one_at_a_time, std::defer_lock);
  if (is_form) one.lock();
  Response response;
  bool changed = false;
  state_->desks.with_program([&](Program& program) {
    try {
      const auto view = program.engine().find_decision(id);
      if (!view) {
        const std::string& code = view.error().code;
        const bool unknown = code == "unknown_decision" || code == "unknown_session";
        response = unknown ? not_found() : unavailable(view.error());
      } else {
        response = is_form ? state_->answer(program, *view, request, changed)
                           : state_->show(program, *view);
      }
    } catch (const gating::engine::StoreFailure& failure) {
      response = unavailable(failure.error());
    }
  });
  if (changed) state_->desks.tell_change();
  return response;
}

Response DecisionSite::State::show(Program& program, const DecisionView& view, int status,
                                   Typed typed, std::vector<Problem> problems) {
  const auto token = seal_form(seal, view.decision.id, view.digest, clock.now());
  if (!token) return unavailable(token.error());
  return html_response(
      status, decision_page({view, program.settings().project.name, *token, view.view.approvers,
                             std::move(typed), std::move(problems)}));
}

Response DecisionSite::State::answer(Program& program, const DecisionView& view,
                                     const Request& request, bool& changed) {
  auto form = read_decision_form(request.body);
  if (!form) return html_response(400, message_page("Nothing was decided", form.error().message));
  Typed typed{std::move(form->option), std::move(form->input), std::move(form->name)};
  const auto shown = open_form(seal, form->token, view.decision.id, clock.now());
  if (!shown) {
    return show(program, view, 403, std::move(typed),
                {{"",
                  "This form is older than an hour, or was not made by this server. Look at "
                  "the decision again and send it once more."}});
  }
  if (*shown != view.digest) {
    return show(program, view, 409, std::move(typed),
                {{"", "Something has changed since you opened the page. Look at it again."}});
  }
  auto problems = problems_of(view, typed, !form->secret.view().empty());
  if (!problems.empty()) return show(program, view, 422, std::move(typed), std::move(problems));
  const auto approver =
      program.approvers().verify(base::trimmed(typed.name), form->secret.view(), clock.now());
  if (!approver) {
    base::log_warning("decide.refused",
                      {{"why", approver.error().code}, {"remote", request.head.remote}});
    const bool wrong = approver.error().code == "wrong_secret";
    return show(program, view, status_of(approver.error()), std::move(typed),
                {{wrong ? "secret" : "", approver.error().message}});
  }
  return decide(program, view, std::move(typed), *approver, changed);
}

Response DecisionSite::State::decide(Program& program, const DecisionView& view, Typed typed,
                                     const gating::engine::Approver& approver, bool& changed) {
  DecideRequest wanted;
  wanted.run_id = view.view.run.id;
  wanted.decision = view.decision.id;
  wanted.option = typed.option;
  wanted.input = typed.input;
  wanted.shown_digest = view.digest;
  wanted.approver = approver;
  wanted.channel = "web";
  const auto done = program.engine().decide(wanted);
  if (!done) return refused(program, view.decision.id, std::move(typed), done.error());
  changed = true;
  const auto* option = view.demand.find_option(typed.option);
  return html_response(
      200, outcome_page(*done, program.settings().project.name,
                        option == nullptr ? typed.option : option->label, approver.name));
}

Response DecisionSite::State::refused(Program& program, const std::string& decision, Typed typed,
                                      const Error& error) {
  const auto view = program.engine().find_decision(decision);
  if (view) {
    return show(program, *view, status_of(error), std::move(typed), {{"", error.message}});
  }
  // Whoever reads this has given the right secret, and may know more than that nothing is open.
  return html_response(409, message_page("Already decided",
                                         "It was decided or withdrawn while you were deciding. "
                                         "Nothing of yours was recorded.",
                                         typed.input));
}

}  // namespace phasegate::app::web
