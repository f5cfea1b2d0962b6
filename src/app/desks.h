#pragma once
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "app/background_checks.h"
#include "app/composition.h"
#include "app/settings.h"
#include "mcp/protocol/service.h"

namespace phasegate::app {

/// The product's service for any number of threads. An engine is for one thread at a time, so each
/// call borrows a desk for as long as it works: a program of its own, with its own connection to
/// the database. Desks are made when they are needed, used again, the last one first, and never
/// more than `most`; who finds none waits for one. Making this touches nothing on disk.
class Desks final : public mcp::protocol::Service {
 public:
  Desks(const Settings& settings, std::size_t most);
  ~Desks() override;

  /// Calls `changed` after every tool call that may have changed a session, from its thread, with
  /// no desk borrowed. To be set before the first call.
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

  /// Lets `work` use an engine.
  void with_engine(const std::function<void(gating::engine::Engine&)>& work);
  /// The same with all of a program, for what an engine alone cannot do.
  void with_program(const std::function<void(Program&)>& work);
  /// A session may have been changed otherwise than by a tool call. With no desk borrowed.
  void tell_change() const;
  /// How many desks there are, for tests.
  [[nodiscard]] std::size_t count();

  [[nodiscard]] mcp::protocol::Offer offer() const override;
  [[nodiscard]] std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> tools() override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ToolResult> call_tool(
      std::string_view name, const base::Json& arguments,
      mcp::protocol::CallContext& context) override;
  /// True for evidence whose checks may start programs.
  [[nodiscard]] bool call_waits(std::string_view name, const base::Json& arguments) override;
  /// True for evidence that a person may have to decide about, or that leads to a step of theirs,
  /// and for sessions that may wait for one.
  [[nodiscard]] bool call_asks(std::string_view name, const base::Json& arguments) override;
  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Resource> resources(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::ResourceTemplate> resource_templates(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ReadResult> read_resource(
      std::string_view uri, mcp::protocol::CallContext& context) override;
  [[nodiscard]] bool can_subscribe(std::string_view uri, const mcp::protocol::Peer& peer) override;
  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Prompt> prompts(
      std::string_view cursor, mcp::protocol::CallContext& context) override;
  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::PromptResult> get_prompt(
      std::string_view name, const base::Json& arguments,
      mcp::protocol::CallContext& context) override;
  [[nodiscard]] std::variant<mcp::protocol::Completion, mcp::protocol::RpcError> complete(
      const mcp::protocol::CompletionRequest& request,
      mcp::protocol::CallContext& context) override;

 private:
  struct Desk;
  class Loan;

  const Settings settings_;
  const std::unique_ptr<rag::BackgroundIndex> index_;
  BackgroundChecks checks_;
  const std::size_t most_;
  std::function<void()> changed_;
  std::mutex mutex_;
  std::condition_variable free_again_;
  std::vector<std::unique_ptr<Desk>> free_;  ///< guarded by mutex_
  std::size_t made_ = 0;                     ///< guarded by mutex_
};

}  // namespace phasegate::app
