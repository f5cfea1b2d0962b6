#pragma once
/// The door of rag/: what the documents say, in pieces that fit into an answer.
///
/// - chunker.h   a markdown document → pages of bounded size
#include "rag/chunker.h"
