#include "app/cli/commands.h"
namespace phasegate::app::cli {
Outcome doctor(const Invocation&, const Settings&, const Environment&) { return {}; }
}
