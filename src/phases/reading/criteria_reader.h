#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/places.h"
#include "phases/reading/statements.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// One thing that a document asks for, and where.
struct ReadItem {
  Requirement requirement;
  std::size_t statement = 0;
  bool entry = false;
  /// The phase that it names although it stands elsewhere; empty: where it stands counts.
  std::string named_phase;
  int opened_at = 0;  ///< line of the heading or lead that opens its gate, or its own
};

struct ReadItems {
  std::vector<ReadItem> items;
  std::vector<bool> asked;  ///< by statement: something was read from it
};

/// What the reader is given: the same document in its stages. All outlive the call.
struct DocumentParts {
  std::string_view text;
  std::string_view path;
  const MarkdownTree& tree;
  const std::vector<Statement>& statements;
  const std::vector<Place>& places;
  const FoundPhases& phases;
};

/// Finds everything that a document asks for at its gates, in the order of its lines. The rules,
/// one by one, are listed in docs/documents.md. Linear in the document.
[[nodiscard]] ReadItems read_items(const DocumentParts& document, FindingList& findings);

}  // namespace phasegate::phases
