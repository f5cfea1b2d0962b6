#include "rag/secret_files.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/files.h"

namespace phasegate::rag {
namespace {

/// Secrets are put together here, so that nobody who looks for them finds this file.
std::string joined(std::string_view a, std::string_view b) {
  return std::string(a) + std::string(b);
}

std::string private_key(const std::string& line_end) {
  const std::string line =
      "MIIEpAIBAAKCAQEA3vT7xKq9bZ0dLw8JmYcR2fUoHs5gPnEaXiWtQkVlBuDyCjNz" + line_end;
  return joined("-----BEGIN RSA PRIV", "ATE KEY-----") + line_end + line + line +
         joined("-----END RSA PRIV", "ATE KEY-----") + line_end;
}

}  // namespace

TEST_CASE("secret files: names that secrets are kept under") {
  for (const char* name : {".env",
                           ".env.local",
                           "prod.env",
                           "a/b/server.pem",
                           "tls.key",
                           "x.p12",
                           "x.PFX",
                           "x.jks",
                           "app.keystore",
                           "vault.kdbx",
                           "id_rsa",
                           "id_rsa.pub",
                           "id_ed25519",
                           ".netrc",
                           ".npmrc",
                           ".pypirc",
                           "credentials",
                           ".credentials",
                           "aws_credentials.txt",
                           "Credentials.JSON",
                           "my-credentials.cfg",
                           "secrets.yaml",
                           "secrets.txt",
                           "db.secret"}) {
    CAPTURE(name);
    CHECK(has_secret_name(name));
  }
  for (const char* name :
       {"credential-file-protection.md", "credentials.md", "secrets.rst", "keys.txt",
        "environment.txt", "key.txt", "secret.txt", "", "a/", "monkey"}) {
    CAPTURE(name);
    CHECK_FALSE(has_secret_name(name));
  }
}

TEST_CASE("secret files: texts that hold one") {
  const std::string secrets[] = {
      private_key("\n"),
      private_key("\r\n"),
      "# Notes\n\n" + private_key("\n"),
      "{\"private_key\": \"" + private_key("\\n") + "\"}",
      joined("-----BEGIN PRIV", "ATE KEY-----\n") +
          "MC4CAQAwBQYDK2VwBCIEIJ2fUoHs5gPnEaXiWtQkVlBuDyCjNzKq9bZ0dLw8JmYc\n",
      "the key is " + joined("AKI", "AZ7Q4M2N8P1R6T3WX") + ".",
      "token: " + joined("ghp_", "q8Zr2Lx9Vt5Nb7Kc1Mw4Hd6Js3Fg0Pa2Yu8E"),
      joined("github_pat_", "11AB2CD3E0fGhIjKlMnOpQ_rS4tU5vW6xY7zA8bC9dE0fG1hI2jK3lM4"),
      joined("xoxb-", "2817364509-9384756102-kJ8hG6fD4sA2"),
      joined("AIza", "SyB7q9Xw3Rt5Yu1Io2Pa4Sd6Fg8Hj0Kl-_Z"),
      joined("sk_live_", "9fG7hJ5kL3zX1cV8"),
      joined("hf_", "qZr8Lx2VtNbKcMwHdJsFgPaYuEiOrTyUpW"),
      joined("sk-proj-", "q8Zr2Lx9Vt5Nb7Kc1Mw4_Hd6Js3-Fg0Pa2Yu8E"),
      joined("the key: sk", "-q8Zr2Lx9Vt5Nb7Kc1Mw4Hd6Js3Fg0Pa2Yu8ErTyUpWvBnMq3K"),
      joined("DB_PASS", "WORD=h7Gq!92mZx\nHOST=localhost\n# it is ours\nPORT=5432\n"),
      joined("export API_TOK", "EN=\"b81f0c2d9e7a\"\n"),
  };
  for (const std::string& text : secrets) {
    CAPTURE(text);
    CHECK(holds_secret(text));
  }
}

TEST_CASE("secret files: examples and documents about secrets hold none") {
  const std::string texts[] = {
      "",
      "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n",
      "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n",
      "-----BEGIN PUBLIC KEY-----\n" + std::string(64, 'M') + "\n",
      "grep for `-----BEGIN PRIVATE KEY-----` in the repository, and for nothing else than that.",
      joined("AKI", "AIOSFODNN7EXAMPLE"),
      joined("ghp_", std::string(36, 'x')),
      joined("ghp_", "your_token_goes_here"),
      joined("sk_live_", "abc123"),
      joined("xAKI", "AZ7Q4M2N8P1R6T3WX"),
      "PASSWORD=<your password>\n",
      "PASSWORD=${DB_PASSWORD}\nHOST=localhost\n",
      "PASSWORD=changeme-please\n",
      "PASSWORD=\nTOKEN=\"\"\n",
      "HOST=localhost\nPORT=5432\nNAME=phasegate-database\n",
      // One line of a document is not most of it.
      joined("# How to\n\nSet the password:\n\nDB_PASS", "WORD=h7Gq!92mZx\n\nand start it.\n"),
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK_FALSE(holds_secret(text));
  }
}

TEST_CASE("secret files: fields that hold one, where nothing is explained") {
  const std::string secrets[] = {
      joined("pass", "word: Zk93qLw7"),
      joined("host: db\n  pass", "word: Zk93qLw7\n  port: 5432\n"),
      joined("{\"host\":\"db\",\"db_pass", "word\":\"Zk93qLw7x\"}"),
      joined("Client-Sec", "ret: \"b81f0c2d9e7a\"\r\n"),
      joined("api", "Key: q8Zr2Lx9Vt5N, next"),
  };
  for (const std::string& text : secrets) {
    CAPTURE(text);
    CHECK(holds_secret_field(text));
    CHECK_FALSE(holds_secret(text));
  }
  for (const char* text :
       {"", ":", "password:", "password: ", "password: \"", "password: none", "password: required",
        "password: <yours2>", "password: ${DB_PASSWORD2}", "password: example1234",
        "password_length: a1b2c3d4e5", "max_tokens: a1b2c3d4e5", "The password: it has 12 letters.",
        "token: https://h7Gq92mZx.org/x1", "\"secret\": \"Zk93\nqLw7\"", "tokens: Zk93qLw7x"}) {
    CAPTURE(text);
    CHECK_FALSE(holds_secret_field(text));
  }
  for (const char* path : {"a.md", "x.y/A.MD", "a.adoc", "a.rst"}) CHECK(is_markup(path));
  for (const char* path : {"a.txt", "a.yaml", "a.md/x", ""}) CHECK_FALSE(is_markup(path));
}

TEST_CASE("secret files: a text built to be slow is not") {
  constexpr std::size_t kBytes = 1U << 20U;
  for (const char* piece :
       {"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "ghp_", "-sk-ant-", "AKIA ", "a=b\n", "\n",
        "-", "password=", "\\n", "password:", ":", "\"token\":\""}) {
    CAPTURE(piece);
    std::string text;
    while (text.size() < kBytes) text += piece;
    CHECK_FALSE(holds_secret(text));
    CHECK_FALSE(holds_secret_field(text));
  }
}

}  // namespace phasegate::rag
