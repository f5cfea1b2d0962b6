#include "gating/expression.h"

#include "base/json.h"

namespace phasegate::gating {

struct Expression::Parsed {
  std::string text;
  std::vector<std::string> names;
};

Expression::Expression(std::unique_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

base::Result<Expression> Expression::parse(std::string_view text, const std::vector<std::string>&) {
  return base::Error{"invalid_expression", std::string(text), "", ""};
}

base::Result<base::Json> Expression::evaluate(const base::Json&, const CheckCaller&) const {
  return base::Error{"expression_failed", parsed_->text, "", ""};
}

const std::vector<std::string>& Expression::names() const {
  return parsed_->names;
}

const std::string& Expression::text() const {
  return parsed_->text;
}

base::Result<std::string> filled(std::string_view text, const base::Json&) {
  return base::Error{"template_failed", std::string(text), "", ""};
}

base::Result<std::vector<std::string>> template_names(std::string_view text) {
  return base::Error{"invalid_template", std::string(text), "", ""};
}

}  // namespace phasegate::gating
