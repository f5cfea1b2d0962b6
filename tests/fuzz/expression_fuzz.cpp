// Any bytes as an expression and as a template: neither crashes, both are deterministic, what a
// template inserts is not looked at again, and an expression that parses reads only the names that
// it tells. The first line may be a scope in JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json.h"
#include "gating/expression.h"

namespace {

using phasegate::base::Json;

void require(bool holds) {
  if (!holds) std::abort();
}

const Json& known_scope() {
  static const Json kScope = Json::parse(
      R"({"evidence":{"a":1,"b":["x",{"c":null}],"t":"{{evidence.a}}"},"steps":{"p-1":{"visits":2}},
          "checks":{"u":{"passed":true}},"input":"i","arg":0.5,"args":[0.5]})");
  return kScope;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace gating = phasegate::gating;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Json scope = known_scope();
  if (const std::size_t line = text.find('\n'); line != std::string_view::npos) {
    if (auto own = phasegate::base::parse_json(text.substr(0, line), {4096, 64})) {
      scope = std::move(own).value();
      text.remove_prefix(line + 1);
    }
  }
  const auto expression = gating::Expression::parse(text, {"saved"});
  if (expression) {
    const auto call = [](const std::string&, const std::vector<Json>& arguments) {
      return phasegate::base::Result<bool>(!arguments.empty());
    };
    const auto value = expression->evaluate(scope, call);
    const auto again = expression->evaluate(scope, call);
    require(value.ok() == again.ok());
    require(value ? *value == *again : value.error() == again.error());
    for (const auto& path : expression->paths()) require(!path.empty() && !path[0].empty());
  } else {
    require(expression.error().code == "invalid_expression" && !expression.error().message.empty());
  }

  const auto names = gating::template_names(text);
  const auto made = gating::filled(text, scope);
  require(names.ok() || !made.ok());
  if (names && names->empty() && made) require(*made == text);
  const auto kept = gating::filled("<{{x}}>", Json{{"x", phasegate::base::dump(Json(text))}});
  if (kept) require(*kept == "<" + phasegate::base::dump(Json(text)) + ">");
  return 0;
}
