#include "base/process.h"

namespace phasegate::base {

ProcessResult run_process(const ProcessRequest&) {
  ProcessResult result;
  result.problem = "programs cannot be started";
  return result;
}

}  // namespace phasegate::base
