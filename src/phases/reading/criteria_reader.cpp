#include "phases/reading/criteria_reader.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "phases/reading/gate_fence.h"
#include "phases/reading/gate_tables.h"
#include "phases/reading/item_text.h"
#include "phases/reading/phase_heading.h"
#include "phases/reading/requirement_text.h"
#include "phases/requirement_names.h"
#include "phases/typed_table.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;

class Reader {
 public:
  Reader(const DocumentParts& document, FindingList& findings)
      : doc_(document),
        said_(document.statements),
        places_(document.places),
        findings_(findings),
        asked_(said_.size(), false) {
    note_checklist();
    note_boxes();
  }

  ReadItems read() {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (said_[i].quoted && !said_[i].box) continue;
      switch (said_[i].kind) {
        case Kind::heading:
          read_heading(i);
          break;
        case Kind::item:
          read_item(i);
          break;
        case Kind::line:
          read_line(i);
          break;
        case Kind::table:
          read_table(i);
          break;
        case Kind::code:
          read_fence(i);
          break;
        case Kind::tag:
        case Kind::rule:
          break;
      }
    }
    return {std::move(items_), std::move(asked_)};
  }

 private:
  // --- what the document as a whole is ---

  void note_checklist() {
    std::size_t headings = 0;
    for (const Statement& one : said_) {
      if (one.kind != Kind::heading) continue;
      if (headings == 0 && one.level == 1) checklist_ = names_checklist(one.text);
      ++headings;
    }
    const auto slash = doc_.path.rfind('/');
    const std::string_view file =
        slash == std::string_view::npos ? doc_.path : doc_.path.substr(slash + 1);
    checklist_ = checklist_ ||
                 (names_checklist(file) && phrase_form(file).find(" gate") == std::string::npos);
  }

  /// Lists that hold boxes: what stands in them without a box explains.
  void note_boxes() {
    for (const Statement& one : said_) {
      if (one.kind == Kind::item) {
        item_headings_.insert(places_[static_cast<std::size_t>(&one - said_.data())].heading);
      }
      if (one.kind == Kind::item && one.box) {
        box_lists_.insert(doc_.tree.blocks()[one.block].kind == BlockKind::item
                              ? doc_.tree.blocks()[one.block].parent
                              : doc_.tree.blocks()[doc_.tree.blocks()[one.block].parent].parent);
      }
    }
  }

  [[nodiscard]] Source source_of(std::size_t i) const {
    return {std::string(doc_.path), said_[i].line, 0};
  }

  void add(std::size_t i, Requirement requirement, Confidence confidence) {
    if (!has_letters(requirement.name)) return;
    requirement.confidence = std::max(requirement.confidence, confidence);
    asked_[i] = true;
    std::size_t opener = places_[i].opener;
    const std::size_t heading = places_[i].heading;
    if (heading != StatementPlace::kNowhere && role_of(said_[heading].text) == places_[i].role) {
      opener = heading;
    }
    const bool opened = opener != StatementPlace::kNowhere && places_[i].role != Role::none;
    // `- [ ] Phase 2: all modules listed` speaks for its phase, wherever it stands.
    std::string named_phase = places_[i].named_phase;
    if (const auto order = read_phase_heading(requirement.description);
        order && order->word == PhaseHeading::Word::phase &&
        requirement.description.find(": ") <= kNumberEnd) {
      named_phase = order->number;
    }
    items_.push_back({std::move(requirement), i, places_[i].role == Role::entry,
                      std::move(named_phase), opened ? said_[opener].line : said_[i].line});
  }

  void add_all(std::size_t i, std::vector<Requirement> requirements, Confidence confidence) {
    for (Requirement& one : requirements) add(i, std::move(one), confidence);
  }

  // --- headings ---

  /// `### Gate 1: Lint (MUST be 10.00/10)`: the heading of a gate that is a phase is its condition.
  void read_heading(std::size_t i) {
    const auto& phases = doc_.phases.phases;
    const auto phase = std::lower_bound(
        phases.begin(), phases.end(), i,
        [](const PhaseSpan& one, std::size_t statement) { return one.first < statement; });
    if (phase == phases.end() || phase->first != i || !phase->gate || doc_.phases.unit) return;
    const auto open = said_[i].text.find('(');
    if (open == std::string::npos) return;
    const std::string_view inside =
        std::string_view(said_[i].text).substr(open + 1, said_[i].text.rfind(')') - open - 1);
    const std::string form = phrase_form(inside);
    if (form.find(" must ") == std::string::npos && form.find(" required ") == std::string::npos) {
      return;
    }
    Requirement made = condition_from(phase->title, RequirementSource::prose, source_of(i));
    if (const auto measure = measure_in(inside)) {
      apply_quantity(*measure, made);
    } else if (const auto value = typed_value(inside)) {
      apply_quantity(*value, made);
    }
    add(i, std::move(made), Confidence::medium);
  }

  // --- items ---

  [[nodiscard]] bool below_asked(std::size_t i) const {
    for (std::uint32_t at = said_[i].parent; at != Statement::kNone; at = said_[at].parent) {
      if (asked_[at]) return true;
    }
    return false;
  }

  [[nodiscard]] bool in_box_list(std::size_t i) const {
    const auto& blocks = doc_.tree.blocks();
    const Block& block = blocks[said_[i].block];
    const std::uint32_t list =
        block.kind == BlockKind::item ? block.parent : blocks[block.parent].parent;
    return box_lists_.contains(list);
  }

  [[nodiscard]] bool has_children(std::size_t i) const {
    // A note may stand between a title and its list.
    constexpr std::size_t kBetweenMax = 3;
    for (std::size_t at = i + 1; at < said_.size() && at <= i + kBetweenMax; ++at) {
      if (said_[at].parent != i) return false;
      if (said_[at].kind == Kind::item) return true;
    }
    return false;
  }

  /// Where the colon of `Phase 23.1: …` stands at the latest.
  static constexpr std::size_t kNumberEnd = 12;
  /// A title of a group is shorter than a condition that its items explain.
  static constexpr std::size_t kSentenceWords = 5;

  void read_item(std::size_t i) {
    const Statement& one = said_[i];
    const StatementPlace& place = places_[i];
    if (one.text.empty()) {
      if (one.box && place.role == Role::gate) {
        findings_.warning("empty_requirement", "a box of the gate says nothing and is left out",
                          "write what must be true, or remove it", source_of(i), "");
      }
      return;
    }
    if (place.role == Role::aside || place.task) return;
    if (one.box) return read_box(i);
    if (read_held_back(i)) return;
    const ItemText item = read_item_text(one);
    const bool typed = item.code && is_plain_name(item.label) && typed_value(item.content);
    if (place.role == Role::output || place.role == Role::evidence) {
      if (typed) {
        return add_all(i,
                       requirements_from(one, Asked::value, RequirementSource::field, source_of(i)),
                       Confidence::high);
      }
    }
    switch (place.role) {
      case Role::gate:
      case Role::entry:
        return read_bullet(i, item, Asked::condition);
      case Role::evidence:
        return read_bullet(i, item, Asked::value);
      case Role::none:
      case Role::weak:
      case Role::task:
      case Role::output:
        return read_stated_measure(i, item);
      default:
        return;
    }
  }

  void read_box(std::size_t i) {
    const Statement& one = said_[i];
    const StatementPlace& place = places_[i];
    const bool gate = place.role == Role::gate || place.role == Role::weak ||
                      place.role == Role::evidence || place.role == Role::entry ||
                      place.role == Role::output;
    if (!gate && read_held_back(i)) return;
    const bool listed = checklist_ && (place.role == Role::none || place.role == Role::task) &&
                        !names_task(one.text);
    if (!gate && !listed) return;
    if (below_asked(i) && !one.box) return;
    const Confidence confidence =
        place.role == Role::weak || listed ? Confidence::medium : Confidence::high;
    add_all(i, requirements_from(one, Asked::condition, RequirementSource::checkbox, source_of(i)),
            confidence);
  }

  void read_bullet(std::size_t i, const ItemText& item, Asked asked) {
    const Statement& one = said_[i];
    if (below_asked(i) || in_box_list(i) || places_[i].lead) return;
    // A group's title: what it groups is asked for.
    const bool group = has_children(i) && (item.lead || one.text.ends_with(':')) &&
                       words_of(one.text).size() < kSentenceWords;
    if (group || is_placeholder(one.text)) return;
    const std::string form = phrase_form(one.text);
    if (form.starts_with(" if fail") || form.starts_with(" see ") || form.starts_with(" note ")) {
      return;
    }
    const bool ends_in_slot = item.bold && !slots_in(item.content).empty();
    add_all(i,
            requirements_from(one, asked,
                              asked == Asked::value || ends_in_slot ? RequirementSource::field
                                                                    : RequirementSource::bullet,
                              source_of(i)),
            Confidence::high);
  }

  /// `1. **Fix all failing tests** - 100 % pass rate required`: a measure that is said to be
  /// required holds wherever it stands.
  void read_stated_measure(std::size_t i, const ItemText& item) {
    const std::string_view text = said_[i].text;
    const auto bracket = text.find('(');
    const std::string form = phrase_form(item.bold ? item.content : text);
    const auto says = [&](std::string_view word) { return form.find(word) != std::string::npos; };
    const bool demanded = says(" required ") || says(" mandatory ") || says(" no exceptions ");
    std::string_view bound = item.content;
    std::string_view subject = item.label;
    if (!item.bold || item.content.empty() || !demanded) {
      // `Test success rate (must be 100 %)`
      const bool aims = says(" must be ") || says(" should be ") || says(" aim for ");
      if (bracket == std::string_view::npos || bracket < 4 || !aims) return;
      bound = text.substr(bracket + 1);
      bound = bound.substr(0, bound.find(')'));
      subject = text.substr(0, bracket);
    }
    auto measure = measure_in(bound);
    if (!measure) {
      const std::string_view last = bound.substr(bound.rfind(' ') + 1);
      const bool number = !last.empty() && last.front() >= '0' && last.front() <= '9';
      if (number) measure = typed_value("must be " + std::string(last));
    }
    if (!measure) return;
    Requirement made = condition_from(subject, RequirementSource::bullet, source_of(i));
    made.description = said_[i].text;
    apply_quantity(*measure, made);
    add(i, std::move(made), Confidence::medium);
  }

  // --- lines ---

  bool read_held_back(std::size_t i) {
    const std::string condition = held_back_until(said_[i].text);
    if (condition.empty() || places_[i].role == Role::aside) return false;
    Requirement made = condition_from(condition, RequirementSource::prose, source_of(i));
    made.description = said_[i].text;
    made.required = true;
    add(i, std::move(made), Confidence::medium);
    return true;
  }

  void read_line(std::size_t i) {
    const Statement& one = said_[i];
    const StatementPlace& place = places_[i];
    if (one.text.empty() || place.lead) return;
    if (one.parent != Statement::kNone && begins_nested_item(one.text)) return;
    if (read_command(i)) return;
    if (place.task || (place.role == Role::aside && places_[i].opener != i)) {
      if (one.glyph.empty() || place.task) return;
    }
    const ItemText item = read_item_text(one);
    if (read_gate_line(i, item) || read_held_back(i)) return;
    if (read_evidence_phrase(i, item)) return;
    if (place.role == Role::aside) return;
    const bool asks = place.role == Role::gate || place.role == Role::evidence;
    // `**Production target**: score ≥ 7`
    const bool gate_like = place.role == Role::gate ||
                           (checklist_ && (place.role == Role::none || place.role == Role::weak));
    if (gate_like && item.bold && item.colon && item.content.size() <= 40 && one.depth == 0 &&
        measure_in(item.content)) {
      return add_all(
          i, requirements_from(one, Asked::condition, RequirementSource::prose, source_of(i)),
          Confidence::medium);
    }
    const bool field =
        item.bold && item.colon && is_placeholder(item.content) && !slots_in(item.content).empty();
    if (field && asks && one.depth == 0) {
      return add_all(i,
                     requirements_from(one, Asked::value, RequirementSource::field, source_of(i)),
                     Confidence::high);
    }
    const bool ticked = one.glyph.starts_with("✅") || one.glyph.starts_with("☑") ||
                        one.glyph.starts_with("☐") || one.glyph.starts_with("✓") ||
                        one.glyph.starts_with("✔") || one.glyph.starts_with("•");
    if (ticked && (asks || place.role == Role::entry) && !below_asked(i)) {
      add_all(i, requirements_from(one, Asked::condition, RequirementSource::bullet, source_of(i)),
              Confidence::medium);
    }
  }

  /// Lines that were meant as items below an item; they explain it.
  static bool begins_nested_item(std::string_view text) {
    return text.starts_with("- ") || text.starts_with("* ");
  }

  bool read_command(std::size_t i) {
    const CommandLine command = read_command_line(said_[i]);
    if (command.kind == CommandLine::Kind::none) return false;
    if (places_[i].role == Role::aside || places_[i].task || places_[i].role == Role::entry) {
      if (command.kind != CommandLine::Kind::asks || places_[i].role == Role::aside) return true;
    }
    if (command.content.empty() || is_placeholder(command.content)) return true;
    Statement content;
    content.text = command.content;
    const Source source = source_of(i);
    if (command.kind == CommandLine::Kind::asks) {
      add_all(i, requirements_from(content, Asked::value, RequirementSource::command, source),
              Confidence::high);
    } else if (command.kind == CommandLine::Kind::verify) {
      add(i, condition_from(command.content, RequirementSource::command, source),
          Confidence::medium);
    } else if (command.kind == CommandLine::Kind::gate) {
      ItemText item;
      item.label = "gate";
      item.content = command.content;
      item.bold = item.colon = true;
      if (read_gate_line(i, item)) return true;
      add(i, condition_from(command.content, RequirementSource::prose, source), Confidence::medium);
    }
    return true;
  }

  /// `**🚪 Gate:** Must have a complete inventory`, `**Checkpoint**: Foundation ready`.
  bool read_gate_line(std::size_t i, const ItemText& item) {
    if (item.label.empty() || !item.colon || item.content.empty()) return false;
    const Statement& one = said_[i];
    const std::string form = phrase_form(item.label);
    constexpr std::size_t kPlainLabelWords = 3;
    const bool plain =
        one.depth == 0 && one.kind == Kind::line && words_of(item.label).size() <= kPlainLabelWords;
    if (!item.bold && one.glyph.empty() && !plain) return false;
    if (form.starts_with(" if ")) return read_threshold(i, item);
    if (role_of(item.label) != Role::gate || is_placeholder(item.content)) return false;
    // `A AND B` are two conditions.
    const std::size_t heading = places_[i].heading;
    if (phrase_form(item.content).starts_with(" must pass ") &&
        heading != StatementPlace::kNowhere) {
      // What must pass is what the heading names.
      Requirement made =
          condition_from(said_[heading].text + " passed", RequirementSource::prose, source_of(i));
      made.description = one.text;
      add(i, std::move(made), Confidence::medium);
      return true;
    }
    for (const std::string_view part : conditions_in(item.content)) {
      Requirement made = condition_from(part, RequirementSource::prose, source_of(i));
      made.description = one.text;
      add(i, std::move(made), Confidence::medium);
    }
    return true;
  }

  /// `**If the score is ≥ 95 %**: proceed` at a gate names what the gate asks for.
  bool read_threshold(std::size_t i, const ItemText& item) {
    const Role role = places_[i].role;
    const std::string what = phrase_form(item.content);
    const bool goes_on = what.starts_with(" proceed ") || what.starts_with(" continue ") ||
                         what.starts_with(" advance ") || what.starts_with(" pass ");
    if ((role != Role::gate && role != Role::weak) || !goes_on) return false;
    const auto measure = measure_in(item.label);
    if (!measure) return false;
    Requirement made = condition_from(item.label.substr(3), RequirementSource::prose, source_of(i));
    made.description = said_[i].text;
    made.required = true;
    add(i, std::move(made), Confidence::medium);
    return true;
  }

  /// `**📊 Table Update:** Mark Phase 1 complete with method count evidence`.
  bool read_evidence_phrase(std::size_t i, const ItemText& item) {
    if (!item.bold || !item.colon || said_[i].glyph.empty()) return false;
    const std::string label = phrase_form(item.label);
    if (label.find(" update") == std::string::npos && label.find(" record") == std::string::npos) {
      return false;
    }
    const std::string lower = base::lowered(item.content);
    const auto with = lower.rfind(" with ");
    if (with == std::string::npos) return false;
    const std::string what = item.content.substr(with + 6);
    const std::string form = phrase_form(what);
    if (form.find(" evidence ") == std::string::npos &&
        form.find(" metrics ") == std::string::npos) {
      return false;
    }
    Requirement made = condition_from(what, RequirementSource::command, source_of(i));
    made.description = said_[i].text;
    Quantity quantity = quantity_from_name(made.name);
    if (form.find(" count ") != std::string::npos) quantity.type = ValueType::integer;
    if (quantity.type != ValueType::integer) {
      quantity = Quantity();
      quantity.type = ValueType::string;
    }
    apply_quantity(quantity, made);
    add(i, std::move(made), Confidence::medium);
    return true;
  }

  // --- tables and fences ---

  void read_table(std::size_t i) {
    const StatementPlace& place = places_[i];
    const bool in_template = place.role == Role::aside || place.task;
    const bool asks = place.role == Role::gate || place.role == Role::evidence ||
                      place.role == Role::output || place.role == Role::weak;
    if (asks) {
      std::vector<Requirement> typed;
      if (read_typed_table(doc_.tree, said_[i].block, doc_.text, doc_.path, "", typed, findings_)) {
        return add_all(i, std::move(typed), Confidence::high);
      }
    }
    const bool in_gate = place.role == Role::gate || place.role == Role::evidence ||
                         (checklist_ && (place.role == Role::none || place.role == Role::weak));
    const TableUse use = in_template ? TableUse::phases_only
                         : in_gate   ? TableUse::gate
                                     : TableUse::criteria_only;
    for (RowRequirement& row : conditions_in_table(doc_.tree, said_[i].block, use, doc_.path)) {
      const std::size_t before = items_.size();
      add(i, std::move(row.requirement), Confidence::medium);
      if (!row.phase.empty() && items_.size() > before) items_.back().named_phase = row.phase;
    }
  }

  void read_fence(std::size_t i) {
    const std::size_t heading = places_[i].heading;
    // One form below a heading is the gate; what follows it shows how it may look.
    const bool first = !fences_read_.contains(heading);
    GateFence fence = read_gate_fence(doc_, i, first, !item_headings_.contains(heading));
    if (fence.form && !fence.values.empty()) fences_read_.insert(heading);
    add_all(i, std::move(fence.values), fence.form ? Confidence::medium : Confidence::high);
  }

  const DocumentParts& doc_;
  const std::vector<Statement>& said_;
  const std::vector<StatementPlace>& places_;
  FindingList& findings_;
  std::vector<bool> asked_;  ///< by statement: something was read from it
  std::set<std::uint32_t> box_lists_;
  std::set<std::size_t> item_headings_;  ///< headings below which a list stands
  std::set<std::size_t> fences_read_;    ///< headings below which a form was read
  std::vector<ReadItem> items_;
  bool checklist_ = false;
};

}  // namespace

ReadItems read_items(const DocumentParts& document, FindingList& findings) {
  return Reader(document, findings).read();
}

}  // namespace phasegate::phases
