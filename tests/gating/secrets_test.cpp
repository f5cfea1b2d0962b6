#include "gating/secrets.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "gating/transition.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;
using phases::Requirement;

const std::string kCanary = "kanarienvogel-7391";
const std::string kKey(32, 'k');
const std::string kRun = "00000000-0000-4000-8000-000000000001";

Requirement secret(Requirement requirement) {
  requirement.secret = true;
  return requirement;
}

phases::Gate gate_of(std::vector<Requirement> requirements) {
  phases::Gate gate;
  gate.requirements = std::move(requirements);
  return gate;
}

/// Everything that a transition leaves behind or answers.
std::string all_of(const Transition& done) {
  std::string all;
  const auto add = [&](const std::string& text) { all += text + "\n"; };
  for (const JournalEntry& line : done.journal) add(line.data);
  for (const Effect& effect : done.effects) add(effect.payload);
  if (done.artifact) add(done.artifact->evidence);
  if (done.next) add(base::dump(to_json(*done.next)));
  for (const auto& [key, bytes] : done.blobs) add(bytes);
  for (const FieldProblem& problem : done.reply.verdict.problems) {
    add(problem.wanted + "|" + problem.got + "|" + problem.text + "|" + problem.sent_as);
  }
  if (done.reply.refusal) {
    add(done.reply.refusal->message + done.reply.refusal->reason +
        done.reply.refusal->required_action);
  }
  return all;
}

/// A run that is driven as the engine would, with a key.
struct Driver {
  std::shared_ptr<const Definition> definition;
  RunState run;
  base::TimePoint now{1'000'000};
  std::string key = kKey;

  explicit Driver(std::vector<phases::Phase> phases, GatePolicy gates = GatePolicy::strict) {
    const auto loaded = test::workflow("spec", std::move(phases));
    auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : base::to_text(made.error())));
    definition = *made;
    Start start;
    start.run_id = kRun;
    start.gates = gates;
    run = *begin(*definition, start, now).next;
  }

  Transition apply(const Command& command) {
    now.ms += 10;
    Transition done = transition(*definition, run, command, now);
    if (done.next) run = *done.next;
    CHECK_MESSAGE(all_of(done).find(kCanary) == std::string::npos, all_of(done));
    return done;
  }
  Transition submit(const std::string& phase, const Json& evidence) {
    SubmitEvidence command;
    command.phase = phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
    command.secret_key = key;
    command.decision_id = "d";
    return apply(command);
  }
};

std::vector<phases::Phase> token_then_done() {
  return {test::phase("0", {secret(test::text("token")), test::text("note")}),
          test::phase("1", {test::boolean("done")})};
}

TEST_CASE("a secret's digest depends on key, run, phase, field and value, and on nothing else") {
  const SecretPlace place{kKey, kRun, "0"};
  const std::string digest = secret_digest(place, "token", Json{{"a", 1}, {"b", 2}});
  CHECK(digest.starts_with("secret: hmac-sha256 "));
  CHECK(is_secret_digest(Json(digest)));
  CHECK(secret_digest(place, "token", Json{{"b", 2}, {"a", 1}}) == digest);
  CHECK(secret_digest(place, "token", Json{{"b", 2}}) != digest);
  CHECK(secret_digest(place, "other", Json{{"a", 1}, {"b", 2}}) != digest);
  CHECK(secret_digest({kKey, kRun, "1"}, "token", Json{{"a", 1}, {"b", 2}}) != digest);
  CHECK(secret_digest({kKey, "else", "0"}, "token", Json{{"a", 1}, {"b", 2}}) != digest);
  CHECK(secret_digest({"key", kRun, "0"}, "token", Json{{"a", 1}, {"b", 2}}) != digest);
  for (const Json& other :
       {Json(digest + "0"), Json(digest.substr(1)), Json("secret: hmac-sha256 x"), Json(1),
        Json(nullptr), Json::array({digest}), Json("secret: HMAC-SHA256" + digest.substr(19))}) {
    CAPTURE(base::dump(other));
    CHECK_FALSE(is_secret_digest(other));
  }
}

TEST_CASE("what takes a digest in the evidence of a gate") {
  Requirement token = secret(test::text("api_token"));
  token.aliases = {"Zugangswort"};
  Requirement other = test::text("api_tokens");
  other.aliases = {"note"};
  const SecretFields fields(gate_of({token, other, test::boolean("done")}));
  struct Row {
    const char* field;
    bool hidden;
  };
  for (const Row row : {Row{"api_token", true},
                        {"API Token", true},
                        {"api-token", true},
                        {"apitoken", true},
                        {"api_tokn", true},
                        {"Zugangswort", true},
                        {"ZUGANGSWORT", true},
                        {"api_tokens", false},
                        {"note", false},
                        {"done", false},
                        {"coverage", false},
                        {"", false}}) {
    CAPTURE(row.field);
    for (const Json& value : {Json(kCanary), Json{{"deep", Json::array({kCanary})}}, Json(nullptr),
                              Json(true), Json(1.5)}) {
      const Json hidden =
          fields.hidden(Json{{"first", 1}, {row.field, value}, {"last", 2}}, {kKey, kRun, "0"});
      REQUIRE(hidden.size() == 3);
      CHECK(is_secret_digest(hidden[row.field]) == row.hidden);
      if (!row.hidden) CHECK(hidden[row.field] == value);
      CHECK(hidden.begin().key() == "first");
    }
  }
  for (const Json& whole : {Json(kCanary), Json::array({kCanary}), Json(7), Json(nullptr)}) {
    CHECK(is_secret_digest(fields.hidden(whole, {kKey, kRun, "0"})));
  }
}

TEST_CASE("what takes a digest in the evidence of a gate beside one that asks for a secret") {
  Requirement token = secret(test::text("api_token"));
  token.aliases = {"Zugangswort"};
  Requirement key = secret(test::text("signing_key"));
  Requirement open = test::text("signing_key");
  Requirement renamed = test::text("credential");
  renamed.aliases = {"passphrase"};
  const auto loaded = test::workflow(
      "spec",
      {test::phase("0", {token, key}), test::phase("1", {open, renamed}), test::phase("2", {})});
  const SecretPlace place{kKey, kRun, "1"};
  const Json evidence{{"api_token", kCanary},   {"API-Token", kCanary},  {"api_tokn", kCanary},
                      {"zugangswort", kCanary}, {"signing_key", "open"}, {"credential", "open"},
                      {"coverage", "open"}};
  const SecretFields second(loaded.workflow.phases[1].gate, loaded.workflow);
  const Json hidden = second.hidden(evidence, place);
  REQUIRE(hidden.size() == evidence.size());
  for (const auto& [name, value] : evidence.items()) {
    CAPTURE(name);
    CHECK(is_secret_digest(hidden[name]) == (value == kCanary));
  }
  // What this gate asks for openly is kept, and judged as it is.
  CHECK_FALSE(second.contains("signing_key"));
  CHECK_FALSE(second.contains("api_token"));
  // A gate that asks for nothing hides all of them, and evidence that is no object as a whole.
  const SecretFields third(loaded.workflow.phases[2].gate, loaded.workflow);
  CHECK(is_secret_digest(third.hidden(evidence, place)["signing_key"]));
  CHECK(third.hidden(evidence, place)["credential"] == "open");
  CHECK(is_secret_digest(second.hidden(Json(kCanary), place)));
}

TEST_CASE("a secret of one phase that is handed over in another is not kept there either") {
  Requirement token = secret(test::text("token"));
  token.aliases = {"password"};
  Driver driver({test::phase("0", {token}), test::phase("1", {test::boolean("done")}),
                 test::phase("2", {test::boolean("done")})});
  // The gate that asks for the secret is still ahead, open, or passed.
  REQUIRE(driver.submit("0", Json{{"token", kCanary}}).reply.kind == Reply::Kind::accepted);
  for (const Json& wrong :
       {Json{{"done", "no"}, {"token", kCanary}}, Json{{"PassWord", kCanary}},
        Json{{"done", true}, {"done ", 1}, {"token", {{"deep", kCanary}}}, {"tokn", kCanary}},
        Json(kCanary), Json::array({kCanary})}) {
    static_cast<void>(driver.submit("1", wrong));
  }
  const Json evidence{{"done", true}, {"note", "n"}, {"token", kCanary}, {"password", kCanary}};
  CHECK(driver.submit("2", evidence).reply.kind == Reply::Kind::accepted);
  CHECK(driver.submit("2", evidence).reply.kind == Reply::Kind::repeated);
  Json other = evidence;
  other["token"] = kCanary + "x";
  CHECK(driver.submit("2", other).reply.refusal->kind == RefusalKind::phase_sequence_violation);

  Driver ahead({test::phase("0", {test::boolean("done")}), test::phase("1", {token})});
  const Transition early = ahead.submit("0", evidence);
  REQUIRE(early.reply.kind == Reply::Kind::accepted);
  const Json kept = Json::parse(early.artifact->evidence);
  CHECK(is_secret_digest(kept["token"]));
  CHECK(is_secret_digest(kept["password"]));
  CHECK(kept["done"] == true);
  CHECK(kept["note"] == "n");
}

TEST_CASE("no rule quotes what came for a secret field") {
  const auto with = [](Requirement requirement, auto change) {
    change(requirement);
    return secret(std::move(requirement));
  };
  Requirement number = test::integer("x", 5);
  Requirement items = test::list("x", 1);
  items.items = phases::ItemRule{phases::ValueType::string, 3, "^z", {}};
  struct Row {
    Requirement requirement;
    Json value;
    const char* keyword;
  };
  const std::vector<Row> rows = {
      {with(test::text("x"), [](Requirement& r) { r.pattern = "^z"; }), kCanary, "pattern"},
      {with(test::text("x"), [](Requirement& r) { r.format = "email"; }), kCanary, "format"},
      {with(test::text("x"), [](Requirement& r) { r.min_length = 100; }), kCanary, "minLength"},
      {with(test::text("x"), [](Requirement& r) { r.max_length = 2; }), kCanary, "maxLength"},
      {secret(test::text("x")), Json::array({kCanary}), "type"},
      {secret(test::text("x")), Json{{kCanary, kCanary}}, "type"},
      {secret(test::text("x")), "  ", "pattern"},
      {secret(test::boolean("x")), kCanary, "type"},
      {secret(number), kCanary, "type"},
      {secret(number), -7391, "minimum"},
      {secret(items), Json::array({kCanary}), "pattern"},
      {secret(items), Json::array({Json{{"a", kCanary}}}), "type"},
      {secret(items), kCanary, "type"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.keyword);
    CAPTURE(base::dump(row.value));
    const auto gate = EvidenceGate::compile(gate_of({row.requirement}));
    REQUIRE_MESSAGE(gate.ok(), (gate.ok() ? "" : base::to_text(gate.error())));
    const EvidenceVerdict verdict = gate->judge(Json{{"x", row.value}});
    REQUIRE_FALSE(verdict.problems.empty());
    bool found = false;
    for (const FieldProblem& problem : verdict.problems) {
      found = found || problem.keyword == row.keyword;
      for (const std::string& said : {problem.got, problem.text, problem.wanted}) {
        CHECK(said.find(kCanary) == std::string::npos);
        CHECK(said.find("7391") == std::string::npos);
      }
    }
    CHECK(found);
    // What was judged and kept is not judged by what stands for it.
    CHECK(gate->judge_kept(gate->secrets().hidden(Json{{"x", row.value}}, {kKey, kRun, "0"}))
              .problems.empty());
    CHECK_FALSE(gate->judge_kept(Json{{"x", row.value}}).problems.empty());
  }
}

TEST_CASE("a secret is judged, and only its digest is kept and compared") {
  Driver driver(token_then_done());
  const Json evidence{{"token", kCanary}, {"note", "n"}};
  CHECK(driver.submit("0", Json{{"token", 7}, {"note", "n"}}).reply.refusal->kind ==
        RefusalKind::incomplete_checkpoint);
  const Transition refused = driver.submit("0", Json{{"token", kCanary}});
  CHECK(refused.reply.refusal->kind == RefusalKind::incomplete_checkpoint);
  CHECK(is_secret_digest(Json::parse(refused.journal.at(0).data)["evidence"]["token"]));

  const Transition taken = driver.submit("0", evidence);
  REQUIRE(taken.reply.kind == Reply::Kind::accepted);
  REQUIRE(taken.artifact.has_value());
  const Json kept = Json::parse(taken.artifact->evidence);
  CHECK(is_secret_digest(kept["token"]));
  CHECK(kept["note"] == "n");
  CHECK(taken.artifact->digest == base::sha256_hex(base::dump_canonical(kept)));

  CHECK(driver.submit("0", evidence).reply.kind == Reply::Kind::repeated);
  // The digest itself is not the secret.
  for (const Json& other : {Json(kCanary + "x"), kept["token"]}) {
    const Transition again = driver.submit("0", Json{{"token", other}, {"note", "n"}});
    CHECK(again.reply.refusal->kind == RefusalKind::phase_sequence_violation);
  }
  CHECK(driver.submit("1", Json{{"done", true}}).reply.kind == Reply::Kind::accepted);
}

TEST_CASE("evidence that nobody asked for here gives no secret away either") {
  Driver driver(token_then_done());
  const Json evidence{{"token", kCanary}, {"note", "n"}};
  for (const char* phase : {"1", "2", "", "nonsense"}) {
    CAPTURE(phase);
    const Transition done = driver.submit(phase, evidence);
    CHECK(done.reply.refusal->kind == RefusalKind::phase_sequence_violation);
    // A digest without a key would let a short secret be found by trying.
    CHECK(all_of(done).find(base::sha256_hex(base::dump_canonical(evidence))) == std::string::npos);
  }
  for (const Json& odd : {Json(kCanary), Json::array({kCanary}), Json{{"tokn", kCanary}},
                          Json{{"Token", kCanary}, {"note", "n"}}}) {
    CHECK(driver.submit("0", odd).reply.kind == Reply::Kind::refused);
  }
}

TEST_CASE("aliases of a secret field, and two values for it") {
  Requirement token = secret(test::text("token"));
  token.aliases = {"password", "passphrase"};
  Driver driver({test::phase("0", {token}), test::phase("1", {test::boolean("done")})});
  const Transition two =
      driver.submit("0", Json{{"password", kCanary}, {"passphrase", kCanary + "2"}});
  CHECK(two.reply.refusal->kind == RefusalKind::incomplete_checkpoint);
  CHECK(driver.submit("0", Json{{"password", kCanary}}).reply.kind == Reply::Kind::accepted);
  CHECK(driver.submit("0", Json{{"token", kCanary}}).reply.kind == Reply::Kind::repeated);
}

TEST_CASE("leniency keeps no secret in clear, and without a key none is taken") {
  auto phases = token_then_done();
  phases[0].gate.asks_leniency = true;
  Driver lenient(phases, GatePolicy::as_written);
  CHECK(lenient.submit("0", Json{{"token", Json::array({kCanary})}}).reply.kind ==
        Reply::Kind::accepted);

  Driver keyless(token_then_done());
  keyless.key.clear();
  for (const char* phase : {"0", "1"}) {
    const Transition done = keyless.submit(phase, Json{{"token", kCanary}, {"note", "n"}});
    CHECK(done.reply.kind == Reply::Kind::refused);
    CHECK_FALSE(done.next.has_value());
  }
}

TEST_CASE("checks and people decide about what is kept") {
  auto phases = token_then_done();
  phases::Check check;
  check.name = "noted";
  check.kind = phases::CheckKind::expr;
  check.parameters = R"({"that":"evidence.note == 'n'"})";
  phases[0].gate.checks.push_back(check);
  phases[0].gate.human_approval = true;
  Driver driver(phases);
  const Json evidence{{"token", kCanary}, {"note", "n"}};
  REQUIRE(driver.submit("0", evidence).reply.kind == Reply::Kind::verifying);
  CHECK(driver.submit("0", evidence).reply.kind == Reply::Kind::verifying);
  CHECK(driver.submit("0", Json{{"token", "else"}, {"note", "n"}}).reply.refusal->kind ==
        RefusalKind::verifying);

  ChecksFinished finished;
  finished.phase = "0";
  finished.decision_id = "d";
  finished.attempt = driver.run.pending->attempt;
  finished.evidence_digest = driver.run.pending->evidence_digest;
  CheckResult result;
  result.name = "noted";
  result.kind = phases::CheckKind::expr;
  result.outcome = CheckOutcome::failed;
  finished.results = {result};
  REQUIRE(driver.apply(finished).reply.refusal->kind == RefusalKind::checks_failed);
  // Nobody was told of it yet: the same evidence is told, by its digest.
  CHECK(driver.submit("0", evidence).reply.refusal->kind == RefusalKind::checks_failed);

  REQUIRE(driver.submit("0", evidence).reply.kind == Reply::Kind::verifying);
  finished.attempt = driver.run.pending->attempt;
  finished.results[0].outcome = CheckOutcome::passed;
  REQUIRE(driver.apply(finished).reply.kind == Reply::Kind::waiting);
  CHECK(driver.submit("0", evidence).reply.kind == Reply::Kind::waiting);
  Decide word;
  word.decision = "d";
  word.option = "approve";
  word.approver = "ada";
  REQUIRE(driver.apply(word).reply.kind == Reply::Kind::accepted);
  CHECK(driver.submit("0", evidence).reply.kind == Reply::Kind::repeated);
}

TEST_CASE("a workflow whose checks, templates or decisions read a secret does not load") {
  const auto check = [](phases::CheckKind kind, const char* parameters) {
    phases::Check made;
    made.name = "looks";
    made.kind = kind;
    made.parameters = parameters;
    return made;
  };
  using phases::CheckKind;
  struct Row {
    phases::Check check;
    std::size_t phase;
    bool loads;
  };
  const std::vector<Row> rows = {
      {check(CheckKind::expr, R"({"that":"evidence.token == 'x'"})"), 0, false},
      {check(CheckKind::expr, R"({"that":"result.token == 'x'"})"), 0, false},
      {check(CheckKind::expr, R"({"that":"evidence['token'] == 'x'"})"), 0, false},
      {check(CheckKind::expr, R"({"that":"evidence.token.length > 3"})"), 0, false},
      {check(CheckKind::expr, R"({"that":"steps.0.output.token == 'x'"})"), 1, false},
      {check(CheckKind::expr, R"({"that":"steps.0.evidence.token == 'x'"})"), 1, false},
      {check(CheckKind::expr, R"({"that":"context.0.output.token == 'x'"})"), 1, false},
      {check(CheckKind::command, R"({"argv":["echo","{{evidence.token}}"]})"), 0, false},
      {check(CheckKind::command, R"({"argv":["true"],"env":{"T":"{{evidence.token}}"}})"), 0,
       false},
      {check(CheckKind::file, R"({"path":"{{steps.0.evidence.token}}"})"), 1, false},
      {check(CheckKind::json, R"({"evidence":"token","schema":{"type":"object"}})"), 0, false},
      {check(CheckKind::expr, R"({"that":"evidence.note == 'x'"})"), 0, true},
      {check(CheckKind::expr, R"({"that":"steps.0.output.note == 'x'"})"), 1, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.check.parameters);
    auto phases = token_then_done();
    phases[row.phase].gate.checks.push_back(row.check);
    const auto loaded = test::workflow("spec", phases);
    const auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_MESSAGE(made.ok() == row.loads, (made.ok() ? "loads" : base::to_text(made.error())));
    if (made.ok()) continue;
    CHECK(made.error().message.find("is secret") != std::string::npos);
    CHECK_FALSE(made.error().hint.empty());
  }
  for (const char* show : {"token", "evidence.token"}) {
    CAPTURE(show);
    auto phases = token_then_done();
    phases[0].gate.decision.emplace();
    phases[0].gate.decision->show = {show};
    const auto loaded = test::workflow("spec", phases);
    const auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().message.find("is secret") != std::string::npos);
  }
}

TEST_CASE("a secret field is no path, is tied to no check and has no value in the workflow") {
  const auto with = [](auto change) {
    Requirement requirement = secret(test::text("token"));
    change(requirement);
    return requirement;
  };
  for (const Requirement& wrong :
       {with([](Requirement& r) { r.format = "project-path"; }),
        with([](Requirement& r) { r.format = "project-folder"; }),
        with([](Requirement& r) { r.check = "looks"; }),
        with([](Requirement& r) { r.constant = std::string("x"); }),
        with([](Requirement& r) { r.one_of = {std::string("x"), std::string("y")}; })}) {
    const auto gate = EvidenceGate::compile(gate_of({wrong}));
    REQUIRE_FALSE(gate.ok());
    CHECK(gate.error().code == "invalid_gate");
    CHECK(gate.error().message.find("it is secret") != std::string::npos);
    CHECK_FALSE(gate.error().hint.empty());
    Requirement open = wrong;
    open.secret = false;
    CHECK(EvidenceGate::compile(gate_of({open})).ok());
  }
}

TEST_CASE("the schema says that a secret is written and never read") {
  Requirement token = secret(test::text("token"));
  token.description = "Access to staging.";
  const auto gate = EvidenceGate::compile(gate_of({token, test::text("note")}));
  REQUIRE(gate.ok());
  const Json& fields = gate->schema()["properties"];
  CHECK(fields["token"]["writeOnly"] == true);
  CHECK(fields["token"]["description"] ==
        "Secret: judged now, and only a digest of it is kept. Access to staging.");
  CHECK_FALSE(fields["note"].contains("writeOnly"));
}

}  // namespace
}  // namespace phasegate::gating
