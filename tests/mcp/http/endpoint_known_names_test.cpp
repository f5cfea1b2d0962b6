#include <string_view>

#include <doctest/doctest.h>

#include "mcp/http/known_names.h"

namespace phasegate::mcp::http {

TEST_CASE("names: this computer's names are known as Host, with any port and in any case") {
  const KnownNames names({"box.example", "fd00::1", "[fd00::2]", "Mixed.Example"});
  for (const std::string_view host :
       {"localhost", "localhost:8765", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:65535",
        "[::1]", "[::1]:8765", "box.example", "Box.Example:443", "[fd00::1]:80", "[FD00::2]",
        "mixed.example"}) {
    CAPTURE(host);
    CHECK(names.is_host(host));
  }
}

TEST_CASE("names: nothing that only looks like one of this computer's names is known as Host") {
  const KnownNames names({"box.example"});
  for (const std::string_view host : {"",
                                      "evil.example.com",
                                      "localhost.evil.com",
                                      "evil-localhost",
                                      "localhost.",
                                      ".localhost",
                                      "localhost:",
                                      "localhost:port",
                                      "localhost:-1",
                                      "localhost:+1",
                                      "localhost:0x50",
                                      "localhost:65536",
                                      "localhost:000080",
                                      "localhost:80:80",
                                      "localhost:80@evil",
                                      "127.0.0.1:80@evil",
                                      "127.0.0.1@evil",
                                      "evil@127.0.0.1",
                                      "user:pw@localhost",
                                      "127.0.0.1.evil.com",
                                      "127.0.0.2",
                                      "127.1",
                                      "2130706433",
                                      "0x7f000001",
                                      "0177.0.0.1",
                                      "0.0.0.0",
                                      "::1",
                                      "[::1",
                                      "::1]",
                                      "[::1]]",
                                      "[::1]x",
                                      "[::1]x:80",
                                      "[::1%lo]",
                                      "[::1%25lo]:80",
                                      "[0:0:0:0:0:0:0:1]",
                                      "[::ffff:127.0.0.1]",
                                      "[localhost]",
                                      "[]",
                                      "[",
                                      "localhost/",
                                      "localhost/x",
                                      "localhost?x",
                                      "localhost#x",
                                      "localhost, evil.com",
                                      "local host",
                                      " localhost",
                                      "localhost\t",
                                      "http://localhost",
                                      "*",
                                      "box.example.com"}) {
    CAPTURE(host);
    CHECK_FALSE(names.is_host(host));
  }
}

TEST_CASE("names: an Origin is a web page of this computer's or nothing") {
  const KnownNames names({"box.example"});
  for (const std::string_view origin :
       {"http://localhost", "http://localhost:3000", "https://127.0.0.1:9999", "http://[::1]:80",
        "HTTP://LOCALHOST:3000", "https://box.example"}) {
    CAPTURE(origin);
    CHECK(names.is_origin(origin));
  }
  for (const std::string_view origin : {"",
                                        "null",
                                        "NULL",
                                        "localhost",
                                        "//localhost",
                                        "http:localhost",
                                        "http:/localhost",
                                        "http://",
                                        "http://localhost.evil",
                                        "http://evil.example.com",
                                        "http://localhost/",
                                        "http://localhost:80/path",
                                        "http://localhost@evil",
                                        "http://evil@localhost",
                                        "http://localhost:80@evil",
                                        "ftp://localhost",
                                        "file://",
                                        "file://localhost",
                                        "chrome-extension://localhost",
                                        "vscode-webview://localhost",
                                        "xhttp://localhost",
                                        "http ://localhost",
                                        "http://localhost http://evil",
                                        "http://localhost,http://evil",
                                        "http://127.0.0.1.nip.io",
                                        "http://[::1%lo]",
                                        "*"}) {
    CAPTURE(origin);
    CHECK_FALSE(names.is_origin(origin));
  }
}

}  // namespace phasegate::mcp::http
