#include "phases/reading/places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "phases/reading/item_text.h"
#include "phases/reading/phase_heading.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;
using Word = PhaseHeading::Word;

bool asks(Role role) {
  return role == Role::gate || role == Role::evidence || role == Role::entry;
}

/// A sentence that ends in a colon asks for evidence only if it says so.
bool demands(std::string_view sentence) {
  const std::string form = phrase_form(sentence);
  for (const std::string_view word :
       {" must ", " required ", " provide ", " hand over ", " submit ", " include ", " collect ",
        " report ", " mandatory "}) {
    if (form.find(word) != std::string::npos) return true;
  }
  return form.starts_with(" evidence ") || form.ends_with(" evidence ");
}

/// `### Files` and `### Dependencies` divide a checklist; elsewhere they list what there is.
bool names_group(std::string_view title) {
  const std::string form = phrase_form(title);
  return form == " files " || form == " dependencies " || form == " risks " ||
         form == " related " || form == " deliverables ";
}

bool is_template(std::string_view title);

/// A sentence that ends in a colon turns away from conditions only if it says so plainly.
bool turns_aside(std::string_view sentence) {
  const std::string form = phrase_form(sentence);
  for (const std::string_view begin : {" never ", " do not ", " don t ", " avoid ", " upon "}) {
    if (form.starts_with(begin)) return true;
  }
  return is_template(sentence);
}

bool is_template(std::string_view title) {
  const std::string form = phrase_form(title);
  return form.find(" template") != std::string::npos ||
         form.find(" example") != std::string::npos || form.find(" sample ") != std::string::npos;
}

class Walker {
 public:
  Walker(const std::vector<Statement>& statements, const FoundPhases& phases)
      : said_(statements), phases_(phases), places_(statements.size()) {}

  std::vector<StatementPlace> walk() {
    auto phase = phases_.phases.begin();
    for (std::size_t i = 0; i < said_.size(); ++i) {
      while (phase != phases_.phases.end() && !phases_.rows && phase->first < i) ++phase;
      const bool opens_phase =
          phase != phases_.phases.end() && !phases_.rows && phase->first == i && !phases_.unit;
      switch (said_[i].kind) {
        case Kind::heading:
          enter_heading(i, opens_phase);
          break;
        case Kind::item:
          enter_item(i);
          break;
        case Kind::line:
          enter_line(i, opens_phase);
          break;
        case Kind::tag:
          enter_tag(i);
          break;
        case Kind::rule:
          lead_.reset();
          put(i, around());
          break;
        default:
          put(i, here(i));
          items_seen_ = true;
          break;
      }
    }
    return std::move(places_);
  }

 private:
  struct Section {
    int level = 0;
    Role role = Role::none;
    bool hard = false;  ///< a template: nothing below it can be a gate
    bool task = false;
    std::string named_phase;
    std::string tag;  ///< its name, if a tag opened the section
    std::size_t heading = StatementPlace::kNowhere;
    std::size_t opener = StatementPlace::kNowhere;
  };
  struct Lead {
    Role role = Role::none;
    std::size_t at = 0;
    bool command = false;  ///< what it collects may have titles of its own
    std::string named_phase;
  };

  [[nodiscard]] const Section& around() const { return open_.back(); }

  void put(std::size_t i, const Section& section) {
    places_[i].role = section.role;
    places_[i].task = section.task;
    places_[i].named_phase = section.named_phase;
    places_[i].heading = section.heading;
    places_[i].opener = section.opener;
  }

  /// What a statement outside of lists stands in: the last lead, or the heading.
  [[nodiscard]] Section here(std::size_t i) const {
    Section section = around();
    if (said_[i].parent != Statement::kNone) {
      const StatementPlace& item = places_[said_[i].parent];
      section.role = item.role;
      section.task = section.task || item.task;
      section.opener = item.opener;
      const auto known = item_leads_.find(said_[i].parent);
      if (known != item_leads_.end()) {
        section.role = known->second;
        section.opener = said_[i].parent;
      }
    } else if (lead_ && !section.hard) {
      section.role = lead_->role;
      section.opener = lead_->at;
      if (!lead_->named_phase.empty()) section.named_phase = lead_->named_phase;
    }
    return section;
  }

  void enter_heading(std::size_t i, bool opens_phase) {
    const Statement& one = said_[i];
    lead_.reset();
    items_seen_ = false;
    while (open_.size() > 1 && open_.back().level >= one.level) open_.pop_back();
    const Section& parent = around();
    Section section = parent;
    section.level = one.level;
    section.heading = i;
    const auto order = read_phase_heading(one.text);
    const bool counted = order && order->word < Word::numbered && order->separated;
    const bool named = order && order->word == Word::named;
    // `Task 5: Define Validation Gates` is about gates, as its title alone is.
    const Role said = role_of(counted ? std::string_view(order->title) : one.text);
    const bool first = !std::exchange(heading_seen_, true);
    if (opens_phase || (first && one.level == 1) || counted) {
      // A title or a step may speak of gates without being one; boxes tell.
      const bool checks = said == Role::gate || said == Role::weak || said == Role::evidence;
      section.role = said == Role::entry && !opens_phase && !first ? Role::entry
                     : opens_phase && said == Role::gate && (named || order->word == Word::gate)
                         ? Role::gate
                     : checks && !(first && one.level == 1) ? Role::weak
                                                            : Role::none;
      if (parent.hard) section.role = Role::aside;
      section.opener = i;
      if (parent.role == Role::gate || parent.role == Role::evidence) {
        // `## Validation Gates` and below it the phases; steps may be advice.
        const bool steps = counted && order->word >= Word::step && order->word != Word::gate;
        section.role = steps ? Role::weak : parent.role;
        section.opener = parent.opener;
      }
      section.task = counted && order->word == Word::task && !first && !phases_.phases.empty();
      if (section.task) section.role = Role::task;
    } else if (said != Role::none && !parent.hard) {
      const bool keeps_parent =
          (parent.role == Role::entry && said == Role::gate) ||
          (parent.role == Role::aside && !asks(said)) ||
          (said == Role::weak && asks(parent.role)) ||
          (said == Role::aside && asks(parent.role) && names_group(one.text)) ||
          (parent.role == Role::task && !asks(said) && said != Role::aside);
      if (!keeps_parent) {
        section.role = said;
        section.opener = i;
      }
      section.hard = is_template(one.text);
    }
    if (section.role == Role::none) section.opener = i;
    if (auto number = phase_named_in(one.text); number && !opens_phase) {
      section.named_phase = *number;
    } else if (opens_phase) {
      section.named_phase.clear();
    }
    open_.push_back(section);
    put(i, open_.back());
    places_[i].lead = true;
  }

  /// `<success_criteria>` is a heading for what stands before `</success_criteria>`.
  void enter_tag(std::size_t i) {
    constexpr int kTagLevel = 7;  // below every heading
    std::string_view name = said_[i].text;
    const bool closes = name.starts_with("</");
    name.remove_prefix(std::min<std::size_t>(closes ? 2 : 1, name.size()));
    name = name.substr(0, name.find_first_of(" />\t\n"));
    lead_.reset();
    put(i, around());
    if (closes) {
      const auto opened = std::find_if(open_.rbegin(), open_.rend(),
                                       [&](const Section& one) { return one.tag == name; });
      if (opened != open_.rend()) open_.erase(opened.base() - 1, open_.end());
      return;
    }
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    const Role said = role_of(words);
    constexpr std::size_t kOpenMax = 64;
    if (said == Role::none || said_[i].text.ends_with("/>") || around().hard ||
        open_.size() > kOpenMax) {
      return;
    }
    Section section = around();
    section.level = kTagLevel;
    section.tag = std::string(name);
    section.role = said;
    section.hard = is_template(words);
    section.opener = i;
    open_.push_back(std::move(section));
  }

  void set_lead(Role role, std::size_t at) {
    lead_ = Lead{role, at, false, ""};
    items_seen_ = false;
  }

  void enter_line(std::size_t i, bool opens_phase) {
    const Statement& one = said_[i];
    if (one.parent != Statement::kNone) {
      put(i, here(i));
      return;
    }
    if (opens_phase) {
      lead_.reset();
      put(i, around());
      places_[i].lead = true;
      return;
    }
    const CommandLine command = read_command_line(one);
    if (command.kind != CommandLine::Kind::none) {
      enter_command(i, command);
      return;
    }
    const ItemText item = read_item_text(one);
    const bool marked = item.bold || !one.glyph.empty();
    const bool whole_sentence = item.content.find(". ") != std::string::npos && item.colon;
    const bool ends_open = (one.text.ends_with(':') || one.text.ends_with("：")) && !whole_sentence;
    if (item.lead || (ends_open && item.content.empty())) {
      enter_lead(i, item.label.empty() ? one.text : item.label, marked);
      return;
    }
    if (ends_open) {
      enter_lead(i, one.text, false);
      return;
    }
    if (!item.label.empty() && item.colon && role_of(item.label) == Role::gate &&
        followed_by_items(i) && item.content.size() < 80) {
      enter_lead(i, item.label, true);  // `🛑 **GATE:** Implementation Complete` and its boxes
      return;
    }
    // A paragraph behind a lead's list ends what the lead said, a label of its own as well.
    if (lead_ && items_seen_ && !marked) lead_.reset();
    if (lead_ && marked && !item.label.empty() &&
        (lead_->role == Role::aside || lead_->role == Role::task)) {
      lead_.reset();
    }
    put(i, here(i));
    if (marked && !item.label.empty()) {
      const Role said = role_of(item.label);
      if (said == Role::aside || said == Role::task) set_lead(said, i);
    }
  }

  void enter_command(std::size_t i, const CommandLine& command) {
    Role role = Role::aside;
    if (command.kind == CommandLine::Kind::gate) role = Role::gate;
    if (command.kind == CommandLine::Kind::entry) role = Role::entry;
    if (command.kind == CommandLine::Kind::asks) {
      role = followed_by_fields(i, command.collects) ? Role::evidence : Role::aside;
    }
    if (around().role == Role::entry && role == Role::gate) role = Role::entry;
    lead_.reset();
    put(i, around());
    const bool opens =
        command.kind == CommandLine::Kind::gate || command.kind == CommandLine::Kind::entry;
    places_[i].lead =
        (opens && (command.content.empty() || followed_by_items(i))) || role == Role::evidence;
    if (opens && places_[i].role != Role::entry && places_[i].role != Role::aside) {
      places_[i].role = role;
    }
    if (const auto named = phase_named_in(said_[i].text); named && opens) {
      places_[i].named_phase = *named;
    }
    set_lead(role, i);
    lead_->command = role == Role::evidence;
  }

  void enter_lead(std::size_t i, std::string_view label, bool marked) {
    Role said = role_of(label);
    const Role outer = around().role;
    if (!marked && said == Role::evidence && !demands(label)) said = Role::none;
    if (!marked && said == Role::aside && !turns_aside(label)) said = Role::none;
    if (!marked && phrase_form(label).ends_with(" these criteria ")) said = Role::none;
    // `Before starting, confirm:` below `## Verification` asks for what the heading says.
    if (!marked && said == Role::entry && (outer == Role::gate || outer == Role::weak)) {
      said = outer;
    }
    if (said == Role::weak && !marked) said = outer == Role::none ? Role::weak : outer;
    if (outer == Role::entry && said == Role::gate) said = Role::entry;
    put(i, around());
    places_[i].lead = true;
    // `Before advancing to Phase 2:` speaks of the phase behind the gate.
    const bool next = phrase_form(label).starts_with(" before ");
    const auto named = marked && !next ? phase_named_in(label) : std::nullopt;
    if (said == Role::none && named && (outer == Role::gate || outer == Role::evidence)) {
      said = outer;  // `**Phase 2:**` in the chapter of all gates
    }
    if (said != Role::none) {
      set_lead(said, i);
      if (named) lead_->named_phase = *named;
    } else if (!lead_ || !lead_->command) {
      lead_.reset();
      items_seen_ = false;
    }
  }

  void enter_item(std::size_t i) {
    const Statement& one = said_[i];
    items_seen_ = true;
    put(i, here(i));
    StatementPlace& place = places_[i];
    const ItemText item = read_item_text(one);
    // At a gate a number is part of the sentence.
    const bool gate =
        place.role == Role::gate || place.role == Role::evidence || place.role == Role::entry;
    const bool work = !gate && one.box && names_task(one.text);
    const bool bold_work = !gate && names_task(item.label);
    if (work || bold_work) {
      place.task = true;
      if (place.role == Role::none) place.role = Role::task;
    }
    if (!item.lead && !one.text.ends_with(':')) return;
    const Role said = role_of(item.label.empty() ? one.text : item.label);
    const bool list_follows =
        i + 1 < said_.size() && said_[i + 1].parent == i && said_[i + 1].kind != Kind::code;
    if (said == Role::none || one.box || !list_follows) return;
    if (place.role == Role::aside || place.role == Role::task || place.task) return;
    item_leads_[static_cast<std::uint32_t>(i)] = said;
    place.lead = said == Role::gate || said == Role::evidence || said == Role::aside;
  }

  /// An item or a table comes before the next heading, lead or sentence.
  [[nodiscard]] bool followed_by_items(std::size_t i) const {
    std::size_t lines = 0;
    for (std::size_t at = i + 1; at < said_.size() && lines < 3; ++at) {
      if (said_[at].kind == Kind::item || said_[at].kind == Kind::table) return true;
      if (said_[at].kind != Kind::line) return false;
      if (!said_[at].text.ends_with(':')) {
        // Conditions marked with ✅ do instead of items.
        return !said_[at].glyph.empty() && said_[at].glyph != said_[i].glyph &&
               read_command_line(said_[at]).kind == CommandLine::Kind::none;
      }
      ++lines;
    }
    return false;
  }

  /// `**Version:** [x.y.z]` lines come next, or for a command that collects several, such items.
  [[nodiscard]] bool followed_by_fields(std::size_t i, bool collects) const {
    std::size_t next = i + 1;
    // A title may stand between.
    if (collects && next < said_.size() && said_[next].kind == Kind::line &&
        read_item_text(said_[next]).lead) {
      ++next;
    }
    if (next >= said_.size()) return false;
    if (said_[next].kind == Kind::item && collects) {
      const ItemText field = read_item_text(said_[next]);
      return field.colon && !field.content.empty();
    }
    if (said_[i + 1].kind != Kind::line) return false;
    const ItemText item = read_item_text(said_[i + 1]);
    return item.bold && item.colon && !item.content.empty() &&
           read_command_line(said_[i + 1]).kind == CommandLine::Kind::none &&
           is_placeholder(item.content);
  }

  const std::vector<Statement>& said_;
  const FoundPhases& phases_;
  std::vector<StatementPlace> places_;
  std::vector<Section> open_{Section{}};
  std::optional<Lead> lead_;
  std::map<std::uint32_t, Role> item_leads_;
  bool items_seen_ = false;
  bool heading_seen_ = false;
};

}  // namespace

std::vector<StatementPlace> places_of(const std::vector<Statement>& statements,
                                      const FoundPhases& phases) {
  return Walker(statements, phases).walk();
}

}  // namespace phasegate::phases
