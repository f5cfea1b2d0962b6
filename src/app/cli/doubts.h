#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/engine/approvers.h"
#include "gating/engine/engine.h"

/// Decisions that are held against the list of approvers as it is now (ARCHITECTURE §6). Whoever
/// runs as the same user can bring a list of their own, or write a decision by hand; the
/// fingerprint that stands in the journal then belongs to nobody who is enrolled.
namespace phasegate::app::cli {

using Approvers = std::vector<gating::engine::Approver>;

/// Why a person should look at this entry, as a sentence's end (`eve is not enrolled`); nullopt for
/// an entry that names no approver, and for one whose name and fingerprint are enrolled. Where the
/// secret was replaced after the decision nobody can say any more, and `also_replaced` says whether
/// to tell that.
[[nodiscard]] std::optional<std::string> doubt_about(const gating::engine::JournalRow& row,
                                                     const Approvers& approvers,
                                                     bool also_replaced);

/// The doubts about a session, each once, in the order of its journal, with the phase before them;
/// also phases whose deciders the journal does not know, or which were left
/// without one. Replaced secrets are no doubt. Empty if
/// its journal cannot be read. Linear in what people have said in the session, whatever else its
/// journal holds; nothing of it is read where no approver has decided.
[[nodiscard]] std::vector<std::string> doubts_about(gating::engine::Engine& engine,
                                                    const gating::engine::RunView& view,
                                                    const Approvers& approvers);

}  // namespace phasegate::app::cli
