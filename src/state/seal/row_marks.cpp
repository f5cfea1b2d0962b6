#include "state/seal/row_marks.h"

namespace phasegate::state {

RunColumns read_run_columns(const Statement& row) {
  RunColumns run;
  int column = 0;
  run.number = row.integer(column++);
  run.id = row.text(column++);
  run.workflow = row.text(column++);
  run.definition = row.text(column++);
  run.status = row.text(column++);
  run.open = row.integer(column++);
  run.partial = row.integer(column++);
  run.current_phase = row.text(column++);
  run.target = row.text(column++);
  run.branch = row.text(column++);
  run.phases_completed = row.integer(column++);
  if (!row.is_null(column)) run.resume_key = row.text(column);
  ++column;
  run.created_at = row.integer(column++);
  run.updated_at = row.integer(column++);
  run.version = row.integer(column++);
  run.journal_head = row.integer(column++);
  run.state_digest = row.text(column++);
  run.chain_head = row.text(column++);
  if (!row.is_null(column)) run.due_at = row.integer(column);
  return run;
}

SealText run_text(const Seal& seal, const RunColumns& run) {
  SealText text = seal.text("run");
  text.add(run.number).add(run.id).add(run.workflow).add(run.definition).add(run.status);
  text.add(run.open).add(run.partial).add(run.current_phase).add(run.target).add(run.branch);
  text.add(run.phases_completed).add_optional(run.resume_key);
  text.add(run.created_at).add(run.updated_at).add(run.version).add(run.journal_head);
  text.add(run.state_digest).add(run.chain_head).add_optional(run.due_at);
  return text;
}

SealText journal_text(const Seal& seal, std::int64_t run, std::string_view run_id,
                      std::string_view before, std::int64_t seq,
                      const gating::JournalEntry& entry) {
  SealText text = seal.text("journal");
  text.add(run).add(run_id).add(before).add(seq);
  text.add(entry.kind).add(entry.phase).add(std::int64_t{entry.visit});
  text.add(std::int64_t{entry.attempt}).add(entry.actor).add(entry.data).add(entry.at.ms);
  return text;
}

SealText artifact_text(const Seal& seal, std::int64_t number, std::int64_t run,
                       const gating::engine::ArtifactRow& row) {
  SealText text = seal.text("artifact");
  text.add(number).add(run).add(row.artifact.phase).add(std::int64_t{row.artifact.visit});
  text.add(row.artifact.evidence).add(row.artifact.digest).add(row.accepted_at.ms);
  text.add(std::int64_t{row.stale ? 1 : 0});
  return text;
}

SealText definition_text(const Seal& seal, std::string_view hash, std::int64_t model_version,
                         std::string_view model, std::string_view blobs) {
  SealText text = seal.text("definition");
  text.add(hash).add(model_version).add(model).add(blobs);
  return text;
}

}  // namespace phasegate::state
