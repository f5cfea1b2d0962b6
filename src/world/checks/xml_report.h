#pragma once
#include <functional>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "base/result.h"

/// XML that a test run wrote, read within bounds.
namespace phasegate::world::checks {

/// Parses a document with one root. Entities that a DTD declares are not expanded, nothing outside
/// the text is looked at. Errors (`invalid_report`): not well-formed, cut off, more than
/// limits::kReportBytesMax, so many elements that they would not fit into memory.
[[nodiscard]] base::Result<pugi::xml_node> parse_xml(std::string_view text,
                                                     pugi::xml_document& document);

/// A node's name without its namespace.
[[nodiscard]] std::string_view local_name(const pugi::xml_node& node);

/// What is done with an element before its children are visited; false: leave its children out.
using Enter = std::function<bool(const pugi::xml_node&)>;
using Leave = std::function<void(const pugi::xml_node&)>;
/// Visits all elements below `root` and itself without recursion. Errors (`invalid_report`): nested
/// deeper than is sensible.
[[nodiscard]] base::Result<void> walk(const pugi::xml_node& root, const Enter& enter,
                                      const Leave& leave = {});

[[nodiscard]] base::Error invalid_report(std::string message, std::string hint = "");

}  // namespace phasegate::world::checks
