#include "state/definitions.h"

#include <stdexcept>
#include <utility>

#include "base/hash.h"
#include "state/damage.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"

namespace phasegate::state {
using gating::engine::StoredDefinition;
namespace {

constexpr std::string_view kRunsOfDefinition =
    "SELECT count(*), min(id) FROM run WHERE definition = ?";
constexpr std::string_view kRunsOfBlob =
    "SELECT count(*), min(run.id) FROM definition_blob"
    " JOIN run ON run.definition = definition_blob.definition WHERE definition_blob.blob = ?";

/// `session a`, or `session a and 3 more`: whom the damage concerns.
std::string sessions_with(Db& db, std::string_view sql, std::string_view hash) {
  Statement statement = db.prepare(sql);
  statement.bind_all(hash);
  if (!statement.step() || statement.integer(0) == 0) return "no session";
  std::string text = "session " + statement.text(1);
  if (statement.integer(0) > 1)
    text += " and " + std::to_string(statement.integer(0) - 1) + " more";
  return text;
}

void keep_blob(Db& db, const std::string& definition, const std::string& hash,
               const std::string& bytes) {
  keep_bytes(db, hash, bytes);
  db.prepare("INSERT INTO definition_blob (definition, blob) VALUES (?, ?)")
      .bind_all(definition, hash)
      .run();
}

}  // namespace

void keep_bytes(Db& db, const std::string& hash, const std::string& bytes) {
  if (base::sha256_hex(bytes) != hash) {
    throw std::logic_error("state: a blob's key is not the hash of its bytes");
  }
  Statement blob = db.prepare("INSERT OR IGNORE INTO blob (hash, bytes) VALUES (?, ?)");
  blob.bind(1, hash).bind_blob(2, bytes).run();
}

void keep_definition(Db& db, Seal& seal, const StoredDefinition& definition) {
  std::string blobs;
  for (const auto& [hash, bytes] : definition.blobs) blobs += hash + " ";
  if (const auto known = read_definition_row(db, definition.hash)) {
    if (known->version == definition.model_version && known->model == definition.model &&
        known->blobs == blobs) {
      return;
    }
    throw_damaged("the stored workflow of " +
                  sessions_with(db, kRunsOfDefinition, definition.hash) +
                  " is another one than the files of its hash");
  }
  db.prepare(
        "INSERT INTO definition (hash, model_version, model, model_digest) VALUES (?, ?, ?, ?)")
      .bind_all(definition.hash, definition.model_version, definition.model,
                to_hex(seal.mark(definition_text(seal, definition.hash, definition.model_version,
                                                 definition.model, blobs))))
      .run();
  for (const auto& [hash, bytes] : definition.blobs) keep_blob(db, definition.hash, hash, bytes);
}

std::optional<StoredDefinition> read_definition(Db& db, Seal* seal, std::string_view hash) {
  auto row = read_definition_row(db, hash);
  if (!row) return std::nullopt;
  const auto mark = seal == nullptr ? std::nullopt : from_hex(row->digest);
  const bool holds =
      seal == nullptr || (mark && seal->holds(*mark, definition_text(*seal, hash, row->version,
                                                                     row->model, row->blobs)));
  if (!holds) {
    throw_damaged("the stored workflow of " + sessions_with(db, kRunsOfDefinition, hash) +
                  " is not what was stored");
  }
  StoredDefinition definition;
  definition.hash = hash;
  definition.model_version = static_cast<int>(row->version);
  definition.model = std::move(row->model);
  return definition;
}

std::optional<std::string> read_blob(Db& db, std::string_view hash, VerifiedBlobs& verified) {
  Statement row = db.prepare("SELECT bytes FROM blob WHERE hash = ?");
  if (row.bind_all(hash).step()) {
    std::string bytes = row.text(0);
    if (verified.find(hash, bytes) != nullptr) return bytes;
    if (base::sha256_hex(bytes) == hash) {
      verified.remember(hash, bytes, {});
      return bytes;
    }
    throw_damaged("a stored document of " + sessions_with(db, kRunsOfBlob, hash) +
                  " is not what was stored");
  }
  Statement wanted = db.prepare("SELECT 1 FROM definition_blob WHERE blob = ?");
  if (!wanted.bind_all(hash).step()) return std::nullopt;
  throw_damaged("a stored document of " + sessions_with(db, kRunsOfBlob, hash) + " is missing");
}

}  // namespace phasegate::state
