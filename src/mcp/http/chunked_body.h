#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace phasegate::mcp::http {

/// Reads a chunked body (RFC 9112 §7.1) and writes it again in its plainest form: sizes in plain
/// hexadecimal digits, no extensions, no trailers. What is not exactly chunked is malformed, so
/// that the library never sees anything which it could misread.
class ChunkedBody {
 public:
  enum class State { open, done, malformed, too_large };

  ChunkedBody(std::size_t body_bytes_max, std::size_t extra_bytes_max)
      : body_left_(body_bytes_max), extra_left_(extra_bytes_max) {}

  /// Takes bytes from the front of `raw`, at most to the body's end, and appends the plain form to
  /// `out`. Returns how many were taken.
  std::size_t take(std::string_view raw, std::string& out);
  [[nodiscard]] State state() const { return state_; }

 private:
  enum class At {
    size,
    extension,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_begin,
    trailer,
    trailer_lf,
    last_lf
  };

  void step(char c, std::string& out);
  void begin_chunk(std::string& out);
  void expect(char c, char wanted, At next);
  void spend_extra();

  State state_ = State::open;
  At at_ = At::size;
  std::size_t body_left_;
  std::size_t extra_left_;  ///< of extensions and trailers, which nobody reads
  std::size_t size_ = 0;    ///< of the chunk at hand, then what is left of it
  std::size_t digits_ = 0;
};

}  // namespace phasegate::mcp::http
