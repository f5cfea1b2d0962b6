#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/notifier.h"

namespace phasegate::world {

/// What all targets are told, of a notification.
struct NotifyMessage {
  std::string json;  ///< one object, compact
  /// What `{{…}}` in a command's arguments stands for: event, text, session, workflow, phase,
  /// project, decide, page. One line each, without control characters, never beginning with `-`.
  std::map<std::string, std::string> values;
};

/// `project`: the name of the project's folder. `options`: what completes a command that is run
/// from anywhere, as Settings::options_anywhere; only the values for commands hold it, since what
/// is sent elsewhere names no place on this machine. `page`: where a person decides on the web, but
/// for the decision's id at the end; empty: nowhere. Total: a payload that is none gives a message
/// that says less. Linear.
[[nodiscard]] NotifyMessage notify_message(const gating::engine::Notification& notification,
                                           std::string_view project, std::string_view options,
                                           std::string_view page);

/// The arguments with the values put in, each an argument as before. What stands in the braces and
/// is no name of a value stays as it is; the reader of the file has refused it.
[[nodiscard]] std::vector<std::string> filled(const std::vector<std::string>& arguments,
                                              const std::map<std::string, std::string>& values);

/// Names in braces that are none of `known`, each once.
[[nodiscard]] std::vector<std::string> unknown_names(const std::vector<std::string>& arguments);

/// The value of the header `webhook-signature` (Standard Webhooks): `v1,` and in base64 the
/// HMAC-SHA-256 of `id.timestamp.body`.
[[nodiscard]] std::string webhook_signature(std::string_view secret, std::string_view id,
                                            std::string_view timestamp, std::string_view body);

}  // namespace phasegate::world
