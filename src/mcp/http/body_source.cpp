#include "mcp/http/body_source.h"

#include <algorithm>
#include <cstring>

#include "mcp/http/framing.h"

namespace phasegate::mcp::http {

BodySource::BodySource(Connection& connection, const ParsedHead& head, const ListenerLimits& limits)
    : connection_(connection),
      limits_(limits),
      kind_(head.body),
      left_(head.length),
      chunks_(limits.body_bytes_max, limits.head_bytes_max) {}

ssize_t BodySource::read(char* to, std::size_t size) {
  if (failure_) return -1;
  std::string_view from;
  if (kind_ == ParsedHead::Body::sized) {
    if (left_ == 0) return 0;
    if (connection_.buffered().empty() && !fill()) return -1;
    from = connection_.buffered().substr(0, left_);
  } else if (kind_ == ParsedHead::Body::chunked) {
    if (!decode()) return -1;
    from = std::string_view(plain_).substr(read_);
  }
  const std::size_t part = std::min(size, from.size());
  if (part > 0) std::memcpy(to, from.data(), part);
  if (kind_ == ParsedHead::Body::sized) {
    connection_.take(part);
    left_ -= part;
  } else {
    read_ += part;
  }
  return static_cast<ssize_t>(part);
}

/// Leaves something in plain_, except at the end.
bool BodySource::decode() {
  while (read_ == plain_.size()) {
    plain_.clear();
    read_ = 0;
    if (chunks_.state() == ChunkedBody::State::done) return true;
    if (connection_.buffered().empty() && !fill()) return false;
    connection_.take(chunks_.take(connection_.buffered(), plain_));
    if (chunks_.state() == ChunkedBody::State::malformed) {
      failure_ = Refusal{400, "The body's chunks are malformed."};
    } else if (chunks_.state() == ChunkedBody::State::too_large) {
      failure_ = body_too_large(limits_);
    }
    if (failure_) return false;
  }
  return true;
}

bool BodySource::fill() {
  const TimePoint now = std::chrono::steady_clock::now();
  if (!deadline_) deadline_ = now + limits_.body_time;
  const auto input = now < *deadline_ ? connection_.fill(*deadline_) : Connection::Input::timeout;
  if (input == Connection::Input::timeout) {
    failure_ = Refusal{
        408, "The body must arrive within " + std::to_string(limits_.body_time.count()) + " ms."};
  }
  return input == Connection::Input::ready;
}

bool BodySource::finished() const {
  if (kind_ == ParsedHead::Body::sized) return left_ == 0;
  return kind_ == ParsedHead::Body::none || chunks_.state() == ChunkedBody::State::done;
}

}  // namespace phasegate::mcp::http
