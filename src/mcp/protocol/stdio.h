#pragma once
#include "mcp/protocol/server.h"

namespace phasegate::mcp::protocol {

/// Serves newline-delimited JSON-RPC on two file descriptors until end of file, SIGINT or SIGTERM
/// (all three alike: what was read is answered, then it returns; MCP §stdio). Lines end in LF or
/// CRLF; blank lines are ignored; a line over limits::kMessageBytesMax is skipped and answered with
/// an error. A request that `notifications/cancelled` names before its turn gets no answer.
/// Nothing else is written to `out_fd`. Returns the process's exit code: 0, or 1 if the client
/// went away (EPIPE is 0: nobody is left to be answered).
[[nodiscard]] int serve_stdio(Server& server, int in_fd, int out_fd);

}  // namespace phasegate::mcp::protocol
