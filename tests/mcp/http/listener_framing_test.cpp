#include <doctest/doctest.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;

namespace {

struct Row {
  std::string request;
  int status;
};

/// Each is refused, ends its connection, and no byte of it is taken for a request.
void check_refused(const std::vector<Row>& rows) {
  test::LiveListener server;
  server.run();
  for (const Row& row : rows) {
    CAPTURE(row.request.substr(0, 200));
    test::RawClient client(server.address());
    client.send(row.request + test::get("/smuggled"));
    const auto response = client.read_response();
    CHECK(response.status == row.status);
    CHECK(response.whole);
    CHECK(response.header("Connection") == "close");
    CHECK(response.header("Content-Type") == "text/plain; charset=utf-8");
    CHECK(response.body.size() > 10);
    CHECK(client.is_closed());
  }
  CHECK(server.handler.handled == 0);
}

}  // namespace

TEST_CASE("listener: a body whose end is unclear is refused") {
  const std::string post = "POST /mcp HTTP/1.1\r\nHost: a\r\n";
  check_refused({
      {post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
       400},
      {post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
       400},
      {post + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", 400},
      {post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400},
      {post + "Content-Length: 3, 3\r\n\r\nabc", 400},
      {post + "Content-Length: abc\r\n\r\nabcde", 400},
      {post + "Content-Length: +3\r\n\r\nabc", 400},
      {post + "Content-Length: -3\r\n\r\nabc", 400},
      {post + "Content-Length: 0x3\r\n\r\nabc", 400},
      {post + "Content-Length: 3 3\r\n\r\nabc", 400},
      {post + "Content-Length:\r\n\r\n", 400},
      {post + "Content-Length: 99999999999999999999999999\r\n\r\n", 413},
      {post + "Content-Length: 18446744073709551615\r\n\r\n", 413},
      {post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Transfer-Encoding: identity\r\n\r\n", 400},
      {post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400},
      {post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {post + "\r\n", 411},
      {"PUT / HTTP/1.1\r\nHost: a\r\n\r\n", 411},
      {"PATCH / HTTP/1.1\r\nHost: a\r\n\r\n", 411},
      {post + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", 415},
      {"HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 400},
  });
}

TEST_CASE("listener: chunks that are not exactly chunks are refused") {
  const std::string post = "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::vector<Row> rows;
  for (const std::string body :
       {"-2\r\nab\r\n0\r\n\r\n", "+2\r\nab\r\n0\r\n\r\n", "0x2\r\nab\r\n0\r\n\r\n",
        " 2\r\nab\r\n0\r\n\r\n", "g\r\n", "\r\n", "2\nab\r\n0\r\n\r\n", "2\r\nabc\r\n0\r\n\r\n",
        "2\r\nab0\r\n\r\n", "2\r\nab\n0\r\n\r\n", "2\r\nab\r\r0\r\n\r\n", "2\r\rab\r\n0\r\n\r\n",
        "000000002\r\nab\r\n0\r\n\r\n", "2;a\x01\r\nab\r\n0\r\n\r\n", "0\r\nX\n\r\n", "0\r\n\rX"}) {
    rows.push_back({post + body, 400});
  }
  rows.push_back({post + "ffffffff\r\n", 413});
  rows.push_back({post + "1;" + std::string(70'000, 'x') + "\r\na\r\n0\r\n\r\n", 413});
  rows.push_back({post + "0\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n", 413});
  check_refused(rows);
}

TEST_CASE("listener: heads that two readers could read differently are refused") {
  using namespace std::string_literals;
  const std::string end = "\r\nHost: a\r\n\r\n";
  check_refused({
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n\tfolded: x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n folded: x\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX\xC3\xA9: z\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"s, 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n"s, 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\x1b[2J\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\x7f\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\nHost: a\n\n", 400},
      {"\nGET / HTTP/1.1" + end, 400},
      {"\r\n\r\n\r\nGET / HTTP/1.1" + end, 400},
      {"GET / HTTP/2.0" + end, 505},
      {"GET / HTTP/1.2" + end, 505},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"GET / HTTP/1.1x" + end, 400},
      {"GET / http/1.1" + end, 400},
      {"GET /" + end, 400},
      {"GET" + end, 400},
      {"GET  / HTTP/1.1" + end, 400},
      {"GET / HTTP/1.1 " + end, 400},
      {" GET / HTTP/1.1" + end, 400},
      {"G(T / HTTP/1.1" + end, 400},
      {"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s, 400},
      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s, 400},
  });
}
