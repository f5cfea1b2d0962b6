#include "mcp/tools/content_digest.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace phasegate::mcp::tools {

using gating::engine::PhaseView;
using gating::engine::TaskView;

namespace {

constexpr std::size_t kDigitsShown = 16;

/// What a digest is made of, in the form in which base::Digest takes it in: each piece behind its
/// size.
class Pieces {
 public:
  explicit Pieces(std::size_t text_bytes) { bytes_.reserve(text_bytes + kOthersUsual); }

  Pieces& add(std::string_view piece) {
    std::array<char, 8> size{};
    for (std::size_t i = 0; i < size.size(); ++i) {
      size[i] = static_cast<char>((std::uint64_t{piece.size()} >> (8 * i)) & 0xFFU);
    }
    bytes_.append(size.data(), size.size());
    bytes_ += piece;
    return *this;
  }
  Pieces& add(const std::vector<std::string>& list) {
    add(std::to_string(list.size()));
    for (const std::string& piece : list) add(piece);
    return *this;
  }
  [[nodiscard]] std::string digest() const;

 private:
  static constexpr std::size_t kOthersUsual = 512;
  std::string bytes_;
};

/// The last digests: the same phase is read again and again, and hashing costs far more than
/// comparing. A digest depends on nothing but its bytes, so that nothing here can be out of date.
class LastDigests {
 public:
  std::string digest(const std::string& bytes) {
    for (const Entry& entry : entries_) {
      if (entry.bytes == bytes) return entry.digest;
    }
    std::string digest = base::sha256_hex(bytes).substr(0, kDigitsShown);
    if (bytes.size() > kBytesMax) return digest;
    entries_[next_] = {bytes, digest};
    next_ = (next_ + 1) % kEntries;
    return digest;
  }

 private:
  static constexpr std::size_t kEntries = 16;
  static constexpr std::size_t kBytesMax = 32U << 10U;

  struct Entry {
    std::string bytes;
    std::string digest;
  };
  std::array<Entry, kEntries> entries_;
  std::size_t next_ = 0;
};

std::string Pieces::digest() const {
  thread_local LastDigests last;
  return last.digest(bytes_);
}

}  // namespace

std::string content_digest(const PhaseView& phase, std::string_view text) {
  Pieces pieces(text.size());
  pieces.add("phase")
      .add(phase.view.run.id)
      .add(phase.view.definition->hash)
      .add(phase.phase->id)
      .add(text);
  // A review holds other parts than the open phase, an ended run shows no criteria.
  pieces.add(phase.current ? "open" : "review");
  pieces.add(gating::is_open(phase.view.run.status) ? "going on" : "ended");
  pieces.add(phase.links);
  pieces.add(std::to_string(phase.artifacts.size()));
  for (const auto& row : phase.artifacts) {
    pieces.add(row.artifact.phase).add(row.artifact.digest);
  }
  return pieces.digest();
}

std::string content_digest(const TaskView& task) {
  Pieces pieces(task.content.size());
  pieces.add("task").add(task.view.run.id).add(task.view.definition->hash).add(task.phase->id);
  pieces.add(task.task == nullptr ? "" : task.task->number);
  pieces.add(task.file).add(task.content);
  pieces.add(task.links);
  return pieces.digest();
}

}  // namespace phasegate::mcp::tools
