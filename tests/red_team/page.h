#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tests/red_team/deciding.h"
#include "tests/support/live_program.h"

namespace phasegate::red_team {

using Headers = std::vector<std::pair<std::string, std::string>>;
using Fields = std::vector<std::pair<std::string, std::string>>;

struct WebAnswer {
  int status = 0;
  std::string head;
  std::string body;
};

/// `phasegate serve` in front of a project, and whoever asks it over HTTP.
class Page {
 public:
  explicit Page(const Deciding& project);
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  [[nodiscard]] int port() const { return port_; }
  /// One request on a connection of its own.
  [[nodiscard]] WebAnswer ask(const std::string& method, const std::string& path,
                              const Headers& headers = {}, const std::string& body = "") const;
  /// Sends fields as a form.
  [[nodiscard]] WebAnswer send(const std::string& path, const Fields& fields,
                               Headers headers = {}) const;
  /// The fields of the page's own form, with the right secret.
  [[nodiscard]] Fields form(const std::string& path) const;
  /// What the server has said on its terminal, at its end.
  [[nodiscard]] std::string stop();

 private:
  test::LiveProgram server_;
  int port_ = 0;
  bool stopped_ = false;
};

/// These fields with one of them changed.
[[nodiscard]] Fields with(Fields fields, const std::string& name, const std::string& value);
[[nodiscard]] std::string encoded(const Fields& fields);

}  // namespace phasegate::red_team
