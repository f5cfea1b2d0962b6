#include "app/search_rules.h"

#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "gating/engine/project_file.h"
#include "rag/text_digest.h"
#include "state/stored_texts.h"

namespace phasegate::app {
namespace {

namespace fs = std::filesystem;

/// What spec-driven workflows call the document that their phases are made from, whether or not
/// such a workflow is here now: a session that began with one may still go on.
constexpr std::string_view kTasksDocument = "tasks.md";
constexpr std::size_t kFolderDigits = 16;

}  // namespace

void SearchRules::look_at_texts(const std::vector<gating::engine::FoundWorkflow>& workflows) {
  bool changed = false;
  std::map<const phases::LoadedWorkflow*, Known> found;
  for (const gating::engine::FoundWorkflow& workflow : workflows) {
    const auto known = found_.find(workflow.loaded.get());
    if (known != found_.end()) {
      found.insert(*known);
      continue;
    }
    changed = true;
    Known fresh{workflow.loaded, {}};
    for (const auto& [hash, bytes] : workflow.loaded->blobs) {
      fresh.digests.insert(hash);
      fresh.digests.insert(rag::plain_digest(bytes));
    }
    found.emplace(workflow.loaded.get(), std::move(fresh));
  }
  changed = changed || found.size() != found_.size();
  found_ = std::move(found);
  if (std::string mark = store_.texts().mark(); mark != stored_mark_) {
    changed = true;
    stored_.clear();
    store_.texts().each([&](const std::string& hash, std::string_view bytes) {
      stored_.insert(hash);
      stored_.insert(rag::plain_digest(bytes));
    });
    stored_mark_ = std::move(mark);
  }
  if (!changed) return;
  Digests all = stored_;
  for (const auto& [loaded, known] : found_) {
    all.insert(known.digests.begin(), known.digests.end());
  }
  // An empty file tells nothing.
  all.erase(base::sha256_hex(""));
  if (all == all_) return;
  all_ = std::move(all);
  ++changes_;
}

base::Result<rag::SourceRules> SearchRules::now(
    const std::vector<gating::engine::FoundWorkflow>& workflows) {
  const auto config = gating::engine::project_file(&documents_);
  auto rules = rag::source_rules(settings_.root, config ? config->search : phases::SearchConfig());
  if (!rules) return rules.error();
  if (!settings_.project.worktree.empty()) rules->git_folder = settings_.project.key_path;
  rules->worktree = settings_.project.worktree;
  rag::Withheld& withheld = rules->withheld;
  std::error_code error;
  for (const phases::Place& place : settings_.places) {
    if (place.built_in) continue;
    const fs::path folder = fs::canonical(place.folder, error);
    if (!error) withheld.folders.push_back(folder);
  }
  // A state folder in the project holds databases that are open here.
  const fs::path state = fs::canonical(settings_.state_folder, error);
  if (!error) withheld.folders.push_back(state);
  withheld.names.insert(std::string(kTasksDocument));
  for (const gating::engine::FoundWorkflow& found : workflows) {
    const auto& dynamic = found.loaded->workflow.dynamic;
    if (dynamic) withheld.names.insert(base::lowered(dynamic->file));
  }
  look_at_texts(workflows);
  withheld.digests = all_;
  return rules;
}

fs::path search_folder(const Settings& settings) {
  base::Digest digest;
  digest.add(settings.root.string());
  for (const phases::Place& place : settings.places) digest.add(place.folder.string());
  return settings.state_folder / "search" / digest.hex().substr(0, kFolderDigits);
}

}  // namespace phasegate::app
