#include "rag/index_schema.h"

namespace phasegate::rag {

std::string_view index_schema() {
  // A file that is left out because of what it says has a row with the reason (LeftOut and one
  // more, 0: it is searched) and no passages, so that it need not be read again. The words are made
  // by us (tokens.h) and handed over with spaces between them, so the tokenizer only has to leave
  // them as they are. The text itself is in `passage`, once.
  return R"(
CREATE TABLE file(
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  folder TEXT NOT NULL,
  digest TEXT NOT NULL,
  plain_digest TEXT NOT NULL,
  left_out INTEGER NOT NULL,
  phase TEXT NOT NULL,
  tags TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL,
  changed_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  device INTEGER NOT NULL
) STRICT;
CREATE INDEX file_by_folder ON file(folder, path);
CREATE TABLE passage(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL REFERENCES file(id),
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  line_first INTEGER NOT NULL,
  line_last INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  digest TEXT NOT NULL,
  title_length INTEGER NOT NULL,
  path_length INTEGER NOT NULL,
  text_length INTEGER NOT NULL,
  code_length INTEGER NOT NULL
) STRICT;
CREATE INDEX passage_by_file ON passage(file);
CREATE TABLE total(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  passages INTEGER NOT NULL,
  title_length INTEGER NOT NULL,
  path_length INTEGER NOT NULL,
  text_length INTEGER NOT NULL,
  code_length INTEGER NOT NULL,
  complete INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES(1, 0, 0, 0, 0, 0, 0);
CREATE VIRTUAL TABLE words USING fts5(
  title, path, text, code, content='', columnsize=0, tokenize="ascii tokenchars '_'");
)";
}

std::string_view index_views() {
  return R"(
CREATE VIRTUAL TABLE temp.occurrence USING fts5vocab('main', 'words', 'instance');
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'row');
)";
}

}  // namespace phasegate::rag
