#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/file_names.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/step_files.h"
#include "world/checks/text_pattern.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;
using gating::CheckResult;

namespace {

constexpr std::size_t kNamesShownMax = 10;
constexpr std::size_t kNameBytesShown = 80;

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Looks at one file on one check's behalf. What is not as wanted is gathered in `problems`; what
/// could not be looked at is an error.
class FileLook {
 public:
  FileLook(const Ask& ask, std::string path)
      : ask_(ask), parameters_(ask), path_(std::move(path)), name_(shown_path(path_)) {}

  CheckResult result() {
    const auto file = OpenedFile::open(ask_.place.root, path_);
    const bool nothing = !file && file.error().code == "not_found";
    if (!file && !nothing) return without_file(ask_, file.error());
    const bool absent = parameters_.flag("absent") || !parameters_.flag("exists", true);
    std::string digest;
    if (nothing) {
      if (!absent) {
        return failed(ask_, name_ + " does not exist", nearest_file_hint(ask_.place.root, path_));
      }
    } else if (absent) {
      return failed(ask_, name_ + " is there, wanted none", "delete it");
    } else if (file->is_folder()) {
      return folder();
    } else if (parameters_.text("type") == "folder") {
      return failed(ask_, name_ + " is a file, wanted a folder", "name the folder");
    } else if (auto looked = look_at(*file, digest); !looked) {
      return without_file(ask_, looked.error());
    }
    if (auto looked = changed(digest); !looked) return without_file(ask_, looked.error());
    CheckResult result =
        problems_.empty() ? passed(ask_) : failed(ask_, base::joined(problems_, "; "));
    if (!nothing) {
      Json value = {{"size", file->size()}};
      if (!digest.empty()) value["sha256"] = digest;
      result.value = base::dump(value);
    }
    return result;
  }

 private:
  CheckResult folder() {
    bool file = parameters_.text("type") == "file";
    for (const char* member :
         {"min_size", "matches", "lacks", "matches_all", "sha256", "changed_since_step"}) {
      file = file || parameters_.has(member);
    }
    if (file) {
      return failed(ask_, name_ + " is a folder, wanted a file", "name a file in it");
    }
    return passed(ask_);
  }

  Result<void> look_at(const OpenedFile& file, std::string& digest) {
    if (const auto least = parameters_.whole("min_size");
        least && file.size() < static_cast<std::uint64_t>(std::max<std::int64_t>(*least, 0))) {
      problems_.push_back(name_ + " has " + base::counted(file.size(), "byte") +
                          ", wanted at least " + std::to_string(*least));
    }
    bool reads = false;
    for (const char* member : {"matches", "lacks", "matches_all", "sha256", "changed_since_step"}) {
      reads = reads || parameters_.has(member);
    }
    if (!reads && file.size() > base::limits::kCheckedFileBytesMax) return {};
    const auto bytes = file.bytes(base::limits::kCheckedFileBytesMax);
    if (!bytes) return bytes.error();
    digest = base::sha256_hex(*bytes);
    if (auto done = patterns(*bytes); !done) return done;
    if (auto done = names(*bytes); !done) return done;
    return wanted_digest(digest);
  }

  Result<void> patterns(const std::string& bytes) {
    if (!parameters_.has("matches") && !parameters_.has("lacks")) return {};
    const std::string text = searchable(bytes);
    if (const auto wanted = parameters_.text("matches")) {
      const auto pattern = TextPattern::compile(*wanted);
      if (!pattern) return pattern.error();
      if (!pattern->found_in(text)) {
        problems_.push_back(name_ + " holds nothing that matches " + pattern->shown());
      }
    }
    if (const auto unwanted = parameters_.text("lacks")) {
      const auto pattern = TextPattern::compile(*unwanted);
      if (!pattern) return pattern.error();
      if (const auto line = pattern->first_line(text)) {
        problems_.push_back(name_ + " matches " + pattern->shown() + " on line " +
                            std::to_string(*line) + ", wanted nothing that does");
      }
    }
    return {};
  }

  Result<void> names(const std::string& bytes) {
    if (!parameters_.has("matches_all")) return {};
    const auto list = parameters_.value("matches_all", Json::object());
    if (!list) return list.error();
    const std::string written = parameters_.text("matches_all").value_or("matches_all");
    if (!list->is_array()) {
      problems_.push_back(written + " is " + std::string(base::json_type_name(*list)) +
                          ", wanted a list of texts");
      return {};
    }
    if (list->empty()) problems_.push_back(written + " is empty: there is nothing to look for");
    std::vector<std::string> names;
    for (const Json& item : *list) {
      if (!item.is_string()) {
        problems_.push_back(written + " holds " + std::string(base::json_type_name(item)) +
                            ", wanted texts only");
        return {};
      }
      names.push_back(item.get<std::string>());
    }
    const auto missing = names_not_in(names, bytes);
    if (!missing) return missing.error();
    if (missing->empty()) return {};
    std::string shown;
    for (std::size_t i = 0; i < missing->size() && i < kNamesShownMax; ++i) {
      shown +=
          (i == 0 ? "" : ", ") + base::in_quotes(base::shortened((*missing)[i], kNameBytesShown));
    }
    if (missing->size() > kNamesShownMax) {
      shown += " and " + std::to_string(missing->size() - kNamesShownMax) + " more";
    }
    problems_.push_back(name_ + " does not hold " + shown);
    return {};
  }

  Result<void> wanted_digest(const std::string& digest) {
    if (!parameters_.has("sha256")) return {};
    const auto filled = parameters_.filled("sha256");
    if (!filled) return filled.error();
    const std::string wanted = base::lowered(base::trimmed(*filled));
    if (!is_sha256(wanted)) {
      return Error{"invalid_check", "sha256 is no digest of 64 hexadecimal digits", "", ""};
    }
    if (wanted != digest) {
      problems_.push_back(name_ + " has the SHA-256 " + digest + ", wanted " + wanted);
    }
    return {};
  }

  Result<void> changed(const std::string& digest) {
    if (!parameters_.flag("changed_since_step")) return {};
    const auto before = digest_at_entry(ask_.scene, path_);
    if (!before) return before.error();
    if (!before->has_value()) {
      return Error{"not_observed",
                   name_ +
                       " was not looked at when the phase was entered, so whether it has "
                       "changed cannot be told",
                   "", ""};
    }
    if (**before != digest) return {};
    problems_.push_back(digest.empty() ? name_ + " was not there when the phase was entered either"
                                       : name_ + " has not changed since the phase was entered");
    return {};
  }

  const Ask& ask_;
  const Parameters parameters_;
  const std::string path_;
  const std::string name_;
  std::vector<std::string> problems_;
};

}  // namespace

CheckResult check_file(const Ask& ask) {
  const Parameters parameters(ask);
  if (parameters.text("type") == "folder") {
    // The project's own folder, which no other check of a path takes for one.
    const auto filled = parameters.filled("path");
    if (filled && (*filled == "." || *filled == "./")) return about(passed(ask), ".");
  }
  const auto path = parameters.path("path");
  if (!path) return unclear(ask, path.error().message, path.error().hint);
  return about(FileLook(ask, *path).result(), *path);
}

}  // namespace phasegate::world::checks
