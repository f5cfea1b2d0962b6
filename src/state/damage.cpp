#include "state/damage.h"

#include "gating/engine/ports.h"

namespace phasegate::state {

void throw_damaged(const std::string& message) {
  throw gating::engine::StoreFailure(base::Error{
      "damaged", message,
      "run `phasegate doctor`, which lists everything that is damaged; other sessions go on; "
      "nothing was changed",
      ""});
}

}  // namespace phasegate::state
