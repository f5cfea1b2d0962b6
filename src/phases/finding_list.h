#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Collects what an author should know; holds at most limits::kFindingsMax, errors first.
class FindingList {
 public:
  void error(std::string code, std::string message, std::string hint, Source source,
             std::string phase = "") {
    add({Severity::error, std::move(code), std::move(message), std::move(hint), std::move(source),
         std::move(phase)});
  }
  void warning(std::string code, std::string message, std::string hint, Source source,
               std::string phase = "") {
    add({Severity::warning, std::move(code), std::move(message), std::move(hint), std::move(source),
         std::move(phase)});
  }
  void info(std::string code, std::string message, std::string hint, Source source,
            std::string phase = "") {
    add({Severity::info, std::move(code), std::move(message), std::move(hint), std::move(source),
         std::move(phase)});
  }
  void add(Finding finding);
  void add_all(std::vector<Finding> findings);

  /// Takes back every finding for which this is true, since its cause is gone. An error stays if
  /// others were left out: nobody could say that those are gone as well.
  void withdraw(const std::function<bool(const Finding&)>& is_gone);

  [[nodiscard]] bool has_error() const { return has_error_; }
  /// True if an error belongs to this phase.
  [[nodiscard]] bool has_error_of(std::string_view phase) const;
  /// What is added now is only counted: no reason to work for a good hint any more.
  [[nodiscard]] bool is_full() const { return findings_.size() >= base::limits::kFindingsMax; }
  /// Sorted: errors first, then by file and line. A last finding says how many were left out.
  [[nodiscard]] std::vector<Finding> take_sorted();
  /// In the order of their discovery.
  [[nodiscard]] std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  std::size_t left_out_ = 0;
  bool has_error_ = false;
};

/// `one task file`, `3 task files`.
[[nodiscard]] std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace phasegate::phases
