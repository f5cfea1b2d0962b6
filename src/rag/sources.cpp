#include "rag/sources.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/hash.h"
#include "base/limits.h"
#include "base/paths.h"
#include "rag/source_file.h"
#include "rag/source_judge.h"
#include "rag/source_paths.h"
#include "rag/source_text.h"
#include "rag/source_walk.h"

namespace phasegate::rag {
namespace {

constexpr int kReadsMax = 4;  // of one file that changes meanwhile

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The digest of a text with other ends of lines is that of the text.
std::optional<std::string> digest_with_plain_lines(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool marked = bytes.starts_with(kByteOrderMark);
  if (!marked && bytes.find('\r') == std::string_view::npos) return std::nullopt;
  if (marked) bytes.remove_prefix(kByteOrderMark.size());
  std::string plain;
  plain.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    plain += bytes[i];
  }
  return base::sha256_hex(plain);
}

}  // namespace

struct SourceLook::State {
  explicit State(const SourceRules& of) : rules(of), judge(of) {}

  const SourceRules& rules;
  SourceJudge judge;
  Listing list(const std::function<bool()>& go_on);
  std::variant<SourceText, LeftOut> read(const std::string& path);
};

Listing SourceLook::State::list(const std::function<bool()>& go_on) {
  Listing listing = SourceWalk(rules, judge, go_on).run();
  std::sort(listing.files.begin(), listing.files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return listing;
}

std::variant<SourceText, LeftOut> SourceLook::State::read(const std::string& path) {
  for (int i = 0; i < kReadsMax; ++i) {
    auto opened = open_source(rules, judge, path, Hold::bytes);
    if (const auto* why = std::get_if<LeftOut>(&opened)) return *why;
    const OpenedSource& before = std::get<OpenedSource>(opened);
    const std::int64_t now = now_ns();
    auto bytes = bytes_of(before.file, base::limits::kSearchFileBytesMax);
    if (!bytes) return errno == 0 ? LeftOut::too_large : why_not_opened(errno);
    struct stat after{};
    if (::fstat(before.file.get(), &after) != 0) return why_not_opened(errno);
    SourceText text;
    text.file = stamp_of(path, after);
    if (text.file != stamp_of(path, before.status) || text.file.bytes != bytes->size()) continue;
    if (may_hide_change(text.file.changed_ns, now)) text.file.changed_ns = 0;
    if (const auto why = judge_text(path, *bytes)) return *why;
    text.digest = base::sha256_hex(*bytes);
    const auto plain = digest_with_plain_lines(*bytes);
    if (judge.has_withheld_digest(text.digest) || (plain && judge.has_withheld_digest(*plain))) {
      return LeftOut::withheld;
    }
    text.bytes = *std::move(bytes);
    return text;
  }
  return LeftOut::unsteady;
}

SourceLook::SourceLook(const SourceRules& rules) : state_(std::make_unique<State>(rules)) {}
SourceLook::~SourceLook() = default;

Listing SourceLook::list(const std::function<bool()>& go_on) {
  return state_->list(go_on);
}

std::variant<SourceFile, LeftOut> SourceLook::look_at(std::string_view path) {
  const auto plain = base::normalised_relative(path);
  if (!plain || *plain != path) return LeftOut::not_chosen;
  auto opened = open_source(state_->rules, state_->judge, path, Hold::stamp);
  if (const auto* why = std::get_if<LeftOut>(&opened)) return *why;
  const OpenedSource& file = std::get<OpenedSource>(opened);
  return stamp_of(path, file.status);
}

std::variant<SourceText, LeftOut> SourceLook::read(std::string_view path) {
  const auto plain = base::normalised_relative(path);
  if (!plain || *plain != path) return LeftOut::not_chosen;
  return state_->read(*plain);
}

bool is_surely_gone(const Listing& listing, std::string_view path) {
  if (!listing.finished) return false;
  for (std::string_view at = path; !listing.unknown_folders.empty(); at = folder_of(at)) {
    if (listing.unknown_folders.contains(at)) return false;
    if (at.empty()) break;
  }
  return true;
}

Listing list_sources(const SourceRules& rules) {
  return SourceLook(rules).list();
}

}  // namespace phasegate::rag
