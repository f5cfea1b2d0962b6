#pragma once
#include <filesystem>

#include "base/descriptor.h"
#include "base/result.h"

namespace phasegate::world::checks {

/// A private temporary folder that goes with the object, whatever was put into it. While the object
/// lives the folder is locked, so that what a killed process left behind is told from what is in
/// use.
class ScratchFolder {
 public:
  /// A new folder below `scratch`, which is made if it is missing. What earlier processes left
  /// there is removed. Errors (`scratch_failed`): no folder can be made; without machine paths.
  [[nodiscard]] static base::Result<ScratchFolder> make(const std::filesystem::path& scratch);

  ScratchFolder(ScratchFolder&&) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) noexcept;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, base::Descriptor lock);
  void remove();

  std::filesystem::path path_;
  base::Descriptor lock_;
};

}  // namespace phasegate::world::checks
