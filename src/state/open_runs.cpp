#include "state/open_runs.h"

#include <exception>
#include <map>
#include <memory>
#include <system_error>

#include "base/json.h"
#include "base/limits.h"
#include "gating/engine/ports.h"
#include "phases/workflow_json.h"
#include "state/db.h"
#include "state/definitions.h"
#include "state/lost_store.h"
#include "state/migrations.h"
#include "state/project_root.h"
#include "state/run_rows.h"
#include "state/seal/open_seal.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;

namespace {

/// As the engine reads them.
constexpr base::JsonLimits kModelLimits{base::limits::kWorkflowBytesMax,
                                        base::limits::kDocumentDepthMax};

using Workflows = std::map<std::string, phases::Workflow>;

base::Result<phases::Workflow> read_workflow(Db& db, Seal* seal, const std::string& hash) {
  const auto stored = read_definition(db, seal, hash);
  const base::Error damaged{"damaged", "its workflow is missing or cannot be read", "", ""};
  if (!stored) return damaged;
  const auto json = base::parse_json(stored->model, kModelLimits);
  if (!json) return damaged;
  auto workflow = phases::workflow_from_json(*json);
  if (!workflow) return damaged;
  return workflow;
}

/// One run that is damaged does not hide the others.
void add_run(Db& db, Seal* seal, const std::string& id, Workflows& workflows, OpenRuns& open) {
  try {
    VerifiedRuns none;
    auto row = read_run(db, seal, id, none);
    if (!row) return;
    const std::string& hash = row->run.definition_hash;
    auto known = workflows.find(hash);
    if (known == workflows.end()) {
      auto workflow = read_workflow(db, seal, hash);
      if (!workflow) {
        open.problems.push_back("session " + id + ": " + workflow.error().message);
        return;
      }
      known = workflows.emplace(hash, *std::move(workflow)).first;
    }
    open.runs.push_back({std::move(row->run), known->second});
  } catch (const StoreFailure& failure) {
    open.problems.push_back(failure.error().message);
  }
}

OpenRuns read_all(const fs::path& file) {
  Db db(file, {.mode = DbOptions::Mode::read_only,
               .busy_ms = base::limits::kStoreBusyMs,
               .application_id = kApplicationId});
  const Snapshot snapshot(db);
  require_version_at_most(db, kStoreFileName, newest_version(all_migrations()));
  OpenRuns open;
  open.project_root = read_project_root(db);
  auto seal = open_seal(db, file.parent_path());
  std::vector<std::string> ids;
  Statement rows = db.prepare("SELECT id FROM run WHERE open = 1 ORDER BY updated_at, id");
  while (rows.step()) ids.push_back(rows.text(0));
  Workflows workflows;
  for (const std::string& id : ids) add_run(db, seal ? &*seal : nullptr, id, workflows, open);
  return open;
}

}  // namespace

base::Result<OpenRuns> read_open_runs(const fs::path& folder) {
  try {
    const fs::path file = folder / kStoreFileName;
    std::error_code failed;
    if (fs::exists(file, failed) || failed) return read_all(file);
    if (auto lost = lost_store(folder)) return *std::move(lost);
    return OpenRuns();
  } catch (const StoreFailure& failure) {
    return failure.error();
  } catch (const std::exception& problem) {
    return base::Error{"damaged", std::string("it cannot be read: ") + problem.what(), "", ""};
  }
}

}  // namespace phasegate::state
