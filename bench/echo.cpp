// The floor under a call: a server that answers every message at once with a canned text. It looks
// for nothing but the id.
//
//   bench_echo          a message per line, over standard input and output
//   bench_echo --http   a message per request, over HTTP on the loopback interface
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#include "echo_answer.h"

namespace {

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written <= 0) std::exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

int serve_lines() {
  constexpr std::size_t kReadBytes = 65'536;
  std::string input;
  std::string part(kReadBytes, '\0');
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
    if (got <= 0) return 0;
    input.append(part, 0, static_cast<std::size_t>(got));
    for (std::size_t end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
      const std::string answer = bench::answer_to(std::string_view(input).substr(0, end));
      if (!answer.empty()) write_all(answer + '\n');
      input.erase(0, end + 1);
    }
  }
}

}  // namespace

int main(int count, char** values) {
  if (count == 1) return serve_lines();
  if (count == 2 && std::string_view(values[1]) == "--http") return bench::serve_http();
  return 2;
}
