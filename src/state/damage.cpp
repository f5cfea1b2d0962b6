#include "state/damage.h"

#include "gating/engine/ports.h"

namespace phasegate::state {

void throw_damaged(const std::string& message) {
  throw gating::engine::StoreFailure(
      base::Error{"damaged", message,
                  "nothing is done on what does not verify; run `phasegate audit`, which names "
                  "what differs, and "
                  "`phasegate doctor`; other sessions go on; nothing was changed",
                  ""});
}

}  // namespace phasegate::state
