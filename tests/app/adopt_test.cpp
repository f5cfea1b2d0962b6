// `phasegate adopt`: what was read, as a workflow file that asks for the same.
#include <doctest/doctest.h>

#include "gating/definition.h"
#include "gating/evidence_schema.h"
#include "phases/folder_reader.h"
#include "phases/native/reader.h"
#include "phases/native/writer.h"
#include "tests/app/project.h"

namespace fs = std::filesystem;
namespace base = phasegate::base;
namespace gating = phasegate::gating;
namespace phases = phasegate::phases;
using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;
using phasegate::test::read_file;
using phasegate::test::real_documents;
using phasegate::test::workflow_of;
using phasegate::test::write_file;

namespace {

/// Adopts a folder and compares gates and texts with the original's.
void check_same(const fs::path& folder) {
  CAPTURE(folder.filename().string());
  const auto original = phases::read_workflow_folder(folder, phases::PlainRequirementReader());
  if (!original.startable()) return;
  const auto text = phases::write_native({{&original, ""}});
  const auto adopted = phases::read_native_text("adopted.yaml", text.yaml);
  for (const phases::Finding& finding : adopted.findings) {
    CAPTURE(finding.message);
    CHECK(finding.severity != phases::Severity::error);
  }
  CHECK(gating::definition_of(adopted).ok());
  REQUIRE(adopted.workflow.phases.size() == original.workflow.phases.size());
  CHECK(adopted.workflow.title == original.workflow.title);
  const auto bytes = [](const phases::LoadedWorkflow& loaded, const std::string& path) {
    return loaded.blobs.at(loaded.workflow.documents.at(path).hash);
  };
  for (std::size_t i = 0; i < original.workflow.phases.size(); ++i) {
    const phases::Phase& was = original.workflow.phases[i];
    const phases::Phase& is = adopted.workflow.phases[i];
    CAPTURE(was.id);
    CHECK(is.id == was.id);
    CHECK(is.title == was.title);
    CHECK(phases::asks_a_person(is) == phases::asks_a_person(was));
    CHECK(base::dump(gating::evidence_schema(is.gate)) ==
          base::dump(gating::evidence_schema(was.gate)));
    CHECK((bytes(adopted, is.file) == bytes(original, was.file)));
    REQUIRE(is.tasks.size() == was.tasks.size());
    for (std::size_t t = 0; t < was.tasks.size(); ++t) {
      CHECK(is.tasks[t].name == was.tasks[t].name);
      CHECK((bytes(adopted, is.tasks[t].file) == bytes(original, was.tasks[t].file)));
    }
  }
}

}  // namespace

TEST_CASE("adopt: the fixtures' folders ask for the same and say the same") {
  for (const char* name : {"bakery", "lighthouse", "small_workflow", "app_flows/two_steps"}) {
    check_same(phasegate::test::fixture(name));
  }
}

TEST_CASE("adopt: real folders ask for the same and say the same") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  for (const auto& entry : fs::directory_iterator(*root)) {
    if (entry.is_directory()) check_same(entry.path());
  }
}

TEST_CASE("adopt --output: written whole, never over a file, and validated") {
  const Project project;
  const std::string flows = ".phasegate/workflows/";
  const Ended made = project.run({"adopt", flows + "two_steps", "--output", flows + "mine.yaml"});
  CAPTURE(made.out);
  CAPTURE(made.err);
  REQUIRE(made.code == 0);
  CHECK(contains(made.out, "phasegate validate .phasegate/workflows/mine.yaml"));
  const fs::path file = project.root() / flows / "mine.yaml";
  const std::string text = read_file(file);
  CHECK(contains(text, "  - {file: \"two_steps/phases/0/phase.md\", sha256: \""));
  CHECK(contains(text, "        source: \"two_steps/phases/"));
  const Json checked = project.run_json({"validate", "mine", "--json"});
  CHECK(workflow_of(checked, "mine")["startable"] == true);
  const Ended again = project.run({"adopt", flows + "two_steps", "--output", flows + "mine.yaml"});
  CHECK(again.code == 1);
  CHECK(contains(again.err, "--force replaces it."));
  write_file(file, "mine\n");
  CHECK(project.run({"adopt", "two_steps", "--output", flows + "mine.yaml", "--force"}).code == 0);
  CHECK(read_file(file) != "mine\n");
  CHECK(project.run({"adopt", "two_steps", "--output", "no/such/folder/x.yaml"}).code == 3);
}

TEST_CASE("adopt: a document that changes afterwards is a warning that names the step") {
  const Project project;
  const std::string flows = ".phasegate/workflows/";
  REQUIRE(project.run({"adopt", "two_steps", "--output", flows + "mine.yaml"}).code == 0);
  const fs::path gate = project.root() / flows / "two_steps/phases/1/gate-definition.yaml";
  std::string text = read_file(gate);
  write_file(gate, text + "# and a word\n");
  const Ended warned = project.run({"validate", "mine", "--fail-on", "warning"});
  CAPTURE(warned.out);
  CHECK(warned.code == 1);
  CHECK(contains(warned.out, "adopted_document_changed"));
  CHECK(project.run({"validate", "mine", "--fail-on", "error"}).code == 0);
}

TEST_CASE("adopt: to standard output, where what the format cannot say goes to standard error") {
  const Project project;
  const Ended ended = project.run({"adopt", "two_steps"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "workflow: \"two_steps\"\n"));
  const Ended broken = project.run({"adopt", "broken"});
  CHECK(broken.code == 1);
  CHECK(broken.out.empty());
  CHECK(contains(broken.err, "cannot be adopted"));
  CHECK(project.run({"adopt", "nowhere/at_all"}).code == 1);
  CHECK(project.run({"adopt"}).code == 2);
}

TEST_CASE("corrections: wrong reading, four lines, right reading") {
  const Project project;
  project.be_sound();
  const fs::path flow = project.root() / ".phasegate/workflows/baking";
  write_file(flow / "metadata.json",
             R"({"workflow_type":"baking","version":"1","description":"d","name":"Baking",)"
             R"("total_phases":1,"estimated_duration":"1m","primary_outputs":[],"phases":[)"
             R"({"phase_number":1,"phase_name":"Bake","purpose":"p"}]})");
  write_file(flow / "phases/1/phase.md", "# Bake\n\n## Validation Gate\n- [ ] Number of loaves\n");
  CHECK(contains(project.run({"validate", "baking"}).out,
                 "number_of_loaves  boolean, must be true  (phases/1/phase.md:4)"));
  write_file(flow / "phasegate.yaml",
             "phases:\n"
             "  \"1\":\n"
             "    requirements:\n"
             "      - {item: Number of loaves, name: loaves, type: integer, minimum: 1}\n");
  const Ended after = project.run({"validate", "baking", "--fail-on", "warning"});
  CAPTURE(after.out);
  CHECK(after.code == 0);
  CHECK(contains(after.out, "loaves  integer, at least 1  ("));
  Json start = Json::object();
  start["workflow_type"] = "baking";
  const std::string id = project.call({{"start_workflow", start}})[0]["session_id"];
  Json complete = Json::object();
  complete["session_id"] = id;
  complete["phase"] = "1";
  complete["evidence"] = Json{{"number_of_loaves", 6}};
  const Json done = project.call({{"complete_phase", complete}})[0];
  CHECK(done["checkpoint_passed"] == true);
  CHECK(done["aliases_taken"] == Json{{"number_of_loaves", "loaves"}});
  const Json journal = project.run_json({"history", id, "--json"});
  CHECK(contains(base::dump(journal), R"("evidence":{"loaves":6})"));
}
