#pragma once
#include <filesystem>
#include <string>

#include "gating/engine/notifier.h"
#include "world/notify/targets.h"

namespace phasegate::world {

/// Tells the targets of the user's configuration: a program gets the message on its standard input,
/// a webhook as the body of a POST, signed if there is a secret.
class UserNotifier final : public gating::engine::Notifier {
 public:
  /// `file`: the configuration, read anew for each question; empty: nobody is told of anything.
  /// `project`: the name of the project's folder; `options` and `page`: see notify_message.
  UserNotifier(std::filesystem::path file, std::string project, std::string options,
               std::string page)
      : file_(std::move(file)),
        project_(std::move(project)),
        options_(std::move(options)),
        page_(std::move(page)) {}

  [[nodiscard]] std::string channel() override;
  /// Targets that are wrong are left out, and the log says why.
  [[nodiscard]] std::vector<std::string> targets(std::string_view event) override;
  [[nodiscard]] gating::engine::Delivery deliver(const gating::engine::Notification& notification,
                                                 const std::function<bool()>& go_on) override;

 private:
  [[nodiscard]] gating::engine::Delivery run_command(
      const NotifyTarget& target, const gating::engine::Notification& notification,
      const std::function<bool()>& go_on) const;
  [[nodiscard]] gating::engine::Delivery post(const NotifyTarget& target,
                                              const gating::engine::Notification& notification,
                                              const std::function<bool()>& go_on) const;

  std::filesystem::path file_;
  std::string project_;
  std::string options_;
  std::string page_;
  std::string logged_;  ///< the first finding that was logged last
};

}  // namespace phasegate::world
