#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace phasegate::app::web {

/// A page that is being written. What is ours can only be a literal of the source; everything else
/// goes through an escape, so that no text of a document, a session or a person becomes markup.
class Html {
 public:
  /// Markup of ours.
  class Literal {
   public:
    template <std::size_t N>
    // NOLINTNEXTLINE(google-explicit-constructor): it is to be written as a plain literal
    consteval Literal(const char (&text)[N]) : text_(text, N - 1) {}
    [[nodiscard]] std::string_view text() const { return text_; }

   private:
    std::string_view text_;
  };

  Html& add(Literal markup);
  /// A text for people: control characters, characters that turn the direction of writing and those
  /// that cannot be seen become visible as `U+202E`; line breaks and tabulators stay. Bytes that
  /// are no UTF-8 become U+FFFD.
  Html& text(std::string_view text);
  /// A text that comes back as it is when the form is sent, for attributes and text areas.
  Html& exact(std::string_view text);
  /// The program's own style sheet, which holds no markup.
  Html& style(std::string_view css);

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace phasegate::app::web
