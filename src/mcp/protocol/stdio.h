#pragma once
#include "mcp/protocol/server.h"

namespace phasegate::mcp::protocol {

/// Serves newline-delimited JSON-RPC on two file descriptors until end of file, SIGINT or SIGTERM
/// (all three alike: what was read is answered, then it returns; MCP §stdio). Lines end in LF or
/// CRLF; blank lines are ignored; a line over limits::kMessageBytesMax is skipped and answered with
/// an error; the last line needs no newline. A request that `notifications/cancelled` names before
/// its turn gets no answer.
///
/// One thread, requests in the order in which they came. While limits::kMessagesQueuedMax messages
/// or limits::kQueuedBytesMax bytes wait, nothing more is read. A client that does not read its
/// answers holds the server up, but never its end by a signal: limits::kStopGraceMs later it stops
/// waiting. Descriptors may be pipes, sockets, files or terminals, blocking or not; their flags are
/// left as they are. Nothing but answers is written to `out_fd`.
///
/// Returns the process's exit code: 0, also if the client went away; 1 if a descriptor is broken.
/// At most one at a time per process, since it owns the process's signals while it runs.
[[nodiscard]] int serve_stdio(Server& server, int in_fd, int out_fd);

}  // namespace phasegate::mcp::protocol
