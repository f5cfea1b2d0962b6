#pragma once
#include <string>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "world/database/backups.h"
#include "world/database/guarded_database.h"
#include "world/database/migrations.h"

/// What `phasegate db` prints.
namespace phasegate::app::cli {

/// A table, and how many rows; empty for a statement that gives no columns.
[[nodiscard]] std::string rows_text(const world::database::Rows& rows, const Page& page);
[[nodiscard]] base::Json rows_json(const world::database::Rows& rows);

/// What a person is asked to agree to.
[[nodiscard]] std::string confirmation_text(const std::string& file, const std::string& sql,
                                            const world::database::Confirmation& confirmation,
                                            const Page& page);

[[nodiscard]] base::Json backup_json(const world::database::Backup& backup);
[[nodiscard]] std::string backups_text(const std::string& file,
                                       const world::database::BackupList& list, const Page& page);

/// `4.0 KiB`
[[nodiscard]] std::string size_text(std::int64_t bytes);

}  // namespace phasegate::app::cli
