#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rag/fields.h"

namespace phasegate::rag {

/// A piece of a document that answers a question by itself.
struct Passage {
  std::string title;           ///< its own headings as text, joined with ` / ` if several
  std::string path;            ///< the headings above it, from the document's on, with ` > `
  std::string content;         ///< markdown, as it is shown: its headings and what follows
  std::size_t line_first = 1;  ///< in the file, from 1
  std::size_t line_last = 1;
  std::size_t tokens = 0;  ///< about: (bytes of content + 3) / 4
};

struct DocumentPassages {
  std::string title;  ///< front matter's, else the first heading's, else the file's name
  std::string phase;  ///< of the path or the front matter; may be empty
  std::vector<std::string> tags;  ///< in lower case, each once; limits::kSearchTagsMax at most
  std::vector<Passage> passages;  ///< in the document's order
};

/// How long passages shall be, in tokens; headings do not count.
struct PassageSizes {
  std::size_t least = 100;     ///< a shorter one is put together with its neighbour, if they belong
  std::size_t together = 150;  ///< what neighbours may have together
  std::size_t most = 250;      ///< a section that is longer is divided between its blocks
};

/// Divides a document into passages. Markdown (.md, .markdown, .mdx) is divided at its headings,
/// a long section between its blocks; a fence or a table stays whole up to
/// limits::kPassageBytesMost, beyond that it is divided between its lines and every part is a fence
/// or table of its own. Headings without text, front matter, HTML comments (not those within code)
/// and lines across are left out. Any other file is plain text and divided at its blank lines.
///
/// `path` is the file's, relative to the project; it says what the document is (a phase's, its
/// tags), and so does the front matter; words of the text never do. Any bytes are taken: what is
/// not UTF-8 is replaced. Linear in the text.
[[nodiscard]] DocumentPassages read_passages(std::string_view path, std::string_view text,
                                             PassageSizes sizes = {});

/// What a passage is found by, of what is kept of it. `file` is the path of its document, `title`,
/// `path` and `content` are those of Passage.
[[nodiscard]] PassageFields fields_of(std::string_view file, std::string_view title,
                                      std::string_view path, std::string_view content);
[[nodiscard]] PassageFields fields_of(std::string_view file, const Passage& passage);

}  // namespace phasegate::rag
