#include "rag/source_walk.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <variant>

#include <dirent.h>
#include <fcntl.h>

#include "base/limits.h"
#include "base/text.h"
#include "rag/source_file.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
using base::Descriptor;

namespace {

constexpr std::size_t kShownBytesMax = 80;

std::string shown(std::string_view path) {
  return base::in_quotes(base::shortened(path, kShownBytesMax));
}

}  // namespace

Listing SourceWalk::run() && {
  found_.refused = judge_.refused();
  found_.sources = judge_.folders();
  for (const std::string& folder : judge_.folders()) {
    if (!goes_on()) break;
    begin(folder);
    while (!next_.empty() && goes_on()) {
      const std::string next = std::move(next_.back());
      next_.pop_back();
      look_into(next);
    }
  }
  limit_refused();
  found_.folders.assign(watched_.begin(), watched_.end());
  return std::move(found_);
}

/// A folder of the rules. What belongs to a workflow is refused in the same words whether it exists
/// or not: the rules may be an assistant's, who would ask for the folders of a locked phase.
void SourceWalk::begin(const std::string& folder) {
  const auto why = judge_.folder(folder);
  if (why == LeftOut::too_many || why == LeftOut::unknown) return leave_out(folder + "/", *why);
  std::optional<Problem> problem;
  const bool there = is_there(folder, problem);
  if (why == LeftOut::withheld) {
    problem = Problem{"withheld", "it belongs to a workflow",
                      "put documents for everybody into a folder of their own"};
  }
  if (problem) return refuse(folder, *problem);
  if (!there) return;
  if (why) return leave_out(folder + "/", *why);
  next_.push_back(folder);
}

/// What is on the way to a folder is watched as far as it exists: the rest may come into being.
bool SourceWalk::is_there(const std::string& folder, std::optional<Problem>& problem) {
  for (std::size_t end = 0; end < folder.size();) {
    end = std::min(folder.find('/', end + (end == 0 ? 0 : 1)), folder.size());
    const std::string part = folder.substr(0, end);
    const std::string name = shown(part);
    std::error_code failed;
    switch (fs::symlink_status(rules_.root / part, failed).type()) {
      case fs::file_type::directory:
        watched_.insert(part);
        continue;
      case fs::file_type::not_found:
        return false;
      case fs::file_type::none:
        if (is_passing(failed.value())) {
          leave_out(part + "/", LeftOut::unknown);
          return false;
        }
        problem = Problem{"unreadable", name + " cannot be looked at", "allow reading it"};
        return false;
      case fs::file_type::symlink:
        // Wherever it leads: that would tell what exists there.
        problem = Problem{"not_a_folder", name + " is a link, which is not followed",
                          "name a folder of the project itself"};
        return false;
      default:
        problem = Problem{"not_a_folder", name + " is no folder", "name a folder"};
        return false;
    }
  }
  return true;
}

void SourceWalk::refuse(const std::string& folder, const Problem& problem) {
  found_.refused.push_back(
      {problem.code,
       "the folder " + shown(folder.empty() ? "." : folder) + " is not searched: " + problem.what,
       problem.hint, base::shortened(folder, kShownBytesMax)});
}

void SourceWalk::limit_refused() {
  std::vector<base::Error>& refused = found_.refused;
  if (refused.size() <= kRefusedMax) return;
  const std::size_t more = refused.size() - (kRefusedMax - 1);
  refused.resize(kRefusedMax - 1);
  refused.push_back({"more_refused", std::to_string(more) + " more folders are not searched",
                     "mend the others first", ""});
}

void SourceWalk::look_into(const std::string& folder) {
  if (!looked_into_.insert(folder).second) return;
  const Descriptor open = open_folder(rules_.root, folder);
  if (!open.open()) {
    // Gone, or a link by now: nothing is there to be told.
    const LeftOut why = why_not_opened(errno);
    if (why != LeftOut::gone) leave_out(folder + "/", why);
    return;
  }
  watched_.insert(folder);
  const auto entries = entries_of(open, entries_left_);
  if (!entries) return leave_out(folder + "/", why_not_opened(errno));
  if (entries->size() > entries_left_) {
    entries_left_ = 0;
    return leave_out(folder + "/", LeftOut::too_many);
  }
  entries_left_ -= entries->size();
  // The last of the stack comes first.
  for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
    const std::string path = path_in(folder, entry->name);
    struct stat status{};
    const bool is_folder = entry->type == DT_DIR || (entry->type == DT_UNKNOWN &&
                                                     ::fstatat(open.get(), entry->name.c_str(),
                                                               &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                                                     S_ISDIR(status.st_mode));
    if (!is_folder || !goes_on()) continue;
    const auto why = judge_.folder(path);
    if (!why) {
      next_.push_back(path);
    } else if (*why != LeftOut::not_chosen) {
      leave_out(path + "/", *why);
    }
  }
  for (const FolderEntry& entry : *entries) {
    if (entry.type != DT_DIR && goes_on()) take(open, folder, entry);
  }
}

void SourceWalk::take(const Descriptor& in, const std::string& folder, const FolderEntry& entry) {
  const std::string path = path_in(folder, entry.name);
  struct stat status{};
  if (const auto why = judge_.file(path, SourceJudge::As::source)) {
    if (*why != LeftOut::not_chosen) leave_out(path, *why);
    return;
  }
  if (found_.files.size() >= base::limits::kSearchFilesMax) {
    return leave_out(path, LeftOut::too_many);
  }
  if (::fstatat(in.get(), entry.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (is_passing(errno)) leave_out(path, LeftOut::unknown);
    return;  // else gone meanwhile
  }
  if (S_ISDIR(status.st_mode)) return;
  if (S_ISLNK(status.st_mode)) return take_link(folder, path);
  if (const auto why = judge_status(status)) return leave_out(path, *why);
  found_.files.push_back(stamp_of(path, status));
}

void SourceWalk::take_link(const std::string& folder, const std::string& path) {
  auto opened = open_source(rules_, judge_, path, Hold::stamp);
  if (const auto* why = std::get_if<LeftOut>(&opened)) {
    if (*why != LeftOut::not_chosen) leave_out(path, *why);
    return;
  }
  const OpenedSource& file = std::get<OpenedSource>(opened);
  if (!file.target.empty()) {
    const std::string at(folder_of(file.target));
    watched_.insert(at);
    if (at != folder) found_.linked.emplace(at, folder);
  }
  found_.files.push_back(stamp_of(path, file.status));
}

bool SourceWalk::goes_on() {
  constexpr std::size_t kAskEvery = 64;
  if (found_.finished && go_on_ && asked_++ % kAskEvery == 0) found_.finished = go_on_();
  return found_.finished;
}

/// `path` of a folder ends with a slash.
void SourceWalk::leave_out(const std::string& path, LeftOut why) {
  if (why == LeftOut::unknown) {
    found_.unknown_folders.insert(path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
  }
  ++found_.left_out[why];
  if (found_.examples.size() < kLeftOutExamplesMax) found_.examples.emplace_back(path, why);
}

}  // namespace phasegate::rag
