#pragma once
#include <string>

#include "mcp/protocol/server.h"

namespace phasegate::mcp::protocol {

/// Serves newline-delimited JSON-RPC on two file descriptors until end of file, SIGINT or SIGTERM
/// (all three alike: what was read is answered, then it returns; MCP §stdio). Lines end in LF or
/// CRLF; blank lines are ignored; a line over limits::kMessageBytesMax is skipped and answered with
/// an error; the last line needs no newline. A request that `notifications/cancelled` names gets no
/// answer, before its turn and while it runs.
///
/// Requests are answered in the order in which they came, on the calling thread, but for those that
/// wait (Server::waits): at most limits::kCallsAtOnceMax of them run at the same time, each on a
/// thread of its own. While limits::kMessagesQueuedMax messages or limits::kQueuedBytesMax bytes
/// wait, nothing more is read. A client that does not read its answers holds the server up, but
/// never its end by a signal: limits::kStopGraceMs later it stops waiting. When the end comes,
/// running calls are told so; one that goes on nevertheless is left behind after the same time, and
/// the process exits. Descriptors may be pipes, sockets, files or terminals, blocking or not; their
/// flags are left as they are. Nothing but messages is written to `out_fd`.
///
/// `principal` is who asks: the operating system's user. Returns the process's exit code: 0, also
/// if the client went away; 1 if a descriptor is broken. At most one at a time per process, since
/// it owns the process's signals while it runs.
[[nodiscard]] int serve_stdio(Server& server, const std::string& principal, int in_fd, int out_fd);

}  // namespace phasegate::mcp::protocol
