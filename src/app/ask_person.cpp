#include "app/ask_person.h"

#include <iostream>

#include <unistd.h>

#include "app/output.h"
#include "base/text.h"

namespace phasegate::app {

bool ask_on_terminal(const std::string& question) {
  if (write_all(STDOUT_FILENO, question) != Written::all) return false;
  std::string line;
  if (!std::getline(std::cin, line)) return false;
  const std::string answer = base::lowered(base::trimmed(line));
  return answer == "y" || answer == "yes";
}

}  // namespace phasegate::app
