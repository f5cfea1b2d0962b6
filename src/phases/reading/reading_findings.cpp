#include "phases/reading/reading_findings.h"

#include <map>

#include "base/text.h"
#include "phases/approval_reader.h"
#include "phases/reading/item_text.h"
#include "phases/reading/table_cells.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;

constexpr std::size_t kLinesShown = 3;

/// Statements of one heading or lead that were not asked for.
struct Unasked {
  std::size_t count = 0;
  int line = 0;
  std::vector<std::string> shown;

  void add(int at, std::string_view text) {
    if (count++ == 0) line = at;
    if (shown.size() < kLinesShown) {
      shown.push_back("line " + std::to_string(at) + ": " +
                      base::in_quotes(base::shortened(plain_sentence(text), 60)));
    }
  }
  [[nodiscard]] std::string list() const {
    return base::joined(shown, "; ") + (count > shown.size() ? "; …" : "");
  }
};

class Reporter {
 public:
  Reporter(const DocumentParts& document, const std::vector<bool>& asked)
      : doc_(document), said_(document.statements), asked_(asked), holds_asked_(said_.size()) {
    for (std::size_t i = said_.size(); i-- > 0;) {
      if (said_[i].parent != Statement::kNone && (asked_[i] || holds_asked_[i])) {
        holds_asked_[said_[i].parent] = true;
      }
    }
  }

  void report(FindingList& findings) {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (!asked_[i] && !said_[i].quoted) look_at(i);
    }
    for (const auto& [opener, passed] : beside_) {
      findings.warning("passed_over",
                       counted(passed.count, "thing", "things") + " of the gate at line " +
                           std::to_string(line_of(opener)) + " " +
                           (passed.count == 1 ? "is" : "are") + " not asked for: " + passed.list(),
                       "write what must be true as - [ ], or add it in a file of corrections",
                       source(passed.line));
    }
    for (const auto& [opener, boxes] : other_) {
      findings.warning("other_gate_ignored",
                       counted(boxes.count, "box", "boxes") + " below a heading that says gate " +
                           (boxes.count == 1 ? "is" : "are") + " not asked for",
                       "move them to the gate of this phase if they must hold to leave it",
                       source(line_of(opener)));
    }
    for (const auto& [opener, boxes] : template_) {
      findings.info("gate_in_template",
                    counted(boxes.count, "box stands", "boxes stand") +
                        " in a template or an example and " + (boxes.count == 1 ? "is" : "are") +
                        " not asked for: " + boxes.list(),
                    "", source(boxes.line));
    }
    for (const auto& [opener, boxes] : work_) {
      findings.info(
          "boxes_taken_for_work",
          counted(boxes.count, "box", "boxes") + " below " + title_of(opener) +
              (boxes.count == 1 ? " is" : " are") +
              " read as work to tick off, not as conditions: " + boxes.list(),
          "put them below a heading such as Exit Criteria, or add them in a file of corrections",
          source(boxes.line));
    }
  }

 private:
  void look_at(std::size_t i) {
    const StatementPlace& place = doc_.places[i];
    const std::size_t opener = place.opener;
    if (said_[i].kind == Kind::table && place.role == Role::gate) {
      beside_[opener].add(said_[i].line, "table " + head_of(i));
      return;
    }
    if (said_[i].kind != Kind::item || said_[i].text.empty()) return;
    if (!said_[i].box) {
      const bool listed = place.role == Role::gate && !place.lead && !holds_asked_[i] &&
                          !below_asked(i) && !speaks_of_approval(said_[i].text);
      if (listed && !is_placeholder(said_[i].text))
        beside_[opener].add(said_[i].line, said_[i].text);
      return;
    }
    const bool says_gate =
        opener != StatementPlace::kNowhere && role_of(said_[opener].text) == Role::gate;
    if (place.role == Role::aside) {
      template_[opener].add(said_[i].line, said_[i].text);
    } else if (says_gate && !place.task) {
      other_[opener].add(said_[i].line, said_[i].text);
    } else if (!names_task(said_[i].text) && !place.task && place.role == Role::none) {
      work_[place.heading].add(said_[i].line, said_[i].text);
    }
  }

  /// An item below a condition explains it.
  [[nodiscard]] bool below_asked(std::size_t i) const {
    const std::uint32_t parent = said_[i].parent;
    return parent != Statement::kNone && asked_[parent] && !said_[parent].box;
  }

  [[nodiscard]] std::string head_of(std::size_t i) const {
    const TableCells cells = table_cells(doc_.tree, said_[i].block);
    return base::shortened(base::joined(cells.head, " | "), 60);
  }

  [[nodiscard]] int line_of(std::size_t statement) const {
    return statement == StatementPlace::kNowhere ? 0 : said_[statement].line;
  }
  [[nodiscard]] std::string title_of(std::size_t heading) const {
    if (heading == StatementPlace::kNowhere) return "no heading";
    return base::in_quotes(base::shortened(said_[heading].text, 60));
  }
  [[nodiscard]] Source source(int line) const { return {std::string(doc_.path), line, 0}; }

  const DocumentParts& doc_;
  const std::vector<Statement>& said_;
  const std::vector<bool>& asked_;
  std::vector<bool> holds_asked_;
  std::map<std::size_t, Unasked> beside_;    // by what opened the gate
  std::map<std::size_t, Unasked> other_;     // by its heading
  std::map<std::size_t, Unasked> template_;  // by what opened it
  std::map<std::size_t, Unasked> work_;      // by heading
};

}  // namespace

void report_unasked(const DocumentParts& document, const std::vector<bool>& asked,
                    FindingList& findings) {
  Reporter(document, asked).report(findings);
}

}  // namespace phasegate::phases
