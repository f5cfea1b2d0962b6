#include "phases/requirement_reader.h"

#include <optional>
#include <set>

#include "base/limits.h"
#include "base/text.h"
#include "phases/approval_reader.h"
#include "phases/finding_list.h"
#include "phases/gate_boxes.h"
#include "phases/gate_sections.h"
#include "phases/markdown.h"
#include "phases/passed_over.h"
#include "phases/requirement_checks.h"
#include "phases/requirement_names.h"
#include "phases/typed_table.h"

namespace phasegate::phases {
namespace {

class BoxReader {
 public:
  BoxReader(const MarkdownTree& tree, std::string_view path, const std::string& phase,
            std::vector<Requirement>& requirements, FindingList& findings)
      : tree_(tree), path_(path), phase_(phase), requirements_(requirements), findings_(findings) {}

  /// False once the gate is full.
  bool read(std::size_t item) {
    const Source source{path_, tree_.line(tree_.blocks()[item]), 0};
    const std::string sentence = box_sentence(tree_, item).value_or("");
    if (sentence.empty()) {
      if (!empty_reported_) {
        findings_.warning("empty_requirement", "a box of the gate says nothing and is left out",
                          "write what must be true, or remove it", source, phase_);
      }
      empty_reported_ = true;
      return true;
    }
    if (!sentences_.insert(sentence).second) {
      findings_.info("repeated_requirement",
                     "the gate says " + base::in_quotes(base::shortened(sentence, 80)) +
                         " twice; it is asked for once",
                     "", source, phase_);
      return true;
    }
    Requirement requirement;
    requirement.name = name_from_sentence(sentence);
    if (!names_.insert(requirement.name).second) {
      requirement.name = name_with_hash(requirement.name, sentence);
    }
    requirement.type = ValueType::boolean;
    requirement.description = sentence;
    requirement.kind = RequirementSource::checkbox;
    requirement.source = source;
    if (is_conditional(sentence)) {
      requirement.required = false;
      findings_.info("conditional_requirement",
                     base::in_quotes(requirement.name) + " is conditional and may be absent: " +
                         base::in_quotes(base::shortened(sentence, 100)),
                     "", source, phase_);
    }
    return add_requirement(requirements_, std::move(requirement), findings_, phase_);
  }

 private:
  const MarkdownTree& tree_;
  std::string path_;
  const std::string& phase_;
  std::vector<Requirement>& requirements_;
  FindingList& findings_;
  std::set<std::string> sentences_;
  std::set<std::string> names_;
  bool empty_reported_ = false;
};

}  // namespace

ReadGate PlainRequirementReader::read(std::string_view text, std::string_view path,
                                      std::string_view phase_id) const {
  ReadGate gate;
  FindingList findings;
  const std::string phase(phase_id);
  const MarkdownTree tree = parse_markdown(text);
  if (!tree.complete()) {
    findings.error("unreadable_markdown",
                   base::in_quotes(path) + " could not be parsed to its end: it is too large (" +
                       std::to_string(text.size()) + " bytes), or a table is too wide",
                   "split the file", {std::string(path), 0, 0}, phase);
  }
  const GateSections sections = find_gate_sections(tree, text, path, phase, findings);
  gate.source = sections.source;
  std::set<std::size_t> tables_read;
  for (const std::size_t block : sections.blocks) {
    if (tree.blocks()[block].kind != BlockKind::table) continue;
    if (read_typed_table(tree, block, text, path, phase, gate.requirements, findings)) {
      tables_read.insert(block);
    }
  }
  const bool typed = !tables_read.empty();
  BoxReader boxes(tree, path, phase, gate.requirements, findings);
  std::size_t beside_table = 0;
  Source first_beside;
  for (const std::size_t block : sections.blocks) {
    if (tree.blocks()[block].kind == BlockKind::table) continue;
    if (typed) {
      if (beside_table++ == 0)
        first_beside = {std::string(path), tree.line(tree.blocks()[block]), 0};
      continue;
    }
    if (!boxes.read(block)) break;
  }
  if (beside_table > 0) {
    findings.warning("sources_disagree",
                     counted(beside_table, "box stands", "boxes stand") +
                         " beside the gate's typed table and " +
                         (beside_table == 1 ? "is" : "are") + " not asked for",
                     "move them into the table", first_beside, phase);
  }
  report_passed_over(tree, sections, tables_read, path, phase, findings);
  std::vector<bool> inside(tree.blocks().size(), false);
  for (const std::size_t block : sections.inside) inside[block] = true;
  read_approval(tree, inside, path, phase, gate, findings);
  gate.findings = findings.take();
  return gate;
}

}  // namespace phasegate::phases
