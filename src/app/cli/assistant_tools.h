#pragma once
#include <memory>

#include "app/composition.h"
#include "mcp/protocol/service.h"

namespace phasegate::app::cli {

/// The tools as an assistant gets them, over this program's engine; `program` must outlive them.
[[nodiscard]] std::unique_ptr<mcp::protocol::Service> assistant_tools(Program& program);

}  // namespace phasegate::app::cli
