#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "mcp/http/tokens.h"
#include "tests/support/files.h"

namespace phasegate::mcp::http {
namespace {

namespace fs = std::filesystem;
namespace limits = base::limits;

const std::string kToken(limits::kTokenBytesMin, 'a');
const std::string kOther(limits::kTokenBytesMin, 'b');

std::string private_file(const test::TempFolder& folder, const std::string& bytes,
                         mode_t mode = 0600) {
  const fs::path file = folder.write("tokens", bytes);
  REQUIRE(::chmod(file.c_str(), mode) == 0);
  return file.string();
}

}  // namespace

TEST_CASE("tokens: each stands for its name, and nothing else does") {
  const test::TempFolder folder;
  const auto tokens = Tokens::read(private_file(
      folder, "\xEF\xBB\xBF# who may ask\r\n\r\nalice " + kToken + "\r\n  bob@box.example\t \t" +
                  kOther + "  \n#carol " + kToken + "\n"));
  REQUIRE_MESSAGE(tokens.ok(), base::to_text(tokens.error()));
  CHECK((*tokens)->name_of(kToken) == "alice");
  CHECK((*tokens)->name_of(kOther) == "bob@box.example");
  for (const std::string& wrong :
       {std::string(), kToken + "a", kToken.substr(1), std::string(kToken.size(), 'A'),
        kToken + " ", std::string("alice"), "alice " + kToken, std::string(100'000, 'a')}) {
    CHECK_FALSE((*tokens)->name_of(wrong).has_value());
  }
}

TEST_CASE("tokens: the longest and the last without a newline are fine") {
  const test::TempFolder folder;
  const std::string longest(limits::kTokenBytesMax, '~');
  const std::string name(limits::kTokenNameBytesMax, 'n');
  const auto tokens = Tokens::read(private_file(folder, name + " " + longest));
  REQUIRE_MESSAGE(tokens.ok(), base::to_text(tokens.error()));
  CHECK((*tokens)->name_of(longest) == name);
}

TEST_CASE("tokens: what is wrong is told with its line and without the token") {
  struct Row {
    std::string bytes;
    std::string says;
    int line;  ///< 0: about the whole file
  };
  const std::vector<Row> rows{
      {"", "holds no token", 0},
      {"# only a comment\n\n", "holds no token", 0},
      {"alice\n", "the token is missing", 1},
      {"\n# x\nalice " + kToken.substr(1) + "\n", "at least 32", 3},
      {"alice " + std::string(limits::kTokenBytesMax + 1, 'a'), "at most 1024", 1},
      {"alice " + kToken + " more", "something behind the token", 1},
      {"alice " + kToken + "\nbob " + kToken, "this token is there twice", 2},
      {"alice " + kToken + "\nalice " + kOther, "\"alice\" is there twice", 2},
      {"alice " + kToken + "\xC3\xA9", "visible ASCII", 1},
      {"alice " + kToken + std::string(1, '\0'), "visible ASCII", 1},
      {"alice " + kToken + "\x7F", "visible ASCII", 1},
      {"al\xC3\xAD"
       "ce " +
           kToken,
       "a name consists of", 1},
      {"al/ice " + kToken, "a name consists of", 1},
      {"\"alice\" " + kToken, "a name consists of", 1},
      {std::string(limits::kTokenNameBytesMax + 1, 'n') + " " + kToken, "at most 64", 1},
      {kToken, "the token is missing", 1},
      {std::string(limits::kTokensFileBytesMax, '#') + "#", "larger than", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes.substr(0, 100));
    const test::TempFolder folder;
    const std::string path = private_file(folder, row.bytes);
    const auto tokens = Tokens::read(path);
    REQUIRE_FALSE(tokens.ok());
    CHECK(tokens.error().code == "invalid_tokens");
    const std::string text = base::to_text(tokens.error());
    CHECK_MESSAGE(text.find(row.says) != std::string::npos, text);
    CHECK(tokens.error().where == (row.line == 0 ? path : path + ":" + std::to_string(row.line)));
    CHECK(text.find(kToken.substr(1)) == std::string::npos);
  }
}

TEST_CASE("tokens: so many and not one more") {
  const test::TempFolder folder;
  std::string lines;
  for (std::size_t i = 0; i < limits::kTokensMax; ++i) {
    const std::string number = std::to_string(i);
    lines += "n" + number + " " + std::string(limits::kTokenBytesMin - number.size(), 't') +
             number + "\n";
  }
  CHECK(Tokens::read(private_file(folder, lines)).ok());
  const auto tokens = Tokens::read(private_file(folder, lines + "more " + kToken));
  REQUIRE_FALSE(tokens.ok());
  CHECK(tokens.error().message.find(std::to_string(limits::kTokensMax)) != std::string::npos);
}

TEST_CASE("tokens: a file that others may use is refused, whatever the way to it") {
  const test::TempFolder folder;
  const std::string bytes = "alice " + kToken + "\n";
  for (const mode_t mode : {0640U, 0604U, 0644U, 0620U, 0602U, 0610U, 0666U, 0777U}) {
    CAPTURE(mode);
    const auto tokens = Tokens::read(private_file(folder, bytes, mode));
    REQUIRE_FALSE(tokens.ok());
    CHECK(tokens.error().message.find("others than its owner") != std::string::npos);
    CHECK(tokens.error().hint.find("chmod 600") != std::string::npos);
  }
  const fs::path link = folder.path() / "link";
  fs::create_symlink(folder.path() / "tokens", link);
  CHECK_FALSE(Tokens::read(link.string()).ok());
  static_cast<void>(private_file(folder, bytes, 0600));
  CHECK(Tokens::read(link.string()).ok());
  static_cast<void>(private_file(folder, bytes, 0400));
  CHECK(Tokens::read(link.string()).ok());
}

TEST_CASE("tokens: a file of another user's is refused") {
  if (::geteuid() != 0) {
    MESSAGE("only root can give files away: not tested");
    return;
  }
  const test::TempFolder folder;
  const std::string path = private_file(folder, "alice " + kToken + "\n");
  REQUIRE(::chown(path.c_str(), 12'345, 12'345) == 0);
  const auto tokens = Tokens::read(path);
  REQUIRE_FALSE(tokens.ok());
  CHECK(tokens.error().message.find("another user") != std::string::npos);
}

TEST_CASE("tokens: what is no file is refused and never waited for") {
  const test::TempFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& path :
       {pipe.string(), folder.path().string(), (folder.path() / "none").string(), std::string()}) {
    CAPTURE(path);
    const auto tokens = Tokens::read(path);
    REQUIRE_FALSE(tokens.ok());
    CHECK(tokens.error().code == "invalid_tokens");
  }
}

}  // namespace phasegate::mcp::http
