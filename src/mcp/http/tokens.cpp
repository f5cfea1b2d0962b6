#include "mcp/http/tokens.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::mcp::http {
namespace {

namespace limits = base::limits;

constexpr std::string_view kHint =
    "write one line `NAME TOKEN` for each client; `openssl rand -hex 32` makes a token";

base::Error invalid(std::string message, std::string where, std::string_view hint = kHint) {
  return {"invalid_tokens", std::move(message), std::string(hint), std::move(where)};
}

/// What speaks against the file itself. It is judged once it is open, so that nobody can put
/// another into its place; a link is fine, since it is its target that is judged.
std::optional<base::Error> file_error(int fd, const std::string& path) {
  struct stat status{};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    return invalid("the tokens file is not a regular file", path, "");
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return invalid("the tokens file belongs to another user", path,
                   "copy it to a file of your own");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return invalid("others than its owner may use the tokens file", path,
                   "run `chmod 600` on it, and replace the tokens if others could read them");
  }
  return std::nullopt;
}

base::Result<std::string> read_private_file(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    return invalid(std::string("the tokens file cannot be read: ") + std::strerror(errno), path);
  }
  if (auto error = file_error(file.get(), path)) return *std::move(error);
  std::string bytes;
  char buffer[16 * 1024];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return invalid(std::string("the tokens file cannot be read: ") + std::strerror(errno), path);
    }
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > limits::kTokensFileBytesMax) {
      return invalid("the tokens file is larger than " +
                         std::to_string(limits::kTokensFileBytesMax) + " bytes",
                     path);
    }
  }
}

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
}

std::optional<std::string> name_error(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._@-").find(c) != std::string_view::npos;
  });
  if (!plain) return "a name consists of letters, digits and `. _ @ -`";
  if (name.size() <= limits::kTokenNameBytesMax) return std::nullopt;
  return "a name has at most " + std::to_string(limits::kTokenNameBytesMax) + " characters";
}

/// Never quotes the token: messages end up in logs.
std::optional<std::string> token_error(std::string_view token) {
  if (token.empty()) return "a line is `NAME TOKEN`; the token is missing";
  if (token.find_first_of(" \t") != std::string_view::npos) {
    return "a line is `NAME TOKEN`; there is something behind the token";
  }
  if (!is_visible_ascii(token)) return "a token consists of visible ASCII characters";
  if (token.size() < limits::kTokenBytesMin) {
    return "a token has at least " + std::to_string(limits::kTokenBytesMin) +
           " characters, this one " + std::to_string(token.size());
  }
  if (token.size() <= limits::kTokenBytesMax) return std::nullopt;
  return "a token has at most " + std::to_string(limits::kTokenBytesMax) + " characters";
}

}  // namespace

base::Result<std::shared_ptr<const Tokens>> Tokens::read(const std::string& path) {
  const base::Result<std::string> bytes = read_private_file(path);
  if (!bytes) return bytes.error();
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view text = *bytes;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());

  const auto tokens = std::make_shared<Tokens>();
  std::size_t number = 0;
  for (const std::string_view raw : base::split(text, '\n')) {
    ++number;
    const std::string where = path + ":" + std::to_string(number);
    const std::string_view line = base::trimmed(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const auto blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    const std::string_view token =
        blank == std::string_view::npos ? std::string_view() : base::trimmed(line.substr(blank));
    if (const auto error = name_error(name)) return invalid(*error, where);
    if (const auto error = token_error(token)) return invalid(*error, where);
    Entry entry{std::string(name), base::sha256_hex(token)};
    for (const Entry& earlier : tokens->entries_) {
      if (earlier.name == entry.name) {
        return invalid("the name " + base::in_quotes(name) + " is there twice", where);
      }
      if (earlier.digest == entry.digest) {
        return invalid("this token is there twice; each client has one of its own", where);
      }
    }
    if (tokens->entries_.size() == limits::kTokensMax) {
      return invalid("there are more than " + std::to_string(limits::kTokensMax) + " tokens",
                     where);
    }
    tokens->entries_.push_back(std::move(entry));
  }
  if (tokens->entries_.empty()) return invalid("the tokens file holds no token", path);
  return std::shared_ptr<const Tokens>(tokens);
}

std::optional<std::string> Tokens::name_of(std::string_view token) const {
  const std::string digest = base::sha256_hex(token);
  const Entry* found = nullptr;
  // All are compared, whichever it is.
  for (const Entry& entry : entries_) {
    if (base::equal_in_constant_time(entry.digest, digest)) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return found->name;
}

}  // namespace phasegate::mcp::http
