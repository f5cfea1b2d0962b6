#pragma once
#include <string>
#include <string_view>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "state/seal/audit.h"
#include "state/seal/sealed_session.h"

namespace phasegate::app::cli {

/// An audit for people and for programs; `session`: whose it is, empty for everything.
[[nodiscard]] std::string audit_text(const state::AuditReport& report, std::string_view session,
                                     const Page& page);
[[nodiscard]] base::Json audit_json(const state::AuditReport& report, std::string_view session);

/// The report of one session that stands by itself: who did what, what was handed over and found,
/// who decided, the digests and marks of all that, and what the audit says.
[[nodiscard]] base::Json sealed_session_json(const state::SealedSession& session,
                                             const state::AuditReport& report, base::TimePoint now);
/// The same document as Markdown.
[[nodiscard]] std::string sealed_session_markdown(const base::Json& document);

}  // namespace phasegate::app::cli
