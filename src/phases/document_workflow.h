#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "phases/workflow.h"

namespace phasegate::phases {

/// True for a markdown file: `NAME.md`, `NAME.markdown`, in any case, not hidden.
[[nodiscard]] bool is_document_name(std::string_view file_name);

/// True for a document that speaks of its folder and is no workflow: `README.md` in any case.
[[nodiscard]] bool is_about_its_folder(std::string_view file_name);

/// `review` for `review.md`.
[[nodiscard]] std::string id_of_document(std::string_view file_name);

/// Reads a markdown document that is a workflow by itself (docs/documents.md). Its phases are those
/// of read_document, each with its own bytes as a document `NAME.md#ID`, so that what belongs to a
/// later phase is not shown with an earlier one (ARCHITECTURE §4, invariant 1). The text before the
/// first phase is shown with that, without the outline of later ones; what stands between two
/// phases is shown with the one before, what stands behind the last with the last. A document
/// without phases is one phase, `1`. One that asks for nothing besides, and a README, is an error,
/// `plain_document`, and LoadedWorkflow::plain.
/// Any bytes give a result; linear in `text`.
[[nodiscard]] LoadedWorkflow read_document_text(std::string_view file_name, std::string_view text);

/// Reads a file NAME.md of at most limits::kDocumentBytesMax bytes. Links that lead out of its
/// folder are not followed.
[[nodiscard]] LoadedWorkflow read_document_file(const std::filesystem::path& file);

}  // namespace phasegate::phases
