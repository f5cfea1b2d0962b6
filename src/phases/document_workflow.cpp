#include "phases/document_workflow.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/correction/apply.h"
#include "phases/correction/corrections.h"
#include "phases/document_gates.h"
#include "phases/document_heads.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/front_matter.h"
#include "phases/lint.h"
#include "phases/loaded_workflow.h"
#include "phases/markdown.h"
#include "phases/markdown_lines.h"
#include "phases/native/documents.h"
#include "phases/native/texts.h"
#include "phases/phase_numbers.h"
#include "phases/preamble.h"
#include "phases/reading/document_reading.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace limits = base::limits;
namespace {

constexpr std::string_view kEndings[] = {".md", ".markdown"};
constexpr std::size_t kLinesShown = 12;

std::string lines_text(const std::vector<int>& lines) {
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size() && i < kLinesShown; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  }
  return text + (lines.size() > kLinesShown ? ", …" : "");
}

/// Turns what was read of one document into a workflow.
class DocumentWorkflow {
 public:
  /// `beside` holds the file of its corrections, if there is one.
  DocumentWorkflow(std::string file, std::string_view text, FolderSnapshot beside)
      : file_(std::move(file)),
        text_(text),
        beside_(std::move(beside)),
        reading_(read_document(text, file_)) {}

  LoadedWorkflow read() {
    Workflow& workflow = loaded_.workflow;
    workflow.id = id_of_document(file_);
    report_reading();
    limit_phases();
    read_heads();
    if (reading_.phases.empty()) {
      add_only_phase();
    } else {
      add_phases();
    }
    add_checks_of_head();
    correct();
    finish_gates(workflow, reading_.findings, findings_);
    lint_workflow(workflow, findings_);
    workflow.complete_message = default_complete_message(workflow);
    FolderSnapshot alone;
    alone.files.emplace(file_, text_);
    workflow.documents = make_native_documents(std::move(alone), std::move(texts_), file_, workflow,
                                               loaded_.blobs, findings_);
    loaded_.content_hash = content_hash_of(loaded_);
    loaded_.findings = findings_.take_sorted();
    return std::move(loaded_);
  }

 private:
  /// They are for the work as a whole, and thus looked at to leave its last phase.
  void add_checks_of_head() {
    Phase& last = loaded_.workflow.phases.back();
    ReadChecks read = checks_of_head(text_, file_, last.id, findings_);
    const NativeReport report = NativeReport(file_, findings_).of_step(last.id);
    (void)add_checks(last.gate.checks, std::move(read.checks), report);
  }

  /// Every gate is as its document has it, and whether one is weak is not decided yet.
  void correct() {
    auto& phases = loaded_.workflow.phases;
    const std::string whole = phases.back().id;
    beside_.files.emplace(file_, text_);
    for (const Phase& dropped :
         correct_phases(beside_, corrections_file_of(file_), whole, phases, findings_)) {
      std::erase_if(texts_, [&](const InlineText& text) { return text.step == dropped.id; });
    }
  }

  void report_reading() {
    if (!base::is_utf8(text_)) {
      findings_.warning("not_utf8",
                        base::in_quotes(file_) +
                            " is not UTF-8; characters that cannot be read are shown as \uFFFD",
                        "save it as UTF-8", {file_, 0, 0});
    }
    findings_.add_all(reading_.findings);
    const auto be_plain = [this](const char* why, const char* hint) {
      loaded_.plain = true;
      findings_.error("plain_document", base::in_quotes(file_) + why, hint, {file_, 0, 0});
    };
    if (is_about_its_folder(file_)) {
      be_plain(" speaks of its folder, so that it is no workflow and is not listed",
               "give it a name that says what is to be done");
    } else if (base::is_blank(text_)) {
      be_plain(" is empty", "write headings such as ## Phase 1: …, and a gate behind each");
    } else if (reading_.phases.empty() && reading_.whole.exit.empty() &&
               !reading_.whole.human_approval && front_matter_of(text_).find("checks") == nullptr) {
      be_plain(" names no phases and has no gate, so that it is no workflow and is not listed",
               "write headings such as ## Phase 1: …, or a gate with boxes to tick");
    }
  }

  void limit_phases() {
    auto& phases = reading_.phases;
    if (phases.size() > limits::kPhasesMax) {
      findings_.error("too_many_phases",
                      "there are " + std::to_string(phases.size()) + " phases, the limit is " +
                          std::to_string(limits::kPhasesMax),
                      "split the document", {file_, phases[limits::kPhasesMax].line, 0});
      phases.resize(limits::kPhasesMax);
    }
    // Whatever a reader says, no text is cut outside of the document.
    const auto size = static_cast<std::uint32_t>(text_.size());
    const auto first = static_cast<std::uint32_t>(content_begin(text_));
    const std::vector<std::uint32_t> lines = line_begins();
    for (ReadPhase& phase : phases) {
      // A phase that is the row of a table has no span, but a line.
      const auto line = static_cast<std::size_t>(std::max(phase.line, 1));
      if (phase.end <= phase.begin && line < lines.size()) {
        phase.begin = lines[line - 1];
        phase.end = lines[line];
      }
      phase.begin = std::clamp(phase.begin, first, size);
      phase.end = std::clamp(phase.end, phase.begin, size);
    }
  }

  /// Where each line begins, and behind them the end.
  [[nodiscard]] std::vector<std::uint32_t> line_begins() const {
    std::vector<std::uint32_t> begins{0};
    for (std::size_t at = 0; at < text_.size(); at = begins.back()) {
      begins.push_back(static_cast<std::uint32_t>(line_end(text_, at)));
    }
    return begins;
  }

  [[nodiscard]] std::size_t first_byte() const {
    std::size_t first = text_.size();
    for (const ReadPhase& phase : reading_.phases)
      first = std::min<std::size_t>(first, phase.begin);
    return first;
  }

  void read_heads() {
    PhaseNames names;
    for (const ReadPhase& phase : reading_.phases) names.add(phase.number, phase.title);
    DocumentHeads heads = heads_of(reading_, text_.substr(0, first_byte()), names);
    loaded_.workflow.title = heads.title.empty() ? loaded_.workflow.id : std::move(heads.title);
    loaded_.workflow.description = std::move(heads.description);
  }

  void add_only_phase() {
    Phase phase;
    phase.id = "1";
    phase.title = loaded_.workflow.title;
    phase.file = file_ + "#1";
    phase.source = {file_, 1, 0};
    phase.gate = gate_of(std::move(reading_.whole), file_, 0, phase, findings_);
    texts_.push_back({phase.file, std::string(text_.substr(content_begin(text_))), phase.id});
    loaded_.workflow.phases.push_back(std::move(phase));
  }

  void add_phases() {
    std::vector<WrittenNumber> numbers;
    for (const ReadPhase& read : reading_.phases) {
      numbers.push_back({read.number, {file_, read.line, 0}});
    }
    const std::vector<std::string> ids = phase_ids(numbers, findings_);
    const int first_line = reading_.phases.front().line;
    std::vector<std::string> texts = texts_of_phases();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ReadPhase& read = reading_.phases[i];
      Phase phase;
      phase.id = ids[i];
      const std::string title = base::to_utf8(base::shortened(read.title, limits::kTitleBytesMax));
      phase.title = base::is_blank(title) ? "Phase " + phase.id : title;
      phase.file = file_ + "#" + phase.id;
      phase.source = {file_, read.line, read.line_end > read.line ? read.line_end : 0};
      phase.gate = gate_of(std::move(read.criteria), file_, first_line, phase, findings_);
      texts_.push_back({phase.file, std::move(texts[i]), phase.id});
      loaded_.workflow.phases.push_back(std::move(phase));
    }
    add_whole(std::move(reading_.whole), file_, first_line, loaded_.workflow, findings_);
  }

  /// Every byte of the document belongs to exactly one phase, except what is withheld.
  std::vector<std::string> texts_of_phases() {
    const auto& phases = reading_.phases;
    std::vector<std::size_t> by_place(phases.size());
    std::iota(by_place.begin(), by_place.end(), std::size_t{0});
    std::sort(by_place.begin(), by_place.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(phases[a].begin, a) < std::pair(phases[b].begin, b);
    });
    std::vector<std::string> texts(phases.size());
    for (std::size_t k = 0; k < by_place.size(); ++k) {
      const ReadPhase& phase = phases[by_place[k]];
      const bool last = k + 1 == by_place.size();
      const std::size_t end = last ? phase.end : phases[by_place[k + 1]].begin;
      texts[by_place[k]] = text_.substr(phase.begin, end - phase.begin);
      if (last) texts.back() += text_.substr(end);
    }
    texts.front().insert(0, preamble());
    return texts;
  }

  std::string preamble() {
    PhaseNames later;
    for (std::size_t i = 1; i < reading_.phases.size(); ++i) {
      later.add(reading_.phases[i].number, reading_.phases[i].title);
    }
    later.except(reading_.phases.front().number, reading_.phases.front().title);
    Preamble shown = without_outline(text_.substr(0, first_byte()), later);
    if (!shown.withheld.empty()) {
      findings_.info("outline_withheld",
                     lines_text(shown.withheld) + " before the first phase " +
                         (shown.withheld.size() == 1 ? "names" : "name") + " later phases and " +
                         (shown.withheld.size() == 1 ? "is" : "are") + " not shown to an assistant",
                     "", {file_, shown.withheld.front(), 0});
    }
    if (!shown.still_naming.empty()) {
      findings_.warning("outline_in_prose",
                        lines_text(shown.still_naming) +
                            " before the first phase: the text speaks of later phases by name or "
                            "number, and is shown with the first one",
                        "move it behind the phases, or write it as a list, which is not shown",
                        {file_, shown.still_naming.front(), 0});
    }
    return std::move(shown.text);
  }

  std::string file_;
  std::string_view text_;
  FolderSnapshot beside_;
  DocumentReading reading_;
  FindingList findings_;
  LoadedWorkflow loaded_;
  std::vector<InlineText> texts_;
};

/// The corrections of a document and what is nearly named so, as far as they are there.
FolderSnapshot corrections_beside(const fs::path& file) {
  FolderSnapshot beside;
  const std::string name = base::to_utf8(file.filename().string());
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(file.parent_path(), failed)) {
    const std::string other = base::to_utf8(entry.path().filename().string());
    if (!is_corrections_name(other) ||
        !base::lowered(other).starts_with(base::lowered(id_of_document(name)) + ".")) {
      continue;
    }
    auto text = base::read_file_below(file.parent_path(), entry.path().filename().string(),
                                      limits::kWorkflowFileBytesMax);
    if (text) {
      beside.files.emplace(other, *std::move(text));
    } else {
      beside.unread.emplace(other, text.error().message);
    }
  }
  return beside;
}

}  // namespace

bool is_document_name(std::string_view file_name) {
  return !file_name.starts_with('.') && id_of_document(file_name).size() < file_name.size() &&
         !id_of_document(file_name).empty();
}

bool is_about_its_folder(std::string_view file_name) {
  return base::lowered(id_of_document(file_name)) == "readme";
}

std::string id_of_document(std::string_view file_name) {
  const std::string low = base::lowered(file_name);
  for (const std::string_view ending : kEndings) {
    if (low.ends_with(ending)) {
      return std::string(file_name.substr(0, file_name.size() - ending.size()));
    }
  }
  return std::string(file_name);
}

LoadedWorkflow read_document_text(std::string_view file_name, std::string_view text) {
  return DocumentWorkflow(std::string(file_name), text, {}).read();
}

LoadedWorkflow read_document_file(const fs::path& file) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(file, failed);
  const fs::path& whole = failed ? file : absolute;
  const std::string name = base::to_utf8(whole.filename().string());
  const auto text = base::read_file_below(whole.parent_path(), whole.filename().string(),
                                          limits::kDocumentBytesMax);
  if (text) return DocumentWorkflow(name, *text, corrections_beside(whole)).read();
  return unreadable_workflow(id_of_document(name), {Severity::error,
                                                    "unreadable_file",
                                                    text.error().message,
                                                    text.error().hint,
                                                    {name, 0, 0},
                                                    ""});
}

}  // namespace phasegate::phases
