#include "mcp/http/call_stream.h"

#include <algorithm>

#include "mcp/http/events.h"

namespace phasegate::mcp::http {

bool ConnectionStream::put(std::string_view bytes) {
  last_ = std::chrono::steady_clock::now();
  return write_(bytes);
}

bool ConnectionStream::send(std::string line) {
  if (finished_ || connection_.broken() || other_end_closed(connection_.fd())) return false;
  return put(event_of(line)) && connection_.flush();
}

void ConnectionStream::finish(std::string line) {
  if (finished_) return;
  // Not flushed: it leaves together with the body's end.
  put(event_of(line));
  finished_ = true;
}

bool ConnectionStream::cancelled() {
  return connection_.abandoned();
}

bool ConnectionStream::wait(std::chrono::milliseconds time) {
  const TimePoint end = std::chrono::steady_clock::now() + time;
  while (true) {
    const TimePoint silent_until = last_ + heartbeat_;
    if (!connection_.wait(std::min(end, silent_until))) return false;
    if (std::chrono::steady_clock::now() >= end) return true;
    if (!finished_ && !(put(kHeartbeat) && connection_.flush())) return false;
  }
}

}  // namespace phasegate::mcp::http
