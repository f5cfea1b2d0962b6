#include "gating/named_values.h"

#include <cstddef>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "gating/scope_paths.h"

namespace phasegate::gating {
namespace {

constexpr std::size_t kNamedMax = 4;
constexpr std::size_t kValueBytesMax = 60;
constexpr std::size_t kPathBytesMax = 80;

std::string value_at(const NamePath& path, const base::Json& scope) {
  const base::Json* value = find_name(scope, path.front());
  for (std::size_t i = 1; value != nullptr && i < path.size(); ++i) {
    value = base::find_member(*value, path[i]);
  }
  return value == nullptr ? "null" : base::shortened(base::dump(*value), kValueBytesMax);
}

}  // namespace

std::string named_values(const Expression& expression, const base::Json& scope) {
  std::vector<std::string> named;
  for (const NamePath& path : expression.paths()) {
    if (named.size() == kNamedMax) break;
    named.push_back(base::shortened(base::joined(path, "."), kPathBytesMax) + " is " +
                    value_at(path, scope));
  }
  return base::joined(named, ", ");
}

}  // namespace phasegate::gating
