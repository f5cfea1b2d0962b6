#include "world/database/side_files.h"

#include <sys/stat.h>

#include "base/text.h"

namespace phasegate::world {

base::Result<void> usual_side_files(const std::filesystem::path& database,
                                    const std::string& name) {
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    struct stat found{};
    const std::string file = database.string() + suffix;
    if (::lstat(file.c_str(), &found) != 0 || S_ISREG(found.st_mode)) continue;
    return base::Error{"not_a_file", base::in_quotes(name + suffix) + " is no regular file",
                       "SQLite keeps such a file beside the database; take away what is there",
                       name};
  }
  return {};
}

}  // namespace phasegate::world
