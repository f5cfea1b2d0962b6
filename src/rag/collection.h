#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "rag/fields.h"

namespace phasegate::rag {

using PassageId = std::uint32_t;

/// A passage that holds a term, and how often in each field.
struct Posting {
  PassageId passage = 0;
  Counts counts{};
};

/// What the ranking asks about passages, wherever they are kept. A term is what
/// Stemmer::term_of() makes of a token. Not const: an implementation may read and keep as it goes;
/// one object is used by one thread at a time. What a call refers to stays until the next call.
class Collection {
 public:
  virtual ~Collection() = default;

  /// How many passages there are.
  virtual std::size_t size() = 0;
  /// Every passage's id is smaller.
  virtual PassageId bound() = 0;
  /// Tokens of each field (joined forms not counted) in the average passage; 0 without passages.
  virtual const std::array<double, kFields>& mean_lengths() = 0;
  /// Tokens of each field of one passage, joined forms not counted.
  virtual const Counts& lengths(PassageId passage) = 0;
  /// Replaces `into` by the passages that hold the term, by ascending id.
  virtual void postings(std::string_view term, std::vector<Posting>& into) = 0;
  /// How many passages hold the term.
  virtual std::size_t frequency(std::string_view term) = 0;
  /// The texts of one passage, for what needs exact forms and positions.
  virtual PassageFields fields(PassageId passage) = 0;
  /// Calls `each` with every term that begins with `first`, and its frequency, by ascending term.
  virtual void terms_beginning(std::string_view first,
                               const std::function<void(std::string_view, std::size_t)>& each) = 0;
};

}  // namespace phasegate::rag
