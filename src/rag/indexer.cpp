#include "rag/indexer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "base/log.h"
#include "gating/engine/ports.h"
#include "rag/source_text.h"
#include "state/files.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
namespace {

/// A batch is committed when it has read so much, so that memory and transactions stay small.
constexpr std::uint64_t kBatchBytes = 4U << 20U;
constexpr std::size_t kBatchFiles = 256;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string joined_path(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + '/' + name;
}

}  // namespace

/// What one call has to do with which files.
struct Indexer::Work {
  Work(const SourceRules& wanted, std::string name)
      : rules(wanted), look(wanted), index_name(std::move(name)) {}

  const SourceRules& rules;
  SourceLook look;
  std::string index_name;  ///< what is known is known of this one
  std::vector<std::string> to_read;
  std::vector<std::string> gone;
  LookReport report;
};

/// A file that has been read.
struct Indexer::Prepared {
  IndexedText text;
  bool stamp_only = false;  ///< the text is the one that the index has; it has no passages here
  std::optional<LeftOut> left_out;  ///< why, because of what it says
};

namespace {

/// Another index has been swapped in: what was known was known of the one before.
struct Swapped {};
constexpr int kSwapsMax = 8;

bool is_withheld(const FileRow& row, const SourceRules& rules) {
  const auto& digests = rules.withheld.digests;
  return digests.contains(row.digest) || digests.contains(row.plain_digest);
}

/// Left out whatever the rules say, so that only another text can change that.
bool is_of_text(LeftOut why) {
  return why == LeftOut::binary || why == LeftOut::not_utf8 || why == LeftOut::secret;
}

}  // namespace

bool is_damage(const std::exception& failure) {
  if (const auto* store = dynamic_cast<const gating::engine::StoreFailure*>(&failure)) {
    return store->error().code == "damaged" || store->error().code == "not_a_database";
  }
  return dynamic_cast<const std::logic_error*>(&failure) != nullptr;
}

Indexer::Indexer(fs::path folder) : folder_(std::move(folder)) {}

IndexDb& Indexer::index() {
  if (index_ && folder_.is_current(*index_) && !index_->is_in_place()) {
    base::log_warning("somebody has changed the files of the search index; it is made anew");
    abandon();
  }
  if (!index_ || !folder_.is_current(*index_)) {
    index_.reset();
    index_ = folder_.open();
  }
  return *index_;
}

void Indexer::abandon() {
  const std::string name = index_ ? index_->name() : "";
  index_.reset();
  if (!name.empty()) folder_.abandon(name);
}

template <typename Call>
LookReport Indexer::mended(const Call& call) {
  bool mended = false;
  for (int swaps = 0;;) {
    try {
      return call();
    } catch (const Swapped&) {
      if (++swaps == kSwapsMax) {
        throw gating::engine::StoreFailure({"busy",
                                            "the search index is being made anew again and again",
                                            "try again in a moment", ""});
      }
    } catch (const std::exception& failure) {
      if (!is_damage(failure) || mended) throw;
      base::log_warning("the search index is damaged and is made anew", {{"why", failure.what()}});
      abandon();
      mended = true;
    }
  }
}

base::Descriptor Indexer::lock_for(const Work& work) {
  base::Descriptor writing = folder_.lock_for_writing();
  // Not index(): who holds the lock may not open another.
  if (!index_ || index_->name() != work.index_name || !folder_.is_current(*index_)) {
    throw Swapped();
  }
  return writing;
}

LookReport Indexer::look(const SourceRules& rules, const GoOn& go_on) {
  return mended([&] { return look_once(rules, go_on); });
}

LookReport Indexer::look_once(const SourceRules& rules, const GoOn& go_on) {
  const auto known = index().files();
  Work work(rules, index().name());
  work.report.listing = work.look.list(go_on);
  const Listing& listing = work.report.listing;
  if (!listing.finished) {
    work.report.finished = false;
    return std::move(work.report);
  }
  const auto note_missing = [&](const std::string& path) {
    if (is_surely_gone(listing, path)) work.gone.push_back(path);
  };
  auto row = known.begin();
  for (const SourceFile& file : work.report.listing.files) {
    while (row != known.end() && row->first < file.path) note_missing((row++)->first);
    const bool is_known = row != known.end() && row->first == file.path;
    if (is_known && is_withheld(row->second, rules)) {
      work.gone.push_back(file.path);
    } else if (!is_known || row->second.file != file) {
      work.to_read.push_back(file.path);
    }
    if (is_known) ++row;
  }
  while (row != known.end()) note_missing((row++)->first);
  // Processes that begin at once begin at different places, and meet with all of it done.
  if (!work.to_read.empty()) {
    const auto from = static_cast<std::size_t>(::getpid()) * 7919 % work.to_read.size();
    std::rotate(work.to_read.begin(), work.to_read.begin() + static_cast<std::ptrdiff_t>(from),
                work.to_read.end());
  }
  carry_out(work, go_on);
  if (work.report.finished) {
    const base::Descriptor writing = lock_for(work);
    if (!index_->totals().complete) {
      state::Transaction transaction(index_->db());
      index_->set_complete();
      transaction.commit();
    }
  }
  return std::move(work.report);
}

LookReport Indexer::look_in(const SourceRules& rules, const std::set<std::string>& folders,
                            const std::set<std::string>& files, const GoOn& go_on) {
  return mended([&] {
    std::set<std::string> paths = files;
    for (const std::string& folder : folders) {
      for (auto& [path, row] : index().files_in(folder)) paths.insert(path);
      std::error_code error;
      for (fs::directory_iterator at(rules.root / folder, error), end; !error && at != end;
           at.increment(error)) {
        paths.insert(joined_path(folder, at->path().filename().string()));
      }
    }
    Work work(rules, index().name());
    for (const std::string& path : paths) {
      const auto known = index_->file(path);
      const auto found = work.look.look_at(path);
      if (const auto* file = std::get_if<SourceFile>(&found)) {
        if (known && is_withheld(*known, rules)) {
          work.gone.push_back(path);
        } else if (!known || known->file != *file) {
          work.to_read.push_back(path);
        }
      } else if (known && std::get<LeftOut>(found) != LeftOut::unknown) {
        work.gone.push_back(path);
      }
    }
    carry_out(work, go_on);
    return std::move(work.report);
  });
}

LookReport Indexer::look_at(const SourceRules& rules, const std::vector<std::string>& paths) {
  return look_in(rules, {}, {paths.begin(), paths.end()}, [] { return true; });
}

void Indexer::drop_withheld(const SourceRules& rules) {
  static_cast<void>(mended([&] {
    Work work(rules, index().name());
    for (const auto& [path, row] : index_->files()) {
      if (is_withheld(row, rules)) work.gone.push_back(path);
    }
    carry_out(work, [] { return true; });
    return std::move(work.report);
  }));
}

void Indexer::carry_out(Work& work, const GoOn& go_on) {
  // In pieces, so that nobody who writes waits long.
  for (std::size_t at = 0; at < work.gone.size(); at += kBatchFiles) {
    commit(work, {},
           std::span(work.gone).subspan(at, std::min(kBatchFiles, work.gone.size() - at)));
    if (!go_on()) {
      work.report.finished = false;
      return;
    }
  }
  std::vector<Prepared> texts;
  std::vector<std::string> gone;
  std::uint64_t bytes = 0;
  const auto flush = [&] {
    if (!texts.empty() || !gone.empty()) commit(work, texts, gone);
    texts.clear();
    gone.clear();
    bytes = 0;
  };
  for (const std::string& path : work.to_read) {
    const auto seen = work.look.look_at(path);
    auto read = work.look.read(path);
    if (auto* text = std::get_if<SourceText>(&read)) {
      ++work.report.read;
      work.report.bytes_read += text->bytes.size();
      bytes += text->bytes.size();
      const auto known = index_->file(path);
      if (known && !known->left_out && known->digest == text->digest) {
        // Only the stamp is new, or another process was here first.
        Prepared same;
        same.text.file = std::move(text->file);
        same.text.digest = std::move(text->digest);
        same.stamp_only = true;
        texts.push_back(std::move(same));
      } else {
        texts.push_back({index_text(*std::move(text), stemmer_), false, std::nullopt});
      }
    } else {
      const LeftOut why = std::get<LeftOut>(read);
      ++work.report.left_out_by_text[why];
      // What is known of it may still hold.
      if (why == LeftOut::unknown || why == LeftOut::unsteady) continue;
      const auto* file = std::get_if<SourceFile>(&seen);
      if (file != nullptr && is_of_text(why)) {
        Prepared left_out;
        left_out.text.file = *file;
        if (may_hide_change(file->changed_ns, now_ns())) left_out.text.file.changed_ns = 0;
        left_out.left_out = why;
        texts.push_back(std::move(left_out));
      } else {
        gone.push_back(path);
      }
    }
    if (bytes < kBatchBytes && texts.size() + gone.size() < kBatchFiles) continue;
    flush();
    if (!go_on()) {
      work.report.finished = false;
      return;
    }
  }
  flush();
}

void Indexer::commit(Work& work, const std::vector<Prepared>& texts,
                     std::span<const std::string> gone) {
  const base::Descriptor writing = lock_for(work);
  IndexDb& db = *index_;
  // What is judged from here on is what is there now: while the lock was waited for, others may
  // have written the file and its newer text.
  SourceLook now(work.rules);
  state::Transaction transaction(db.db());
  for (const std::string& path : gone) {
    const auto known = db.file(path);
    if (!known) continue;
    const auto found = now.look_at(path);
    const auto* why = std::get_if<LeftOut>(&found);
    if (why != nullptr && *why == LeftOut::unknown) continue;
    // Back again, or left out because of its text, which has to be read once more to say so.
    if (std::holds_alternative<SourceFile>(found) && !is_withheld(*known, work.rules) &&
        std::holds_alternative<SourceText>(now.read(path))) {
      continue;
    }
    db.remove(path);
    ++work.report.removed;
  }
  for (const Prepared& prepared : texts) {
    const IndexedText& text = prepared.text;
    const auto found = now.look_at(text.file.path);
    const auto* file = std::get_if<SourceFile>(&found);
    if (file == nullptr) continue;
    const auto known = db.file(text.file.path);
    // Another process has put in what is there now.
    if (known && known->file == *file && !is_withheld(*known, work.rules)) continue;
    SourceFile stamp = *file;
    if (text.file.changed_ns == 0) stamp.changed_ns = 0;
    // Changed since it was read: whoever looks next finds that the stamps differ.
    if (stamp != text.file) continue;
    if (prepared.left_out) {
      db.put_left_out(text.file, *prepared.left_out);
      continue;
    }
    if (known && !known->left_out && known->digest == text.digest) {
      db.restamp(text.file);
      continue;
    }
    // Another process has put in other text meanwhile; the next look reads it once more.
    if (prepared.stamp_only) continue;
    db.put(text);
    ++(known && !known->left_out ? work.report.changed : work.report.added);
  }
  transaction.commit();
}

void Indexer::read_all_into(IndexDb& made, Work& work, const GoOn& go_on) {
  // What cannot be looked at now would be missing from the new index.
  if (!work.report.listing.finished || !work.report.listing.unknown_folders.empty()) {
    work.report.finished = false;
    return;
  }
  const auto known = made.files();
  state::Transaction transaction(made.db());
  std::set<std::string> there;
  std::size_t done = 0;
  for (const SourceFile& file : work.report.listing.files) {
    there.insert(file.path);
    if (const auto row = known.find(file.path); row != known.end() && row->second.file == file) {
      continue;
    }
    if (++done % kBatchFiles == 0 && !go_on()) {
      work.report.finished = false;
      return;
    }
    auto read = work.look.read(file.path);
    if (auto* text = std::get_if<SourceText>(&read)) {
      ++work.report.read;
      work.report.bytes_read += text->bytes.size();
      made.put(index_text(*std::move(text), stemmer_));
      continue;
    }
    const LeftOut why = std::get<LeftOut>(read);
    if (!known.contains(file.path)) ++work.report.left_out_by_text[why];
    if (is_of_text(why)) {
      made.put_left_out(file, why);
    } else {
      made.remove(file.path);
    }
  }
  for (const auto& [path, row] : known) {
    if (!there.contains(path)) made.remove(path);
  }
  made.set_complete();
  transaction.commit();
}

LookReport Indexer::rebuild(const SourceRules& rules, const GoOn& go_on) {
  // What has changed while it was made is read as well before it is swapped in, so that nothing
  // that was found before is missing for a while.
  constexpr int kRounds = 3;
  auto made = folder_.make_beside();
  const state::RemoveOnExit cleanup(made->db().path());
  LookReport report;
  for (int i = 0; i < kRounds; ++i) {
    Work work(rules, made->name());
    work.report.listing = work.look.list(go_on);
    read_all_into(*made, work, go_on);
    const bool quiet = work.report.read == 0;
    if (i == 0) report = std::move(work.report);
    if (!report.finished || !work.report.finished) {
      report.finished = false;
      return report;
    }
    if (quiet) break;
  }
  report.added = made->count_files();
  made->tidy();
  index_.reset();
  folder_.swap_in(std::move(made));
  report.finished = look(rules, go_on).finished;
  return report;
}

std::string Indexer::check() {
  try {
    return index().check();
  } catch (const std::exception& failure) {
    if (!is_damage(failure)) throw;
    return failure.what();
  }
}

}  // namespace phasegate::rag
