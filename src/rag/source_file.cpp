#include "rag/source_file.h"

#include <cerrno>
#include <cstdint>

#include "base/limits.h"

namespace phasegate::rag {
namespace {

std::int64_t in_ns(const struct timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::variant<OpenedSource, LeftOut> open_source(const SourceRules& rules, SourceJudge& judge,
                                                std::string_view path, Hold hold) {
  if (const auto why = judge.file(path, SourceJudge::As::source)) return *why;
  OpenedSource opened;
  opened.file = open_file(rules.root, path, hold);
  if (!opened.file.open() && errno == ELOOP) {
    const auto target = link_target(rules.root, path);
    if (!target) return is_passing(errno) ? LeftOut::unknown : LeftOut::gone;
    if (target->outside) return LeftOut::outside_root;
    if (const auto why = judge.file(target->path, SourceJudge::As::target)) return *why;
    opened.file = open_file(rules.root, target->path, hold);
    opened.target = target->path;
  }
  if (!opened.file.open()) return why_not_opened(errno);
  if (::fstat(opened.file.get(), &opened.status) != 0) return why_not_opened(errno);
  if (const auto why = judge_status(opened.status)) return *why;
  return opened;
}

SourceFile stamp_of(std::string_view path, const struct stat& status) {
  SourceFile file;
  file.path = path;
  file.bytes = static_cast<std::uint64_t>(status.st_size);
  file.modified_ns = in_ns(status.st_mtim);
  file.changed_ns = in_ns(status.st_ctim);
  file.inode = status.st_ino;
  file.device = status.st_dev;
  return file;
}

std::optional<LeftOut> judge_status(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return LeftOut::not_a_file;
  if (static_cast<std::uint64_t>(status.st_size) > base::limits::kSearchFileBytesMax) {
    return LeftOut::too_large;
  }
  // Its other name may lie where things are withheld, anywhere in the file system.
  if (status.st_nlink > 1) return LeftOut::linked;
  return std::nullopt;
}

LeftOut why_not_opened(int code) {
  if (is_passing(code)) return LeftOut::unknown;
  switch (code) {
    case ENOENT:
    case ENOTDIR:  // something else, or a link, in place of a folder
      return LeftOut::gone;
    case ENXIO:  // a socket
      return LeftOut::not_a_file;
    default:
      return LeftOut::unreadable;
  }
}

}  // namespace phasegate::rag
