#include "world/target.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <vector>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world {
namespace fs = std::filesystem;
namespace {

base::Error refuse(std::string message, std::string hint) {
  return {"invalid_argument", std::move(message), std::move(hint), "target_file"};
}

base::Error refuse_outside(std::string_view text) {
  return refuse(base::in_quotes(text) + " lies outside the project",
                "give a path within the project, relative to its root");
}

std::optional<base::Error> check_characters(std::string_view text) {
  if (!base::is_utf8(text)) return refuse("the target is not valid UTF-8", "write it in UTF-8");
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return refuse(base::in_quotes(text) + " holds a control character", "write it without");
    }
  }
  return std::nullopt;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_file_uri(std::string_view text) {
  constexpr std::string_view kFile = "file:/";
  return base::lowered(text.substr(0, kFile.size())) == kFile;
}

/// `https://…` and the like.
bool is_other_uri(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text.front())) return false;
  const std::string_view scheme = text.substr(0, colon);
  return std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
  });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The absolute path that `file:///path` or `file:/path` stands for.
base::Result<std::string> path_of_uri(std::string_view uri) {
  std::string_view rest = uri.substr(std::string_view("file:").size());
  if (rest.starts_with("//")) rest.remove_prefix(2);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = rest.find('/');
  const std::string host = base::lowered(rest.substr(0, slash));
  if (slash == std::string_view::npos || (!host.empty() && host != "localhost")) {
    return refuse(base::in_quotes(uri) + " names no file on this machine",
                  "write file:///path, or a path relative to the project's root");
  }
  rest.remove_prefix(slash);
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] != '%') {
      path += rest[i];
      continue;
    }
    const int high = i + 2 < rest.size() ? hex_digit(rest[i + 1]) : -1;
    const int low = i + 2 < rest.size() ? hex_digit(rest[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return refuse(base::in_quotes(uri) + " has a % that is not followed by two hex digits",
                    "write % as %25");
    }
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (auto problem = check_characters(path)) return *std::move(problem);
  return path;
}

/// `a//./b/../c` → `a/c`; nullopt if it climbs above its start. Empty for the start itself.
std::optional<std::string> resolved(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : base::split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.emplace_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  return base::joined(parts, "/");
}

/// What of the absolute path `path` lies below `root`; nullopt if it does not.
std::optional<std::string> below(std::string_view root, std::string_view path) {
  const auto clean_root = resolved(root);
  const auto clean_path = resolved(path);
  if (!clean_root || !clean_path) return std::nullopt;
  if (clean_root->empty() || *clean_path == *clean_root) {
    return clean_root->empty() ? *clean_path : std::string();
  }
  if (!clean_path->starts_with(*clean_root + "/")) return std::nullopt;
  return clean_path->substr(clean_root->size() + 1);
}

base::Result<std::string> relative_to(const fs::path& root, const std::string& path,
                                      std::string_view text) {
  auto relative = below(root.generic_string(), path);
  if (!relative) {
    // The same folder may be written through a link.
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    if (!failed) relative = below(root.generic_string(), real.generic_string());
  }
  if (!relative) return refuse_outside(text);
  return relative->empty() ? std::string(".") : *std::move(relative);
}

}  // namespace

base::Result<std::string> normalise_target(const fs::path& root, std::string_view text) {
  if (text.size() > base::limits::kTargetBytesMax) {
    return refuse("the target has " + std::to_string(text.size()) + " bytes, the limit is " +
                      std::to_string(base::limits::kTargetBytesMax),
                  "give a path or a short name");
  }
  text = base::trimmed(text);
  if (auto problem = check_characters(text)) return *std::move(problem);
  if (is_file_uri(text)) {
    const auto path = path_of_uri(text);
    if (!path) return path.error();
    return relative_to(root, *path, text);
  }
  if (is_other_uri(text)) return std::string(text);
  if (text.starts_with('/')) return relative_to(root, std::string(text), text);
  if (text.starts_with("~/")) {
    return refuse(base::in_quotes(text) + " begins in the home folder, which is not looked up",
                  "give a path within the project, relative to its root");
  }
  if (text.find('/') == std::string_view::npos && text != "..") return std::string(text);
  auto relative = resolved(text);
  if (!relative) return refuse_outside(text);
  return relative->empty() ? std::string(".") : *std::move(relative);
}

}  // namespace phasegate::world
