#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json_fwd.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/prompt.h"
#include "mcp/protocol/resource.h"
#include "mcp/protocol/tool.h"

namespace phasegate::mcp::protocol {

/// What a server has, beside tools: its capabilities. Only what is set here is declared, and only
/// what is declared is served.
struct Offer {
  bool tools_change = false;  ///< the list of tools may change while the server runs
  bool prompts = false;
  bool prompts_change = false;
  bool resources = false;
  bool resources_change = false;
  bool resources_subscribe = false;
  bool completions = false;
  bool logging = false;  ///< to legacy clients; modern ones ask per request
};

/// One page of a list; an empty `next_cursor` ends it.
template <typename T>
struct Page {
  std::vector<T> items;
  std::string next_cursor;
  CacheHint cache;  ///< the same on every page of a list
};

template <typename T>
using Listed = std::variant<Page<T>, RpcError>;
template <typename T>
using Outcome = std::variant<T, InputRequired, RpcError>;

/// The error for a resource that does not exist or may not be seen; each era has its own code for
/// it, the server puts it in.
[[nodiscard]] RpcError resource_not_found(std::string_view uri, std::string message);
/// The error for a cursor that this list did not give out, a prompt that does not exist, an
/// argument that is missing.
[[nodiscard]] RpcError invalid_params(std::string message);

/// What stands behind a server: tools, resources, prompts, completion. Called from any number of
/// threads at once. Cursors come in as the client sent them, empty for the first page. A handler
/// that throws is logged and told as an internal error without its text.
class Service {
 public:
  virtual ~Service() = default;

  /// Constant.
  [[nodiscard]] virtual Offer offer() const = 0;

  /// All tools, in a stable order, on one page. The same object as long as nothing has changed: MCP
  /// 2026-07-28 forbids varying it as a side effect of requests.
  [[nodiscard]] virtual std::shared_ptr<const std::vector<ToolDefinition>> tools() = 0;
  /// `name` is one of tools(); `arguments` is an object (empty if the client sent none). Wrong
  /// arguments are a ToolResult with is_error.
  [[nodiscard]] virtual Outcome<ToolResult> call_tool(std::string_view name,
                                                      const base::Json& arguments,
                                                      CallContext& context) = 0;

  [[nodiscard]] virtual Listed<Resource> resources(std::string_view cursor, CallContext& context);
  [[nodiscard]] virtual Listed<ResourceTemplate> resource_templates(std::string_view cursor,
                                                                    CallContext& context);
  /// True if this call of a tool that does not always `wait` may take longer than a moment, so that
  /// it must not keep other calls waiting. `arguments` are as they came, perhaps invalid.
  [[nodiscard]] virtual bool call_waits(std::string_view name, const base::Json& arguments);
  /// The same for a call that may ask the client's person: where the revision has them asked within
  /// the call, their answer comes on a connection that has to be read meanwhile.
  [[nodiscard]] virtual bool call_asks(std::string_view name, const base::Json& arguments);
  [[nodiscard]] virtual Outcome<ReadResult> read_resource(std::string_view uri,
                                                          CallContext& context);
  /// True if changes of this resource can be told to `peer`.
  [[nodiscard]] virtual bool can_subscribe(std::string_view uri, const Peer& peer);

  [[nodiscard]] virtual Listed<Prompt> prompts(std::string_view cursor, CallContext& context);
  /// True for a prompt that `waits`.
  [[nodiscard]] virtual bool prompt_waits(std::string_view name);
  /// `arguments` is an object of strings.
  [[nodiscard]] virtual Outcome<PromptResult> get_prompt(std::string_view name,
                                                         const base::Json& arguments,
                                                         CallContext& context);
  [[nodiscard]] virtual std::variant<Completion, RpcError> complete(
      const CompletionRequest& request, CallContext& context);
};

}  // namespace phasegate::mcp::protocol
