#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "gating/run.h"

namespace phasegate::gating {
namespace {

/// The shape written by to_json. A reader of a newer shape refuses instead of guessing.
constexpr std::int64_t kStateFormat = 1;

/// Reads the members of one object and remembers the first thing that is wrong. Every member must
/// be there, have its type and be asked for: what the reader does not know it must not drop.
class ObjectReader {
 public:
  ObjectReader(const base::Json& object, std::string where)
      : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) fail(where_.empty() ? "the state" : where_, "is not an object");
  }

  void read(std::string_view name, std::string& out) {
    if (const base::Json* value = member(name)) {
      if (value->is_string()) {
        out = value->get_ref<const std::string&>();
      } else {
        fail(path(name), "is not a text");
      }
    }
  }

  void read(std::string_view name, bool& out) {
    if (const base::Json* value = member(name)) {
      if (value->is_boolean()) {
        out = value->get<bool>();
      } else {
        fail(path(name), "is not a boolean");
      }
    }
  }

  void read(std::string_view name, std::int64_t& out, std::int64_t lowest) {
    if (const base::Json* value = member(name)) {
      const auto number = base::as_integer(*value);
      if (number && *number >= lowest) {
        out = *number;
      } else {
        fail(path(name), "is not a whole number of at least " + std::to_string(lowest));
      }
    }
  }

  void read(std::string_view name, int& out, int lowest) {
    std::int64_t wide = lowest;
    read(name, wide, lowest);
    if (wide > std::numeric_limits<int>::max()) {
      fail(path(name), "is too large");
    } else {
      out = static_cast<int>(wide);
    }
  }

  void read(std::string_view name, base::TimePoint& out) {
    read(name, out.ms, std::numeric_limits<std::int64_t>::min());
  }

  template <typename Enum, typename Parse>
  void read_enum(std::string_view name, Enum& out, Parse parse) {
    std::string text;
    read(name, text);
    if (problem_) return;
    if (const auto value = parse(text)) {
      out = *value;
    } else {
      fail(path(name), "has the unknown value " + base::in_quotes(base::shortened(text, 64)));
    }
  }

  /// The array called `name`, or null after a failure.
  const base::Json* array(std::string_view name) {
    const base::Json* value = member(name);
    if (value != nullptr && !value->is_array()) {
      fail(path(name), "is not an array");
      return nullptr;
    }
    return value;
  }

  [[nodiscard]] bool has(std::string_view name) const {
    return !problem_ && base::find_member(object_, name) != nullptr;
  }

  const base::Json* member(std::string_view name) {
    if (problem_) return nullptr;
    const base::Json* value = base::find_member(object_, name);
    if (value == nullptr) {
      fail(path(name), "is missing");
    } else {
      ++known_;
    }
    return value;
  }

  /// To be called last: names a member that nobody asked for.
  std::optional<base::Error> finish() {
    if (!problem_ && object_.size() != known_) {
      fail(where_.empty() ? "the state" : where_, "has members that this version does not know");
    }
    return std::move(problem_);
  }

  void fail(const std::string& what, const std::string& why) {
    if (problem_) return;
    problem_ = base::Error{"damaged_state", what + " " + why, "", what};
  }

  [[nodiscard]] std::string path(std::string_view name) const {
    return where_.empty() ? std::string(name) : where_ + "." + std::string(name);
  }

 private:
  const base::Json& object_;
  std::string where_;
  std::size_t known_ = 0;
  std::optional<base::Error> problem_;
};

base::Json to_json(const AcceptedPhase& accepted) {
  return {
      {"phase", accepted.phase},
      {"visit", accepted.visit},
      {"attempt", accepted.attempt},
      {"evidence_digest", accepted.evidence_digest},
      {"accepted_at_ms", accepted.accepted_at.ms},
      {"self_attested", accepted.self_attested},
      {"checked", accepted.checked},
      {"decided", accepted.decided},
      {"weak", accepted.weak},
      {"lenient", accepted.lenient},
  };
}

std::optional<base::Error> read_accepted(const base::Json& json, std::size_t index,
                                         AcceptedPhase& out) {
  ObjectReader reader(json, "accepted[" + std::to_string(index) + "]");
  reader.read("phase", out.phase);
  reader.read("visit", out.visit, 1);
  reader.read("attempt", out.attempt, 1);
  reader.read("evidence_digest", out.evidence_digest);
  reader.read("accepted_at_ms", out.accepted_at);
  reader.read("self_attested", out.self_attested, 0);
  reader.read("checked", out.checked, 0);
  reader.read("decided", out.decided, 0);
  reader.read("weak", out.weak);
  reader.read("lenient", out.lenient);
  return reader.finish();
}

std::optional<base::Error> read_lists(ObjectReader& reader, RunState& run) {
  if (const base::Json* waiting = reader.member("waiting")) {
    ObjectReader inner(*waiting, "waiting");
    inner.read("code", run.waiting.code);
    inner.read("reason", run.waiting.reason);
    if (auto problem = inner.finish()) return problem;
  }
  if (const base::Json* missing = reader.array("missing")) {
    for (const base::Json& name : *missing) {
      if (!name.is_string()) {
        return base::Error{"damaged_state", "missing holds something that is not a text", "",
                           "missing"};
      }
      run.missing.push_back(name.get_ref<const std::string&>());
    }
  }
  if (const base::Json* accepted = reader.array("accepted")) {
    for (const base::Json& item : *accepted) {
      if (auto problem = read_accepted(item, run.accepted.size(), run.accepted.emplace_back())) {
        return problem;
      }
    }
  }
  return std::nullopt;
}

void read_start(ObjectReader& reader, RunState& run) {
  reader.read_enum("gates", run.gates, gate_policy_from);
  reader.read("target", run.target);
  reader.read("branch", run.branch);
  reader.read("worktree", run.worktree);
  reader.read("input", run.input);
  reader.read("options", run.options);
  reader.read("resume_key", run.resume_key);
  reader.read("principal", run.principal);
}

}  // namespace

base::Json to_json(const RunState& run) {
  base::Json accepted = base::Json::array();
  for (const AcceptedPhase& phase : run.accepted) accepted.push_back(to_json(phase));
  base::Json json = {
      {"format", kStateFormat},
      {"id", run.id},
      {"workflow", run.workflow},
      {"definition_hash", run.definition_hash},
      {"status", to_text(run.status)},
      {"partial", run.partial},
      {"waiting", {{"code", run.waiting.code}, {"reason", run.waiting.reason}}},
      {"current_phase", run.current_phase},
      {"visit", run.visit},
      {"attempts", run.attempts},
      {"missing", run.missing},
      {"accepted", std::move(accepted)},
      {"gates", to_text(run.gates)},
      {"target", run.target},
      {"branch", run.branch},
      {"worktree", run.worktree},
      {"input", run.input},
      {"options", run.options},
      {"resume_key", run.resume_key},
      {"principal", run.principal},
      {"end_reason", run.end_reason},
      {"created_at_ms", run.created_at.ms},
      {"updated_at_ms", run.updated_at.ms},
      {"version", run.version},
  };
  // Left out where there is none, so that a state of before is written as it was.
  if (run.repins > 0) json["repins"] = run.repins;
  return json;
}

base::Result<RunState> run_state_from_json(const base::Json& json) {
  RunState run;
  ObjectReader reader(json, "");
  std::int64_t format = 0;
  reader.read("format", format, 1);
  if (format > kStateFormat) {
    return base::Error{"damaged_state",
                       "the state has format " + std::to_string(format) + ", this program reads " +
                           std::to_string(kStateFormat),
                       "use a newer phasegate", "format"};
  }
  reader.read("id", run.id);
  reader.read("workflow", run.workflow);
  reader.read("definition_hash", run.definition_hash);
  reader.read_enum("status", run.status, run_status_from);
  reader.read("partial", run.partial);
  reader.read("current_phase", run.current_phase);
  reader.read("visit", run.visit, 1);
  reader.read("attempts", run.attempts, 0);
  read_start(reader, run);
  reader.read("end_reason", run.end_reason);
  if (reader.has("repins")) reader.read("repins", run.repins, 1);
  reader.read("created_at_ms", run.created_at);
  reader.read("updated_at_ms", run.updated_at);
  reader.read("version", run.version, 1);
  if (auto problem = read_lists(reader, run)) return *std::move(problem);
  if (auto problem = reader.finish()) return *std::move(problem);
  return run;
}

}  // namespace phasegate::gating
