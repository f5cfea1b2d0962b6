#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::test {

/// A folder of its own that disappears with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, making the folders on the way; returns its path.
  std::filesystem::path write(std::string_view relative, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// The whole of a file; fails the test if it cannot be read.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes a file, making the folders on the way.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The checkout (PHASEGATE_SOURCE_DIR).
[[nodiscard]] std::filesystem::path source_folder();
/// A fixture of ours: tests/fixtures/NAME.
[[nodiscard]] std::filesystem::path fixture(std::string_view name);
/// Real documents that we did not write and do not ship (PHASEGATE_SHARED, else ../shared beside
/// the checkout); nullopt where there are none, and the test says so and passes.
[[nodiscard]] std::optional<std::filesystem::path> real_documents(std::string_view relative);

}  // namespace phasegate::test
