#include "mcp/http/chunked_body.h"

#include <algorithm>

#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {
constexpr std::size_t kSizeDigitsMax = 8;
}

std::size_t ChunkedBody::take(std::string_view raw, std::string& out) {
  std::size_t taken = 0;
  while (taken < raw.size() && state_ == State::open) {
    if (at_ == At::data) {
      const std::size_t part = std::min(size_, raw.size() - taken);
      out += raw.substr(taken, part);
      taken += part;
      size_ -= part;
      if (size_ == 0) at_ = At::data_cr;
    } else {
      step(raw[taken++], out);
    }
  }
  return taken;
}

void ChunkedBody::step(char c, std::string& out) {
  switch (at_) {
    case At::size:
      if (const auto value = hex_value(c)) {
        if (++digits_ > kSizeDigitsMax) {
          state_ = State::malformed;
        } else {
          size_ = size_ * 16 + *value;
        }
      } else if (digits_ > 0 && (c == ';' || c == ' ' || c == '\t')) {
        at_ = At::extension;
        spend_extra();
      } else if (digits_ > 0) {
        expect(c, '\r', At::size_lf);
      } else {
        state_ = State::malformed;
      }
      break;
    case At::extension:
      if (is_value_char(c)) {
        spend_extra();
      } else {
        expect(c, '\r', At::size_lf);
      }
      break;
    case At::size_lf:
      expect(c, '\n', At::data);
      if (state_ == State::open) begin_chunk(out);
      break;
    case At::data_cr:
      expect(c, '\r', At::data_lf);
      break;
    case At::data_lf:
      expect(c, '\n', At::size);
      if (state_ == State::open) out += "\r\n";
      digits_ = 0;
      break;
    case At::trailer_begin:
      if (c == '\r') {
        at_ = At::last_lf;
        break;
      }
      [[fallthrough]];
    case At::trailer:
      if (is_value_char(c)) {
        at_ = At::trailer;
        spend_extra();
      } else {
        expect(c, '\r', At::trailer_lf);
      }
      break;
    case At::trailer_lf:
      expect(c, '\n', At::trailer_begin);
      break;
    case At::last_lf:
      expect(c, '\n', At::last_lf);
      if (state_ == State::open) {
        out += "0\r\n\r\n";
        state_ = State::done;
      }
      break;
    case At::data:
      break;
  }
}

void ChunkedBody::begin_chunk(std::string& out) {
  if (size_ == 0) {
    at_ = At::trailer_begin;
  } else if (size_ > body_left_) {
    state_ = State::too_large;
  } else {
    body_left_ -= size_;
    out += to_hex(size_) + "\r\n";
  }
}

void ChunkedBody::expect(char c, char wanted, At next) {
  if (c == wanted) {
    at_ = next;
  } else {
    state_ = State::malformed;
  }
}

void ChunkedBody::spend_extra() {
  if (extra_left_ == 0) {
    state_ = State::too_large;
  } else {
    --extra_left_;
  }
}

}  // namespace phasegate::mcp::http
