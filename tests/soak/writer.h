#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/soak/killer.h"
#include "tests/soak/kills.h"
#include "tests/soak/project.h"

namespace phasegate::soak {

/// Sessions that several clients work on at the same time, each of them through all the phases: who
/// comes second to one is answered as for a call that is repeated.
struct Common {
  std::mutex beginning;                         ///< held while one is begun; guards the others
  std::string target;                           ///< of the one to join; empty: begin another
  std::map<std::string, std::string> sessions;  ///< by target, once somebody knows it
};

/// One client that works through sessions, one after the other, on servers that are killed; most
/// are its own, some in common. What was not answered is asked again of the next server.
class Writer {
 public:
  Writer(const Project& project, Common& common, int number, std::uint64_t seed);

  /// Starts a server, works until it is killed, and looks with another process whether all that was
  /// told is there. Counts the kill.
  void die_once();
  /// Works the open session to its end, on a server that lives.
  void finish();

  [[nodiscard]] const KillReport& report() const { return report_; }
  [[nodiscard]] const ToldByTarget& told() const { return told_; }

 private:
  enum class Kind { plain, checked, asked };
  enum class Step { done, refused, unanswered };

  [[nodiscard]] Step work(Server& server, std::chrono::microseconds patience);
  /// Calls a tool, again as long as others keep it from being carried out.
  [[nodiscard]] static std::optional<Json> call(Server& server, const char* tool,
                                                const Json& arguments,
                                                std::chrono::microseconds patience);
  [[nodiscard]] Step go_on(Server& server, std::chrono::microseconds patience);
  /// A person decides about the open session on a terminal; also that is killed, sometimes.
  [[nodiscard]] bool decide();
  void refuse(const std::string& doing, const Json& answer);
  void compare_with_history();
  [[nodiscard]] std::vector<std::string> phases() const;

  [[nodiscard]] Step begin(Server& server, std::chrono::microseconds patience);
  [[nodiscard]] Step begin_alone(Server& server, std::chrono::microseconds patience);
  [[nodiscard]] Step begin_or_join(Server& server, std::chrono::microseconds patience);
  /// Chooses what is worked on next.
  void choose();
  void come_to_its_end();

  const Project& project_;
  Common& common_;
  int number_;
  Killer killer_;
  KillReport report_;
  ToldByTarget told_;
  std::string target_;
  Kind kind_ = Kind::plain;
  bool in_common_ = false;
  std::size_t at_ = 0;       // in the phases
  bool unanswered_ = false;  // the next call was made before, and not answered
};

}  // namespace phasegate::soak
