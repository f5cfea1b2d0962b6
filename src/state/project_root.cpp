#include "state/project_root.h"

#include "base/text.h"

namespace phasegate::state {
namespace {

constexpr std::string_view kKey = "project_root";

}  // namespace

void keep_project_root(Db& db, std::string_view root) {
  if (root.empty() || !base::is_utf8(root) || read_project_root(db) == root) return;
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").bind_all(kKey, root).run();
}

std::string read_project_root(Db& db) {
  Statement row = db.prepare("SELECT value FROM meta WHERE key = ?");
  return row.bind_all(kKey).step() ? row.text(0) : "";
}

}  // namespace phasegate::state
