#include "phases/reading/phase_finder.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/text.h"
#include "phases/reading/item_text.h"
#include "phases/reading/lexicon.h"
#include "phases/reading/phase_heading.h"
#include "phases/reading/phase_rows.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;
using Word = PhaseHeading::Word;

enum class Form { heading, tag, bold };

struct Candidate {
  std::size_t at = 0;   ///< its statement
  std::size_t end = 0;  ///< one behind its last statement
  PhaseHeading heading;
  Form form = Form::heading;
  int level = 0;           ///< twice the heading's; odd for what stands between two levels
  int closed_on = 0;       ///< line of its end tag
  std::size_t around = 0;  ///< headings that were open where its tag began
  std::size_t parent = 0;  ///< statement of the heading around it, plus one; 0: none
};

using Group = std::vector<Candidate>;

/// For the order of `1`, `2`, `0B`, `A`, `23.1.2`, `IV` among each other.
std::vector<int> order_of(const std::string& number) {
  std::vector<int> order;
  constexpr int kValueMax = 1'000'000;
  int value = -1;
  for (const char c : number) {
    if (c >= '0' && c <= '9') {
      value = std::min((value < 0 ? 0 : value) * 10 + (c - '0'), kValueMax);
    } else {
      if (value >= 0) order.push_back(value);
      value = -1;
      if (c != '.') order.push_back(c);
    }
  }
  if (value >= 0) order.push_back(value);
  return order;
}

bool says_gate(std::string_view title) {
  const Role role = role_of(title);
  return role == Role::gate || role == Role::evidence || role == Role::entry;
}

/// The value of `name="…"` in a tag; empty if it is not there.
std::string attribute(std::string_view tag, std::string_view name) {
  for (auto at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const bool begins = at > 0 && (tag[at - 1] == ' ' || tag[at - 1] == '\t');
    std::string_view rest = tag.substr(at + name.size());
    if (!begins || !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    const char quote = rest.empty() ? ' ' : rest.front();
    if (quote != '"' && quote != '\'') {
      return std::string(rest.substr(0, rest.find_first_of(" >\t")));
    }
    const auto close = rest.find(quote, 1);
    if (close == std::string_view::npos) return "";
    return std::string(base::trimmed(rest.substr(1, close - 1)));
  }
  return "";
}

class Finder {
 public:
  Finder(const std::vector<Statement>& statements, const MarkdownTree& tree, std::string_view path)
      : said_(statements), tree_(tree), path_(path) {}

  FoundPhases find() {
    collect();
    FoundPhases found;
    if (auto unit = find_unit()) {
      found.unit = true;
      found.phases.push_back(std::move(*unit));
      return found;
    }
    for (Candidate& one : best_group()) {
      if (!found.phases.empty() && found.phases.back().last > one.at) {
        found.phases.back().last = one.at;
      }
      PhaseSpan span;
      span.number = std::move(one.heading.number);
      span.title = std::move(one.heading.title);
      span.first = one.at;
      span.last = one.end;
      span.line = said_[one.at].line;
      span.gate = one.heading.word == Word::gate;
      span.closed = one.closed_on > 0;
      span.line_end = one.closed_on;
      if (span.title.empty()) span.title = title_inside(one);
      found.phases.push_back(std::move(span));
    }
    for (PhaseSpan& span : found.phases) {
      if (span.closed) continue;
      span.line_end = span.last < said_.size() ? said_[span.last].line - 1 : last_line();
    }
    if (found.phases.empty()) {
      found.phases = phases_in_rows(said_, tree_);
      found.rows = !found.phases.empty();
    }
    return found;
  }

 private:
  [[nodiscard]] int last_line() const { return tree_.last_line(); }

  // --- candidates ---

  void collect() {
    std::vector<std::size_t> open;  // headings around
    for (std::size_t i = 0; i < said_.size(); ++i) {
      const Statement& one = said_[i];
      if (one.quoted) continue;
      if (one.kind == Kind::heading) {
        while (!open.empty() && said_[open.back()].level >= one.level) {
          ends_.emplace(open.back(), i);
          open.pop_back();
        }
        if (first_heading_ == said_.size()) first_heading_ = i;
        if (auto heading = read_phase_heading(one.text)) {
          add(i, std::move(*heading), Form::heading, one.level * 2, open);
        }
        open.push_back(i);
      } else if (one.kind == Kind::line && one.depth == 0 && is_all_bold(one)) {
        if (auto heading = read_phase_heading(one.text);
            heading && heading->word < Word::numbered) {
          add(i, std::move(*heading), Form::bold, level_of(open) * 2 + 1, open);
        }
      } else if (one.kind == Kind::tag) {
        read_tag(i, open);
      }
    }
    for (const std::size_t heading : open) ends_.emplace(heading, said_.size());
  }

  static bool is_all_bold(const Statement& one) {
    return one.strong > 0 && one.strong + 1 >= one.text.size();
  }

  [[nodiscard]] int level_of(const std::vector<std::size_t>& open) const {
    return open.empty() ? 0 : said_[open.back()].level;
  }

  void add(std::size_t at, PhaseHeading heading, Form form, int level,
           const std::vector<std::size_t>& open) {
    const std::size_t parent = open.empty() ? 0 : open.back() + 1;
    candidates_.push_back(
        {at, said_.size(), std::move(heading), form, level, 0, open.size(), parent});
  }

  void read_tag(std::size_t at, std::vector<std::size_t>& open) {
    const std::string& text = said_[at].text;
    for (const std::string_view name : {"step", "phase", "stage", "gate"}) {
      const std::string tag = "<" + std::string(name);
      if (text.starts_with("</" + std::string(name) + ">")) {
        const auto opened = open_tags_.find(name);
        if (opened == open_tags_.end()) return;
        Candidate& one = candidates_[opened->second];
        one.end = at + 1;
        one.closed_on = said_[at].line;
        open_tags_.erase(opened);
        // Headings within the tag are none of what follows it.
        while (open.size() > one.around) {
          ends_.emplace(open.back(), at);
          open.pop_back();
        }
        return;
      }
      if (!text.starts_with(tag) || text.size() == tag.size()) continue;
      const char behind = text[tag.size()];
      if (behind != ' ' && behind != '>' && behind != '\t') continue;
      PhaseHeading heading;
      heading.word = name == "step" ? Word::step : name == "gate" ? Word::gate : Word::phase;
      for (const char* key : {"number", "n", "id", "index", "order"}) {
        if (heading.number.empty()) heading.number = attribute(text, key);
      }
      for (const char* key : {"title", "goal", "name"}) {
        if (heading.title.empty()) heading.title = attribute(text, key);
      }
      std::replace(heading.title.begin(), heading.title.end(), '_', ' ');
      if (heading.number.empty() && heading.title.empty()) return;
      heading.separated = true;
      open_tags_.insert_or_assign(std::string(name), candidates_.size());
      add(at, std::move(heading), Form::tag, level_of(open) * 2 + 1, open);
      return;
    }
  }

  // --- one unit of a workflow of several files ---

  std::optional<PhaseSpan> find_unit() {
    if (first_heading_ == said_.size()) return std::nullopt;
    const Statement& title = said_[first_heading_];
    const auto heading = read_phase_heading(title.text);
    const std::string declared = declared_phase();
    const bool keyword = heading && heading->separated && heading->word < Word::numbered;
    const bool task = keyword && heading->word == Word::task;
    if (title.level != 1) return std::nullopt;
    if (!keyword && declared.empty()) return std::nullopt;
    if (keyword && !task && others_like(*heading) > 0) return std::nullopt;
    if (!keyword && !best_group().empty()) return std::nullopt;
    PhaseSpan unit;
    unit.title = keyword ? heading->title : std::string(title.text);
    unit.number = !keyword || task ? declared : heading->number;
    if (unit.number.empty() && task) {
      const auto point = heading->number.find('.');
      if (point == std::string::npos) return std::nullopt;
      unit.number = heading->number.substr(0, point);
    }
    unit.last = said_.size();
    unit.line = title.line;
    unit.line_end = last_line();
    return unit;
  }

  /// Other headings of the same word that open something: then the title is one of several.
  [[nodiscard]] std::size_t others_like(const PhaseHeading& title) const {
    return static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(), [&](const Candidate& one) {
          return one.form == Form::heading && one.heading.word == title.word &&
                 one.heading.separated && one.heading.number != title.number &&
                 said_[one.at].level <= 2 && !says_gate(one.heading.title);
        }));
  }

  /// `**Phase:** 4 (Name)` at the head or the foot of a document, or its folder `phases/4`.
  [[nodiscard]] std::string declared_phase() const {
    for (const Statement& one : said_) {
      if (one.kind != Kind::line || one.strong == 0) continue;
      const ItemText item = read_item_text(one);
      const std::string label = base::lowered(item.label);
      if (label != "phase" && label != "phase number") continue;
      const auto read = read_phase_heading("Phase " + item.content);
      if (read) return read->number;
    }
    constexpr std::string_view kFolder = "phases/";
    const auto at = path_.rfind(kFolder);
    if (at == std::string_view::npos) return "";
    std::string_view rest = path_.substr(at + kFolder.size());
    rest = rest.substr(0, rest.find('/'));
    const bool number = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
    return number && rest.size() < 8 ? std::string(rest) : "";
  }

  // --- groups ---

  [[nodiscard]] std::vector<Group> groups() const {
    std::map<std::tuple<int, int, int, std::size_t>, std::size_t> known;
    std::vector<Group> all;
    std::map<std::tuple<int, int, int>, std::size_t> last_of;
    for (const Candidate& one : candidates_) {
      const auto kind =
          std::tuple(static_cast<int>(one.form), static_cast<int>(one.heading.word), one.level);
      const auto key = std::tuple_cat(kind, std::tuple(one.parent));
      auto at = known.find(key);
      if (at == known.end()) {
        // A sequence that goes on below the next heading is one sequence.
        const auto before = last_of.find(kind);
        const bool goes_on = before != last_of.end() && one.heading.separated &&
                             one.heading.word < Word::numbered &&
                             continues(all[before->second], one);
        if (!goes_on) all.emplace_back();
        at = known.emplace(key, goes_on ? before->second : all.size() - 1).first;
      }
      all[at->second].push_back(one);
      last_of.insert_or_assign(kind, at->second);
    }
    return all;
  }

  /// Steps may begin anew below each heading; other words count through the document.
  static bool continues(const Group& group, const Candidate& next) {
    if (order_of(group.back().heading.number) < order_of(next.heading.number)) return true;
    const bool steps = next.heading.word == Word::step || next.heading.word == Word::task;
    constexpr std::size_t kComparedMax = 200;
    return !steps && group.size() < kComparedMax &&
           std::none_of(
               group.begin(), group.end(),
               [&](const Candidate& one) { return one.heading.number == next.heading.number; });
  }

  /// The group without what only speaks of its phases; empty if it orders nothing.
  [[nodiscard]] Group settled(Group group) const {
    const Word word = group.front().heading.word;
    if (word == Word::task) return {};
    const auto separated = std::count_if(
        group.begin(), group.end(), [](const Candidate& one) { return one.heading.separated; });
    Group kept;
    std::set<std::string> numbers;
    for (Candidate& one : group) {
      const bool opens = one.heading.separated || separated == 0;
      const bool speaks = !one.heading.separated && says_gate(one.heading.title);
      const bool again = !one.heading.number.empty() && numbers.contains(one.heading.number);
      if (!opens || speaks || (again && !one.heading.separated)) continue;
      numbers.insert(one.heading.number);
      kept.push_back(std::move(one));
    }
    if (kept.size() < 2) return {};
    std::size_t ascending = 0;
    for (std::size_t i = 1; i < kept.size(); ++i) {
      const bool tag = kept[i].heading.number.empty();  // its place is its number
      ascending += tag || order_of(kept[i - 1].heading.number) < order_of(kept[i].heading.number);
    }
    if (ascending * 2 + 1 < kept.size() - 1) return {};
    if (word == Word::numbered && !orders_numbers(kept)) return {};
    return kept;
  }

  /// Numbered headings are sections unless what is around them speaks of an order.
  [[nodiscard]] bool orders_numbers(const Group& group) const {
    const Candidate& first = group.front();
    if (first.heading.number != "0" && first.heading.number != "1") return false;
    const std::size_t around = first.parent > 0 ? first.parent - 1 : first_heading_;
    if (around >= said_.size()) return false;
    const std::string& title = said_[around].text;
    return names_order(title) && !names_checklist(title);
  }

  [[nodiscard]] Group best_group() const {
    Group best;
    const auto rank = [](const Group& group) {
      const Word word = group.front().heading.word;
      const int kind = word == Word::numbered     ? 3
                       : word == Word::named      ? 2
                       : word == Word::transition ? 1
                                                  : 0;
      return std::tuple(kind, group.front().level, static_cast<int>(word),
                        -static_cast<int>(group.size()));
    };
    for (Group& one : groups()) {
      Group group = settled(std::move(one));
      if (group.empty()) continue;
      if (best.empty() || rank(group) < rank(best)) best = std::move(group);
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i].form == Form::tag && best[i].end != said_.size()) continue;
      const std::size_t next = i + 1 < best.size() ? best[i + 1].at : said_.size();
      best[i].end = std::min(next, section_end(best[i]));
      // `### Quality Gate` between two phases of its level belongs to the phase before it.
      while (i + 1 < best.size() && best[i].form == Form::heading && best[i].end < next &&
             said_[best[i].end].kind == Kind::heading &&
             said_[best[i].end].level * 2 == best[i].level &&
             role_of(said_[best[i].end].text) == Role::gate) {
        best[i].end = std::min(next, ends_.at(best[i].end));
      }
    }
    return best;
  }

  [[nodiscard]] std::size_t section_end(const Candidate& one) const {
    if (one.form == Form::heading) return ends_.at(one.at);
    return one.parent > 0 ? ends_.at(one.parent - 1) : said_.size();
  }

  /// A tag's own heading names it better than its attribute does.
  [[nodiscard]] std::string title_inside(const Candidate& one) const {
    for (std::size_t i = one.at + 1; i < one.end; ++i) {
      if (said_[i].kind != Kind::heading) continue;
      const auto heading = read_phase_heading(said_[i].text);
      return heading ? heading->title : said_[i].text;
    }
    return "";
  }

  const std::vector<Statement>& said_;
  const MarkdownTree& tree_;
  std::string_view path_;
  std::size_t first_heading_ = said_.size();
  std::vector<Candidate> candidates_;
  std::map<std::string, std::size_t, std::less<>> open_tags_;
  std::map<std::size_t, std::size_t> ends_;  ///< one behind a heading's section
};

}  // namespace

FoundPhases find_phases(const std::vector<Statement>& statements, const MarkdownTree& tree,
                        std::string_view path) {
  return Finder(statements, tree, path).find();
}

}  // namespace phasegate::phases
