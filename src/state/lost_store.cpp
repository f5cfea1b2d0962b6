#include "state/lost_store.h"

#include <string>

#include <sys/stat.h>

#include "state/seal/anchor.h"
#include "state/store_file.h"

namespace phasegate::state {

std::optional<base::Error> lost_store(const std::filesystem::path& folder) {
  const auto file = folder / kStoreFileName;
  const auto there = [&] {
    struct stat status{};
    return ::lstat(file.c_str(), &status) == 0;
  };
  if (there()) return std::nullopt;
  const std::int64_t counter = counter_of_any(folder);
  // The second look is for a process that has made the database and committed in between.
  if (counter == 0 || there()) return std::nullopt;
  const std::string name(kStoreFileName);
  return base::Error{"damaged",
                     name + " is gone; " + std::string(kAnchorFileName) +
                         " beside it says that there was one, with the counter " +
                         std::to_string(counter),
                     "nothing is begun in its place: put it back, or a copy of it with `phasegate "
                     "restore FILE`; without any, a person begins with an empty state with "
                     "`phasegate restore --set-aside`",
                     ""};
}

}  // namespace phasegate::state
