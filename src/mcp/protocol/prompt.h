#pragma once
#include <string>
#include <vector>

#include "mcp/protocol/content.h"

namespace phasegate::mcp::protocol {

struct PromptArgument {
  std::string name;
  std::string title;  ///< may be empty
  std::string description;
  bool required = false;
};

/// A prompt as `prompts/list` shows it (MCP 2026-07-28 §Prompts).
struct Prompt {
  std::string name;
  std::string title;  ///< may be empty
  std::string description;
  std::vector<PromptArgument> arguments;
  bool waits = false;  ///< as of a tool
};

struct PromptMessage {
  bool by_user = true;  ///< `user`, else `assistant`
  Content content;
};

struct PromptResult {
  std::string description;  ///< may be empty
  std::vector<PromptMessage> messages;
};

/// What may be completed, and how far it has come (MCP 2026-07-28 §Completion).
struct CompletionRequest {
  enum class Of { prompt, resource };
  struct Known {
    std::string name;
    std::string value;
  };

  Of of = Of::prompt;
  std::string ref;           ///< the prompt's name or the resource template's `uriTemplate`
  std::string argument;      ///< which argument or variable
  std::string value;         ///< what has been typed of it
  std::vector<Known> known;  ///< the arguments that have been filled in (`context`)
};

struct Completion {
  std::vector<std::string> values;  ///< at most 100 are sent
  bool has_more = false;
};

}  // namespace phasegate::mcp::protocol
