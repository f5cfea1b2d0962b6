#pragma once
/// The door of rag/: what the documents say.
///
/// Texts
/// - chunker.h             a markdown document → pages of bounded size
/// - passages.h            a document → passages, each with its headings
/// - tokens.h              a text → words, and words → stems; stop_words.h: those that say nothing
/// Which files
/// - sources.h             what of a project is searched, and what never; ignore_rules.h
/// - watcher.h             when something changes there
/// Index
/// - index_folder.h        where it lies, shared by all processes; index_db.h: one database of it
/// - indexer.h             brings it in line with the files; background_index.h: all the time
/// Searching
/// - finder.h              a query → passages that are in the files now
/// - query.h, ranking.h    a query → words → passages, best first, over any collection.h
/// - session_passages.h    what a session has reached, which is never in the index
#include "rag/background_index.h"
#include "rag/chunker.h"
#include "rag/finder.h"
#include "rag/indexer.h"
