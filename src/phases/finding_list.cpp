#include "phases/finding_list.h"

#include <algorithm>
#include <tuple>

namespace phasegate::phases {

void FindingList::add(Finding finding) {
  const bool is_error = finding.severity == Severity::error;
  if (findings_.size() >= base::limits::kFindingsMax) {
    ++left_out_;
    // The first error is what keeps a workflow from starting: it must never be the one left out.
    if (!is_error || has_error_) return;
    findings_.pop_back();
  }
  has_error_ = has_error_ || is_error;
  findings_.push_back(std::move(finding));
}

void FindingList::add_all(std::vector<Finding> findings) {
  for (Finding& finding : findings) add(std::move(finding));
}

void FindingList::withdraw(const std::function<bool(const Finding&)>& is_gone) {
  const bool errors_too = left_out_ == 0;
  std::erase_if(findings_, [&](const Finding& finding) {
    return (errors_too || finding.severity != Severity::error) && is_gone(finding);
  });
  has_error_ = std::any_of(findings_.begin(), findings_.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
}

bool FindingList::has_error_of(std::string_view phase) const {
  return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
    return finding.severity == Severity::error && finding.phase == phase;
  });
}

std::vector<Finding> FindingList::take() {
  if (left_out_ > 0) {
    findings_.push_back(
        {Severity::info,
         "too_many_findings",
         counted(left_out_, "finding was", "findings were") + " left out; mend the others first",
         "",
         {},
         ""});
  }
  return std::move(findings_);
}

std::vector<Finding> FindingList::take_sorted() {
  std::sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    const bool a_later = a.severity != Severity::error;
    const bool b_later = b.severity != Severity::error;
    return std::tie(a_later, a.source.file, a.source.line, a.source.column, a.code, a.message) <
           std::tie(b_later, b.source.file, b.source.line, b.source.column, b.code, b.message);
  });
  return take();
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  if (count == 1) return "one " + std::string(one);
  return std::to_string(count) + " " + std::string(many);
}

}  // namespace phasegate::phases
