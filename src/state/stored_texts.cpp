#include "state/stored_texts.h"

#include "base/hash.h"

namespace phasegate::state {

std::string StoredTexts::mark() {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return "";
  base::Digest digest;
  Statement rows = db->prepare("SELECT hash FROM definition ORDER BY hash");
  bool any = false;
  while (rows.step()) {
    digest.add(rows.text(0));
    any = true;
  }
  return any ? digest.hex() : "";
}

void StoredTexts::each(
    const std::function<void(const std::string& hash, std::string_view bytes)>& take) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return;
  Statement rows = db->prepare("SELECT hash, bytes FROM blob");
  while (rows.step()) {
    const std::string bytes = rows.text(1);
    take(rows.text(0), bytes);
  }
}

}  // namespace phasegate::state
