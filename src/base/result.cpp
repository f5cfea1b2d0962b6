#include "base/result.h"

namespace phasegate::base {

std::string to_text(const Error& error) {
  std::string text = error.message;
  if (!error.where.empty()) text += " (" + error.where + ")";
  if (!error.hint.empty()) text += " – " + error.hint;
  return text;
}

}  // namespace phasegate::base
