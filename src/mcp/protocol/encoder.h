#pragma once
#include <string>
#include <string_view>

#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/revision.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/service.h"

namespace phasegate::mcp::protocol {

/// Writes answers as lines, each revision's envelope around the same content: the only place that
/// knows which revision has which field (MCP 2026-07-28 §Results, §Caching; 2025-06-18 §Tools).
/// Ids are JSON text; an empty id leaves the member out, as for errors whose request is unknown.
class Encoder {
 public:
  Encoder(const ServerInfo& info, const Offer& offer);

  [[nodiscard]] std::string initialized(std::string_view id, Revision revision) const;
  [[nodiscard]] std::string discovered(std::string_view id) const;

  /// `tools` is the array as ToolCatalog writes it for this revision.
  [[nodiscard]] std::string tools(std::string_view id, Revision revision,
                                  std::string_view tools) const;
  [[nodiscard]] std::string tool_result(std::string_view id, Revision revision,
                                        const ToolResult& result) const;

  [[nodiscard]] std::string resources(std::string_view id, Revision revision,
                                      const Page<Resource>& page) const;
  [[nodiscard]] std::string resource_templates(std::string_view id, Revision revision,
                                               const Page<ResourceTemplate>& page) const;
  [[nodiscard]] std::string read(std::string_view id, Revision revision,
                                 const ReadResult& result) const;
  [[nodiscard]] std::string prompts(std::string_view id, Revision revision,
                                    const Page<Prompt>& page) const;
  [[nodiscard]] std::string prompt(std::string_view id, Revision revision,
                                   const PromptResult& result) const;
  [[nodiscard]] std::string completion(std::string_view id, Revision revision,
                                       const Completion& completion) const;

  /// Modern only: what is asked, and the sealed state, which may be empty.
  [[nodiscard]] std::string input_required(std::string_view id, const InputRequired& required,
                                           std::string_view request_state) const;
  /// Modern only: the first and the last message of a listen stream.
  [[nodiscard]] std::string acknowledged(std::string_view id, const Wants& wants) const;
  [[nodiscard]] std::string listen_ended(std::string_view id) const;

  /// An empty result, as for `ping`.
  [[nodiscard]] std::string empty(std::string_view id) const;
  [[nodiscard]] std::string error(std::string_view id, const RpcError& error) const;

 private:
  [[nodiscard]] std::string capabilities(Revision revision) const;
  /// Ends a result object of which `line` has the beginning, and the message around it.
  void finish(std::string& line, Revision revision, const CacheHint* cache) const;

  Offer offer_;
  std::string server_;        ///< name and version, as members
  std::string server_title_;  ///< `,"title":…`, or empty
  std::string instructions_;  ///< `,"instructions":…`, or empty
  std::string server_meta_;   ///< the server's name as a member of `_meta`
  std::string modern_tail_;   ///< what ends each modern result
};

/// The method under which something is asked of a client.
[[nodiscard]] std::string_view method_of(InputRequest::Kind kind);
/// The capability that it takes, as a `ClientCapabilities` object in JSON text.
[[nodiscard]] std::string required_capabilities(const std::vector<InputRequest>& requests,
                                                const ClientCapabilities& declared);

}  // namespace phasegate::mcp::protocol
