#pragma once
#include <string>

#include "gating/engine/engine.h"

namespace phasegate::mcp::tools {

/// Notices that a list has become another: that of resources, that of prompts. One thread at a
/// time; the engine need not be the same each time.
class ListMarks {
 public:
  struct Changed {
    bool resources = false;
    bool prompts = false;
  };

  /// What is shown otherwise than at the last look; nothing at the first. Where no workflow has
  /// changed it costs what finding them costs.
  [[nodiscard]] Changed look(gating::engine::Engine& engine);

 private:
  std::string workflows_;  ///< digests; empty before the first look
  std::string resources_;
  std::string prompts_;
};

}  // namespace phasegate::mcp::tools
