#include "rag/block_parts.h"

#include <algorithm>

#include "base/text.h"
#include "rag/line_marks.h"

namespace phasegate::rag {
namespace {

/// What is written around the lines of each part.
struct Frame {
  std::string first;   // before the lines of the first part
  std::string before;  // before those of the others
  std::string behind;
  bool words = false;  // lines are cut between words
};

/// Where a line that is too long for a part is cut.
std::size_t cut_of(std::string_view line, std::size_t bytes_max, bool words) {
  if (words) {
    const std::size_t tail = bytes_max - bytes_max / 4;
    const std::size_t space = line.substr(tail, bytes_max - tail).find_last_of(' ');
    if (space != std::string_view::npos) return tail + space + 1;
  }
  const std::size_t cut = base::utf8_boundary(line, bytes_max);
  return cut == 0 ? bytes_max : cut;
}

class Packer {
 public:
  Packer(Frame frame, std::size_t bytes_max) : frame_(std::move(frame)), bytes_max_(bytes_max) {}

  void add(std::size_t number, std::string_view line) {
    const std::size_t around =
        std::max(frame_.first.size(), frame_.before.size()) + frame_.behind.size();
    const std::size_t room = bytes_max_ - around;
    while (line.size() > room) {
      const std::size_t cut = cut_of(line, room, frame_.words);
      put(number, line.substr(0, cut));
      line.remove_prefix(cut);
    }
    put(number, line);
  }

  std::vector<BlockPart> finish() {
    end_part();
    return std::move(parts_);
  }

 private:
  void put(std::size_t number, std::string_view line) {
    if (open_ && part_.text.size() + 1 + line.size() + frame_.behind.size() > bytes_max_)
      end_part();
    if (open_) {
      part_.text += '\n';
    } else {
      part_.first = number;
      part_.text = parts_.empty() ? frame_.first : frame_.before;
      open_ = true;
    }
    part_.text += line;
    part_.last = number;
  }

  void end_part() {
    if (!open_) return;
    part_.text += frame_.behind;
    parts_.push_back(std::move(part_));
    part_ = {};
    open_ = false;
  }

  Frame frame_;
  std::size_t bytes_max_;
  std::vector<BlockPart> parts_;
  BlockPart part_;
  bool open_ = false;
};

/// The fence's first line, and the one that ends each part.
Frame frame_of_fence(std::string_view opening) {
  const Fence fence = fence_of(content_of(opening), false);
  const std::size_t marks = opening.find(std::string(3, fence.mark));
  std::string lead(opening.substr(0, marks));
  // A list's marker is not repeated.
  for (char& c : lead) {
    if (c != '>' && c != '\t') c = ' ';
  }
  const std::string before = std::string(opening) + '\n';
  return {before, before, '\n' + lead + std::string(fence.length, fence.mark), false};
}

std::vector<BlockPart> fence_parts(const Block& block, const std::vector<std::string_view>& lines,
                                   std::size_t bytes_max) {
  Frame frame = frame_of_fence(lines[block.first]);
  if (block.first == block.last || frame.before.size() + frame.behind.size() > bytes_max / 2) {
    // A fence whose marks leave no room is text.
    Packer packer({}, bytes_max);
    for (std::size_t i = block.first; i <= block.last; ++i) packer.add(i, lines[i]);
    return packer.finish();
  }
  const Fence fence = fence_of(content_of(lines[block.first]), false);
  const bool closed = fence.closed_by(fence_of(content_of(lines[block.last]), true));
  Packer packer(std::move(frame), bytes_max);
  for (std::size_t i = block.first + 1; i <= block.last - (closed ? 1 : 0); ++i) {
    packer.add(i, lines[i]);
  }
  std::vector<BlockPart> parts = packer.finish();
  if (parts.empty()) return parts;
  parts.front().first = block.first;
  parts.back().last = block.last;
  return parts;
}

std::vector<BlockPart> line_parts(const Block& block, const std::vector<std::string_view>& lines,
                                  std::size_t bytes_max) {
  Frame frame;
  frame.words = true;
  if (block.kind == BlockKind::table) {
    frame.before = std::string(lines[block.table_head]) + '\n' +
                   std::string(lines[block.table_head + 1]) + '\n';
    if (frame.before.size() > bytes_max / 2) frame.before.clear();
  }
  Packer packer(std::move(frame), bytes_max);
  for (std::size_t i = block.first; i <= block.last; ++i) packer.add(i, lines[i]);
  return packer.finish();
}

}  // namespace

std::vector<BlockPart> parts_of(const Block& block, const std::vector<std::string_view>& lines,
                                std::size_t bytes_max) {
  constexpr std::size_t kSmallest = 64;
  bytes_max = std::max(bytes_max, kSmallest);
  std::size_t bytes = 0;
  for (std::size_t i = block.first; i <= block.last; ++i) bytes += lines[i].size() + 1;
  if (bytes - 1 > bytes_max) {
    return block.kind == BlockKind::fence ? fence_parts(block, lines, bytes_max)
                                          : line_parts(block, lines, bytes_max);
  }
  BlockPart whole{block.first, block.last, {}};
  whole.text.reserve(bytes);
  for (std::size_t i = block.first; i <= block.last; ++i) {
    if (i > block.first) whole.text += '\n';
    whole.text += lines[i];
  }
  return {std::move(whole)};
}

}  // namespace phasegate::rag
