#include "base/process_output.h"

#include <algorithm>

namespace phasegate::base {

void OutputKeeper::add(std::string_view bytes) {
  digest_.add(bytes);
  bytes_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), head_max_ - head_.size());
  head_ += bytes.substr(0, to_head);
  bytes.remove_prefix(to_head);
  if (bytes.size() > tail_max_) {
    tail_.clear();
    bytes.remove_prefix(bytes.size() - tail_max_);
  }
  tail_ += bytes;
  // Only when as much again has gathered: each byte is moved once.
  if (tail_.size() > 2 * tail_max_) tail_.erase(0, tail_.size() - tail_max_);
}

ProcessOutput OutputKeeper::output() {
  ProcessOutput output;
  output.bytes = bytes_;
  if (tail_.size() > tail_max_) tail_.erase(0, tail_.size() - tail_max_);
  output.cut = bytes_ > head_.size() + tail_.size();
  if (output.cut) output.cut_at = head_.size();
  output.text = std::move(head_);
  output.text += tail_;
  return output;
}

}  // namespace phasegate::base
