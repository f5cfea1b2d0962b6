#pragma once
#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ids.h"
#include "state/approvers/approver_book.h"
#include "state/db.h"
#include "tests/app/project.h"
#include "tests/support/live_program.h"

/// A project in which a session waits for a person, and `phasegate serve` in front of it.
namespace phasegate::test {

inline constexpr const char* kSecret = "green kettle hums";
inline constexpr const char* kOtherSecret = "blue ladder leans";

struct WebResponse {
  int status = 0;
  std::string head;
  std::string body;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "(none)";
    const auto from = at + name.size() + 4;
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

using Headers = std::vector<std::pair<std::string, std::string>>;
using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const char* digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte / 16];
    out += digits[byte % 16];
  }
  return out;
}

inline std::string form_of(const Fields& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    body += (body.empty() ? "" : "&") + name + "=" + encoded(value);
  }
  return body;
}

inline void enrol(const Project& project, const char* name, const char* secret) {
  state::SqliteApproverBook book(project.state(), {4, 8, 1});
  state::ChangeBy by{"root", {}};
  const auto all = book.list();
  if (!all->empty()) by.approver = all->front();
  REQUIRE(book.add(name, {}, secret, by, base::SystemClock().now()).ok());
}

/// One request to this port of this machine, on a connection of its own.
inline WebResponse web_request(int port, const std::string& request) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(fd >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  // A server that refuses early does not take all of it.
  static_cast<void>(::send(fd, request.data(), request.size(), MSG_NOSIGNAL));
  std::string all;
  char chunk[4096];
  for (ssize_t got = 0; (got = ::recv(fd, chunk, sizeof chunk, 0)) > 0;) {
    all.append(chunk, static_cast<std::size_t>(got));
  }
  ::close(fd);
  WebResponse response;
  const auto end = all.find("\r\n\r\n");
  if (end == std::string::npos) return response;
  response.head = all.substr(0, end + 2);
  response.body = all.substr(end + 4);
  response.status = std::stoi(all.substr(all.find(' ') + 1));
  return response;
}

class WebSite {
 public:
  /// `summary` is what the assistant hands over.
  explicit WebSite(const std::string& summary = "All of it.", std::vector<std::string> more = {})
      : more_(std::move(more)) {
    project.be_sound();
    const fs::path flow = project.root() / ".phasegate" / "workflows" / "two_steps";
    write_file(flow / "phases" / "0" / "gate-definition.yaml",
               "checkpoint:\n  strict: true\n  human_approval_required: true\n"
               "evidence_schema:\n  summary:\n    type: string\n    required: true\n"
               "    description: \"What was done\"\n");
    run = project.start();
    Json arguments = Json::object();
    arguments["session_id"] = run;
    arguments["phase"] = 0;
    arguments["evidence"] = Json::object();
    arguments["evidence"]["summary"] = summary;
    // What it answers is not the matter here; that a person is asked is seen in the database.
    static_cast<void>(project.run({"call", "complete_phase", base::dump(arguments)}));
    decision = column("SELECT id FROM decision WHERE status = 'open'");
    REQUIRE_MESSAGE(base::is_id(decision), decision);
  }

  /// Starts the server once everything is in place.
  void serve() {
    std::vector<std::string> arguments{"serve", "--listen", "127.0.0.1:0"};
    arguments.insert(arguments.end(), more_.begin(), more_.end());
    server = std::make_unique<LiveProgram>(phasegate_binary(), project.to_run(arguments),
                                           LiveProgram::Output::terminal, 400);
    const std::string head = "http://127.0.0.1:";
    REQUIRE_MESSAGE(server->wait_for("serving MCP at " + head), server->output());
    REQUIRE(server->wait_for("/mcp;"));
    const auto at = server->output().find(head) + head.size();
    port = std::stoi(server->output().substr(at, server->output().find('/', at) - at));
  }

  ~WebSite() {
    if (!server) return;
    server->signal(SIGTERM);
    CHECK(server->wait_for_end() == 0);
    CHECK_FALSE(contains(server->output(), kSecret));
  }

  [[nodiscard]] std::string path() const { return "/decide/" + decision; }

  /// One request on a connection of its own.
  [[nodiscard]] WebResponse raw(const std::string& request) const {
    return web_request(port, request);
  }

  [[nodiscard]] WebResponse ask(const std::string& method, const std::string& path,
                                const Headers& headers = {}, const std::string& body = "") const {
    std::string request = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n";
    bool host = false;
    for (const auto& [name, value] : headers) {
      request += name + ": " + value + "\r\n";
      host = host || name == "Host";
    }
    if (!host) request += "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
    return raw(request + "\r\n" + body);
  }
  [[nodiscard]] WebResponse get() const { return ask("GET", path()); }

  [[nodiscard]] WebResponse post(const std::string& body, Headers more = {},
                                 const char* type = "application/x-www-form-urlencoded") const {
    Headers headers{{"Content-Type", type}, {"Content-Length", std::to_string(body.size())}};
    headers.insert(headers.end(), more.begin(), more.end());
    return ask("POST", path(), headers, body);
  }

  /// The hidden field of a page.
  [[nodiscard]] static std::string token_in(const std::string& page) {
    const std::string before = "name=\"token\" value=\"";
    const auto at = page.find(before);
    if (at == std::string::npos) return "";
    return page.substr(at + before.size(), page.find('"', at + before.size()) - at - before.size());
  }

  /// The form that would decide it, with these fields changed.
  [[nodiscard]] Fields form(const std::map<std::string, std::string>& other = {}) const {
    Fields fields{{"token", token_in(get().body)},
                  {"option", "approve"},
                  {"input", ""},
                  {"name", "ada"},
                  {"secret", kSecret}};
    for (auto& [name, value] : fields) {
      if (const auto given = other.find(name); given != other.end()) value = given->second;
    }
    return fields;
  }

  /// The first column of the first row; empty: there is none.
  [[nodiscard]] std::string column(const std::string& sql) const {
    state::Db db(project.state_file(), {});
    return db.query_text(sql).value_or("");
  }

  Project project;
  std::string run;
  std::string decision;
  std::unique_ptr<LiveProgram> server;
  int port = 0;

 private:
  std::vector<std::string> more_;
};

}  // namespace phasegate::test
