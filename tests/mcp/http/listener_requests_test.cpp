#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <doctest/doctest.h>
#include <fcntl.h>

#include "tests/mcp/http/live_listener.h"
#include "tests/mcp/http/raw_client.h"

using namespace phasegate;
using mcp::http::Request;
using mcp::http::Response;
using test::ask;
using test::get;
using test::post;

TEST_CASE("listener: a request reaches the handler as it was sent, and its response the client") {
  test::LiveListener server;
  Request seen;
  server.handler.on_request = [&](const Request& request) {
    seen = request;
    Response response = test::ScriptedHandler::text("{\"a\":1}", 202);
    response.content_type = "application/json";
    response.headers = {{"Mcp-Session-Id", "x y"}, {"X-Two", "1"}, {"X-Two", "2"}};
    return response;
  };
  server.run();
  const auto response =
      ask(server.address(),
          post("body", "Zeta: 1\r\nmcp-name: 100%25 \t\r\nalpha:\xC3\xA9\r\nzeta: 2\r\n",
               "/mcp/%C3%A9?x=1"));
  CHECK(response.status == 202);
  CHECK(response.body == "{\"a\":1}");
  CHECK(response.header("Content-Type") == "application/json");
  CHECK(response.header("Mcp-Session-Id") == "x y");
  // In which order is the library's business.
  CHECK(response.head.find("\r\nX-Two: 1\r\n") != std::string::npos);
  CHECK(response.head.find("\r\nX-Two: 2\r\n") != std::string::npos);

  CHECK(seen.body == "body");
  CHECK(seen.head.method == "POST");
  CHECK(seen.head.path == "/mcp/\xC3\xA9");
  CHECK(seen.head.remote == "127.0.0.1");
  const auto& headers = seen.head.headers;
  REQUIRE(headers.all().size() == 6);
  CHECK(headers.all()[2] == std::pair<std::string, std::string>("Zeta", "1"));
  CHECK(headers.all()[3] == std::pair<std::string, std::string>("mcp-name", "100%25"));
  CHECK(headers.all()[5] == std::pair<std::string, std::string>("zeta", "2"));
  CHECK(headers.count("ZETA") == 2);
  REQUIRE(headers.find("MCP-NAME") != nullptr);
  CHECK(*headers.find("ALPHA") == "\xC3\xA9");
  CHECK(headers.find("alph") == nullptr);
}

TEST_CASE("listener: any method gets the handler's answer, never a silence") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    return test::ScriptedHandler::text(request.head.method + " " + request.body, 405);
  };
  server.run();
  for (const std::string method :
       {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "PRI", "m-search"}) {
    CAPTURE(method);
    const auto response = ask(server.address(), method +
                                                    " /x HTTP/1.1\r\nHost: a\r\n"
                                                    "Content-Length: 2\r\n\r\nhi");
    CHECK(response.status == 405);
    CHECK(response.body == method + " hi");
  }
  CHECK(ask(server.address(), "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n").status == 501);
}

TEST_CASE("listener: targets") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    return test::ScriptedHandler::text("<" + request.head.path + ">");
  };
  server.run();
  struct Row {
    std::string line;
    int status;
    std::string body;
  };
  const std::vector<Row> rows = {
      {"GET / HTTP/1.1\r\nHost: a", 200, "</>"},
      {"GET /a/../b?c=/d HTTP/1.1\r\nHost: a", 200, "</a/../b>"},
      {"GET //x HTTP/1.1\r\nHost: a", 200, "<//x>"},
      {"GET /%41%2f HTTP/1.1\r\nHost: a", 200, "</A/>"},
      {"GET http://a:1/mcp?x HTTP/1.1\r\nHost: A:1", 200, "</mcp>"},
      {"GET http://a HTTP/1.1\r\nHost: a", 200, "</>"},
      {"GET http://a?x HTTP/1.1\r\nHost: a", 200, "</>"},
      {"OPTIONS * HTTP/1.1\r\nHost: a", 200, "<*>"},
      {"GET * HTTP/1.1\r\nHost: a", 400, ""},
      {"GET http://evil/mcp HTTP/1.1\r\nHost: a", 400, ""},
      {"GET http:///mcp HTTP/1.1\r\nHost: a", 400, ""},
      {"GET https://a/mcp HTTP/1.1\r\nHost: a", 400, ""},
      {"GET mcp HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /%zz HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /%4 HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /%00 HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /%0d%0aX:1 HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /a#b HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /a b HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /\xC3\xA9 HTTP/1.1\r\nHost: a", 400, ""},
      {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a", 200,
       "</" + std::string(9000, 'a') + ">"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line.substr(0, 60));
    const auto response = ask(server.address(), row.line + "\r\n\r\n");
    CHECK(response.status == row.status);
    if (row.status == 200) CHECK(response.body == row.body);
    if (row.status != 200) CHECK(response.header("Connection") == "close");
  }
}

TEST_CASE("listener: many requests on one connection, also when they come together") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  for (int i = 0; i < 20; ++i) {
    client.send(post("n" + std::to_string(i)));
    const auto response = client.read_response();
    CHECK(response.body == "POST /mcp n" + std::to_string(i));
    CHECK(response.header("Connection") == "(none)");
    CHECK(response.header("Keep-Alive") == "timeout=30");
  }
  client.send(post("one") + get("/two") + post("three") + "\r\n" + get("/four"));
  CHECK(client.read_response().body == "POST /mcp one");
  CHECK(client.read_response().body == "GET /two ");
  CHECK(client.read_response().body == "POST /mcp three");
  CHECK(client.read_response().body == "GET /four ");
  CHECK(server.handler.handled == 24);
}

TEST_CASE("listener: a request in single bytes is one request") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  const std::string request =
      "POST /m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  for (const char c : request) client.send({&c, 1});
  CHECK(client.read_response().body == "POST /m abc");
}

TEST_CASE("listener: chunked bodies, with extensions and trailers that nobody reads") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  const std::string head = "POST /m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n";
  client.send(head +
              "1;x=\"y\"\r\na\r\n00A ; q\r\n0123456789\r\n0\r\nX-Trailer: 1\r\nB: 2\r\n\r\n");
  CHECK(client.read_response().body == "POST /m a0123456789");
  client.send(head + "0\r\n\r\n");
  CHECK(client.read_response().body == "POST /m ");
  const std::string large(100'000, 'z');
  client.send(head + "186a0\r\n" + large + "\r\n0\r\n\r\n" + get("/next"));
  CHECK(client.read_response().body == "POST /m " + large);
  CHECK(client.read_response().body == "GET /next ");
}

TEST_CASE("listener: HEAD is answered with the head of the whole answer") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + get("/y"));
  const auto response = client.read_response(true);
  CHECK(response.status == 200);
  CHECK(response.header("Content-Length") == "8");
  CHECK(response.header("Accept-Ranges") == "(none)");
  CHECK(client.read_response().body == "GET /y ");
}

TEST_CASE("listener: an answer without content") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    Response response;
    response.status = request.head.path == "/204" ? 204 : 202;
    return response;
  };
  server.run();
  test::RawClient client(server.address());
  client.send(post("", "", "/202"));
  auto response = client.read_response();
  CHECK(response.status == 202);
  CHECK(response.header("Content-Length") == "0");
  CHECK(response.header("Content-Type") == "(none)");
  client.send(post("", "", "/204"));
  response = client.read_response();
  CHECK(response.status == 204);
  CHECK(response.header("Content-Length") == "(none)");
}

TEST_CASE("listener: 100-continue comes before the body, and only where the body is wanted") {
  test::LiveListener server;
  server.handler.on_refuse = [](const mcp::http::RequestHead& head) -> std::optional<Response> {
    if (head.path == "/no") return test::ScriptedHandler::text("no", 403);
    return std::nullopt;
  };
  server.run();
  {
    test::RawClient client(server.address());
    client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n");
    CHECK(client.read_response().status == 100);
    client.send("abc");
    CHECK(client.read_response().body == "POST /a abc");
  }
  test::RawClient client(server.address());
  client.send("POST /no HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  const auto response = client.read_response();
  CHECK(response.status == 403);
  CHECK(response.header("Connection") == "close");
  CHECK(client.is_closed());
  CHECK(server.handler.handled == 1);
  CHECK(ask(server.address(),
            "POST /a HTTP/1.1\r\nHost: a\r\nExpect: the-best\r\nContent-Length: 0\r\n\r\n")
            .status == 417);
}

TEST_CASE("listener: the handler is asked before the body is read") {
  test::LiveListener server;
  server.handler.on_refuse = [](const mcp::http::RequestHead& head) -> std::optional<Response> {
    CHECK(head.remote == "127.0.0.1");
    Response response = test::ScriptedHandler::text("wrong token", 401);
    response.headers = {{"WWW-Authenticate", "Bearer"}};
    return response;
  };
  server.run();
  test::RawClient client(server.address());
  client.send("POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nonly the beginning");
  const auto response = client.read_response();
  CHECK(response.status == 401);
  CHECK(response.header("WWW-Authenticate") == "Bearer");
  CHECK(response.body == "wrong token");
  CHECK(client.is_closed());
  CHECK(server.handler.handled == 0);
}

TEST_CASE("listener: what the client says about answers and addresses changes nothing") {
  test::LiveListener server;
  const std::string large(200'000, 'x');
  server.handler.on_request = [&](const Request& request) {
    const auto& headers = request.head.headers;
    CHECK(headers.find("REMOTE_ADDR") == nullptr);
    CHECK(headers.find("local_port") == nullptr);
    CHECK(request.head.remote == "127.0.0.1");
    Response response = test::ScriptedHandler::text(large);
    response.content_type = "application/json";
    return response;
  };
  server.run();
  std::string ranges = "Range: bytes=0-";
  for (int i = 0; i < 2000; ++i) ranges += ",0-";
  const auto response = ask(
      server.address(),
      post("a=b",
           ranges + "\r\nAccept-Encoding: gzip, br\r\nREMOTE_ADDR: 9.9.9.9\r\n"
                    "Local_Port: 1\r\nIf-None-Match: *\r\nAccept: ;;;\r\n"
                    "Content-Type: multipart/form-data; boundary=x\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Key: x\r\nX-Forwarded-For: 1.2.3.4\r\n"));
  CHECK(response.status == 200);
  CHECK(response.header("Content-Encoding") == "(none)");
  CHECK(response.header("Content-Range") == "(none)");
  CHECK(response.body == large);
}

TEST_CASE("listener: a handler that throws is answered with 500 and says nothing of why") {
  test::LiveListener server;
  server.handler.on_refuse = [](const mcp::http::RequestHead& head) -> std::optional<Response> {
    if (head.path == "/refuse") throw std::runtime_error("secret");
    return std::nullopt;
  };
  server.handler.on_request = [](const Request& request) -> Response {
    if (request.head.path == "/other") throw 7;
    throw std::runtime_error("secret");
  };
  server.run();
  for (const char* path : {"/a", "/other", "/refuse"}) {
    CAPTURE(path);
    const auto response = ask(server.address(), get(path));
    CHECK(response.status == 500);
    CHECK((response.head + response.body).find("secret") == std::string::npos);
    CHECK(response.header("EXCEPTION_WHAT") == "(none)");
  }
}

TEST_CASE("listener: a response that would forge others is not sent") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    Response response = test::ScriptedHandler::text("x");
    if (request.head.path == "/value") response.headers = {{"X", "a\r\nSet-Cookie: b"}};
    if (request.head.path == "/name") response.headers = {{"X Y", "a"}};
    if (request.head.path == "/type") response.content_type = "text/plain\r\nX: y";
    if (request.head.path == "/status") response.status = 99;
    return response;
  };
  server.run();
  for (const char* path : {"/value", "/name", "/type", "/status"}) {
    CAPTURE(path);
    CHECK(ask(server.address(), get(path)).status == 500);
  }
}

TEST_CASE("listener: the connection ends when either side wants it") {
  test::LiveListener server;
  server.handler.on_request = [](const Request& request) {
    Response response = test::ScriptedHandler::text("x");
    response.close = request.head.path == "/close";
    return response;
  };
  server.run();
  for (const std::string& request :
       {get("/", "Connection: close\r\n"), get("/", "connection: x, CLOSE\r\n"), get("/close"),
        std::string("GET / HTTP/1.0\r\n\r\n"),
        std::string("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")}) {
    CAPTURE(request);
    test::RawClient client(server.address());
    client.send(request);
    const auto response = client.read_response();
    CHECK(response.status == 200);
    CHECK(response.header("Connection") == "close");
    CHECK(client.is_closed());
  }
}

TEST_CASE("listener: a client that has said all it has to say still gets its answer") {
  test::LiveListener server;
  server.run();
  test::RawClient client(server.address());
  client.send(post("abc"));
  client.close_writing();
  CHECK(client.read_response().body == "POST /mcp abc");
  CHECK(client.is_closed());
}

TEST_CASE("listener: a child process does not inherit a client's connection") {
  test::LiveListener server;
  server.handler.on_request = [](const Request&) {
    int sockets = 0;
    int inherited = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
      if (target.rfind("socket:", 0) != 0) continue;
      std::ifstream info("/proc/self/fdinfo/" + entry.path().filename().string());
      std::string word;
      while (info >> word && word != "flags:") {
      }
      unsigned flags = 0;
      info >> std::oct >> flags;
      ++sockets;
      if ((flags & static_cast<unsigned>(O_CLOEXEC)) == 0) ++inherited;
    }
    return test::ScriptedHandler::text(std::to_string(inherited) + " of " +
                                       (sockets >= 3 ? "enough" : "too few"));
  };
  server.run();
  // At least the listening socket and both ends of this connection are open.
  CHECK(ask(server.address(), get()).body == "0 of enough");
}
