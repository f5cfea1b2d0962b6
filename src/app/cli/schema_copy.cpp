#include "app/cli/schema_copy.h"

#include "app/embedded.h"
#include "app/new_file.h"
#include "base/hash.h"
#include "base/paths.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

/// Every schema begins so.
constexpr std::string_view kBegin = "{\n";
constexpr std::string_view kBeforeDigest =
    "{\n  \"$comment\": \"Written by phasegate new, which renews it as long as it is unchanged: "
    "sha256 ";
constexpr std::string_view kAfterDigest = "\",\n";
constexpr std::size_t kDigestChars = 64;
/// What is larger is none of ours.
constexpr std::size_t kSchemaBytesMax = 1U << 20U;

std::string left(std::string_view why) {
  return std::string(kSchemaFile) + " " + std::string(why) +
         ", so it was left as it is, and editors may not know every key. Move it away, and the "
         "next `phasegate new` writes the present one.";
}

}  // namespace

std::string schema_for_project() {
  const std::string_view schema = workflow_schema();
  return std::string(kBeforeDigest) + base::sha256_hex(schema) + std::string(kAfterDigest) +
         std::string(schema.substr(kBegin.size()));
}

bool is_unchanged_schema(std::string_view text) {
  if (!text.starts_with(kBeforeDigest)) return false;
  text.remove_prefix(kBeforeDigest.size());
  const std::string_view digest = text.substr(0, kDigestChars);
  text.remove_prefix(digest.size());
  if (!text.starts_with(kAfterDigest)) return false;
  text.remove_prefix(kAfterDigest.size());
  return base::sha256_hex(std::string(kBegin) + std::string(text)) == digest;
}

base::Result<std::string> put_schema(const fs::path& root) {
  const fs::path file = root / kSchemaFile;
  const std::string text = schema_for_project();
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (!fs::exists(status)) {
    const auto made = make_new_file(file, text);
    if (!made && made.error().code != "exists") return made.error();
    return made ? std::string() : left("was made by somebody else just now");
  }
  if (fs::is_symlink(status)) return left("is a link");
  if (!fs::is_regular_file(status)) return left("is no file");
  const auto there =
      base::read_file_below(file.parent_path(), file.filename().string(), kSchemaBytesMax);
  if (!there) return left("cannot be read");
  if (*there == text || *there == workflow_schema()) return std::string();
  if (!is_unchanged_schema(*there)) return left("holds something else");
  if (const auto put = put_file(file, text); !put) return put.error();
  return std::string();
}

}  // namespace phasegate::app::cli
